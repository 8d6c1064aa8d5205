//! What a build script says, whatever its language.

use crate::deps::fact::Scope;

use super::expression::Expression;

/// What a script says, as written.
#[derive(Clone, Debug)]
pub struct Script {
    /// The whole text: places are known once variables are.
    pub text: String,
    /// Each variable and what it is set to; of several the last counts.
    pub variables: Vec<(String, Expression)>,
    pub entries: Vec<Entry>,
    /// The scripts that it applies.
    pub applied: Vec<Expression>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub form: Form,
    pub scope: Scope,
    /// The objects that it stands in, each with a dot behind it: their variables need no such prefix there.
    pub object: String,
}

#[derive(Clone, Debug)]
pub enum Form {
    /// `group:name:version`, or a variable that holds it. Where it is only a text, it must look like that.
    Notation {
        notation: Expression,
        version: Option<Expression>,
        is_argument: bool,
    },
    Parts {
        group: Expression,
        name: Expression,
        version: Option<Expression>,
    },
    Plugin {
        id: Expression,
        version: Option<Expression>,
    },
    /// `kotlin("stdlib")`
    Kotlin {
        name: Expression,
        version: Option<Expression>,
    },
    /// `kotlin("jvm") version "1.0"`
    KotlinPlugin {
        name: Expression,
        version: Option<Expression>,
    },
    /// `"group" %% "name" % "version"`
    Scala {
        group: Expression,
        name: Expression,
        version: Expression,
        cross: Cross,
    },
    /// The library of the language itself.
    ScalaLibrary {
        version: Expression,
    },
}

/// Blocks in blocks are not looked at any deeper.
pub const DEEPEST: usize = 32;

/// What the name of a package of Scala ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cross {
    None,
    /// The version of Scala that it is built for.
    Scala,
    /// The platform too, which a plugin decides.
    Platform,
}

/// Larger files are no hand-written ones.
pub const MAX_BYTES: usize = 1 << 20;
