//! A finite number in [0, 1] that orders results inside a tier.

use std::cmp::Ordering;

/// How sure a method is of one result, relative to its other results; not a probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence(f64);

/// Steps of the unit interval that are told apart: finer ones would only be noise, and every writer of numbers writes
/// these the same way.
const STEPS: f64 = 10_000.0;

/// A number that is not a confidence.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("confidence {0} is not a finite number in [0, 1]")]
pub struct OutOfRange(pub f64);

impl Confidence {
    pub const FULL: Self = Self(1.0);

    /// # Errors
    /// When the number is not finite or lies outside [0, 1].
    pub fn new(value: f64) -> Result<Self, OutOfRange> {
        if !value.is_finite() || !(0.0..=1.0).contains(&value) {
            return Err(OutOfRange(value));
        }
        Ok(Self((value.abs() * STEPS).round() / STEPS))
    }

    /// A confidence in whole hundredths, for constants; above 100 it is full.
    #[cfg(test)]
    pub const fn percent(hundredths: u8) -> Self {
        if hundredths >= 100 { Self::FULL } else { Self(hundredths as f64 / 100.0) }
    }

    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Eq for Confidence {}

impl PartialOrd for Confidence {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Confidence {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Confidence;

    #[test]
    fn only_finite_numbers_of_the_unit_interval_are_confidences() {
        for good in [0.0, -0.0, 1.0, 0.5, f64::MIN_POSITIVE] {
            assert!(Confidence::new(good).is_ok(), "{good}");
        }
        for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, -0.1, 1.000_000_1] {
            assert!(Confidence::new(bad).is_err(), "{bad}");
        }
    }
}
