//! `settings.xml` of a user: <https://maven.apache.org/settings.html>. Only where the local repository is.

use crate::deps::document::Document;
use crate::model::RepoPath;

use super::expand::expand_by;
use super::xml::{child, parse};

/// What a file of settings says about the local repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settings {
    /// It stands in its usual place.
    Usual,
    Folder(String),
    /// It is broken, or needs a value that is known only when Maven runs.
    Unclear,
}

/// Reads settings; `home` is what `${user.home}` stands for.
pub fn settings(bytes: &[u8], home: &str) -> Settings {
    let Ok(path) = "settings.xml".parse::<RepoPath>() else { return Settings::Unclear };
    let Ok(document) = Document::open(&path, bytes) else { return Settings::Unclear };
    let Ok(tree) = parse(&document) else { return Settings::Unclear };
    let Some(folder) = child(&document, tree.root_element(), "localRepository") else {
        return Settings::Usual;
    };
    let value = |key: &str| (key == "user.home").then_some(home);
    expand_by(&value, &folder.value).map_or(Settings::Unclear, &Settings::Folder)
}

#[cfg(test)]
mod tests {
    use super::{Settings, settings};

    #[track_caller]
    fn check(text: &str, expected: &Settings) {
        assert_eq!(settings(text.as_bytes(), "/home/u"), *expected, "{text}");
    }

    #[test]
    fn settings_name_the_local_repository_or_leave_it_in_its_place() {
        let of = |body: &str| {
            format!("<settings xmlns=\"http://maven.apache.org/SETTINGS/1.0.0\">{body}</settings>")
        };
        check(&of(""), &Settings::Usual);
        check(&of("<localRepository/>"), &Settings::Usual);
        check(&of("<localRepository> /r </localRepository>"), &Settings::Folder("/r".to_owned()));
        let home = "<localRepository>${user.home}/.repo</localRepository>";
        check(&of(home), &Settings::Folder("/home/u/.repo".to_owned()));
        check(&of("<localRepository>${env.X}/r</localRepository>"), &Settings::Unclear);
        check("<settings>", &Settings::Unclear);
        check("", &Settings::Unclear);
    }
}
