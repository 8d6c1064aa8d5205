//! What a question wants to know, told by its words.

use super::token::{Shape, Token};

/// What a question wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Where something that is named is defined, or what it does.
    Definition,
    /// Who uses what is named.
    Uses,
    /// What is built on what is named.
    Implementations,
    /// What a change of it would reach.
    Impact,
    /// The tests that reach it.
    Tests,
    /// What earlier commits did.
    History,
    /// What is asked for, settled on, and why.
    Dependencies,
    /// What a package says about itself.
    Documentation,
    /// Places of a shape.
    Pattern,
    /// Another name for something of the repository.
    Rename,
    /// Another change of code.
    Change,
    /// The writing of a preview that was made before.
    Apply,
    /// Nothing that has a name: what some code does.
    Behaviour,
}

/// What of a question the rules go by.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Seen<'t> {
    pub(super) tokens: &'t [Token],
    /// Whether it names something by a name that only code has, or that is defined here.
    pub(super) names_something: bool,
    /// Whether one of the names is defined here.
    pub(super) names_own: bool,
    pub(super) names_path: bool,
    pub(super) names_package: bool,
}

/// What may stand before an order.
const COURTESY: &[&str] = &[
    "we", "i", "please", "can", "could", "would", "you", "now", "then", "let's", "let", "us", "kindly",
    "just", "to",
];

const CHANGING: &[&str] = &[
    "convert",
    "delete",
    "drop",
    "inline",
    "migrate",
    "modernise",
    "modernize",
    "move",
    "port",
    "refactor",
    "remove",
    "replace",
    "rewrite",
    "substitute",
    "swap",
    "switch",
    "upgrade",
];

const IMPACT: &[&str] = &[
    "if i modify",
    "if i change",
    "if i edit",
    "if i touch",
    "if we change",
    "risky",
    "has to adapt",
    "what breaks",
    "would break",
    "will break",
    "break if",
    "breaks if",
    "break when",
    "without breaking",
    "blast radius",
    "safe to",
    "can i remove",
    "can i delete",
    "can i change",
    "can we remove",
    "can we delete",
    "affected",
    "affects",
    "impacted",
    "impact of",
    "consequences of",
    "depends on",
    "depend on",
];

const TESTS: &[&str] = &[
    "which specs",
    "what specs",
    "should i rerun",
    "which tests",
    "what tests",
    "which test",
    "tests cover",
    "test covers",
    "tests exercise",
    "tests for",
    "tests should",
    "tests to run",
    "covered by tests",
    "tests reach",
];

const SHAPES: &[&str] = &[
    "of the form",
    "of form",
    "shape",
    "matches the pattern",
    "match the pattern",
    "matching the pattern",
    "look like",
    "looks like",
    "blocks",
    "statements",
    "loops",
    "expressions",
    "literals",
    "code pattern",
];

const LISTING: &[&str] = &["find", "search", "list", "show", "all", "every", "any", "grep", "locate"];

const HISTORY: &[&str] = &[
    "modified since",
    "changed since",
    "been modified",
    "contributor",
    "contributors",
    "evolution of",
    "over time",
    "what changed",
    "who changed",
    "when was",
    "when did",
    "last touched",
    "last changed",
    "last commit",
    "last commits",
    "recent commits",
    "recently",
    "lately",
    "commits",
    "blame",
    "git log",
    "history of",
    "who wrote",
    "author of",
    "who authored",
    "change together",
    "changes together",
    "changed together",
    "changed last",
    "who introduced",
    "who added",
    "which commit",
    "what commit",
];

const DEPENDENCIES: &[&str] = &[
    "on the latest",
    "up to date",
    "which version",
    "what version",
    "version of",
    "versions of",
    "do we depend",
    "dependencies",
    "dependency",
    "lockfile",
    "lock file",
    "pinned",
    "locked",
    "outdated",
    "brings in",
    "bring in",
    "installed",
    "depend on",
    "depends on",
    "constraint",
    "constraints",
    "third-party packages",
    "packages do we",
];

const DOCUMENTATION: &[&str] = &[
    "way to",
    "has removed",
    "removed",
    "how do",
    "how to",
    "how can",
    "how does",
    "how should",
    "what does",
    "what do",
    "what arguments",
    "what is",
    "which arguments",
    "which props",
    "which options",
    "what options",
    "documentation",
    "docs",
    "api of",
    "example",
    "signature",
    "what parameters",
    "which parameters",
];

const USES: &[&str] = &[
    "who calls",
    "what calls",
    "callers",
    "caller of",
    "called",
    "references",
    "referenced",
    "used",
    "uses",
    "usage",
    "usages",
    "who is using",
    "using",
    "call sites",
    "invoked",
    "thrown",
    "raised",
    "instantiated",
    "calls to",
    "calls of",
    "imports of",
    "who imports",
    "what imports",
    "imported",
];

const IMPLEMENTATIONS: &[&str] = &[
    "implements",
    "implement",
    "implementations",
    "implementation of",
    "implementors",
    "extends",
    "extend",
    "subclass",
    "subclasses",
    "inherits",
    "inherit",
    "derive from",
    "derives from",
    "overrides",
    "override",
];

impl Seen<'_> {
    /// Whether one of these phrases stands in the question, word by word.
    fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| {
            let wanted: Vec<&str> = phrase.split(' ').collect();
            self.tokens
                .windows(wanted.len())
                .any(|it| it.iter().zip(&wanted).all(|(token, word)| token.lower == *word))
        })
    }

    /// The verb of an order: the first word behind the courtesies.
    fn order(&self) -> Option<&str> {
        self.tokens.iter().map(|it| it.lower.as_str()).find(|it| !COURTESY.contains(it))
    }

    fn changing(&self) -> Option<Aim> {
        // To ask whether something can go is to ask what would break.
        let asks = self.says(&["can i", "can we", "could i", "could we"]);
        let verb = self.order().filter(|it| !asks || !["delete", "drop", "remove"].contains(it))?;
        let is_of_preview = self.tokens.iter().any(|it| {
            ["preview", "rewrite", "migration", "patch"].contains(&it.lower.as_str())
                || it.lower.starts_with("pv_")
        });
        match verb {
            "apply" | "write" | "commit" | "execute" if is_of_preview => Some(Aim::Apply),
            "rename" => Some(Aim::Rename),
            "get" if self.says(&["get rid of"]) => Some(Aim::Change),
            _ if CHANGING.contains(&verb) => Some(Aim::Change),
            _ => None,
        }
    }
}

/// Decides what a question wants to know.
pub(super) fn aim(seen: &Seen<'_>) -> Aim {
    if let Some(aim) = seen.changing() {
        return aim;
    }
    if seen.says(&["deprecated", "deprecation", "deprecations"]) {
        return Aim::Documentation;
    }
    if seen.says(TESTS) {
        return Aim::Tests;
    }
    if seen.names_package && seen.says(DEPENDENCIES) {
        return Aim::Dependencies;
    }
    if seen.says(IMPACT) && (seen.names_something || seen.names_path) {
        return Aim::Impact;
    }
    if seen.tokens.iter().any(|it| it.shape == Shape::Pattern) || seen.says(SHAPES) && seen.says(LISTING) {
        return Aim::Pattern;
    }
    let is_of_past = seen.says(HISTORY)
        || seen.says(&["how often", "why was", "why did"]) && seen.says(&["change", "changed", "changes"]);
    if is_of_past {
        return Aim::History;
    }
    if seen.names_package && seen.says(DOCUMENTATION) && !seen.names_own {
        return Aim::Documentation;
    }
    if !seen.names_something && seen.says(DEPENDENCIES) {
        return Aim::Dependencies;
    }
    named(seen)
}

fn named(seen: &Seen<'_>) -> Aim {
    if !seen.names_something {
        return Aim::Behaviour;
    }
    if seen.says(IMPLEMENTATIONS) {
        return Aim::Implementations;
    }
    if seen.says(USES) { Aim::Uses } else { Aim::Definition }
}
