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
        Detail::None | Detail::Change(_) | Detail::Reach(_) => None,
    };
    (record.place.clone(), record.kind, rule)
}

/// Keeps the strongest record of each claim and, whole and flat, every weaker one under its `superseded`.
///
/// Associative, commutative and idempotent: any grouping of any order of the same records gives the same list, in
/// [`Evidence::order`].
pub fn fuse(records: impl IntoIterator<Item = Evidence>) -> Vec<Evidence> {
    let mut claims: BTreeMap<Claim, BTreeMap<Vec<u8>, Evidence>> = BTreeMap::new();
    for mut record in records {
        let weaker = std::mem::take(&mut record.superseded);
        let group = claims.entry(claim(&record)).or_default();
        for single in weaker.into_iter().chain(std::iter::once(record)) {
            let bytes = canonical_json(&single).expect("because a record holds only text and numbers");
            group.insert(bytes, single);
        }
    }
    let mut fused: Vec<Evidence> = claims.into_values().filter_map(strongest).collect();
    fused.sort_by(Evidence::order);
    fused
}

fn strongest(group: BTreeMap<Vec<u8>, Evidence>) -> Option<Evidence> {
    let mut records: Vec<Evidence> = group.into_values().collect();
    records.sort_by(Evidence::order);
    let mut records = records.into_iter();
    let mut first = records.next()?;
    first.superseded = records.collect();
    Some(first)
}
