//! Which spaces a file can know of: its own, and those that imports lead to within three steps.

use rayon::prelude::*;

use super::names::{FUEL, Found};
use super::program::{Family, Program, Row, SpaceNumber};
use crate::syntax::{Import, ImportKind};

/// How many imports may lie between a use and a definition.
const HOPS: usize = 3;

pub(super) struct Reach(Vec<Vec<SpaceNumber>>);

impl Reach {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let by_file: Vec<Vec<SpaceNumber>> = program
            .rows
            .par_iter()
            .map(|row| row.imports().iter().flat_map(|it| targets(program, row, it)).collect())
            .collect();
        let mut by_space = vec![Vec::new(); program.spaces.len()];
        for (row, targets) in program.rows.iter().zip(&by_file) {
            for space in &row.spaces {
                if let Some(list) = by_space.get_mut(*space as usize) {
                    list.extend_from_slice(targets);
                }
            }
        }
        for list in &mut by_space {
            list.sort_unstable();
            list.dedup();
        }
        Self(by_space)
    }

    /// The spaces that a file reaches, sorted.
    pub(super) fn from(&self, row: &Row<'_>) -> Vec<SpaceNumber> {
        let mut reached = row.spaces.clone();
        reached.sort_unstable();
        let mut frontier = reached.clone();
        for _ in 0..HOPS {
            let mut next: Vec<SpaceNumber> =
                frontier.iter().filter_map(|it| self.0.get(*it as usize)).flatten().copied().collect();
            next.sort_unstable();
            next.dedup();
            next.retain(|it| reached.binary_search(it).is_err());
            reached.extend_from_slice(&next);
            reached.sort_unstable();
            frontier = next;
        }
        reached
    }
}

/// The spaces that an import leads to: its module's, and those of the names it lists.
fn targets(program: &Program<'_>, row: &Row<'_>, import: &Import) -> Vec<SpaceNumber> {
    let mut fuel = FUEL;
    let module = program.imported(row, import, &mut fuel).map(|it| it.space);
    let names = import.names.iter().filter(|_| import.kind == ImportKind::Names);
    let named = names.filter_map(|it| match program.named(row, import, it, &mut FUEL.clone())? {
        Found::Module(module) => Some(module.space),
        Found::Symbols(symbols) => program.row_of(*symbols.first()?)?.spaces.first().copied(),
    });
    let declared = if row.family == Some(Family::Python) { row.spaces.first().copied() } else { None };
    named.chain(module).filter(|it| Some(*it) != declared).collect()
}
