//! What a value in `package.json` asks for: <https://docs.npmjs.com/cli/v11/configuring-npm/package-json#dependencies>.

use crate::deps::ecosystem::Ecosystem;
use crate::deps::fact::{Declared, Scope, Settled, Source};
use crate::model::{Location, Redacted};

/// A dependency's value, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked<'t> {
    pub source: Source,
    /// The package behind an alias.
    pub real_name: Option<&'t str>,
    /// The range, tag or address; none when an alias states no version.
    pub constraint: Option<&'t str>,
}

impl Asked<'_> {
    /// The entry of a key whose value is `written`.
    pub fn declared(&self, key: &str, written: &str, place: Location, scope: Scope) -> Declared {
        let origin = match self.source {
            Source::Registry | Source::Workspace => None,
            Source::Git | Source::Path | Source::Url => Some(Redacted::new(written)),
        };
        Declared {
            ecosystem: Ecosystem::Npm,
            name: self.real_name.unwrap_or(key).to_owned(),
            raw_name: key.to_owned(),
            constraint: self.constraint.map(str::to_owned),
            evaluated: None,
            settled: Settled::Unknown,
            place,
            scope,
            target: None,
            source: self.source,
            origin,
            via: None,
        }
    }

    /// Why an entry is none: it is an alias of what no package can be called.
    pub fn unnamed(&self, key: &str) -> Option<String> {
        let wrong = self.real_name.is_some_and(|it| it.is_empty() || !is_name(it));
        wrong.then(|| format!("the entry `{key}` is an alias of no package and was left out"))
    }
}

/// Whether a package may be called so: one part, or a scope and one part, of what needs no escape in an address. The old
/// capitals are let through.
pub fn is_name(text: &str) -> bool {
    let plain = |it: &str| {
        let is_safe = |it: u8| it.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&it);
        !it.is_empty() && it.bytes().all(is_safe)
    };
    match text.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| plain(scope) && plain(name)),
        None => text.is_empty() || plain(text),
    }
}

/// Takes `npm:real@^1`, `^1`, `latest`, `file:../a`, `git+ssh://…`, `owner/repository#tag` and the like apart.
pub fn asked(value: &str) -> Asked<'_> {
    let text = value.trim();
    if let Some(alias) = text.strip_prefix("npm:") {
        let (name, constraint) = split_version(alias);
        if constraint.is_none() && name.starts_with(|it: char| it.is_ascii_digit() || "^~<>=*".contains(it)) {
            return Asked { source: Source::Registry, real_name: None, constraint: Some(name) };
        }
        return Asked { source: Source::Registry, real_name: Some(name), constraint };
    }
    Asked { source: source(text), real_name: None, constraint: Some(value) }
}

/// Splits `name@version`, where the name may start with `@`.
pub fn split_version(text: &str) -> (&str, Option<&str>) {
    match text.char_indices().skip(1).find(|(_, it)| *it == '@') {
        Some((at, _)) => match text.split_at_checked(at) {
            Some((name, version)) => (name, version.strip_prefix('@')),
            None => (text, None),
        },
        None => (text, None),
    }
}

/// The kind of place that an address leads to.
pub fn source(text: &str) -> Source {
    let starts = |prefixes: &[&str]| {
        let starts = |it: &&str| text.get(..it.len()).is_some_and(|start| start.eq_ignore_ascii_case(it));
        prefixes.iter().any(starts)
    };
    if starts(&["workspace:"]) {
        Source::Workspace
    } else if starts(&["file:", "link:", "portal:", "./", "../", "/", "~/"]) || matches!(text, "." | "..") {
        Source::Path
    } else if starts(&["git+", "git:", "git@", "github:", "gitlab:", "bitbucket:", "gist:", "ssh:"]) {
        Source::Git
    } else if starts(&["http://", "https://"]) {
        let address = text.split(['#', '?']).next().unwrap_or(text);
        if address.ends_with(".git") { Source::Git } else { Source::Url }
    } else if is_short_repository(text) {
        Source::Git
    } else {
        Source::Registry
    }
}

/// `owner/repository`, with a reference behind `#`: a repository of GitHub.
fn is_short_repository(text: &str) -> bool {
    let address = text.split('#').next().unwrap_or(text);
    let name =
        |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it));
    address.split_once('/').is_some_and(|(owner, repository)| name(owner) && name(repository))
}

#[cfg(test)]
mod tests {
    use super::{Asked, Source, asked};

    #[track_caller]
    fn check(value: &str, source: Source, real_name: Option<&str>, constraint: Option<&str>) {
        assert_eq!(asked(value), Asked { source, real_name, constraint }, "{value}");
    }

    #[test]
    fn values_are_what_npm_takes_them_for() {
        check("npm:real@^1", Source::Registry, Some("real"), Some("^1"));
        check("npm:@scope/real@1.x", Source::Registry, Some("@scope/real"), Some("1.x"));
        check("npm:real", Source::Registry, Some("real"), None);
        check("npm:^1.2.3", Source::Registry, None, Some("^1.2.3"));
        for range in ["^1.0.0", "latest", "*", "", ">=1 <2 || 3.x", "1.0.0 - 2.0.0"] {
            check(range, Source::Registry, None, Some(range));
        }
        for path in ["file:../a", "link:./a", "../a", "~/a", "/a"] {
            check(path, Source::Path, None, Some(path));
        }
        for git in
            ["git+ssh://git@host/a.git#v1", "github:a/b", "a/b", "a/b#semver:^1", "https://host/a/b.git#x"]
        {
            check(git, Source::Git, None, Some(git));
        }
        check("https://host/a.tgz", Source::Url, None, Some("https://host/a.tgz"));
        check("HTTPS://host/a.tgz", Source::Url, None, Some("HTTPS://host/a.tgz"));
        check("workspace:^", Source::Workspace, None, Some("workspace:^"));
    }
}
