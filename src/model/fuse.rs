//! Merging what several providers say about one place, without losing any of it.

use std::collections::BTreeMap;

use super::digest::canonical_json;
use super::evidence::{Detail, Evidence, Kind};
use super::place::Location;

/// What two records must share to be about the same thing. Two rules may well match one node: those are two claims.
type Claim = (Location, Kind, Option<String>);

fn claim(record: &Evidence) -> Claim {
    let rule = match &record.detail {
        Detail::Match(it) => Some(it.rule.clone()),
        Detail::Dependency(it) => Some(format!("{}:{}", it.ecosystem, it.name)),
        Detail::Check(it) => Some(it.check.clone()),
        // Each fact about a file stands on its own.
        Detail::History(it) => Some(format!("{:?}", (&it.fact, it.commits.first()))),
        Detail::None | Detail::Change(_) | Detail::Reach(_) | Detail::Deprecation(_) => None,
    };
    (record.place.clone(), record.kind, rule)
}

/// Keeps the strongest record of each claim and, whole and flat, every weaker one under its `superseded`.
///
/// Associative, commutative and idempotent: any grouping of any order of the same records gives the same list, in
/// [`Evidence::order`].
pub fn fuse(records: impl IntoIterator<Item = Evidence>) -> Vec<Evidence> {
    let mut claims: BTreeMap<Claim, Vec<Evidence>> = BTreeMap::new();
    for mut record in records {
        let weaker = std::mem::take(&mut record.superseded);
        let group = claims.entry(claim(&record)).or_default();
        group.extend(weaker);
        group.push(record);
    }
    let mut fused: Vec<Evidence> = claims.into_values().filter_map(strongest).collect();
    fused.sort_by(Evidence::order);
    fused
}

/// The strongest record of a group with the others under it. Equal records count once; of those that differ in their
/// metadata alone, the order of their written forms decides.
fn strongest(mut group: Vec<Evidence>) -> Option<Evidence> {
    if group.len() > 1 {
        let written =
            |it: &Evidence| canonical_json(it).expect("because a record holds only text and numbers");
        let mut by_form: BTreeMap<Vec<u8>, Evidence> =
            group.into_iter().map(|it| (written(&it), it)).collect();
        group = std::mem::take(&mut by_form).into_values().collect();
        group.sort_by(Evidence::order);
    }
    let mut records = group.into_iter();
    let mut first = records.next()?;
    first.superseded = records.collect();
    Some(first)
}
