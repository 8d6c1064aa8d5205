//! The evidence record as it is written and read: flat, with everything derived spelled out for its readers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::confidence::{Confidence, OutOfRange};
use super::evidence::{
    ChangeDetail, CheckDetail, DependencyDetail, Detail, Evidence, EvidenceId, Kind, MatchDetail, ReachDetail,
};
use super::fingerprint::Fingerprint;
use super::path::RepoPath;
use super::place::{Location, Point, Span};
use super::redacted::Redacted;
use super::symbol::SymbolId;
use super::tier::{Freshness, Method, Provider, Tier};

/// One located result with its provenance.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Evidence")]
pub struct Record {
    id: EvidenceId,
    kind: Kind,
    provider: Provider,
    provenance: Method,
    trust: Tier,
    path: RepoPath,
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symbol: Option<SymbolId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target_symbol: Option<SymbolId>,
    confidence: f64,
    exact: bool,
    stale: bool,
    message: Redacted,
    fingerprint: Fingerprint,
    metadata: Metadata,
}

/// What identifies a record: all of it but the id itself and the metadata.
#[derive(Serialize)]
pub struct Content<'e> {
    kind: Kind,
    provider: Provider,
    provenance: Method,
    trust: Tier,
    path: &'e RepoPath,
    start: (u32, u32),
    end: (u32, u32),
    symbol: Option<&'e SymbolId>,
    target_symbol: Option<&'e SymbolId>,
    confidence: f64,
    exact: bool,
    stale: bool,
    message: &'e Redacted,
    fingerprint: &'e Fingerprint,
}

/// What a record of one kind carries, and the weaker records that it replaced.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Metadata {
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    matched: Option<MatchDetail>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dependency: Option<DependencyDetail>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<ChangeDetail>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reach: Option<ReachDetail>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<CheckDetail>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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

pub fn content(record: &Evidence) -> Content<'_> {
    let Span { start, end } = record.place.span;
    Content {
        kind: record.kind,
        provider: record.provider(),
        provenance: record.method,
        trust: record.tier,
        path: &record.place.path,
        start: (start.line, start.column),
        end: (end.line, end.column),
        symbol: record.symbol.as_ref(),
        target_symbol: record.target.as_ref(),
        confidence: record.confidence.get(),
        exact: record.is_exact(),
        stale: record.is_stale(),
        message: &record.message,
        fingerprint: &record.fingerprint,
    }
}

impl From<Evidence> for Record {
    fn from(record: Evidence) -> Self {
        let Span { start, end } = record.place.span;
        Self {
            id: record.id(),
            kind: record.kind,
            provider: record.provider(),
            provenance: record.method,
            trust: record.tier,
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            confidence: record.confidence.get(),
            exact: record.is_exact(),
            stale: record.is_stale(),
            path: record.place.path,
            symbol: record.symbol,
            target_symbol: record.target,
            message: record.message,
            fingerprint: record.fingerprint,
            metadata: Metadata {
                superseded: record.superseded.into_iter().map(Self::from).collect(),
                ..Metadata::from(record.detail)
            },
        }
    }
}

impl From<Detail> for Metadata {
    fn from(detail: Detail) -> Self {
        let empty = Self::default();
        match detail {
            Detail::None => empty,
            Detail::Match(it) => Self { matched: Some(it), ..empty },
            Detail::Dependency(it) => Self { dependency: Some(it), ..empty },
            Detail::Change(it) => Self { change: Some(it), ..empty },
            Detail::Reach(it) => Self { reach: Some(it), ..empty },
            Detail::Check(it) => Self { check: Some(it), ..empty },
        }
    }
}

impl TryFrom<Record> for Evidence {
    type Error = EvidenceError;

    fn try_from(record: Record) -> Result<Self, EvidenceError> {
        let freshness = checked_standing(&record)?;
        let span = checked_span(&record)?;
        let Metadata { matched, dependency, change, reach, check, superseded } = record.metadata;
        let details = [
            matched.map(Detail::Match),
            dependency.map(Detail::Dependency),
            change.map(Detail::Change),
            reach.map(Detail::Reach),
            check.map(Detail::Check),
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
