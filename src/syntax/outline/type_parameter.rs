//! Type parameters: names of types that stand for any, and only where they are introduced.

use tree_sitter::Node;

use super::finish::head;
use super::reference::ReferenceKind;
use super::walk::{Before, Below, MarkKind, Walk, children};

impl<'t> Walk<'t> {
    /// Takes the names that a list of type parameters introduces in what stands around the list.
    pub(super) fn type_parameters(&mut self, node: Node<'t>) -> Below {
        for parameter in children(node) {
            let name = if is_name(parameter) {
                Some(parameter)
            } else {
                children(parameter).into_iter().find(|it| is_name(*it))
            };
            let kind = parameter.kind();
            if let Some(name) = name.filter(|_| is_name(parameter) || kind.starts_with("type_parameter")) {
                self.open_type(self.frames.len().saturating_sub(1), name);
            }
        }
        Below::Walk
    }

    /// Takes the name that `[K in …]` introduces.
    pub(super) fn mapped_type(&mut self, node: Node<'t>) -> Below {
        if let Some(name) = children(node).into_iter().find(|it| is_name(*it)) {
            self.open_type(self.frames.len().saturating_sub(1), name);
        }
        Below::Walk
    }

    /// Takes the name that `infer X` introduces in the condition around it.
    pub(super) fn inferred_type(&mut self, node: Node<'t>) -> Below {
        let condition = self.frames.iter().rposition(|it| it.node.kind() == "conditional_type");
        let name = children(node).into_iter().find(|it| is_name(*it));
        if let (Some(depth), Some(name)) = (condition, name) {
            self.open_type(depth, name);
        }
        Below::Walk
    }

    fn open_type(&mut self, depth: usize, name: Node<'t>) {
        self.claim(name);
        // Those that end first come last.
        let at = self.open_types.partition_point(|it| it.0 <= depth);
        self.open_types.insert(at, (depth, self.text_of(name)));
    }

    /// Whether a name means a type parameter around it.
    pub(super) fn is_type_parameter(&self, kind: MarkKind, name: &str, qualifier: Before<'_>) -> bool {
        let is_open = |text: &str| self.open_types.iter().any(|it| it.1 == text);
        match (kind, qualifier) {
            (MarkKind::Claimed, _) | (_, Before::Expression(_)) => false,
            (MarkKind::Reference(_), Before::Named(text)) => is_open(head(text)),
            (MarkKind::Reference(kind), Before::Nothing) => {
                matches!(kind, ReferenceKind::Type | ReferenceKind::Inherits | ReferenceKind::Use)
                    && is_open(name)
            }
        }
    }
}

fn is_name(node: Node<'_>) -> bool {
    matches!(node.kind(), "type_identifier" | "identifier" | "simple_identifier")
}
