//! The protobuf wire format over a slice, without copying and without recursion.
//!
//! <https://protobuf.dev/programming-guides/encoding/>. A field is the only unit; what a message means is the caller's.

/// The fields of one message, in the order of its bytes. After an error there are none.
#[derive(Clone, Debug)]
pub struct Fields<'b> {
    rest: &'b [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'b> {
    pub number: u32,
    pub value: Value<'b>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'b> {
    Varint(u64),
    Bytes(&'b [u8]),
    /// Four or eight bytes; no field of an index has such a value.
    Fixed,
}

/// Why bytes are not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    #[error("it ends in the middle of a field")]
    Truncated,
    #[error("{0}")]
    Malformed(&'static str),
}

const MAX_VARINT_BYTES: usize = 10;
const MAX_FIELD: u64 = (1 << 29) - 1;

impl<'b> Fields<'b> {
    pub const fn new(message: &'b [u8]) -> Self {
        Self { rest: message }
    }

    #[inline]
    fn field(&mut self) -> Result<Field<'b>, WireError> {
        let tag = self.varint()?;
        let number = tag >> 3;
        if number == 0 || number > MAX_FIELD {
            return Err(WireError::Malformed("a field has a number that no field can have"));
        }
        let value = match tag & 7 {
            0 => Value::Varint(self.varint()?),
            1 => self.take(8).map(|_| Value::Fixed)?,
            2 => {
                let length = self.varint()?;
                Value::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| Value::Fixed)?,
            3 | 4 => return Err(WireError::Malformed("it has a group, and an index has none")),
            _ => return Err(WireError::Malformed("a field has a type that does not exist")),
        };
        Ok(Field { number: u32::try_from(number).expect("because it is at most MAX_FIELD"), value })
    }

    /// Nearly every number of an index has one byte.
    #[inline]
    fn varint(&mut self) -> Result<u64, WireError> {
        if let [first @ 0..=0x7f, rest @ ..] = self.rest {
            self.rest = rest;
            return Ok(u64::from(*first));
        }
        self.long_varint()
    }

    fn long_varint(&mut self) -> Result<u64, WireError> {
        let mut value = 0;
        for (count, byte) in self.rest.iter().take(MAX_VARINT_BYTES).enumerate() {
            let bits = u64::from(byte & 0x7f);
            if count + 1 == MAX_VARINT_BYTES && bits > 1 {
                return Err(WireError::Malformed("a number has more than 64 bits"));
            }
            value |= bits << (7 * count);
            if byte & 0x80 == 0 {
                self.rest = self.rest.get(count + 1..).unwrap_or_default();
                return Ok(value);
            }
        }
        let is_long = self.rest.len() >= MAX_VARINT_BYTES;
        Err(if is_long {
            WireError::Malformed("a number has more than ten bytes")
        } else {
            WireError::Truncated
        })
    }

    #[inline]
    fn take(&mut self, length: u64) -> Result<&'b [u8], WireError> {
        let parts = usize::try_from(length).ok().and_then(|it| self.rest.split_at_checked(it));
        let (taken, rest) = parts.ok_or(WireError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Result<Field<'b>, WireError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

/// The numbers of a packed field, as protobuf's `int32`; none for one that does not fit.
pub fn packed(bytes: &[u8]) -> impl Iterator<Item = Result<Option<i32>, WireError>> {
    let mut fields = Fields::new(bytes);
    std::iter::from_fn(move || {
        if fields.rest.is_empty() {
            return None;
        }
        let number = fields.varint();
        if number.is_err() {
            fields.rest = &[];
        }
        Some(number.map(int32))
    })
}

/// A negative `int32` is written as the 64-bit number.
pub fn int32(number: u64) -> Option<i32> {
    i32::try_from(number.cast_signed()).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, proptest};

    use super::{Field, Fields, Value, WireError, int32, packed};

    fn check(bytes: &[u8], expected: Result<&[Field<'_>], WireError>) {
        let found: Result<Vec<_>, _> = Fields::new(bytes).collect();
        assert_eq!(found.as_deref(), expected.as_ref().map(|it| *it), "{bytes:x?}");
    }

    /// The examples of the protobuf documentation, and what it forbids.
    #[test]
    fn fields_are_read_as_documented() {
        let field = |number, value| Field { number, value };
        check(b"\x08\x96\x01", Ok(&[field(1, Value::Varint(150))]));
        check(b"\x12\x07testing", Ok(&[field(2, Value::Bytes(b"testing"))]));
        check(b"\x09abcdefgh\x0dabcd", Ok(&[field(1, Value::Fixed), field(1, Value::Fixed)]));
        check(b"", Ok(&[]));
        check(b"\x08", Err(WireError::Truncated));
        check(b"\x12\x08testing", Err(WireError::Truncated));
        check(b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01a", Err(WireError::Truncated));
        // A length that a reader of 32 bits takes for 0.
        check(b"\x12\x80\x80\x80\x80\x10", Err(WireError::Truncated));
        let malformed = |it| Err(WireError::Malformed(it));
        check(b"\x00\x00", malformed("a field has a number that no field can have"));
        check(b"\x0b\x0c", malformed("it has a group, and an index has none"));
        check(b"\x0f", malformed("a field has a type that does not exist"));
        check(
            &[0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2],
            malformed("a number has more than 64 bits"),
        );
        check(&[0x80; 11], malformed("a number has more than ten bytes"));
    }

    #[test]
    fn packed_numbers_keep_their_sign() {
        let negative = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        let bytes = [&[3][..], &[0x8e, 0x02], &negative, &[0xff, 0xff, 0xff, 0xff, 0x7f]].concat();
        let found: Vec<_> = packed(&bytes).map(Result::unwrap).collect();
        assert_eq!(found, [Some(3), Some(270), Some(-2), None]);
        assert_eq!(int32(u64::MAX), Some(-1));
    }

    proptest! {
        #[test]
        fn any_bytes_come_to_an_end(bytes: Vec<u8>, number in any::<u64>()) {
            prop_assert!(Fields::new(&bytes).count() <= bytes.len());
            prop_assert!(packed(&bytes).count() <= bytes.len());
            prop_assert!(int32(number).is_none_or(|it| i64::from(it).cast_unsigned() == number));
        }
    }
}
