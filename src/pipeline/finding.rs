//! From matches to findings: standing against the base, bounded in number, each resting on its evidence.

use std::collections::{BTreeMap, BTreeSet};

use super::look::{Fix, Hit, Look};
use crate::config::Limits;
use crate::model::{
    Evidence, EvidenceId, Excerpt, Fingerprint, Location, Method, Note, Redacted, Severity, Standing, Tier,
};
use crate::structural::RuleSet;

/// What a rule says about a place.
#[derive(Clone, Debug)]
pub struct Finding {
    pub rule: String,
    pub severity: Severity,
    pub standing: Standing,
    pub place: Location,
    pub message: Redacted,
    pub fingerprint: Fingerprint,
    pub trust: Tier,
    pub provenance: Method,
    pub is_stale: bool,
    pub evidence: Vec<EvidenceId>,
    pub fix: Fix,
    pub excerpt: Excerpt,
}

impl Finding {
    /// What a record is as a finding, which nothing rewrites.
    pub fn of(
        rule: String,
        severity: Severity,
        standing: Standing,
        evidence: &Evidence,
        excerpt: Excerpt,
    ) -> Self {
        Self {
            rule,
            severity,
            standing,
            place: evidence.place.clone(),
            message: evidence.message.clone(),
            fingerprint: evidence.fingerprint.clone(),
            trust: evidence.tier(),
            provenance: evidence.method(),
            is_stale: evidence.is_stale(),
            evidence: vec![evidence.id()],
            fix: Fix::None,
            excerpt,
        }
    }
}

/// Findings with their evidence.
#[derive(Default)]
pub struct Findings {
    pub findings: Vec<Finding>,
    pub evidence: Vec<Evidence>,
    pub notes: Vec<Note>,
    /// Findings that a limit left out.
    pub cut: u64,
}

/// Takes the hits out of the looks, in the order of files and places.
pub fn collect(
    looks: &mut [Look],
    rules: &RuleSet,
    base: Option<&BTreeSet<Fingerprint>>,
    limits: &Limits,
) -> Findings {
    let mut found = Findings::default();
    let mut matched: BTreeMap<usize, u64> = BTreeMap::new();
    for hit in looks.iter_mut().flat_map(|it| std::mem::take(&mut it.hits)) {
        let count = matched.entry(hit.rule).or_default();
        *count += 1;
        if *count > limits.max_matches_per_rule || found.findings.len() as u64 >= limits.max_findings {
            found.cut += 1;
        } else {
            found.add(hit, rules, base);
        }
    }
    for (rule, more) in looks.iter().flat_map(|it| &it.beyond) {
        *matched.entry(*rule).or_default() += more;
        found.cut += more;
    }
    found.note_limits(&matched, rules, limits);
    found
}

impl Findings {
    fn add(&mut self, hit: Hit, rules: &RuleSet, base: Option<&BTreeSet<Fingerprint>>) {
        let Some(rule) = rules.get(hit.rule) else { return };
        let evidence = hit.evidence;
        let standing = match base {
            None => Standing::Unknown,
            Some(older) if older.contains(&evidence.fingerprint) => Standing::Existing,
            Some(_) => Standing::New,
        };
        let finding = Finding::of(rule.id.clone(), rule.severity, standing, &evidence, hit.excerpt);
        self.findings.push(Finding { fix: hit.fix, ..finding });
        self.evidence.push(evidence);
    }

    fn note_limits(&mut self, matched: &BTreeMap<usize, u64>, rules: &RuleSet, limits: &Limits) {
        let most = limits.max_matches_per_rule;
        for (number, count) in matched.iter().filter(|(_, count)| **count > most) {
            let rule = rules.get(*number).map(|it| it.id.as_str()).unwrap_or_default();
            let message = format!(
                "the rule `{rule}` matches {count} times; the first {most} are kept (`limits.max_matches_per_rule`)"
            );
            self.notes.push(Note::new("match_limit", message));
        }
        let most = limits.max_findings;
        if self.findings.len() as u64 >= most && self.cut > 0 {
            let message = format!("only the first {most} findings are kept (`limits.max_findings`)");
            self.notes.push(Note::new("finding_limit", message));
        }
    }
}
