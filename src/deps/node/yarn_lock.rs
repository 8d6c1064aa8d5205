//! `yarn.lock`: version 1 (<https://classic.yarnpkg.com/lang/en/docs/yarn-lock/>), which is a format of its own, and
//! the YAML that later versions write (<https://yarnpkg.com/>), as far as they write it.
//!
//! In both, an entry begins at the margin with what is asked for (`name@range`, several times), fields are indented by
//! two spaces and what a field lists by four.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::deps::document::{Document, MAX_PACKAGES};
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Resolved, Source};
use crate::deps::format::{Contents, Lockfile, Parts};
use crate::deps::note::ENTRY_MALFORMED;
use crate::model::{Note, Redacted};

use super::source::{asked, source, split_version};

/// The fields that name what a package needs.
const NEEDS: [&str; 2] = ["dependencies", "optionalDependencies"];
/// Where yarn keeps facts about the file itself.
const METADATA: &str = "__metadata";
/// A project's own package, by its folder.
const WORKSPACE: &str = "workspace:";
/// A copy of a package that yarn itself makes to run it without `node_modules`.
const BUILT_IN_PATCH: &str = "#~builtin<";

/// One entry as written.
#[derive(Default)]
struct Entry<'t> {
    offset: usize,
    /// What is asked for, each `name@range`.
    keys: Vec<&'t str>,
    version: Option<Range<usize>>,
    resolution: Option<&'t str>,
    resolved: Option<&'t str>,
    checksum: Option<&'t str>,
    needs: Vec<(&'t str, &'t str)>,
}

/// # Errors
/// When a line is neither an entry nor part of one.
pub fn read(document: &Document<'_>) -> Result<Parts, Note> {
    let mut notes = Vec::new();
    let mut resolved = Vec::new();
    let mut needs = Vec::new();
    let mut lockfile = Lockfile::default();
    let mut asked_for: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries(document)? {
        if entry.keys == [METADATA] {
            continue;
        }
        if resolved.len() == MAX_PACKAGES {
            notes.push(document.too_many(entry.offset));
            break;
        }
        let Some(package) = package(document, &entry) else {
            let message = "an entry without a name or a version was left out";
            notes.push(document.note(ENTRY_MALFORMED, entry.offset, message));
            continue;
        };
        let folder = entry.resolution.and_then(|it| split_version(it).1?.strip_prefix(WORKSPACE));
        if entry.resolution.is_some_and(|it| it.contains(BUILT_IN_PATCH)) {
            continue;
        }
        if let Some(folder) = folder {
            lockfile.own.push(resolved.len());
            lockfile.members.insert(if folder == "." { "" } else { folder }.to_owned());
        }
        for key in &entry.keys {
            asked_for.insert((*key).to_owned(), resolved.len());
        }
        resolved.push(package);
        needs.push(entry.needs);
    }
    if lockfile.members.is_empty() {
        lockfile.members.insert(String::new());
    }
    lockfile.edges = needs.iter().map(|it| edges(it, &asked_for)).collect();
    for (it, edges) in resolved_pins(&resolved, &lockfile.edges).into_iter().enumerate() {
        if let Some(package) = resolved.get_mut(it) {
            package.dependencies = edges;
        }
    }
    let own = lockfile.own.iter().filter_map(|it| lockfile.edges.get(*it));
    lockfile.direct = own.flatten().copied().collect();
    lockfile.asked_for = asked_for;
    Ok(Parts { contents: Contents::Lockfile(lockfile), declared: Vec::new(), resolved, notes })
}

fn resolved_pins(resolved: &[Resolved], edges: &[Vec<usize>]) -> Vec<Vec<crate::deps::fact::Pin>> {
    let pins = |it: &Vec<usize>| it.iter().filter_map(|it| resolved.get(*it)).map(Resolved::pin).collect();
    edges.iter().map(pins).collect()
}

/// The entries that needs lead to. Versions of yarn differ in whether they write the registry's protocol.
fn edges(needs: &[(&str, &str)], asked_for: &BTreeMap<String, usize>) -> Vec<usize> {
    let find = |(name, range): &(&str, &str)| {
        let bare = range.strip_prefix("npm:").unwrap_or(range);
        let spellings = [format!("{name}@{range}"), format!("{name}@npm:{range}"), format!("{name}@{bare}")];
        spellings.iter().find_map(|it| asked_for.get(it).copied())
    };
    needs.iter().filter_map(find).collect::<BTreeSet<usize>>().into_iter().collect()
}

fn package(document: &Document<'_>, entry: &Entry<'_>) -> Option<Resolved> {
    let place = entry.version.clone()?;
    let version = document.text.get(place.clone()).filter(|it| !it.is_empty())?;
    let (name, address) = match entry.resolution {
        Some(resolution) => split_version(resolution),
        None => {
            let (name, range) = split_version(entry.keys.first()?);
            // Of the keys, one may be an alias.
            let real = entry.keys.iter().find_map(|it| asked(split_version(it).1?).real_name);
            (real.unwrap_or(name), entry.resolved.or(range))
        }
    };
    let address = address.unwrap_or_default();
    let registry = address.strip_prefix("npm:").is_some() || address == version;
    let source = if address.starts_with(WORKSPACE) {
        Source::Workspace
    } else if registry {
        Source::Registry
    } else {
        match (entry.resolution, source(address)) {
            // Version 1 names the archive of every package; those of repositories have the commit behind them.
            (None, Source::Url) if !address.contains("codeload.github") => Source::Registry,
            (None, Source::Url) => Source::Git,
            (_, source) if address.contains("#commit") => {
                if source == Source::Path {
                    source
                } else {
                    Source::Git
                }
            }
            (_, source) => source,
        }
    };
    let known = !name.is_empty() && !version.contains(char::is_whitespace);
    known.then(|| Resolved {
        source,
        origin: (!registry && !address.is_empty()).then(|| Redacted::new(address)),
        checksum: entry.checksum.map(str::to_owned),
        ..Resolved::locked(Ecosystem::Npm, name.to_owned(), version.to_owned(), document.place(place))
    })
}

/// The entries in order.
fn entries<'t>(document: &Document<'t>) -> Result<Vec<Entry<'t>>, Note> {
    let mut entries: Vec<Entry<'t>> = Vec::new();
    let mut section = "";
    let mut offset = 0;
    // Yarn writes keys of more than 1,024 characters as `? KEY` with the `:` on the next line.
    let mut open_key = false;
    for line in document.text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let line = line.trim_end();
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if indent == 0 {
            let (key, opens) = match (text.strip_prefix("? "), text.strip_suffix(':')) {
                (Some(key), _) => (key, true),
                (None, Some("")) if open_key => {
                    open_key = false;
                    continue;
                }
                (None, Some(key)) => (key, false),
                (None, None) => {
                    return Err(document.unreadable(start, "this line is no entry of a yarn.lock"));
                }
            };
            open_key = opens;
            entries.push(Entry { offset: start, keys: keys(key), ..Entry::default() });
            section = "";
            continue;
        }
        let Some(entry) = entries.last_mut() else {
            return Err(document.unreadable(start, "a field stands before the first entry"));
        };
        let (name, value) = field(text);
        match indent {
            2 => {
                section = if value.is_empty() { name } else { "" };
                match name {
                    "version" => {
                        let at = start + line.len() - text.trim_end().len();
                        let begin = at + text.rfind(value).unwrap_or_default();
                        entry.version = Some(begin..begin + value.len());
                    }
                    "resolution" => entry.resolution = Some(value),
                    "resolved" => entry.resolved = Some(value),
                    "integrity" | "checksum" => entry.checksum = Some(value),
                    _ => {}
                }
            }
            4 if NEEDS.contains(&section) => entry.needs.push((name, value)),
            _ => {}
        }
    }
    Ok(entries)
}

/// Splits `a@^1, "b@>=1 <2"` and `"a@npm:^1, b@npm:^2"`.
fn keys(text: &str) -> Vec<&str> {
    let mut keys = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (key, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(',').unwrap_or((rest, "")),
        };
        keys.extend(key.split(", ").map(str::trim).filter(|it| !it.is_empty()));
        rest = after.trim_start_matches([',', ' ']);
    }
    keys
}

/// Splits `name value`, `name "value"`, `name: value` and `"name": "value"`.
fn field(text: &str) -> (&str, &str) {
    let (name, rest) = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => text.split_once([':', ' ']).unwrap_or((text, "")),
    };
    let value = rest.trim_start_matches([':', ' ']).trim_end();
    let unquoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    (name, unquoted.unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::{field, keys};

    #[test]
    fn keys_are_split_as_both_versions_write_them() {
        assert_eq!(keys("a@^1, \"@s/b@>=1 <2\", c@*"), ["a@^1", "@s/b@>=1 <2", "c@*"]);
        assert_eq!(keys("\"a@npm:^1, a@npm:^2\""), ["a@npm:^1", "a@npm:^2"]);
        assert_eq!(keys("__metadata"), ["__metadata"]);
    }

    #[test]
    fn fields_are_split_as_both_versions_write_them() {
        assert_eq!(field("version \"1.0.0\""), ("version", "1.0.0"));
        assert_eq!(field("version: 1.0.0"), ("version", "1.0.0"));
        assert_eq!(field("\"@s/a\" \"^1 || 2\""), ("@s/a", "^1 || 2"));
        assert_eq!(field("\"@s/a\": \"npm:^1\""), ("@s/a", "npm:^1"));
        assert_eq!(field("dependencies:"), ("dependencies", ""));
    }
}
