//! How the tools count: the unit of a column, what ends a line, and whether a byte-order mark is counted.
//!
//! A document that declares its unit has it. Else the table of measured tools decides. What neither knows is taken
//! for code points and said to be an assumption: nothing found by it is exact.

/// The unit of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Utf8,
    Utf16,
    CodePoint,
}

/// What a document says of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    Nothing,
    Unit(Unit),
    /// A number that the protocol does not know, or copies of a document that say different things.
    Unknown,
}

/// How the unit was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    Declared,
    Table,
    Assumed,
}

/// What ends a line besides a line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    LineFeed,
    /// A carriage return as well, alone or before a line feed.
    CarriageReturn,
    /// That, and U+2028 and U+2029.
    Separators,
}

/// Whether a byte-order mark takes up columns of the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Counted,
    LeftOut,
}

/// How one document is counted; what is none was never measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convention {
    pub unit: Unit,
    pub basis: Basis,
    pub breaks: Option<Breaks>,
    pub mark: Option<Mark>,
}

type Version = [u32; 3];

/// What is known of one tool in a range of versions, both ends included.
struct Row {
    tool: &'static str,
    versions: (Version, Version),
    unit: Unit,
    breaks: Option<Breaks>,
    mark: Option<Mark>,
    /// How that is known.
    evidence: &'static str,
}

const ANY: (Version, Version) = ([0; 3], [u32::MAX; 3]);

const TABLE: &[Row] = &[
    Row {
        tool: "scip-typescript",
        versions: ([0, 3, 9], [0, 4, 0]),
        unit: Unit::Utf16,
        breaks: Some(Breaks::Separators),
        mark: Some(Mark::LeftOut),
        evidence: "measured with 0.3.9, 0.3.16 and 0.4.0: all 37 positions that tell the units apart are UTF-16",
    },
    Row {
        tool: "scip-python",
        versions: ([0, 6, 0], [0, 6, u32::MAX]),
        unit: Unit::Utf16,
        breaks: Some(Breaks::CarriageReturn),
        mark: Some(Mark::Counted),
        evidence: "measured with 0.6.6: all 30 positions that tell the units apart are UTF-16",
    },
    Row {
        tool: "ty-scip",
        versions: ([0, 1, 0], [0, 1, 0]),
        unit: Unit::Utf8,
        breaks: Some(Breaks::CarriageReturn),
        mark: Some(Mark::Counted),
        evidence: "measured with 0.1.0, which declares UTF-8: all 29 positions that tell the units apart are bytes",
    },
    Row {
        tool: "scip-java",
        versions: ANY,
        unit: Unit::Utf16,
        breaks: None,
        mark: None,
        evidence: "positions come from the API of javac, which counts `char`s",
    },
    Row {
        tool: "scip-dotnet",
        versions: ANY,
        unit: Unit::Utf16,
        breaks: None,
        mark: None,
        evidence: "positions come from the API of Roslyn, which counts `char`s",
    },
    Row {
        tool: "scip-go",
        versions: ([0, 1, 0], [0, 1, 26]),
        unit: Unit::Utf8,
        breaks: None,
        mark: None,
        evidence: "read in its source: columns of `go/token` are bytes",
    },
    Row {
        tool: "scip-go",
        versions: ([0, 2, 9], [0, 2, 9]),
        unit: Unit::Utf8,
        breaks: Some(Breaks::LineFeed),
        mark: Some(Mark::Counted),
        evidence: "measured with 0.2.9, which declares UTF-8, over `tests/fixtures/precision/go`, and a lone CR",
    },
    Row {
        tool: "scip-clang",
        versions: ANY,
        unit: Unit::Utf8,
        breaks: None,
        mark: None,
        evidence: "read in its source: columns of clang are bytes",
    },
    Row {
        tool: "scip-ruby",
        versions: ANY,
        unit: Unit::Utf8,
        breaks: None,
        mark: None,
        evidence: "read in its source: columns of Sorbet are bytes",
    },
    Row {
        tool: "rust-analyzer",
        versions: ([1, 95, 0], [1, 95, 0]),
        unit: Unit::Utf8,
        breaks: Some(Breaks::LineFeed),
        mark: Some(Mark::Counted),
        evidence: "measured with 1.95.0, which declares UTF-8, over `tests/fixtures/precision/rust`, and a lone CR",
    },
    Row {
        tool: "rust-analyzer",
        versions: ANY,
        unit: Unit::Utf8,
        breaks: None,
        mark: None,
        evidence: "every version seen declares UTF-8",
    },
    Row {
        tool: "scip-php",
        versions: ANY,
        unit: Unit::Utf8,
        breaks: None,
        mark: None,
        evidence: "it declares UTF-8",
    },
];

impl Unit {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8 bytes",
            Self::Utf16 => "UTF-16 code units",
            Self::CodePoint => "code points",
        }
    }
}

impl Convention {
    /// How a tool counts in a document that declares this.
    pub fn of(tool: &str, version: &str, declared: Declared) -> Self {
        let row = row(tool, version);
        let (unit, basis) = match (declared, row) {
            (Declared::Unit(unit), _) => (unit, Basis::Declared),
            (Declared::Nothing, Some(row)) => (row.unit, Basis::Table),
            (Declared::Nothing, None) | (Declared::Unknown, _) => (Unit::CodePoint, Basis::Assumed),
        };
        Self { unit, basis, breaks: row.and_then(|it| it.breaks), mark: row.and_then(|it| it.mark) }
    }

    /// How the unit was decided, for a person.
    pub fn words(self, tool: &str, version: &str) -> String {
        let unit = self.unit.name();
        match (self.basis, row(tool, version)) {
            (Basis::Declared, _) => format!("{unit}, declared by the index"),
            (Basis::Table, Some(row)) => format!("{unit}: {}", row.evidence),
            (Basis::Assumed, _) | (Basis::Table, None) => {
                format!("{unit}, assumed: nothing is known of {tool} {version}, so no result is exact")
            }
        }
    }
}

fn row(tool: &str, version: &str) -> Option<&'static Row> {
    let version = numbers(version)?;
    TABLE.iter().find(|it| it.tool == tool && it.versions.0 <= version && version <= it.versions.1)
}

/// The first three numbers of a version such as `0.8.13-5-0fc244c0-SNAPSHOT` or `v0.1`.
fn numbers(version: &str) -> Option<Version> {
    let version = version.strip_prefix('v').unwrap_or(version);
    let core = version.split(|it: char| !it.is_ascii_digit() && it != '.').next()?;
    let mut numbers = core.split('.').map(str::parse);
    let first = numbers.next()?.ok()?;
    let mut next = || numbers.next().and_then(Result::ok).unwrap_or(0);
    Some([first, next(), next()])
}

#[cfg(test)]
mod tests {
    use super::{Basis, Convention, Declared, Unit};

    fn check(tool: &str, version: &str, declared: Declared, expected: (Unit, Basis)) {
        let found = Convention::of(tool, version, declared);
        assert_eq!((found.unit, found.basis), expected, "{tool} {version} {declared:?}");
    }

    #[test]
    fn a_declaration_wins_over_the_table_and_the_table_over_a_guess() {
        let undeclared = Declared::Nothing;
        check("scip-typescript", "0.4.0", undeclared, (Unit::Utf16, Basis::Table));
        check("scip-typescript", "0.3.16", undeclared, (Unit::Utf16, Basis::Table));
        check("scip-typescript", "0.5.0", undeclared, (Unit::CodePoint, Basis::Assumed));
        check("scip-typescript", "0.5.0", Declared::Unit(Unit::Utf8), (Unit::Utf8, Basis::Declared));
        check("scip-typescript", "0.4.0", Declared::Unknown, (Unit::CodePoint, Basis::Assumed));
        check("scip-java", "0.8.13-5-0fc244c0-SNAPSHOT", undeclared, (Unit::Utf16, Basis::Table));
        check("scip-go", "0.1", undeclared, (Unit::Utf8, Basis::Table));
        check("scip-go", "v0.1.26", undeclared, (Unit::Utf8, Basis::Table));
        check("scip-go", "0.1.27", undeclared, (Unit::CodePoint, Basis::Assumed));
        check("scip-go", "0.2.9", undeclared, (Unit::Utf8, Basis::Table));
        check("scip-dart", "0.0.1", undeclared, (Unit::CodePoint, Basis::Assumed));
        check("rust-analyzer", "1.93.0 (254b5960 2026-01-19)", undeclared, (Unit::Utf8, Basis::Table));
        check("scip-python", "", undeclared, (Unit::CodePoint, Basis::Assumed));
    }
}
