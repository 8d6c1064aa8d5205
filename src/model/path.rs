//! A path inside the repository: bytes, relative, never leading out.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file's path relative to the repository root, with `/` separators.
///
/// It holds bytes. As text a back slash is `\\` and a byte that is not part of valid UTF-8 is `\xNN`, which loses
/// nothing: the text of a path reads back as that path and no other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct RepoPath(Arc<[u8]>);

/// Why a path is not one inside a repository.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PathError {
    #[error("the path is empty")]
    Empty,
    #[error("the path `{0}` is absolute, not relative to the repository root")]
    Absolute(String),
    #[error("the path `{0}` has a component that is empty, `.` or `..`")]
    Component(String),
    #[error("the path `{0}` holds a NUL byte")]
    Nul(String),
    #[error("the path `{0}` has a back slash that is neither `\\\\` nor `\\xNN`")]
    Escape(String),
}

impl RepoPath {
    /// # Errors
    /// When the path is empty, absolute, holds NUL, or has an empty, `.` or `..` component.
    pub fn new(bytes: &[u8]) -> Result<Self, PathError> {
        match bytes {
            [] => Err(PathError::Empty),
            [b'/', ..] => Err(PathError::Absolute(escape(bytes))),
            _ if bytes.contains(&0) => Err(PathError::Nul(escape(bytes))),
            _ if bytes.split(|it| *it == b'/').any(|part| matches!(part, b"" | b"." | b"..")) => {
                Err(PathError::Component(escape(bytes)))
            }
            _ => Ok(Self(bytes.into())),
        }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }

    /// The last component.
    pub fn file_name(&self) -> &[u8] {
        self.0.rsplit(|it| *it == b'/').next().unwrap_or(&self.0)
    }

    /// What follows the last dot of the file name, when something stands before that dot.
    pub fn extension(&self) -> Option<&[u8]> {
        let name = self.file_name();
        let dot = name.iter().rposition(|it| *it == b'.').filter(|it| *it > 0)?;
        name.get(dot + 1..)
    }

    /// The folder that holds the file; none for a file at the root.
    pub fn parent(&self) -> Option<Self> {
        let slash = self.0.iter().rposition(|it| *it == b'/')?;
        self.0.get(..slash).map(|it| Self(it.into()))
    }

    /// The path of `name` (which may have several components) below this folder.
    ///
    /// # Errors
    /// When the result is not a path inside the repository.
    pub fn join(&self, name: &[u8]) -> Result<Self, PathError> {
        Self::new(&[&self.0, b"/".as_slice(), name].concat())
    }

    /// Whether this path is `folder` or lies below it.
    pub fn is_within(&self, folder: &Self) -> bool {
        self.0.strip_prefix(folder.as_bytes()).is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
    }
}

fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character == '\\' {
                text.push('\\');
            }
            text.push(character);
        }
        for byte in chunk.invalid() {
            write!(text, "\\x{byte:02x}").expect("because writing to a String does not fail");
        }
    }
    text
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'\\', [b'\\', after @ ..]) => {
                bytes.push(b'\\');
                rest = after;
            }
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digit = |it: u8| char::from(it).to_digit(16);
                let value = digit(*high)? * 16 + digit(*low)?;
                bytes.push(u8::try_from(value).ok()?);
                rest = after;
            }
            (b'\\', _) => return None,
            (byte, _) => bytes.push(*byte),
        }
    }
    Some(bytes)
}

impl std::str::FromStr for RepoPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let bytes = unescape(text).ok_or_else(|| PathError::Escape(text.to_owned()))?;
        Self::new(&bytes)
    }
}

impl TryFrom<String> for RepoPath {
    type Error = PathError;

    fn try_from(text: String) -> Result<Self, PathError> {
        text.parse()
    }
}

impl From<RepoPath> for String {
    fn from(path: RepoPath) -> Self {
        escape(&path.0)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&escape(&self.0))
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::{PathError, RepoPath};

    #[test]
    fn a_path_never_leads_out() {
        for bad in ["", "/etc/passwd", "../a", "a/../b", "a//b", "a/", "./a", "a/.", "a\0b"] {
            assert!(RepoPath::new(bad.as_bytes()).is_err(), "{bad:?}");
        }
        assert_eq!(RepoPath::new(b"..a/...").unwrap().to_string(), "..a/...");
        assert!(matches!("a\\n".parse::<RepoPath>(), Err(PathError::Escape(_))));
    }

    #[test]
    fn a_folder_holds_itself_and_what_is_below_but_not_its_namesakes() {
        let path = |it: &str| it.parse::<RepoPath>().unwrap();
        assert!(path("src/a.rs").is_within(&path("src")));
        assert!(path("src").is_within(&path("src")));
        assert!(!path("srcs/a.rs").is_within(&path("src")));
        assert_eq!(path("a/.hidden").extension(), None);
        assert_eq!(path("a.b/c.tar.gz").extension(), Some(b"gz".as_slice()));
    }

    proptest! {
        #[test]
        fn the_text_of_a_path_reads_back(bytes in proptest::collection::vec(any::<u8>(), 1..40)) {
            if let Ok(path) = RepoPath::new(&bytes) {
                prop_assert_eq!(path.to_string().parse::<RepoPath>(), Ok(path));
            }
        }
    }
}
