//! Why a file does not serve as an index, each cause by its own name.

use super::wire::WireError;
use crate::model::{Reason, RepoPath};
use crate::system::Unread;

/// A file that is no index which may be used; the whole index then counts as unavailable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the configured index `{0}` does not exist; run the indexer, or correct `precision_index.path`")]
    Missing(RepoPath),
    #[error("the index `{path}` cannot be read: {unread}")]
    Unread { path: String, unread: Unread },
    #[error("the index is an empty file; run the indexer again")]
    Empty,
    #[error("the index is compressed with gzip; unpack it with `gunzip`")]
    Gzip,
    #[error("the index is compressed with zstd; unpack it with `zstd -d`")]
    Zstd,
    #[error("the index is a Git LFS pointer and the content was never fetched; run `git lfs pull`")]
    LfsPointer,
    #[error("the index is a web page or an XML text, such as the error page of a download; fetch it again")]
    Html,
    #[error(
        "the index ends in the middle of a record: it is cut off or still being written; run the indexer again"
    )]
    Truncated,
    #[error("the file is not a SCIP index: {0}")]
    Malformed(&'static str),
    #[error("the index has no metadata, so nothing says which tool wrote it; run the indexer again")]
    NoMetadata,
    #[error("the metadata of the index follows its first document, which the protocol forbids")]
    MetadataLate,
    #[error("the index has metadata {0} times: several indexes were concatenated; give one of them")]
    MetadataRepeated(usize),
    #[error("the index has the protocol version {0}, and this version of the program reads 0")]
    ProtocolVersion(u64),
    #[error(
        "{count} of the {total} documents of the index have a path that leads out of the repository or is not written \
         in the canonical form, the first `{first}`; run the indexer from the directory that holds them all"
    )]
    Paths { first: String, count: usize, total: usize },
    #[error(
        "the index has no documents: the indexer stopped early or ran in the wrong directory; run it in the directory \
         of the project"
    )]
    NoDocuments,
    #[error("the index has more than {most} {what}; index the parts of the repository apart")]
    TooMany { what: &'static str, most: usize },
}

impl Refusal {
    /// The stable code that `cortex explain` knows.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "index_missing",
            Self::Unread { unread: Unread::TooLarge { .. }, .. } => "index_too_large",
            Self::Unread { .. } => "index_unread",
            Self::Empty => "index_empty_file",
            Self::Gzip | Self::Zstd => "index_compressed",
            Self::LfsPointer => "index_lfs_pointer",
            Self::Html => "index_html",
            Self::Truncated => "index_truncated",
            Self::Malformed(_) => "index_malformed",
            Self::NoMetadata => "index_no_metadata",
            Self::MetadataLate => "index_metadata_late",
            Self::MetadataRepeated(_) => "index_metadata_repeated",
            Self::ProtocolVersion(_) => "index_protocol_version",
            Self::Paths { .. } => "index_path_violation",
            Self::NoDocuments => "index_no_documents",
            Self::TooMany { .. } => "index_too_large",
        }
    }

    pub fn reason(&self) -> Reason {
        Reason::new(self.code(), self.to_string())
    }

    /// What a file is that is no index, by its first bytes.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [] => Some(Self::Empty),
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            _ if bytes.starts_with(b"version https://git-lfs") => Some(Self::LfsPointer),
            // A line feed and `<` alone are how an index with 60 bytes of metadata begins.
            _ => match bytes.trim_ascii_start() {
                [b'<', b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..] => Some(Self::Html),
                _ => None,
            },
        }
    }

    /// An error between the records of the index itself.
    pub const fn of_file(error: WireError) -> Self {
        match error {
            WireError::Truncated => Self::Truncated,
            WireError::Malformed(why) => Self::Malformed(why),
        }
    }

    /// An error inside a record whose length was whole.
    pub const fn of_record(error: WireError) -> Self {
        match error {
            WireError::Truncated => Self::Malformed("a record is shorter than what it holds"),
            WireError::Malformed(why) => Self::Malformed(why),
        }
    }
}
