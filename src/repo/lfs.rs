//! git-lfs pointers: small texts that stand in the place of content kept elsewhere.
//!
//! <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>

const FIRST_LINE: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
/// "Pointer files must be less than 1024 bytes".
pub const MAX_POINTER: u64 = 1024;
/// The three lines that every pointer has: version, oid, size.
const MIN_POINTER: u64 = 43 + 76 + 7;

/// Whether a file of this size can be a pointer.
pub const fn has_pointer_size(size: u64) -> bool {
    MIN_POINTER <= size && size <= MAX_POINTER
}

/// Whether the text is a pointer, by its first line.
pub fn is_pointer(text: &[u8]) -> bool {
    text.starts_with(FIRST_LINE)
}
