//! Points in time, in whole seconds: always an argument, never read from a clock here.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Seconds since 1970-01-01T00:00:00Z; RFC 3339 in UTC on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Timestamp(jiff::Timestamp);

/// A text that is not an RFC 3339 time.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a time such as 2026-11-30T12:00:00Z")]
pub struct TimestampError(String);

impl Timestamp {
    /// The time so many seconds after the epoch; beyond the years -9999 to 9999 it is the nearest one inside.
    pub fn from_unix(seconds: i64) -> Self {
        let limit = if seconds < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        Self(jiff::Timestamp::from_second(seconds).unwrap_or(limit))
    }

    pub fn unix(self) -> i64 {
        self.0.as_second()
    }

    /// This time and so many seconds.
    pub fn plus_seconds(self, seconds: u64) -> Self {
        Self::from_unix(self.unix().saturating_add(i64::try_from(seconds).unwrap_or(i64::MAX)))
    }
}

impl TryFrom<String> for Timestamp {
    type Error = TimestampError;

    fn try_from(text: String) -> Result<Self, TimestampError> {
        text.parse::<jiff::Timestamp>()
            .map(|it| Self::from_unix(it.as_second()))
            .map_err(|_| TimestampError(text))
    }
}

impl From<Timestamp> for String {
    fn from(timestamp: Timestamp) -> Self {
        timestamp.to_string()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn a_time_is_written_in_utc_and_read_back() {
        let time = Timestamp::from_unix(1_796_040_000);
        assert_eq!(time.to_string(), "2026-11-30T12:00:00Z");
        assert_eq!(Timestamp::try_from(time.to_string()).unwrap(), time);
        assert_eq!(time.plus_seconds(1_800).to_string(), "2026-11-30T12:30:00Z");
        assert!(Timestamp::from_unix(i64::MAX).plus_seconds(u64::MAX) >= time);
    }
}
