//! Requirements that are an address or a path, without the name of a package before it.

use std::ops::Range;

use crate::deps::document::Document;
use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Settled};
use crate::deps::note::UNEVALUATED;
use crate::model::{Note, Redacted};

use super::entry::{Wanted, address_source};
use super::requirement::trimmed;
use super::version::{common_name, pinned};

const ARCHIVES: [&str; 6] = [".whl", ".zip", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"];

/// An address, and its marker.
pub struct Unnamed<'t> {
    text: &'t str,
    address: Range<usize>,
    marker: Option<&'t str>,
}

/// Takes a text for an address when it has the shape of one.
pub fn unnamed(text: &str) -> Option<Unnamed<'_>> {
    let end = text.find(" ;").or_else(|| text.find("; ")).unwrap_or(text.len());
    let address = trimmed(text, 0..end);
    let shown = text.get(address.clone())?;
    let path = shown.split(['#', '[']).next().unwrap_or(shown);
    let scheme = shown.split("://").next().filter(|it| it.len() < shown.len());
    let is_scheme = |it: &str| it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'+');
    let is_address = scheme.is_some_and(is_scheme)
        || shown.starts_with(['.', '/', '~'])
        || shown.starts_with("file:")
        || (!shown.contains(['@', ' '])
            && (path.contains('/') || ARCHIVES.iter().any(|it| path.ends_with(it))));
    let marker = text.get(end..).map(|it| it.trim_matches([' ', ';']).trim()).filter(|it| !it.is_empty());
    is_address.then_some(Unnamed { text, address, marker })
}

impl Unnamed<'_> {
    /// # Errors
    /// When no name is known without building the package: all but the name, and the note that says so.
    pub fn declared(
        &self,
        document: &Document<'_>,
        place: impl Fn(Range<usize>) -> Range<usize>,
        wanted: Wanted<'_>,
    ) -> Result<Declared, Box<(Declared, Note)>> {
        let address = self.text.get(self.address.clone()).unwrap_or_default();
        let name = egg(address).or_else(|| wheel(address));
        let declared = Declared {
            ecosystem: Ecosystem::Pypi,
            name: name.map(common_name).unwrap_or_default(),
            raw_name: name.unwrap_or_default().to_owned(),
            constraint: Some(address.to_owned()),
            evaluated: None,
            settled: Settled::Unknown,
            place: document.place(place(self.address.clone())),
            scope: wanted.scope,
            target: self.marker.map(str::to_owned),
            source: address_source(address),
            origin: Some(Redacted::new(address)),
            via: None,
        };
        if name.is_some() {
            return Ok(declared);
        }
        let message = format!(
            "the name of `{}` is not known without building it; it was left out",
            Redacted::new(address)
        );
        let note = document.note(UNEVALUATED, place(self.address.clone()).start, message);
        Err(Box::new((declared, note)))
    }
}

/// The name in the fragment, as in `#egg=name[extra]&subdirectory=x`.
fn egg(address: &str) -> Option<&str> {
    let fragment = address.split_once('#')?.1;
    let name = fragment.split('&').find_map(|it| it.strip_prefix("egg="))?;
    name.split(['[', '=', '<', '>', '~', '!']).next().filter(|it| is_name(it))
}

/// The name that a wheel's file name starts with: <https://packaging.python.org/en/latest/specifications/binary-distribution-format/>.
fn wheel(address: &str) -> Option<&str> {
    let path = address.split(['#', '?', '[']).next()?;
    let file = path.rsplit('/').next()?.strip_suffix(".whl")?;
    let name = file.split('-').next().filter(|it| is_name(it))?;
    (file.split('-').count() >= 5).then_some(name)
}

/// The revision at the end of the address of a repository.
pub fn revision(text: &str) -> Option<Range<usize>> {
    let address = address(text)?;
    let (path, revision) = address.rsplit_once('@').filter(|(path, _)| path.contains("://"))?;
    // What stands before the host is a name, not a revision.
    let is_revision = !revision.is_empty() && !revision.contains(':') && path.matches('/').count() > 2;
    let at = text.find(address)? + path.len() + 1;
    is_revision.then_some(at..at + revision.len())
}

/// The version in the name of a wheel or of a source distribution of a package:
/// <https://packaging.python.org/en/latest/specifications/source-distribution-format/>. An archive of a repository has the
/// name of a tag, which can be any.
pub fn version_of_file(text: &str, package: &str) -> Option<Range<usize>> {
    let address = address(text)?;
    let path = address.split('?').next().filter(|it| !it.contains("/archive/"))?;
    let file = path.rsplit('/').next()?;
    let (name, version) = match file.strip_suffix(".whl") {
        Some(stem) if stem.split('-').count() >= 5 => {
            let (name, rest) = stem.split_once('-')?;
            (name, rest.split('-').next()?)
        }
        Some(_) => return None,
        None => file.strip_suffix(".tar.gz")?.rsplit_once('-')?,
    };
    if common_name(name) != package || pinned(version).is_none() {
        return None;
    }
    let at = text.find(address)? + path.len() - file.len() + name.len() + 1;
    Some(at..at + version.len())
}

/// The address in the text of a requirement, without its fragment.
fn address(text: &str) -> Option<&str> {
    text.split([' ', ';', '#']).find(|it| it.contains("://"))
}

fn is_name(text: &str) -> bool {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || b"._-".contains(&it);
    text.bytes().all(is_letter) && text.starts_with(|it: char| it.is_ascii_alphanumeric())
}
