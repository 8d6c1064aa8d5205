//! The vocabulary of the program: what a result is, how it was established and how far it may be trusted.
//!
//! Everything here is pure. A layer states *how* it found something ([`Method`]) and *whether that is current*
//! (its freshness); the trust tier, `exact`, `stale`, the provider and the score are functions of these two.

mod address;
mod confidence;
mod counted;
mod digest;
mod evidence;
mod excerpt;
mod fingerprint;
mod fuse;
mod layer;
mod note;
mod path;
mod place;
#[cfg(test)]
mod properties;
mod redacted;
mod score;
mod severity;
mod standing;
mod symbol;
mod tier;
mod timestamp;
mod wire;

pub use address::without_credentials;
pub use confidence::Confidence;
pub use counted::{counted, plural};
pub use digest::Digest;
pub use evidence::{
    ChangeDetail, ChangeKind, CheckDetail, CheckStatus, DependencyDetail, DependencyFact, DeprecationDetail,
    Detail, DriftDetail, Evidence, EvidenceId, Kind, LockedVersion, MatchDetail, ReachDetail,
};
pub use excerpt::Excerpt;
pub use fingerprint::{Fingerprint, distinguish};
pub use fuse::fuse;
pub use layer::{Layer, LayerState, Reason, Staged};
pub use note::Note;
pub use path::RepoPath;
pub use place::{LineIndex, Lines, Location, Point, Span};
pub use redacted::Redacted;
pub use severity::Severity;
pub use standing::Standing;
pub use symbol::SymbolId;
pub use tier::{Method, Tier};
pub use timestamp::Timestamp;
