//! From outlines to a graph: spaces first, then who inherits from whom, then every use.

use rayon::prelude::*;

use super::bases::Bases;
use super::calibration::Resolution;
use super::fuse::{Agreement, Fusion};
use super::known;
use super::link::{Linked, Linker};
use super::program::{Family, MOST_IMPORTS, Program, Row, narrow};
use super::reach::Reach;
use super::roots::Roots;
use super::store::{Edge, EdgeKind, FileRow, Graph, Symbol, SymbolNumber};
use crate::model::{Note, RepoPath, Span, SymbolId, counted};
use crate::precision::Resolved;
use crate::syntax::{Language, Outline, Role};

/// A file with its outline.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: RepoPath,
    pub language: Language,
    pub outline: Outline,
}

/// What the notes of this layer mean.
pub const CODES: &[(&str, &str)] = &[
    (
        "parse_partial",
        "The grammar could not read some places of the file. What stands there is not in the graph: definitions and \
         uses may be missing. Check the file's syntax, or whether it uses something newer than the grammar.",
    ),
    (
        "import_unresolved",
        "A relative import leads to no file of the snapshot: the file is generated, ignored, or missing. Effects \
         across that import are not in the graph.",
    ),
    (
        "imports_too_many",
        "A file has more imports than are followed. Names that the others bring in are not linked.",
    ),
    (
        "members_too_common",
        "Calls of a member whose name more than 20 reachable classes have were left out: such a name says nothing \
         about its target. An index of the compiler's kind resolves them.",
    ),
];

/// Builds the graph of all files, with what an index resolved in them put over what names say. The order of the files
/// does not matter.
pub fn build(files: &[SourceFile], roots: &Roots, resolved: Option<&Resolved>) -> Graph {
    link(files, roots, |linker, linked| {
        let fusion = resolved.map(|it| Fusion::new(linker.program, it));
        let rows = linker.program.rows.par_iter().zip(linked);
        let edges: Vec<Edges> = rows.map(|(row, it)| Edges::of(linker, fusion.as_ref(), row, it)).collect();
        graph(linker, fusion.as_ref(), &edges)
    })
}

/// Resolves the uses in all files, and hands them over in the order of the files' paths.
pub(super) fn link<'f, R>(
    files: &'f [SourceFile],
    roots: &'f Roots,
    then: impl FnOnce(&Linker<'_, 'f>, Vec<Linked>) -> R,
) -> R {
    let mut program = Program::new(files, roots);
    let is_test_code: Vec<bool> = (0..program.symbols()).map(|it| program.is_test_code(it)).collect();
    let pairs = {
        let linker = Linker {
            program: &program,
            members: Vec::new(),
            is_test_code: Vec::new(),
            kinds: Vec::new(),
            decorated: Vec::new(),
        };
        program.rows.par_iter().flat_map_iter(|row| linker.bases(row)).collect()
    };
    program.bases = Bases::new(pairs);
    let reach = Reach::of(&program);
    let mut linker = Linker {
        program: &program,
        members: members(&program),
        is_test_code,
        kinds: Vec::new(),
        decorated: Vec::new(),
    };
    known::infer(&mut linker);
    let linked = program.rows.par_iter().map(|row| linker.link(row, &reach.from(row))).collect();
    then(&linker, linked)
}

fn graph(linker: &Linker<'_, '_>, fusion: Option<&Fusion<'_, '_>>, linked: &[Edges]) -> Graph {
    let program = linker.program;
    let mut edges: Vec<Edge> = linked.iter().flat_map(|it| it.edges.iter().copied()).collect();
    edges.extend(overrides(program, &linker.is_test_code));
    edges.extend(fusion.into_iter().flat_map(Fusion::implementations));
    let symbols = symbols(program, &linker.is_test_code);
    let rows = program.rows.iter().map(|it| FileRow { path: it.source.path.clone(), symbol: it.symbol });
    let mut graph = Graph::new(rows.collect(), symbols, edges, notes(program, linked));
    for (resolution, verdict) in linked.iter().flat_map(|it| &it.agreement) {
        let sum = graph.agreement.entry(*resolution).or_default();
        sum.judged += verdict.judged;
        sum.right += verdict.right;
    }
    graph
}

/// What begins in one file.
struct Edges {
    edges: Vec<Edge>,
    agreement: Agreement,
    dropped: usize,
    unresolved: Vec<(Box<str>, Span)>,
}

impl Edges {
    fn of(linker: &Linker<'_, '_>, fusion: Option<&Fusion<'_, '_>>, row: &Row<'_>, linked: Linked) -> Self {
        let Linked { uses, dropped, unresolved } = linked;
        let (uses, agreement) = match fusion {
            Some(fusion) => fusion.fuse(row, uses),
            None => (uses, Agreement::new()),
        };
        let edges = uses.iter().flat_map(|it| linker.edges(it)).collect();
        Self { edges, agreement, dropped, unresolved }
    }
}

fn members<'f>(program: &Program<'f>) -> Vec<(Family, &'f str, SymbolNumber)> {
    let mut members = Vec::new();
    for row in &program.rows {
        let Some(family) = row.family else { continue };
        for (number, definition) in row.source.outline.definitions.iter().enumerate() {
            if definition.kind == crate::syntax::DefinitionKind::Method {
                members.push((family, definition.name.as_ref(), row.symbol + 1 + narrow(number)));
            }
        }
    }
    members.sort_unstable();
    members
}

/// From each method to those that replace it.
pub(super) fn overrides(program: &Program<'_>, is_test_code: &[bool]) -> Vec<Edge> {
    let is_test = |it: SymbolNumber| is_test_code.get(it as usize).copied().unwrap_or(false);
    let mut edges = Vec::new();
    for (sub, base) in program.bases.pairs().iter().copied() {
        let Some(row) = program.row_of(sub) else { continue };
        let number = sub.checked_sub(row.symbol + 1).map(|it| it as usize);
        let own = row.source.outline.definitions.iter().enumerate().filter(|it| it.1.container == number);
        for (member, definition) in own.filter(|it| it.1.kind.runs()) {
            let to = row.symbol + 1 + narrow(member);
            let replaced = program.inherited(base, &definition.name).into_iter();
            let seen = replaced.filter(|from| *from != to && (is_test(*from) || !is_test(to)));
            edges.extend(seen.filter_map(|from| {
                let place = program.definition(from)?.name_span;
                let (kind, resolution) = (EdgeKind::Overridden, Resolution::SelfMember);
                Some(Edge { from, to, kind, resolution, candidates: 1, place, superseded: None })
            }));
        }
    }
    edges
}

pub(super) fn symbols(program: &Program<'_>, is_test_code: &[bool]) -> Vec<Symbol> {
    let by_file =
        program.rows.par_iter().enumerate().map(|(file, row)| symbols_of(narrow(file), row, is_test_code));
    by_file.collect::<Vec<_>>().into_iter().flatten().collect()
}

fn symbols_of(file: u32, row: &Row<'_>, is_test_code: &[bool]) -> Vec<Symbol> {
    let language = row.source.language.name();
    let outline = &row.source.outline;
    let mut seen: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    let is_told_by_name = matches!(row.family, Some(Family::Python | Family::Go | Family::Script));
    let mut symbols = vec![Symbol {
        id: SymbolId::of_definition(&language, &row.source.path, ""),
        file,
        kind: None,
        span: Span::FILE,
        container: None,
        is_test_code: row.is_test,
        is_test: false,
    }];
    for (number, it) in outline.definitions.iter().enumerate() {
        let count = seen.entry(&it.qualified).or_insert(0);
        *count += 1;
        let name = if *count == 1 { it.qualified.to_string() } else { format!("{}~{count}", it.qualified) };
        let symbol = row.symbol + 1 + narrow(number);
        symbols.push(Symbol {
            id: SymbolId::of_definition(&language, &row.source.path, &name),
            file,
            kind: Some(it.kind),
            span: it.span,
            container: it.container.map(|it| row.symbol + 1 + narrow(it)),
            is_test_code: is_test_code.get(symbol as usize).copied().unwrap_or(false),
            is_test: it.role == Role::Test && it.kind.runs() && (row.is_test || !is_told_by_name),
        });
    }
    symbols
}

fn notes(program: &Program<'_>, linked: &[Edges]) -> Vec<Note> {
    let mut notes = Vec::new();
    for (row, linked) in program.rows.iter().zip(linked) {
        let path = &row.source.path;
        if row.source.outline.errors > 0 {
            let places = counted(u64::from(row.source.outline.errors), "place");
            let message = format!(
                "the grammar could not read {places} of the file; what stands there is not in the graph"
            );
            notes.push(Note::new("parse_partial", message).at(path.clone()));
        }
        for (module, span) in &linked.unresolved {
            let message = format!("the import of `{module}` leads to no file of the snapshot");
            notes.push(Note::new("import_unresolved", message).at_point(path.clone(), span.start));
        }
        if row.source.outline.imports.len() > MOST_IMPORTS {
            let message = format!("only the first {MOST_IMPORTS} imports of the file were followed");
            notes.push(Note::new("imports_too_many", message).at(path.clone()));
        }
        if linked.dropped > 0 {
            let calls = counted(linked.dropped as u64, "call");
            let message = format!("left out: {calls} of members with a common name");
            notes.push(Note::new("members_too_common", message).at(path.clone()));
        }
    }
    notes.sort();
    notes
}
