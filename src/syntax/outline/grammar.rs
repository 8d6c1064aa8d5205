//! The table of languages that have an outline.

use std::sync::LazyLock;

use ast_grep_core::tree_sitter::LanguageExt as _;
use ast_grep_language::SupportLang;
use tree_sitter::Node;

use super::finish::Outline;
use super::value::Step;
use super::walk::{Habits, Visit, Walk};
use super::{csharp, go, go_value, java, kotlin, python, rust, rust_value, script, script_value};
use crate::syntax::language::Language;
use crate::syntax::parse::Parsed;
use crate::syntax::survey::Kinds;

/// What is read at the nodes of a kind.
pub(super) type Rows = &'static [(&'static str, Visit)];

/// How the nodes of a kind make values.
pub(super) type Steps = &'static [(&'static str, Step)];

/// What is read in a language.
struct Reading {
    language: SupportLang,
    rows: &'static [Rows],
    steps: Steps,
}

struct Grammar {
    language: SupportLang,
    /// Visits by kind number.
    visits: Vec<Option<Visit>>,
    steps: Vec<Option<Step>>,
}

const fn reading(language: SupportLang, rows: &'static [Rows], steps: Steps) -> Reading {
    Reading { language, rows, steps }
}

const LANGUAGES: &[Reading] = &[
    reading(SupportLang::Python, &[python::ROWS], python::STEPS),
    reading(SupportLang::JavaScript, &[script::ROWS], script_value::STEPS),
    reading(SupportLang::TypeScript, &[script::TYPED_ROWS, script::ROWS], script_value::STEPS),
    reading(SupportLang::Tsx, &[script::TYPED_ROWS, script::ROWS], script_value::STEPS),
    reading(SupportLang::Rust, &[rust::ROWS], rust_value::STEPS),
    reading(SupportLang::Go, &[go::ROWS], go_value::STEPS),
    reading(SupportLang::Java, &[java::ROWS], java::STEPS),
    reading(SupportLang::Kotlin, &[kotlin::ROWS], kotlin::STEPS),
    reading(SupportLang::CSharp, &[csharp::ROWS], csharp::STEPS),
];

static GRAMMARS: LazyLock<Vec<Grammar>> = LazyLock::new(|| LANGUAGES.iter().map(Grammar::of).collect());

impl Grammar {
    fn of(reading: &Reading) -> Self {
        let grammar = reading.language.get_ts_language();
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let name = |id: u16| grammar.node_kind_for_id(id).filter(|_| grammar.node_kind_is_named(id));
        let visit = |id: u16| {
            let name = name(id)?;
            reading.rows.iter().copied().flatten().find(|row| row.0 == name).map(|row| row.1)
        };
        let step = |id: u16| {
            let name = name(id)?;
            reading.steps.iter().find(|row| row.0 == name).map(|row| row.1)
        };
        Self {
            language: reading.language,
            visits: (0..count).map(visit).collect(),
            steps: (0..count).map(step).collect(),
        }
    }
}

fn habits(language: SupportLang) -> Habits {
    let shares_packages =
        matches!(language, SupportLang::Go | SupportLang::Java | SupportLang::Kotlin | SupportLang::CSharp);
    Habits { quotes_types: language == SupportLang::Python, shares_packages }
}

/// Whether files of a language have an outline.
pub fn has_outline(language: Language) -> bool {
    LANGUAGES.iter().any(|it| it.language == language.engine())
}

/// What a parsed file defines, imports and uses, and on the way the nodes of the wanted kinds; nothing is done for a
/// language without a table.
pub fn outline<'t>(parsed: &'t Parsed, wanted: &Kinds, nodes: &mut Vec<Node<'t>>) -> Option<Outline> {
    let language = parsed.language.engine();
    let grammar = GRAMMARS.iter().find(|it| it.language == language)?;
    let mut walk = Walk::new(parsed.text(), &grammar.steps, habits(language));
    walk.run(parsed.tree().root_node(), &grammar.visits, wanted, nodes);
    Some(walk.finish())
}

#[cfg(test)]
mod tests {
    use ast_grep_core::tree_sitter::LanguageExt as _;

    use super::{LANGUAGES, SupportLang};

    #[test]
    fn every_row_names_a_kind_of_its_grammar() {
        let is_script = |it: &SupportLang| {
            matches!(it, SupportLang::JavaScript | SupportLang::TypeScript | SupportLang::Tsx)
        };
        for reading in LANGUAGES {
            let grammar = reading.language.get_ts_language();
            let visited = reading.rows.iter().copied().flatten().map(|it| it.0);
            for kind in visited.chain(reading.steps.iter().map(|it| it.0)) {
                let is_elsewhere = is_script(&reading.language)
                    && LANGUAGES
                        .iter()
                        .filter(|it| is_script(&it.language))
                        .any(|it| it.language.get_ts_language().id_for_node_kind(kind, true) != 0);
                let is_known = grammar.id_for_node_kind(kind, true) != 0;
                assert!(is_known || is_elsewhere, "{} has no `{kind}`", reading.language);
            }
        }
    }
}
