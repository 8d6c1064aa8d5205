//! One walk over a tree for all who want something of it: the outline, and the nodes that a search asks for.

use tree_sitter::{Node, TreeCursor};

use super::mend::mended;
use super::outline::{self, Outline};
use super::parse::Parsed;

/// A set of node kinds of one grammar, by number.
#[derive(Clone, Debug, Default)]
pub struct Kinds(Vec<bool>);

impl Kinds {
    pub(super) fn contains(&self, node: Node<'_>) -> bool {
        self.0.get(usize::from(node.kind_id())).copied().unwrap_or(false)
    }
}

impl FromIterator<bool> for Kinds {
    /// Whether each kind is in the set, from number 0.
    fn from_iter<I: IntoIterator<Item = bool>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

/// What one walk over a tree gathered.
pub struct Survey<'t> {
    /// None for a language without a table.
    pub outline: Option<Outline>,
    /// The nodes of the kinds that were asked for, each before those inside it.
    pub nodes: Vec<Node<'t>>,
}

/// Walks over a tree once. A cursor step costs about as much as what is done at a node, so nobody walks alone.
pub fn survey<'t>(parsed: &'t Parsed, wanted: &Kinds) -> Survey<'t> {
    let mut nodes = Vec::new();
    let mended = mended(parsed).and_then(|it| outline::outline(&it, &Kinds::default(), &mut Vec::new()));
    if mended.is_some() {
        gather(&mut parsed.tree().walk(), wanted, &mut nodes);
        return Survey { outline: mended, nodes };
    }
    let outline = outline::outline(parsed, wanted, &mut nodes);
    if outline.is_none() {
        gather(&mut parsed.tree().walk(), wanted, &mut nodes);
    }
    Survey { outline, nodes }
}

/// Adds the wanted nodes from the cursor's node down, and leaves the cursor there. It iterates: trees can be deep.
pub(super) fn gather<'t>(cursor: &mut TreeCursor<'t>, wanted: &Kinds, nodes: &mut Vec<Node<'t>>) {
    let mut depth = 0;
    loop {
        let node = cursor.node();
        if wanted.contains(node) {
            nodes.push(node);
        }
        if node.child_count() > 0 && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while depth > 0 && !cursor.goto_next_sibling() {
            cursor.goto_parent();
            depth -= 1;
        }
        if depth == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Kinds, survey};
    use crate::syntax::{Language, Limits, parse};

    /// The texts of the nodes of every kind, in the order of the survey.
    fn everything(name: &str, text: &str) -> (Vec<String>, Vec<String>) {
        let parsed = parse(text.to_owned(), Language::of_name(name).unwrap(), Limits::default()).unwrap();
        let all = Kinds::from_iter([true; u16::MAX as usize]);
        let texts = survey(&parsed, &all)
            .nodes
            .iter()
            .map(|it| text.get(it.byte_range()).unwrap().to_owned())
            .collect();
        (texts, parsed.root().root().dfs().map(|it| it.text().into_owned()).collect())
    }

    #[test]
    fn every_wanted_node_is_gathered_once_whether_or_not_the_outline_looks_below_it() {
        let rust =
            "use a::{b, c as d};\n/// x\n#[test]\nfn f() { g!(h(\"s{}\\n\"), 1); let (a, b) = i::<J>(); }\n";
        let python = "import a.b as c\n@d\ndef f(x=1, *y):\n    return f'{x!r} {y}' % (1, 'a' 'b')\n";
        let css = "a > b { color: rgb(1, 2, 3) }\n";
        for (name, text) in [("rust", rust), ("python", python), ("css", css), ("rust", "")] {
            let (gathered, expected) = everything(name, text);
            assert_eq!(gathered, expected, "{name}");
        }
    }

    #[test]
    fn only_wanted_kinds_are_gathered() {
        let text = "f(1, [2, x])\n";
        let parsed = parse(text.to_owned(), Language::of_name("python").unwrap(), Limits::default()).unwrap();
        let integer = parsed.tree().language().id_for_node_kind("integer", true);
        let wanted = (0..=integer).map(|it| it == integer).collect();
        let found = survey(&parsed, &wanted);
        assert_eq!(
            found.nodes.iter().filter_map(|it| text.get(it.byte_range())).collect::<Vec<_>>(),
            ["1", "2"]
        );
        assert!(survey(&parsed, &Kinds::default()).nodes.is_empty());
    }
}
