//! The table of languages that have an outline.

use std::sync::LazyLock;

use ast_grep_core::tree_sitter::LanguageExt as _;
use ast_grep_language::SupportLang;
use tree_sitter::Node;

use super::finish::Outline;
use super::walk::{Visit, Walk};
use super::{csharp, go, java, kotlin, python, rust, script};
use crate::syntax::language::Language;
use crate::syntax::parse::Parsed;
use crate::syntax::survey::Kinds;

/// What is read at the nodes of a kind.
pub(super) type Rows = &'static [(&'static str, Visit)];

struct Grammar {
    language: SupportLang,
    /// Visits by kind number.
    visits: Vec<Option<Visit>>,
}

const LANGUAGES: &[(SupportLang, &[Rows])] = &[
    (SupportLang::Python, &[python::ROWS]),
    (SupportLang::JavaScript, &[script::ROWS]),
    (SupportLang::TypeScript, &[script::ROWS, script::TYPED_ROWS]),
    (SupportLang::Tsx, &[script::ROWS, script::TYPED_ROWS]),
    (SupportLang::Rust, &[rust::ROWS]),
    (SupportLang::Go, &[go::ROWS]),
    (SupportLang::Java, &[java::ROWS]),
    (SupportLang::Kotlin, &[kotlin::ROWS]),
    (SupportLang::CSharp, &[csharp::ROWS]),
];

static GRAMMARS: LazyLock<Vec<Grammar>> =
    LazyLock::new(|| LANGUAGES.iter().map(|(language, rows)| Grammar::of(*language, rows)).collect());

impl Grammar {
    fn of(language: SupportLang, rows: &[Rows]) -> Self {
        let grammar = language.get_ts_language();
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let visit = |id: u16| {
            let name = grammar.node_kind_for_id(id).filter(|_| grammar.node_kind_is_named(id))?;
            rows.iter().copied().flatten().find(|row| row.0 == name).map(|row| row.1)
        };
        Self { language, visits: (0..count).map(visit).collect() }
    }
}

/// Whether files of a language have an outline.
pub fn has_outline(language: Language) -> bool {
    LANGUAGES.iter().any(|(it, _)| *it == language.engine())
}

/// What a parsed file defines, imports and uses, and on the way the nodes of the wanted kinds; nothing is done for a
/// language without a table.
pub fn outline<'t>(parsed: &'t Parsed, wanted: &Kinds, nodes: &mut Vec<Node<'t>>) -> Option<Outline> {
    let language = parsed.language.engine();
    let grammar = GRAMMARS.iter().find(|it| it.language == language)?;
    let mut walk = Walk::new(parsed.text());
    walk.run(parsed.tree().root_node(), &grammar.visits, wanted, nodes);
    Some(walk.finish())
}

#[cfg(test)]
mod tests {
    use ast_grep_core::tree_sitter::LanguageExt as _;

    use super::LANGUAGES;

    #[test]
    fn every_row_names_a_kind_of_its_grammar() {
        for (language, rows) in LANGUAGES {
            let grammar = language.get_ts_language();
            for (kind, _) in rows.iter().copied().flatten() {
                let is_known = grammar.id_for_node_kind(kind, true) != 0;
                let is_elsewhere = LANGUAGES.iter().any(|(other, _)| {
                    matches!(language.to_string().as_str(), "JavaScript" | "TypeScript" | "Tsx")
                        && other.get_ts_language().id_for_node_kind(kind, true) != 0
                });
                assert!(is_known || is_elsewhere, "{language} has no `{kind}`");
            }
        }
    }
}
