//! SHA-256 digests and the canonical JSON they are taken over.

use std::fmt::{self, Write as _};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest: 64 lower-case hexadecimal digits on the wire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Digest([u8; 32]);

/// A text that is not a SHA-256 digest.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a SHA-256 digest of 64 lower-case hexadecimal digits")]
pub struct DigestError(String);

impl Digest {
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of a document's canonical form.
    ///
    /// # Errors
    /// When the value has no JSON form (a map key that is not text, a number that is not finite).
    pub fn of_document(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        canonical_json(value).map(|bytes| Self::of(&bytes))
    }

    /// The first `digits` hexadecimal digits.
    pub fn short(&self, digits: usize) -> String {
        self.digits().take(digits).collect()
    }

    fn digits(&self) -> impl Iterator<Item = char> {
        let digit = |value: u8| char::from(if value < 10 { b'0' + value } else { b'a' + value - 10 });
        self.0.iter().flat_map(move |byte| [digit(byte >> 4), digit(byte & 15)])
    }
}

/// The bytes of RFC 8785 (JSON Canonicalization Scheme): sorted keys, no white space, ECMAScript numbers.
///
/// # Errors
/// When the value has no JSON form.
pub fn canonical_json(value: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    serde_json_canonicalizer::to_vec(value)
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits().try_for_each(|it| formatter.write_char(it))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.digits().collect()
    }
}

impl TryFrom<String> for Digest {
    type Error = DigestError;

    fn try_from(text: String) -> Result<Self, DigestError> {
        let mut bytes = [0; 32];
        let digits = text.as_bytes();
        if digits.len() != 64 || digits.iter().any(u8::is_ascii_uppercase) {
            return Err(DigestError(text));
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let Some(value) = std::str::from_utf8(pair).ok().and_then(|it| u8::from_str_radix(it, 16).ok())
            else {
                return Err(DigestError(text));
            };
            *byte = value;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, canonical_json};

    /// The vector "abc" of FIPS 180-4.
    #[test]
    fn digest_is_sha256_in_lower_case() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").to_string(), expected);
        assert!(Digest::try_from(expected.to_uppercase()).is_err());
        assert!(Digest::try_from("é".repeat(32)).is_err());
        assert_eq!(Digest::try_from(expected.to_owned()).unwrap(), Digest::of(b"abc"));
    }

    /// Section 3.2.2 of RFC 8785, the numbers and the sorted keys of its sample.
    #[test]
    fn canonical_form_is_rfc_8785() {
        let value: serde_json::Value = serde_json::from_str(
            r#"{"numbers":[333333333.33333329,1E30,4.50,2e-3,1.0],"literals":[null,true]}"#,
        )
        .unwrap();
        let expected = r#"{"literals":[null,true],"numbers":[333333333.3333333,1e+30,4.5,0.002,1]}"#;
        assert_eq!(String::from_utf8(canonical_json(&value).unwrap()).unwrap(), expected);
    }
}
