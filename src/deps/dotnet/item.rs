//! Entries of a project file that concern packages.

use crate::deps::fact::Scope;

use super::msbuild::Written;

#[derive(Clone, Debug)]
pub struct Item {
    pub kind: Kind,
    pub action: Action,
    /// One name or several with `;` between them, or an expression for them.
    pub names: Written,
    pub version: Option<Written>,
    /// The version in spite of a central one.
    pub version_override: Option<Written>,
    pub scope: Scope,
    pub conditions: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A package that the project uses.
    Package,
    /// A package that every project uses.
    GlobalPackage,
    /// A tool of the build.
    Tool,
    /// The version for those who state none.
    CentralVersion,
    /// Another project.
    Project,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Include,
    Update,
    Remove,
}

impl Kind {
    /// The kind by the name of the element, whose case does not matter.
    pub fn of(name: &str) -> Option<Self> {
        const KINDS: [(&str, Kind); 6] = [
            ("PackageReference", Kind::Package),
            ("GlobalPackageReference", Kind::GlobalPackage),
            ("DotNetCliToolReference", Kind::Tool),
            ("PackageDownload", Kind::Tool),
            ("PackageVersion", Kind::CentralVersion),
            ("ProjectReference", Kind::Project),
        ];
        KINDS.iter().find(|it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1)
    }
}
