//! A number from 0 to 100 for how often changes like this one had to be fixed, with every addend shown.
//!
//! Only source files count. `benches/risk_backtest.py` measures it on past commits (one is faulty when a later fix
//! deletes lines of it): on seven repositories the mean AUC is .779, and in each it is above that of all added lines
//! (mean .755). Weights that were fitted on the six others were no better (.776), so these are no product of
//! their data. What is not in it (ownership, age, missing tests, co-change) said nothing.

use std::sync::LazyLock;

use serde::Deserialize;

/// The score with what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Risk {
    pub score: f64,
    pub factors: Vec<Factor>,
    pub observed: Option<Observed>,
}

/// How often changes with a score of the same fifth of the scale had to be fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// Of all commits that were measured.
    pub rate: f64,
    /// Of the repository where it was lowest and highest.
    pub lowest: f64,
    pub highest: f64,
}

/// What the backtest measured, as it wrote it down.
#[derive(Deserialize)]
struct Measurement {
    buckets: Vec<Bucket>,
    #[cfg(test)]
    examples: Vec<Example>,
}

/// A commit with the score that the backtest gave it.
#[cfg(test)]
#[derive(Deserialize)]
struct Example {
    lines: Vec<(u32, u32)>,
    fixes: u32,
    score: f64,
}

/// The constants of the score, in a file that the backtest reads too.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Formula {
    lines_added: Addend,
    fixes_12mo: Addend,
    files: Addend,
    entropy: Addend,
    lines_deleted: Addend,
}

#[derive(Deserialize)]
struct Addend {
    /// The most that it adds.
    points: f64,
    /// What adds as much; one more than the count where counts begin at none, for the sake of the logarithm.
    full: f64,
}

static FORMULA: LazyLock<Formula> = LazyLock::new(|| {
    serde_json::from_str(include_str!("risk_formula.json")).expect("because the file is part of the program")
});

/// A fifth of the scale.
#[derive(Deserialize)]
struct Bucket {
    to: f64,
    rate: f64,
    lowest: f64,
    highest: f64,
}

static MEASURED: LazyLock<Measurement> = LazyLock::new(|| {
    serde_json::from_str(include_str!("risk_rates.json")).expect("because the file is part of the program")
});

impl Observed {
    fn of(score: f64) -> Option<Self> {
        let bucket = MEASURED.buckets.iter().find(|it| score < it.to).or_else(|| MEASURED.buckets.last())?;
        Some(Self { rate: bucket.rate, lowest: bucket.lowest, highest: bucket.highest })
    }
}

/// An addend of the score.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    pub name: &'static str,
    pub value: f64,
    /// What it adds to the score.
    pub share: f64,
    /// The most that it can add.
    pub most: f64,
    pub availability: Availability,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    Measured,
    /// Not known, and not counted: the score is lower than it may have to be.
    Unavailable,
}

/// The risk of a change by the added and deleted lines of its files and the fixes in these files in twelve months.
pub(super) fn risk(lines: &[(u32, u32)], fixes: Option<u32>) -> Risk {
    let added: f64 = lines.iter().map(|it| f64::from(it.0)).sum();
    let deleted: f64 = lines.iter().map(|it| f64::from(it.1)).sum();
    let files = lines.iter().fold(0.0, |sum: f64, _| sum + 1.0);
    let entropy = entropy(lines);
    let formula = &*FORMULA;
    let spread = if files > 0.0 { f64::min(1.0, files.ln() / formula.files.full.ln()) } else { 0.0 };
    let measured = |name, value: f64, share: f64, addend: &Addend| Factor {
        name,
        value,
        share: share * addend.points,
        most: addend.points,
        availability: Availability::Measured,
    };
    let grown_by =
        |name, count: f64, addend: &Addend| measured(name, count, grown(count, addend.full), addend);
    let history = fixes.map(|it| grown_by("fixes_12mo", f64::from(it), &formula.fixes_12mo));
    let unknown = Factor {
        name: "fixes_12mo",
        value: 0.0,
        share: 0.0,
        most: formula.fixes_12mo.points,
        availability: Availability::Unavailable,
    };
    let factors = vec![
        grown_by("lines_added", added, &formula.lines_added),
        history.unwrap_or(unknown),
        measured("files", files, spread, &formula.files),
        measured("entropy", entropy, f64::min(1.0, entropy / formula.entropy.full), &formula.entropy),
        grown_by("lines_deleted", deleted, &formula.lines_deleted),
    ];
    let score: f64 = factors.iter().map(|it| it.share).sum();
    let observed = Observed::of(score);
    Risk { score, factors, observed }
}

/// The logarithm of a count as a share of that of the count that is as bad as can be.
fn grown(count: f64, full: f64) -> f64 {
    f64::min(1.0, (1.0 + count).ln() / full.ln())
}

/// How evenly the changed lines lie over the files: 0 all in one, 1 the same in each.
fn entropy(lines: &[(u32, u32)]) -> f64 {
    let counts: Vec<f64> =
        lines.iter().map(|it| f64::from(it.0) + f64::from(it.1)).filter(|it| *it > 0.0).collect();
    let total: f64 = counts.iter().sum();
    let most = counts.iter().fold(0.0, |sum: f64, _| sum + 1.0).ln();
    if most <= 0.0 {
        return 0.0;
    }
    counts.iter().map(|it| -(it / total) * (it / total).ln()).sum::<f64>() / most
}

#[cfg(test)]
mod tests {
    use super::{Availability, MEASURED, Observed, risk};

    #[test]
    fn the_score_is_the_sum_of_its_factors() {
        let check = |lines: &[(u32, u32)], fixes, expected: f64| {
            let risk = risk(lines, fixes);
            assert!((risk.score - expected).abs() < 0.01, "{} for {lines:?}", risk.score);
        };
        check(&[], Some(0), 0.0);
        // By hand: 70 · ln 11 / ln 501.
        check(&[(10, 0)], Some(0), 27.0);
        check(&[(500, 300)], Some(8), 91.0);
        // Eleven files with the same number of lines: both spread factors are full.
        check(&[(500, 300); 11], Some(8), 100.0);
    }

    /// The buckets of the measurement, which rises from each to the next.
    #[test]
    fn what_was_observed_is_that_of_the_fifth_of_the_score() {
        let rate = |score: f64| Observed::of(score).unwrap().rate;
        let rates: Vec<f64> = [0.0, 20.0, 40.0, 60.0, 80.0].map(rate).to_vec();
        assert!(rates.is_sorted_by(|a, b| a < b), "{rates:?}");
        assert_eq!((rate(19.9), rate(59.9), rate(100.0)), (rates[0], rates[2], rates[4]));
        for bucket in &MEASURED.buckets {
            assert!(bucket.lowest <= bucket.rate && bucket.rate <= bucket.highest);
        }
    }

    /// So the rates that are shown are those of this very formula.
    #[test]
    fn the_backtest_gave_the_same_scores() {
        assert!(MEASURED.examples.len() >= 20);
        for it in &MEASURED.examples {
            let score = risk(&it.lines, Some(it.fixes)).score;
            assert!((score - it.score).abs() < 1e-5, "{score} is not {}", it.score);
        }
    }

    #[test]
    fn a_missing_history_is_unavailable_and_not_zero() {
        let risk = risk(&[(10, 0)], None);
        let history = risk.factors.iter().find(|it| it.name == "fixes_12mo").unwrap();
        assert_eq!(history.availability, Availability::Unavailable);
    }
}
