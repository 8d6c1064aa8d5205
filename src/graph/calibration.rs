//! What each way of resolving a name is worth.
//!
//! The figures are precision against the indexes of scip-python 0.6.6 (scrapy), scip-typescript 0.4.0 (hono), scip-go 0.2.9
//! (cobra) and rust-analyzer 1.95 (ripgrep): of the places whose targets lie in another file and that the index knows, the
//! share where one of them is the index's; `worst` is the repository where it did worst. `benches/graph_score.py` measures
//! them again. `judged` 0 means that the resolution was not measured on its own.

use crate::model::{Confidence, Method, Tier};

/// How the target of an edge was found, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resolution {
    /// A current index of a compiler or indexer names it.
    Index,
    /// The same, of an index that is current by the times of the files only.
    IndexUnsealed,
    /// An import statement names it.
    Import,
    /// A name that an import brought in.
    ImportedName,
    /// A name that this file defines.
    SameFile,
    /// A name of the same package or namespace.
    SamePackage,
    /// `module.x` or `Class.x`.
    ModuleMember,
    /// `self.x`, `this.x`, `super.x`, inherited ones included, and the override of a method.
    SelfMember,
    /// A member of a value whose type is written, made, or given back.
    Typed,
    /// A member name that exactly one reachable class has, where types are out of sight: in Rust mostly inside macros.
    MacroMember,
    /// A member name that exactly one reachable class has, of a value whose type nothing tells.
    UniqueReachableMember,
    /// A member name that two to five reachable classes have.
    AmbiguousMember,
    /// A member name that more reachable classes have.
    CommonMember,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    pub resolution: Resolution,
    pub method: Method,
    pub tier: Tier,
    /// For one candidate; several share it.
    pub confidence: f64,
    pub judged: u32,
    pub precision: f64,
    pub worst: f64,
}

const TABLE: &[Calibration] = &[
    Calibration {
        resolution: Resolution::Index,
        method: Method::PrecisionIndex,
        tier: Tier::Exact,
        confidence: 1.0,
        judged: 0,
        precision: 0.0,
        worst: 0.0,
    },
    Calibration {
        resolution: Resolution::IndexUnsealed,
        method: Method::PrecisionIndex,
        tier: Tier::NearExact,
        confidence: 0.99,
        judged: 0,
        precision: 0.0,
        worst: 0.0,
    },
    strong(Resolution::Import, 0.98, 8_426, 0.997, 0.995),
    strong(Resolution::ImportedName, 0.98, 21_339, 0.999, 0.999),
    strong(Resolution::SameFile, 0.95, 0, 0.0, 0.0),
    strong(Resolution::SamePackage, 0.95, 2_676, 1.0, 1.0),
    strong(Resolution::ModuleMember, 0.98, 3_106, 0.998, 0.994),
    strong(Resolution::SelfMember, 0.95, 723, 0.983, 0.981),
    strong(Resolution::Typed, 0.96, 18_434, 0.993, 0.984),
    guess(Resolution::MacroMember, Tier::Inferred, 0.90, 2_302, 0.937, 0.937),
    guess(Resolution::UniqueReachableMember, Tier::Weak, 0.15, 1_557, 0.158, 0.155),
    guess(Resolution::AmbiguousMember, Tier::Weak, 0.68, 1_376, 0.714, 0.127),
    guess(Resolution::CommonMember, Tier::Weak, 0.10, 110, 0.309, 0.278),
];

const fn strong(
    resolution: Resolution,
    confidence: f64,
    judged: u32,
    precision: f64,
    worst: f64,
) -> Calibration {
    let (method, tier) = (Method::GraphStrong, Tier::InferredHigh);
    Calibration { resolution, method, tier, confidence, judged, precision, worst }
}

const fn guess(
    resolution: Resolution,
    tier: Tier,
    confidence: f64,
    judged: u32,
    precision: f64,
    worst: f64,
) -> Calibration {
    Calibration { resolution, method: Method::GraphHeuristic, tier, confidence, judged, precision, worst }
}

impl Calibration {
    /// Every row, strongest first.
    pub const fn table() -> &'static [Self] {
        TABLE
    }
}

impl Resolution {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::IndexUnsealed => "index_unsealed",
            Self::Import => "import",
            Self::ImportedName => "imported_name",
            Self::SameFile => "same_file",
            Self::SamePackage => "same_package",
            Self::ModuleMember => "module_member",
            Self::SelfMember => "self_member",
            Self::Typed => "typed",
            Self::MacroMember => "macro_member",
            Self::UniqueReachableMember => "unique_reachable_member",
            Self::AmbiguousMember => "ambiguous_member",
            Self::CommonMember => "common_member",
        }
    }

    /// Whether an index says it, not names.
    pub const fn is_of_index(self) -> bool {
        matches!(self, Self::Index | Self::IndexUnsealed)
    }

    pub fn calibration(self) -> &'static Calibration {
        TABLE
            .iter()
            .find(|it| it.resolution == self)
            .expect("because a test holds a row for every resolution")
    }

    /// The confidence of one of `candidates` equal answers.
    pub fn confidence(self, candidates: u8) -> Confidence {
        let shared = match self {
            Self::AmbiguousMember => f64::from(candidates.max(1)),
            Self::Index
            | Self::IndexUnsealed
            | Self::Import
            | Self::ImportedName
            | Self::SameFile
            | Self::SamePackage
            | Self::ModuleMember
            | Self::SelfMember
            | Self::Typed
            | Self::MacroMember
            | Self::UniqueReachableMember
            | Self::CommonMember => 1.0,
        };
        Confidence::new(self.calibration().confidence / shared)
            .expect("because the table holds shares of one")
    }

    /// The resolution of a member name by the number of reachable classes that have it.
    pub(super) const fn of_member_candidates(count: usize, is_in_macros: bool) -> Self {
        match count {
            0 | 1 if is_in_macros => Self::MacroMember,
            0 | 1 => Self::UniqueReachableMember,
            2..=5 => Self::AmbiguousMember,
            _ => Self::CommonMember,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Resolution, TABLE};

    #[test]
    fn no_resolution_claims_more_than_its_method_allows() {
        for row in TABLE {
            assert!(row.tier <= row.method.ceiling(), "{row:?}");
            assert!(row.judged == 0 || row.confidence <= row.precision + 0.01, "{row:?}");
        }
        let all = [
            Resolution::Index,
            Resolution::IndexUnsealed,
            Resolution::Import,
            Resolution::ImportedName,
            Resolution::SameFile,
            Resolution::SamePackage,
            Resolution::ModuleMember,
            Resolution::SelfMember,
            Resolution::Typed,
            Resolution::MacroMember,
            Resolution::UniqueReachableMember,
            Resolution::AmbiguousMember,
            Resolution::CommonMember,
        ];
        assert!(all.iter().all(|it| it.confidence(3).get() <= it.calibration().confidence));
        assert!((Resolution::AmbiguousMember.confidence(4).get() - 0.17).abs() < 1e-9);
    }
}
