//! The evidence record as it is written and read: flat, with everything derived spelled out for its readers.

use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::confidence::{Confidence, OutOfRange};
use super::evidence::{
    ChangeDetail, CheckDetail, DependencyDetail, DeprecationDetail, Detail, Evidence, EvidenceId,
    HistoryDetail, Kind, MatchDetail, ReachDetail,
};
use super::fingerprint::Fingerprint;
use super::path::RepoPath;
use super::place::{Location, Point, Span};
use super::redacted::Redacted;
use super::symbol::SymbolId;
use super::tier::{Freshness, Method, Provider, Tier};

/// One located result with its provenance, as it is read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Evidence")]
pub struct Record {
    id: EvidenceId,
    confidence: f64,
    end_column: u32,
    end_line: u32,
    exact: bool,
    fingerprint: Fingerprint,
    kind: Kind,
    message: Redacted,
    path: RepoPath,
    provenance: Method,
    provider: Provider,
    stale: bool,
    start_column: u32,
    start_line: u32,
    #[serde(default)]
    symbol: Option<SymbolId>,
    #[serde(default)]
    target_symbol: Option<SymbolId>,
    trust: Tier,
    metadata: Metadata,
}

/// What identifies a record: all of it but the id itself and the metadata. Its JSON is the RFC 8785 form, so that
/// anybody can take the digest again from the written record.
pub struct Content<'e>(pub &'e Evidence);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        write_content(&mut map, self.0)?;
        map.end()
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id())?;
        write_content(&mut map, self)?;
        map.serialize_entry("metadata", &MetadataOf(self))?;
        map.end()
    }
}

/// The fields in the order of their names, as the canonical form wants them.
fn write_content<M: SerializeMap>(map: &mut M, record: &Evidence) -> Result<(), M::Error> {
    let Span { start, end } = record.place.span;
    map.serialize_entry("confidence", &CanonicalNumber(record.confidence.get()))?;
    map.serialize_entry("end_column", &end.column)?;
    map.serialize_entry("end_line", &end.line)?;
    map.serialize_entry("exact", &record.is_exact())?;
    map.serialize_entry("fingerprint", &record.fingerprint)?;
    map.serialize_entry("kind", &record.kind)?;
    map.serialize_entry("message", &record.message)?;
    map.serialize_entry("path", &record.place.path)?;
    map.serialize_entry("provenance", &record.method)?;
    map.serialize_entry("provider", &record.provider())?;
    map.serialize_entry("stale", &record.is_stale())?;
    map.serialize_entry("start_column", &start.column)?;
    map.serialize_entry("start_line", &start.line)?;
    if let Some(symbol) = &record.symbol {
        map.serialize_entry("symbol", symbol)?;
    }
    if let Some(target) = &record.target {
        map.serialize_entry("target_symbol", target)?;
    }
    map.serialize_entry("trust", &record.tier)
}

/// A number of the unit interval as ECMAScript writes it: without a fraction where there is none.
struct CanonicalNumber(f64);

impl Serialize for CanonicalNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            it if it >= 1.0 => serializer.serialize_u8(1),
            it if it <= 0.0 => serializer.serialize_u8(0),
            it => serializer.serialize_f64(it),
        }
    }
}

/// The metadata of a record, written without copying it.
struct MetadataOf<'e>(&'e Evidence);

impl Serialize for MetadataOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.0.detail {
            Detail::None => {}
            Detail::Match(it) => map.serialize_entry("match", it)?,
            Detail::Dependency(it) => map.serialize_entry("dependency", it)?,
            Detail::Change(it) => map.serialize_entry("change", it)?,
            Detail::Reach(it) => map.serialize_entry("reach", it)?,
            Detail::Check(it) => map.serialize_entry("check", it)?,
            Detail::Deprecation(it) => map.serialize_entry("deprecation", it)?,
            Detail::History(it) => map.serialize_entry("history", it)?,
        }
        if !self.0.superseded.is_empty() {
            map.serialize_entry("superseded", &self.0.superseded)?;
        }
        map.end()
    }
}

/// What a record of one kind carries, and the weaker records that it replaced.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Metadata {
    #[serde(default, rename = "match")]
    matched: Option<MatchDetail>,
    #[serde(default)]
    dependency: Option<DependencyDetail>,
    #[serde(default)]
    change: Option<ChangeDetail>,
    #[serde(default)]
    reach: Option<ReachDetail>,
    #[serde(default)]
    check: Option<CheckDetail>,
    #[serde(default)]
    deprecation: Option<DeprecationDetail>,
    #[serde(default)]
    history: Option<HistoryDetail>,
    #[serde(default)]
    superseded: Vec<Record>,
}

/// Why a written record is not one.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    #[error("`exact` and `stale` are both set: a record that is out of date is not exact")]
    ExactAndStale,
    #[error("`trust` is {claimed:?}, above {ceiling:?}, the most that {method:?} can establish")]
    TrustAboveCeiling { claimed: Tier, ceiling: Tier, method: Method },
    #[error("`trust` is {0:?} although `stale` is set: a stale record is at most InferredHigh")]
    StaleTrust(Tier),
    #[error("`exact` is {exact} but `trust` is {tier:?}")]
    ExactWithoutTier { exact: bool, tier: Tier },
    #[error("`provider` is {claimed:?} but {method:?} belongs to {actual:?}")]
    Provider { claimed: Provider, actual: Provider, method: Method },
    #[error("`confidence`: {0}")]
    Confidence(#[from] OutOfRange),
    #[error("the position {0}:{1} is not one-based")]
    Position(u32, u32),
    #[error("the range ends before it starts")]
    Backwards,
    #[error("`metadata` holds more than one kind of detail")]
    Details,
    #[error("`metadata.superseded` holds a record that has superseded records itself")]
    Nested,
    #[error("`id` is {claimed} but the content gives {actual}")]
    Id { claimed: EvidenceId, actual: EvidenceId },
}

impl TryFrom<Record> for Evidence {
    type Error = EvidenceError;

    fn try_from(record: Record) -> Result<Self, EvidenceError> {
        let freshness = checked_standing(&record)?;
        let span = checked_span(&record)?;
        let Metadata { matched, dependency, change, reach, check, deprecation, history, superseded } =
            record.metadata;
        let details = [
            matched.map(Detail::Match),
            dependency.map(Detail::Dependency),
            change.map(Detail::Change),
            reach.map(Detail::Reach),
            check.map(Detail::Check),
            deprecation.map(Detail::Deprecation),
            history.map(Detail::History),
        ];
        let mut details = details.into_iter().flatten();
        let detail = details.next().unwrap_or_default();
        if details.next().is_some() {
            return Err(EvidenceError::Details);
        }
        if superseded.iter().any(|it| !it.metadata.superseded.is_empty()) {
            return Err(EvidenceError::Nested);
        }
        let evidence = Self {
            kind: record.kind,
            place: Location { path: record.path, span },
            symbol: record.symbol,
            target: record.target_symbol,
            confidence: Confidence::new(record.confidence)?,
            message: record.message,
            fingerprint: record.fingerprint,
            detail,
            method: record.provenance,
            tier: record.trust,
            freshness,
            superseded: superseded.into_iter().map(Self::try_from).collect::<Result<_, _>>()?,
        };
        let actual = evidence.id();
        if actual == record.id { Ok(evidence) } else { Err(EvidenceError::Id { claimed: record.id, actual }) }
    }
}

fn checked_standing(record: &Record) -> Result<Freshness, EvidenceError> {
    let (method, tier) = (record.provenance, record.trust);
    if record.exact && record.stale {
        return Err(EvidenceError::ExactAndStale);
    }
    if tier > method.ceiling() {
        return Err(EvidenceError::TrustAboveCeiling { claimed: tier, ceiling: method.ceiling(), method });
    }
    if record.stale && tier > Tier::InferredHigh {
        return Err(EvidenceError::StaleTrust(tier));
    }
    if record.exact != (tier == Tier::Exact) {
        return Err(EvidenceError::ExactWithoutTier { exact: record.exact, tier });
    }
    if record.provider != method.provider() {
        return Err(EvidenceError::Provider { claimed: record.provider, actual: method.provider(), method });
    }
    Ok(if record.stale { Freshness::Stale } else { Freshness::Fresh })
}

fn checked_span(record: &Record) -> Result<Span, EvidenceError> {
    let point = |line, column| {
        if line == 0 || column == 0 {
            Err(EvidenceError::Position(line, column))
        } else {
            Ok(Point { line, column })
        }
    };
    let start = point(record.start_line, record.start_column)?;
    let end = point(record.end_line, record.end_column)?;
    if end < start { Err(EvidenceError::Backwards) } else { Ok(Span { start, end }) }
}
