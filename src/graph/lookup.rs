//! What names and imports say about one name, place by place: for who asks where no index answers.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::build::{self, SourceFile};
use super::calibration::Resolution;
use super::fuse::Fusion;
use super::link::{Linked, Use};
use super::program::Row;
use super::roots::Roots;
use super::store::{Edge, EdgeKind, Symbol, SymbolNumber};
use crate::model::{
    Evidence, Kind, Location, Method, Point, Redacted, RepoPath, Span, SymbolId, distinguish,
};
use crate::precision::Resolved;
use crate::syntax::Definition;

/// The definitions and uses of a set of files.
pub struct Lookup<'f> {
    symbols: Vec<Symbol>,
    /// With the path and the definitions of each; none for the file's own symbol.
    definitions: Vec<(&'f RepoPath, Option<&'f Definition>)>,
    files: Vec<File<'f>>,
    overrides: Vec<Edge>,
}

struct File<'f> {
    source: &'f SourceFile,
    symbol: SymbolNumber,
    uses: Vec<Use>,
}

/// A type that is built on another, or a method that replaces another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    above: SymbolNumber,
    below: SymbolNumber,
    resolution: Resolution,
    candidates: u8,
    /// Where a type says so.
    place: Span,
}

/// One use at the place where it stands, with one of the definitions that it may mean.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link<'l> {
    pub from: Location,
    pub to: Location,
    pub kind: EdgeKind,
    pub resolution: Resolution,
    /// How many definitions the place could mean.
    pub candidates: u8,
    pub source: &'l SymbolId,
    pub target: &'l SymbolId,
}

/// A definition that a name may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meant {
    symbol: SymbolNumber,
    /// How it was found and among how many; none for the definition itself.
    found: Option<(Resolution, u8)>,
}

impl<'f> Lookup<'f> {
    /// Reads the uses in all files, with what an index resolved in them put over what names say.
    pub fn new(files: &'f [SourceFile], roots: &'f Roots, resolved: Option<&Resolved>) -> Self {
        build::link(files, roots, |linker, linked| {
            let program = linker.program;
            let fusion = resolved.map(|it| Fusion::new(program, it));
            let file = |(row, it): (&Row<'f>, Linked)| {
                let uses = match &fusion {
                    Some(fusion) => fusion.fuse(row, it.uses).0,
                    None => it.uses,
                };
                File { source: row.source, symbol: row.symbol, uses }
            };
            let files: Vec<File<'f>> = program.rows.par_iter().zip(linked).map(file).collect();
            let own = |it: &File<'f>| {
                let (path, outline) = (&it.source.path, &it.source.outline);
                let definitions = outline.definitions.iter().map(move |it| (path, Some(it)));
                std::iter::once((path, None)).chain(definitions)
            };
            Self {
                symbols: build::symbols(program, &linker.is_test_code),
                definitions: files.iter().flat_map(own).collect(),
                overrides: build::overrides(program, &linker.is_test_code),
                files,
            }
        })
    }

    /// Every use in the order of the text, then what replaces what. A guess leads from no production code to a test.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        let uses = self.files.iter().flat_map(move |file| {
            file.uses.iter().flat_map(move |it| {
                let seen = it.targets.iter().copied().filter(move |to| self.is_seen(it, *to));
                seen.filter_map(move |to| {
                    let from = Location { path: file.source.path.clone(), span: it.place };
                    self.link(it.from, to, from, it.kind, (it.resolution, it.candidates()))
                })
            })
        });
        let replaced = self.overrides.iter().filter_map(|it| {
            let from = self.place(it.to)?;
            self.link(it.to, it.from, from, it.kind, (it.resolution, it.candidates))
        });
        uses.chain(replaced)
    }

    fn link(
        &self,
        source: SymbolNumber,
        target: SymbolNumber,
        from: Location,
        kind: EdgeKind,
        (resolution, candidates): (Resolution, u8),
    ) -> Option<Link<'_>> {
        let id = |it: SymbolNumber| self.symbols.get(it as usize).map(|it| &it.id);
        let (source, target, to) = (id(source)?, id(target)?, self.place(target)?);
        Some(Link { from, to, kind, resolution, candidates, source, target })
    }

    fn is_seen(&self, it: &Use, target: SymbolNumber) -> bool {
        it.resolution.is_of_index() || !self.is_test_code(target) || self.is_test_code(it.from)
    }

    /// What the name at a point means.
    pub fn at(&self, path: &RepoPath, point: Point) -> Vec<Meant> {
        let Ok(at) = self.files.binary_search_by(|it| it.source.path.cmp(path)) else { return Vec::new() };
        let Some(file) = self.files.get(at) else { return Vec::new() };
        let holds = |it: &Span| it.start <= point && point < it.end;
        let mut definitions = (file.symbol + 1..).zip(&file.source.outline.definitions);
        if let Some((symbol, _)) = definitions.find(|it| holds(&it.1.name_span)) {
            return vec![Meant { symbol, found: None }];
        }
        // A name of an import stands inside its statement: the narrowest is meant.
        let holding = file.uses.iter().filter(|it| holds(&it.place));
        let narrowest = holding.max_by_key(|it| (it.place.start, std::cmp::Reverse(it.place.end)));
        narrowest.map(meant).unwrap_or_default()
    }

    /// The definitions of a name, or of a tail of names such as `Outer.inner`.
    pub fn called(&self, name: &str) -> Vec<Meant> {
        let tail: Vec<&str> = name.split(['.', '#', '/', ':']).filter(|it| !it.is_empty()).collect();
        let is_called = |qualified: &str| {
            let parts: Vec<&str> = qualified.split('.').collect();
            !tail.is_empty() && parts.ends_with(&tail)
        };
        let all = (0..).zip(self.symbols.iter().zip(&self.definitions));
        let named = all.filter(|(_, (symbol, (_, definition)))| {
            definition.is_some_and(|it| it.kind.has_name() && is_called(&it.qualified))
                || symbol.id.as_str() == name
        });
        named.map(|(symbol, _)| Meant { symbol, found: None }).collect()
    }

    /// The identity of what is meant, when that is one thing.
    pub fn identity(&self, meant: &[Meant]) -> Option<SymbolId> {
        let [only] = meant else { return None };
        self.symbols.get(only.symbol as usize).map(|it| it.id.clone())
    }

    /// The whole definitions: from the comment above to the last line of the body.
    pub fn bodies(&self, meant: &[Meant]) -> Vec<(SymbolId, Location)> {
        let body = |it: &Meant| {
            let id = self.symbols.get(it.symbol as usize)?.id.clone();
            let (path, definition) = *self.definitions.get(it.symbol as usize)?;
            Some((id, Location { path: path.clone(), span: definition?.span }))
        };
        meant.iter().filter_map(body).collect()
    }

    /// Where the definitions stand.
    pub fn definitions(&self, meant: &[Meant]) -> Vec<Evidence> {
        let records = meant.iter().filter_map(|it| {
            let message = format!("definition of {}", self.name(it.symbol)?);
            let place = self.place(it.symbol)?;
            self.record(Kind::Definition, it.found, place, it.symbol, message)
        });
        ordered(records.collect())
    }

    /// Where they are used. A guess leads from no production code to a test.
    pub fn references(&self, meant: &[Meant]) -> Vec<Evidence> {
        let symbols: BTreeSet<SymbolNumber> = meant.iter().map(|it| it.symbol).collect();
        let mut records = Vec::new();
        for file in &self.files {
            for it in &file.uses {
                let meant = it.targets.iter().copied().find(|it| symbols.contains(it));
                let Some(symbol) = meant.filter(|symbol| self.is_seen(it, *symbol)) else { continue };
                let what = match it.kind {
                    EdgeKind::Imports => "import of",
                    EdgeKind::Calls => "call of",
                    EdgeKind::Inherits => "base",
                    EdgeKind::References | EdgeKind::Overridden => "reference to",
                };
                let message = self.name(symbol).map(|it| format!("{what} {it}")).unwrap_or_default();
                let place = Location { path: file.source.path.clone(), span: it.place };
                let found = Some((it.resolution, it.candidates()));
                records.extend(self.record(Kind::Reference, found, place, symbol, message));
            }
        }
        ordered(records)
    }

    /// The types built on them and the methods that replace them, near and far.
    pub fn implementations(&self, meant: &[Meant]) -> Vec<Evidence> {
        let steps = self.steps();
        let mut open: Vec<(SymbolNumber, Option<(Resolution, u8)>)> =
            meant.iter().map(|it| (it.symbol, it.found)).collect();
        let mut seen: BTreeSet<SymbolNumber> = open.iter().map(|it| it.0).collect();
        let mut records = Vec::new();
        while let Some((above, found)) = open.pop() {
            let first = steps.partition_point(|it| it.above < above);
            for step in steps.iter().skip(first).take_while(|it| it.above == above) {
                let own = (step.resolution, step.candidates);
                let weakest = found.filter(|it| it.0 > step.resolution).unwrap_or(own);
                let (place, how) = match self.place(step.below) {
                    Some(place) if place.span != Span::FILE => {
                        if !seen.insert(step.below) {
                            continue;
                        }
                        open.push((step.below, Some(weakest)));
                        (place, "by")
                    }
                    // An `impl` of a type that names do not lead to: where it says so is all that is known.
                    Some(Location { path, .. }) => (Location { path, span: step.place }, "in"),
                    None => continue,
                };
                let message = self.name(step.below).map(|it| format!("implementation {how} {it}"));
                let message = message.unwrap_or_default();
                records.extend(self.record(Kind::Implementation, Some(weakest), place, step.below, message));
            }
        }
        ordered(records)
    }

    fn steps(&self) -> Vec<Step> {
        let inheriting = self.files.iter().flat_map(|it| &it.uses).filter(|it| it.kind == EdgeKind::Inherits);
        let below = inheriting.flat_map(|it| {
            let (resolution, candidates) = (it.resolution, it.candidates());
            let step = move |above: &u32| Step {
                above: *above,
                below: it.from,
                resolution,
                candidates,
                place: it.place,
            };
            it.targets.iter().map(step)
        });
        let replaced = self.overrides.iter().map(|it| Step {
            above: it.from,
            below: it.to,
            resolution: it.resolution,
            candidates: it.candidates,
            place: it.place,
        });
        let mut steps: Vec<Step> = below.chain(replaced).collect();
        steps.sort_unstable();
        steps
    }

    fn record(
        &self,
        kind: Kind,
        found: Option<(Resolution, u8)>,
        place: Location,
        symbol: SymbolNumber,
        message: String,
    ) -> Option<Evidence> {
        let id = &self.symbols.get(symbol as usize)?.id;
        let subject = format!("{} {id}", kind.name());
        let method = found.map_or(Method::SyntaxTree, |it| it.0.calibration().method);
        let mut evidence = Evidence::new(kind, method, place, &subject, Redacted::new(message));
        if let Some((resolution, candidates)) = found {
            evidence = evidence.at_most(resolution.calibration().tier);
            evidence.confidence = resolution.confidence(candidates);
        }
        evidence.symbol = Some(id.clone());
        Some(evidence)
    }

    fn place(&self, symbol: SymbolNumber) -> Option<Location> {
        let (path, definition) = *self.definitions.get(symbol as usize)?;
        Some(Location { path: path.clone(), span: definition.map_or(Span::FILE, |it| it.name_span) })
    }

    /// As a person would say it.
    fn name(&self, symbol: SymbolNumber) -> Option<String> {
        let (path, definition) = self.definitions.get(symbol as usize)?;
        Some(definition.map_or_else(|| path.to_string(), |it| it.qualified.to_string()))
    }

    fn is_test_code(&self, symbol: SymbolNumber) -> bool {
        self.symbols.get(symbol as usize).is_some_and(|it| it.is_test_code)
    }
}

fn meant(found: &Use) -> Vec<Meant> {
    let found_by = Some((found.resolution, found.candidates()));
    found.targets.iter().map(|symbol| Meant { symbol: *symbol, found: found_by }).collect()
}

fn ordered(mut records: Vec<Evidence>) -> Vec<Evidence> {
    distinguish(&mut records);
    records.sort_by(Evidence::order);
    records
}
