//! `pnpm-lock.yaml`, versions 5 to 9: <https://github.com/pnpm/spec/tree/master/lockfile>.
//!
//! The key of a package says its name and version: `/name/1.0.0_peers` (5), `/name@1.0.0(peers)` (6) or
//! `name@1.0.0(peers)` (9); one from elsewhere states them in its entry.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Scope, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::note::{ENTRY_MALFORMED, LOCK_VERSION_UNKNOWN};
use crate::deps::yaml::{Node, Scalar, Value, documents};
use crate::model::{Note, Redacted};

use super::source::source;

/// The tables of an importer, with what they are wanted for.
const TABLES: [&str; 3] = ["dependencies", "devDependencies", "optionalDependencies"];
/// The tables of a package.
const NEEDS: [&str; 2] = ["dependencies", "optionalDependencies"];
const KNOWN: [&str; 4] = ["5", "6", "7", "9"];
const NEWEST: &str = "9";

/// # Errors
/// When the file is not YAML or not a mapping.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let mut reader = Reader { document, notes: Vec::new(), resolved: Vec::new(), by_key: BTreeMap::new() };
    let mut lockfile = Lockfile::default();
    let roots = documents(document)?;
    for root in &roots {
        match root.value {
            Value::Mapping(_) => reader.packages(root),
            Value::Scalar(ref text) if text.is_empty() => {}
            Value::Scalar(_) | Value::Sequence(_) | Value::Alias => {
                return Err(document.unreadable(root.place.start, "it must be a mapping"));
            }
        }
    }
    lockfile.edges = vec![Vec::new(); reader.resolved.len()];
    for root in &roots {
        reader.link(root, &mut lockfile);
    }
    let Reader { notes, mut resolved, .. } = reader;
    for edges in &mut lockfile.edges {
        edges.sort_unstable();
        edges.dedup();
    }
    let pins: Vec<_> = resolved.iter().map(Resolved::pin).collect();
    for (it, edges) in resolved.iter_mut().zip(&lockfile.edges) {
        it.dependencies = edges.iter().filter_map(|it| pins.get(*it).cloned()).collect();
    }
    lockfile.members.insert(String::new());
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

struct Reader<'d, 't> {
    document: &'d Document<'t>,
    notes: Vec<Note>,
    resolved: Vec<Resolved>,
    /// The packages by their keys without a leading `/`, and by those without peers.
    by_key: BTreeMap<String, usize>,
}

impl Reader<'_, '_> {
    fn packages(&mut self, root: &Node) {
        let version = root.get("lockfileVersion");
        if let Some(version) = version
            && !version.text().is_some_and(|it| KNOWN.contains(&it.split('.').next().unwrap_or(it)))
        {
            let message = format!("`lockfileVersion` is not one that is known; the file is read as {NEWEST}");
            self.notes.push(self.document.note(LOCK_VERSION_UNKNOWN, version.place.start, message));
        }
        self.entries(root);
        self.unlisted(root);
    }

    fn entries(&mut self, root: &Node) {
        for (key, entry) in root.get("packages").map(Node::entries).unwrap_or_default() {
            if self.resolved.len() == MAX_PACKAGES {
                self.notes.push(self.document.too_many(key.place.start));
                return;
            }
            match self.package(key, entry) {
                Some(it) => {
                    let key = key.text.trim_start_matches('/');
                    self.by_key.insert(key.to_owned(), self.resolved.len());
                    self.by_key.entry(without_peers(key).to_owned()).or_insert(self.resolved.len());
                    self.resolved.push(it);
                }
                None => {
                    let message =
                        format!("the entry `{}` says no name and version and was left out", key.text);
                    self.notes.push(self.document.note(ENTRY_MALFORMED, key.place.start, message));
                }
            }
        }
    }

    /// What importers settle although no entry describes it, as in a file that was cut by hand.
    fn unlisted(&mut self, root: &Node) {
        for (name, entry) in importers(root).flat_map(|it| rows(it.1, &TABLES)) {
            let Some(version) = settled(entry) else { continue };
            let text = version.text().unwrap_or_default();
            let bare = without_peers(text).split('_').next().unwrap_or(text);
            let is_version = bare.starts_with(|it: char| it.is_ascii_digit());
            if !is_version || self.target(name, entry).is_some() || self.resolved.len() == MAX_PACKAGES {
                continue;
            }
            let place = version.inside(self.document.text);
            self.by_key.insert(format!("{}@{text}", name.text), self.resolved.len());
            self.resolved.push(Resolved::locked(
                Ecosystem::Npm,
                name.text.clone(),
                bare.to_owned(),
                self.document.place(place.start..place.start + bare.len()),
            ));
        }
    }

    fn package(&self, key: &Scalar, entry: &Node) -> Option<Resolved> {
        let resolution = entry.get("resolution");
        let address = ["tarball", "repo", "directory"];
        let address = address.iter().find_map(|it| resolution?.get(it)?.text());
        let commit = resolution.and_then(|it| it.get("commit")).and_then(Node::text);
        let parts = split_key(&key.text);
        let stated = entry.get("version").and_then(|it| Some((it.text()?, it.inside(self.document.text))));
        let name = entry.get("name").and_then(Node::text).or(parts.map(|it| it.0))?;
        let (version, place) = match (stated, parts) {
            (Some((version, place)), _) => (version, place),
            (None, Some((_, version))) => (version, self.inside_key(key, version)),
            (None, None) => return None,
        };
        let is_registry = parts.is_some_and(|(_, it)| it.starts_with(|it: char| it.is_ascii_digit()));
        let source = match (commit, address) {
            (Some(_), _) => Source::Git,
            (None, Some(it)) if it.contains("codeload.github") => Source::Git,
            (None, Some(it)) if !is_registry => match source(it) {
                Source::Registry => Source::Path,
                other @ (Source::Git | Source::Path | Source::Url | Source::Workspace) => other,
            },
            (None, _) => Source::Registry,
        };
        let flag = |name: &str| entry.get(name).and_then(Node::text) == Some("true");
        let scope = match (entry.get("dev").is_some(), flag("dev"), flag("optional")) {
            (_, true, _) => Some(Scope::Dev),
            (_, _, true) => Some(Scope::Optional),
            (true, false, false) => Some(Scope::Normal),
            (false, _, _) => None,
        };
        let checksum = resolution.and_then(|it| it.get("integrity")).and_then(Node::text);
        Some(Resolved {
            source,
            origin: address.filter(|_| source != Source::Registry).map(Redacted::new),
            checksum: checksum.map(str::to_owned),
            scope,
            ..Resolved::locked(
                Ecosystem::Npm,
                name.to_owned(),
                version.to_owned(),
                self.document.place(place),
            )
        })
    }

    /// The range of the version inside a key.
    fn inside_key(&self, key: &Scalar, version: &str) -> Range<usize> {
        let written = self.document.text.get(key.place.clone()).unwrap_or_default();
        let starts = written.match_indices(version).map(|it| it.0);
        // The version stands behind a separator; a name may hold the same digits.
        let mut starts = starts.filter(|it| written.get(..*it).is_some_and(|it| it.ends_with(['@', '/'])));
        match starts.next() {
            Some(start) => key.place.start + start..key.place.start + start + version.len(),
            None => key.place.clone(),
        }
    }

    /// Follows what importers and packages need.
    fn link(&self, root: &Node, lockfile: &mut Lockfile) {
        for (folder, importer) in importers(root) {
            let member = if folder == "." { "" } else { folder }.to_owned();
            lockfile.direct.extend(self.targets(importer, &TABLES));
            let wants = lockfile.wants.entry(member.clone()).or_default();
            for (name, it) in rows(importer, &TABLES) {
                wants.insert(name.text.clone(), self.target(name, it).into_iter().collect());
            }
            lockfile.members.insert(member);
        }
        // Version 9 keeps what packages need apart from what they are.
        for table in ["packages", "snapshots"] {
            for (key, entry) in root.get(table).map(Node::entries).unwrap_or_default() {
                let from = self.find(key.text.trim_start_matches('/'));
                if let Some(edges) = from.and_then(|it| lockfile.edges.get_mut(it)) {
                    edges.extend(self.targets(entry, &NEEDS));
                }
            }
        }
    }

    fn targets(&self, node: &Node, tables: &[&str]) -> BTreeSet<usize> {
        rows(node, tables).filter_map(|(name, it)| self.target(name, it)).collect()
    }

    fn target(&self, name: &Scalar, entry: &Node) -> Option<usize> {
        let version = settled(entry)?.text()?;
        let name = &name.text;
        // For an alias, the key of the package stands there instead of a version.
        let keys = [
            version.trim_start_matches('/').to_owned(),
            format!("{name}@{version}"),
            format!("{name}/{version}"),
        ];
        keys.iter().find_map(|it| self.find(it))
    }

    fn find(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).or_else(|| self.by_key.get(without_peers(key))).copied()
    }
}

/// The folders of the project's own packages with their tables. Without a workspace, versions 5 and 6 write those of the
/// only one at the top.
fn importers(root: &Node) -> impl Iterator<Item = (&str, &Node)> {
    let listed = root.get("importers").map(Node::entries).unwrap_or_default();
    listed.iter().map(|(folder, it)| (folder.text.as_str(), it)).chain([(".", root)])
}

fn rows<'n>(node: &'n Node, tables: &[&str]) -> impl Iterator<Item = &'n (Scalar, Node)> {
    tables.iter().filter_map(|it| node.get(it)).flat_map(Node::entries).collect::<Vec<_>>().into_iter()
}

/// What a row was settled to: the whole row, or its `version` where it has the constraint beside it.
fn settled(row: &Node) -> Option<&Node> {
    if row.text().is_some() { Some(row) } else { row.get("version") }
}

/// A key without the peers that version 6 and later write in parentheses.
fn without_peers(key: &str) -> &str {
    key.split_once('(').map_or(key, |it| it.0)
}

/// The name and the version that a key says, without peers.
fn split_key(key: &str) -> Option<(&str, &str)> {
    let key = without_peers(key);
    let key = key.strip_prefix('/').unwrap_or(key);
    let scope_ends = if key.starts_with('@') { key.find('/')? + 1 } else { 0 };
    let behind = key.get(scope_ends..)?;
    let end = scope_ends + behind.find(['@', '/'])?;
    let (name, version) = (key.get(..end)?, key.get(end + 1..)?);
    // Version 5 has a slash there, peers behind `_`, and a host before the names of packages from elsewhere.
    let version = match key.get(end..).is_some_and(|it| it.starts_with('/')) {
        false => version,
        true => version
            .split('_')
            .next()
            .filter(|it| it.starts_with(|it: char| it.is_ascii_digit()) && !it.contains('/'))?,
    };
    (!name.is_empty() && !version.is_empty()).then_some((name, version))
}

#[cfg(test)]
mod tests {
    use super::split_key;

    #[test]
    fn keys_of_all_versions_say_name_and_version() {
        for (key, expected) in [
            ("/acorn/8.7.0", Some(("acorn", "8.7.0"))),
            ("/@s/a/1.0.0", Some(("@s/a", "1.0.0"))),
            ("/acorn-jsx/5.3.2_acorn@8.8.0", Some(("acorn-jsx", "5.3.2"))),
            ("/@s/a/1.0.0_@s+b@2.0.0", Some(("@s/a", "1.0.0"))),
            ("/webpack-cli/4.10.0_fzn43tb6bdtdxy2s3aqevve2su", Some(("webpack-cli", "4.10.0"))),
            ("/acorn@8.7.0", Some(("acorn", "8.7.0"))),
            ("/@s/a@1.0.0(b@2.0.0)(c@3.0.0)", Some(("@s/a", "1.0.0"))),
            ("ms@2.1.3", Some(("ms", "2.1.3"))),
            ("@s/a_b@1.0.0-rc.1", Some(("@s/a_b", "1.0.0-rc.1"))),
            ("debug@https://host/a.tgz", Some(("debug", "https://host/a.tgz"))),
            ("invalidpath1", None),
            ("gitlab.host/api/v4/a.tgz", None),
            ("", None),
        ] {
            assert_eq!(split_key(key), expected, "{key}");
        }
    }
}
