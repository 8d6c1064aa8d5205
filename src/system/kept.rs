//! What a run leaves for the next one to save it work, in a folder of the user's: whole and of this very program, or
//! as good as not there.

use std::path::Path;

use super::publish::write_file;
use super::root::Root;
use crate::model::RepoPath;

/// The sources that the program was made of: another program may mean something else by the same bytes. None where a
/// part of them is built alone, to be fuzzed; what that keeps is for its like only.
const SOURCES: Option<&str> = option_env!("CORTEX_SOURCES");
const CHECKSUM: usize = 4;
/// More is not worth reading.
const MAX_BYTES: u64 = 1 << 30;

/// What was kept under a name.
pub fn read_kept(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let name = RepoPath::new(name.as_bytes()).ok()?;
    let mut bytes = Root::open(folder).ok()?.read(&name, MAX_BYTES).ok()?;
    let program = program();
    let rest = bytes.strip_prefix(program.as_bytes())?;
    let (checksum, content) = rest.split_at_checked(CHECKSUM)?;
    (checksum == crc32fast::hash(content).to_le_bytes()).then_some(())?;
    Some(bytes.split_off(program.len() + CHECKSUM))
}

/// Keeps it under a name. The folder is made, for this user alone to read.
///
/// # Errors
/// When the system refuses, with the reason.
pub fn write_kept(folder: &Path, name: &str, content: &[u8]) -> Result<(), String> {
    make(folder).map_err(|it| it.to_string())?;
    let mut bytes = program().into_bytes();
    bytes.reserve(CHECKSUM + content.len());
    bytes.extend(crc32fast::hash(content).to_le_bytes());
    bytes.extend(content);
    write_file(&folder.join(name), &bytes).map_err(|it| it.to_string())
}

fn program() -> String {
    format!("cortex.kept {}\n", SOURCES.unwrap_or("alone"))
}

fn make(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Removes the folders in this one that were not written to for longest, until so many are left.
pub fn forget(folder: &Path, most: usize) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut known: Vec<_> = entries
        .filter(|it| it.file_type().is_ok_and(|it| it.is_dir()))
        .filter_map(|it| Some((it.metadata().and_then(|it| it.modified()).ok()?, it.path())))
        .collect();
    known.sort();
    let beyond = known.len().saturating_sub(most);
    for (_, path) in known.into_iter().take(beyond) {
        // Another run may be at the same: what stays is removed next time.
        drop(std::fs::remove_dir_all(path));
    }
}

#[cfg(test)]
mod tests {
    use super::{SOURCES, forget, read_kept, write_file, write_kept};

    #[test]
    fn what_is_damaged_or_of_another_program_is_not_there() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("a/b");
        assert_eq!(read_kept(&folder, "x"), None);
        write_kept(&folder, "x", b"content").unwrap();
        assert_eq!(read_kept(&folder, "x").as_deref(), Some(b"content".as_slice()));
        let place = folder.join("x");
        let whole = std::fs::read(&place).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            write_file(&place, &damaged).unwrap();
            assert_eq!(read_kept(&folder, "x"), None, "byte {at}");
            write_file(&place, &whole[..at]).unwrap();
            assert_eq!(read_kept(&folder, "x"), None, "cut at {at}");
        }
        assert!(whole.starts_with(format!("cortex.kept {}\n", SOURCES.unwrap()).as_bytes()));
    }

    #[test]
    fn the_folders_that_were_written_to_last_stay() {
        let scratch = tempfile::tempdir().unwrap();
        for (name, seconds) in [("old", 10), ("new", 30), ("middle", 20)] {
            let folder = scratch.path().join(name);
            write_kept(&folder, "x", b"content").unwrap();
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            std::fs::File::open(&folder).unwrap().set_modified(time).unwrap();
        }
        forget(scratch.path(), 2);
        let mut left: Vec<_> =
            std::fs::read_dir(scratch.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["middle", "new"]);
    }
}
