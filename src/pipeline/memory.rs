//! What earlier questions about a repository left, so that the next one need not read every file again: the outlines of
//! contents, by their names, and the last graph.
//!
//! Nothing of it is in a result: with nothing kept, or with what is damaged, the same comes out, later.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::look::{Known, Look, Task, look};
use super::reach;
use crate::graph::{self, Graph, SourceFile};
use crate::model::Digest;
use crate::precision::Resolved;
use crate::repo::{BlobId, Repository};
use crate::syntax::{self, Outline};
use crate::system::{forget, read_kept, write_kept};

/// The folder of one repository; none where nothing is kept.
pub struct Memory {
    folder: Option<PathBuf>,
}

const OUTLINES: &str = "outlines";
const GRAPH: &str = "graph";
/// So many repositories are remembered: a large one takes a hundred megabytes.
const MOST_REPOSITORIES: usize = 16;
/// One outline in so many may be missing before all are written again.
const FEW: usize = 50;

/// A content in a language.
type Key = (BlobId, u8);

impl Memory {
    /// In a folder of the user's own: one in the repository could come with it.
    pub fn of(folder: Option<&Path>, repository: &Repository) -> Self {
        let root = repository.root().path().as_os_str().as_encoded_bytes();
        Self { folder: folder.map(|it| it.join(Digest::of(root).short(32))) }
    }

    /// Gives every look that was left its outline.
    pub fn outline(&self, task: Task<'_>, looks: &mut [Look]) {
        if !looks.iter().any(|it| it.is_left) {
            return;
        }
        let kept = self.folder.as_deref().map(Outlines::read).unwrap_or_default();
        looks.par_iter_mut().filter(|it| it.is_left).for_each(|it| {
            match key(it).and_then(|key| kept.get(&key)) {
                Some(outline) => {
                    it.outline = outline;
                    it.is_left = false;
                }
                None => {
                    if let Some(file) = task.snapshot.find(&it.path) {
                        *it = look(Task { known: Known::Read, ..task }, file);
                    }
                }
            }
        });
        if let Some(folder) = &self.folder {
            kept.renew(folder, looks);
        }
    }

    /// The graph of everything that was looked at.
    pub fn graph(&self, task: Task<'_>, mut looks: Vec<Look>, resolved: Option<&Resolved>) -> Graph {
        // What an index says is read anew: whether it may be believed is settled each time.
        let folder = self.folder.as_deref().filter(|_| resolved.is_none());
        let made_of = made_of(task, &looks);
        if let Some(graph) = folder.and_then(|it| recalled(it, &made_of)) {
            return graph;
        }
        self.outline(task, &mut looks);
        let is_whole = looks.iter().all(is_settled);
        let files: Vec<SourceFile> = looks.into_iter().filter_map(reach::source).collect();
        let graph = graph::build(&files, &reach::roots(task.snapshot), resolved);
        if let Some(folder) = folder.filter(|_| is_whole) {
            keep(folder, &made_of, &graph);
        }
        graph
    }
}

/// Names everything that decides what the graph is.
fn made_of(task: Task<'_>, looks: &[Look]) -> String {
    let mut identity = format!("{:?}\0", task.limits).into_bytes();
    let of_graph = |it: &&Look| it.language.is_some_and(syntax::has_outline) || reach::is_root(&it.path);
    for look in looks.iter().filter(of_graph) {
        identity.extend(look.path.as_bytes());
        identity.push(0);
        identity.extend(look.file.iter().flat_map(|it| it.blob.to_string().into_bytes()));
        identity.push(0);
    }
    Digest::of(&identity).to_string()
}

fn recalled(folder: &Path, made_of: &str) -> Option<Graph> {
    let bytes = read_kept(folder, GRAPH)?;
    let (of, rest) = postcard::take_from_bytes::<&str>(&bytes).ok()?;
    (of == made_of).then(|| postcard::from_bytes(rest).ok())?
}

/// Keeps a graph. Where that fails, the next question makes it again.
fn keep(folder: &Path, made_of: &str, graph: &Graph) {
    if let Ok(bytes) = postcard::to_stdvec(&(made_of, graph)) {
        drop(write_kept(folder, GRAPH, &bytes));
    }
}

/// Whether another reading of the same content comes to the same: a parse that ran out of time does not.
fn is_settled(look: &Look) -> bool {
    look.unseen.as_ref().is_none_or(|it| matches!(it.code, "binary" | "not_utf8"))
}

fn key(look: &Look) -> Option<Key> {
    Some((look.file.as_ref()?.blob, look.language?.number()))
}

/// The outlines as they are kept: a list of contents with the length of each outline, then these.
#[derive(Default)]
struct Outlines {
    bytes: Vec<u8>,
    places: BTreeMap<Key, Range<usize>>,
}

impl Outlines {
    fn read(folder: &Path) -> Self {
        let bytes = read_kept(folder, OUTLINES).unwrap_or_default();
        let mut places = BTreeMap::new();
        if let Ok((entries, rest)) = postcard::take_from_bytes::<Vec<(Key, usize)>>(&bytes) {
            let mut at = bytes.len() - rest.len();
            for (key, length) in entries {
                let end = at.saturating_add(length);
                places.insert(key, at..end);
                at = end;
            }
        }
        Self { bytes, places }
    }

    /// The outline of a content, which may be none.
    fn get(&self, key: &Key) -> Option<Option<Outline>> {
        postcard::from_bytes(self.bytes.get(self.places.get(key)?.clone())?).ok()
    }

    /// Keeps the outlines of these looks, unless nearly all are kept already.
    fn renew(&self, folder: &Path, looks: &[Look]) {
        let keyed = looks.iter().filter(|it| it.language.is_some_and(syntax::has_outline) && is_settled(it));
        let keyed: BTreeMap<Key, &Look> = keyed.filter_map(|it| Some((key(it)?, it))).collect();
        let missing = keyed.keys().filter(|it| !self.places.contains_key(it)).count();
        if missing * FEW <= keyed.len() {
            return;
        }
        let pieces: Vec<(Key, Vec<u8>)> = keyed
            .into_par_iter()
            .filter_map(|(key, look)| Some((key, postcard::to_stdvec(&look.outline).ok()?)))
            .collect();
        let entries: Vec<(Key, usize)> = pieces.iter().map(|(key, piece)| (*key, piece.len())).collect();
        let Ok(mut bytes) = postcard::to_stdvec(&entries) else { return };
        bytes.extend(pieces.into_iter().flat_map(|it| it.1));
        if write_kept(folder, OUTLINES, &bytes).is_ok()
            && let Some(all) = folder.parent()
        {
            forget(all, MOST_REPOSITORIES);
        }
    }
}
