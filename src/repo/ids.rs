//! Names of git objects: SHA-1 over kind, length and content.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha1::{Digest as _, Sha1};

const LENGTH: usize = 20;

/// The name of a file's content, equal wherever the content is equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlobId([u8; LENGTH]);

/// The name of a commit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CommitId([u8; LENGTH]);

impl BlobId {
    /// What `git hash-object` says of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hasher = Sha1::new_with_prefix(format!("blob {}\0", bytes.len()));
        hasher.update(bytes);
        Self(hasher.finalize().into())
    }

    pub fn from_git(id: &gix::oid) -> Option<Self> {
        id.as_bytes().try_into().ok().map(Self)
    }

    pub const fn to_git(self) -> gix::ObjectId {
        gix::ObjectId::Sha1(self.0)
    }
}

impl CommitId {
    pub fn from_git(id: &gix::oid) -> Option<Self> {
        id.as_bytes().try_into().ok().map(Self)
    }

    pub const fn to_git(self) -> gix::ObjectId {
        gix::ObjectId::Sha1(self.0)
    }

    /// The first `digits` hexadecimal digits.
    pub fn short(&self, digits: usize) -> String {
        self.to_string().chars().take(digits).collect()
    }
}

/// A text that is not the name of a commit.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not the name of a commit")]
pub struct NoCommitId(String);

impl TryFrom<String> for CommitId {
    type Error = NoCommitId;

    fn try_from(text: String) -> Result<Self, NoCommitId> {
        let id = gix::ObjectId::from_hex(text.as_bytes()).ok().and_then(|it| Self::from_git(&it));
        id.ok_or(NoCommitId(text))
    }
}

impl From<CommitId> for String {
    fn from(id: CommitId) -> Self {
        id.to_string()
    }
}

fn write_hex(bytes: &[u8], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
}

impl fmt::Display for BlobId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, formatter)
    }
}

impl fmt::Debug for BlobId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, formatter)
    }
}

impl fmt::Debug for CommitId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::BlobId;

    /// From `printf '' | git hash-object --stdin` and `printf 'hello\n' | git hash-object --stdin`.
    #[test]
    fn a_blob_id_is_what_git_says() {
        assert_eq!(BlobId::of(b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(BlobId::of(b"hello\n").to_string(), "ce013625030ba8dba906f756967f9e9ca394464a");
    }
}
