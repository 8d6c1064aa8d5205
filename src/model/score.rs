//! One number per record, to order results and to fill a budget.
//!
//! Each tier owns a band; the bands do not touch. Stale results are scaled, not clamped, by a factor taken from the
//! bound that it has to keep: the best stale score lies below the worst fresh structural one.

use std::cmp::Ordering;

use super::confidence::Confidence;
use super::tier::{Freshness, Tier};

/// A score in [0, 1]. Higher is stronger; the distance between two scores means nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score(f64);

const BANDS: f64 = Tier::ALL.len() as f64;
/// A band is filled to this share, so that full confidence stays below the next tier's zero.
const BAND_FILL: f64 = 0.9;

const fn floor(tier: Tier) -> f64 {
    (tier as u8 as f64 + BAND_FILL) / (BANDS + BAND_FILL)
}

const fn ceiling(tier: Tier) -> f64 {
    floor(tier) + BAND_FILL / (BANDS + BAND_FILL)
}

/// What a stale score is multiplied by: below the lowest fresh structural score over the highest of all.
pub const STALE_FACTOR: f64 = BAND_FILL * floor(Tier::Structural) / ceiling(Tier::Exact);

const _: () = assert!(
    STALE_FACTOR * ceiling(Tier::Exact) < floor(Tier::Structural),
    "a stale result could outrank a fresh structural one"
);

/// The score of a result of this tier, confidence and freshness.
pub fn score(tier: Tier, confidence: Confidence, freshness: Freshness) -> Score {
    let fresh = floor(tier) + (ceiling(tier) - floor(tier)) * confidence.get();
    Score(match freshness {
        Freshness::Fresh => fresh,
        Freshness::Stale => fresh * STALE_FACTOR,
    })
}

impl Score {
    #[cfg(test)]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}
