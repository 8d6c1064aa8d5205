//! What is said of the risk of a change and of files that it may have forgotten, the same in every text.

use crate::bundle::{Partner, Risk};

/// The score with its addends, and what became of past changes with such a score.
pub fn risk(risk: &Risk) -> Vec<String> {
    let factors = risk.factors.iter().map(|it| match it.value {
        Some(_) => format!("{} {:.1}", it.name, it.share),
        None => format!("{} unavailable", it.name),
    });
    let factors: Vec<String> = factors.collect();
    let mut lines = vec![format!("risk: {:.1} of 100 ({})", risk.score, factors.join(", "))];
    if let (Some(rate), Some([low, high])) = (risk.observed_rate, risk.observed) {
        lines.push(format!(
            "  of past changes with such a score {:.0} % had to be fixed later ({:.0} to {:.0} % by repository)",
            100.0 * rate,
            100.0 * low,
            100.0 * high
        ));
    }
    lines
}

/// A file that mostly changed with one of the change.
pub fn partner(partner: &Partner) -> String {
    let Partner { path, with, both, all } = partner;
    format!("{path} (in {both} of {all} changes of {with})")
}
