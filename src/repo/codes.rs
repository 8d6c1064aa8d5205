//! What the codes of this module's notes, reasons and skips mean.

/// Code and explanation, sorted by code.
pub const CODES: &[(&str, &str)] = &[
    (
        "denied",
        "The operating system does not let this user read the file or folder, so nothing is known of it. Run with the rights to read it, or leave it out by an ignore file.",
    ),
    ("directory", "A folder stands where a file was expected."),
    (
        "git_conflict",
        "The index holds several versions of the file because a merge is not finished. The version of the current branch is taken; finish the merge and run again.",
    ),
    (
        "git_head_unreadable",
        "`HEAD` names no commit that can be read: it is damaged, its branch leads in a circle, or the commit is missing. The files are scanned, history is not used. `git fsck` tells more.",
    ),
    (
        "git_index_sparse",
        "The index lists some folders as a whole (`index.sparse`). The files in them are unknown to this run where the working tree does not hold them. `git sparse-checkout disable` lists them.",
    ),
    (
        "git_index_unreadable",
        "The index (`.git/index`) is missing its end, damaged, larger than 512 MiB, or split (`core.splitIndex`). Which files are tracked is unknown, so that ignore files alone decide. `git read-tree HEAD` or `git update-index --no-split-index` writes it anew.",
    ),
    (
        "git_link_refused",
        "`.git`, `commondir`, `alternates` or a file in the git data leads to a place outside that does not know this repository, so that reading it could show what belongs to others. A registered worktree and a submodule are followed, all else is not. The files are scanned, history is not used.",
    ),
    (
        "git_path_refused",
        "The index or a commit holds a path that is empty, absolute, has `..` or touches `.git`. Such a path is never used on the file system; git itself refuses to check it out.",
    ),
    ("git_too_large", "The git data has more loose files than are looked through. `git gc` packs them."),
    (
        "git_unreadable",
        "The git data is damaged, too large in a place where that is not normal, or of a format that is not known (such as SHA-256 or reftable). The files are scanned, history is not used. `git fsck` tells more.",
    ),
    (
        "hidden",
        "A component of the path begins with a dot. Such files are not scanned unless their folder is named on the command line.",
    ),
    ("history_unread", "The commit from which the history is read is not there or is damaged."),
    (
        "history_without_git",
        "There is no readable git data around the path, or no commit yet, so there is no history to ask.",
    ),
    (
        "ignore_file_unread",
        "A `.gitignore`, `.ignore` or `.git/info/exclude` is no regular file, is larger than 256 KiB or cannot be read. Its patterns have no effect, so more files may be scanned.",
    ),
    (
        "ignore_line_refused",
        "A line of an ignore file is no pattern or is not UTF-8. It has no effect; the other lines have.",
    ),
    ("ignored", "An ignore file names the file or folder and git does not track it."),
    (
        "lfs_pointer",
        "The file holds the pointer that git-lfs leaves in the place of the content. `git lfs pull` fetches the content.",
    ),
    (
        "missing",
        "The file was there when the files were listed, or git names it, but it is not there now; in a partial clone the content may never have been fetched.",
    ),
    (
        "rename_search_cut",
        "Too many files were added and removed, or some are larger than 256 KiB or have more than 8,192 different lines: not every pair was compared. Renames with equal content are found all the same; others may show as one removed and one added file.",
    ),
    ("special_file", "A FIFO, socket or device. Such a file is never opened."),
    ("submodule", "A submodule, or a repository of its own inside this one. Scan it by itself."),
    (
        "symlink",
        "A symbolic link, or a path behind one. Links are never followed; what a link inside the repository leads to is scanned under its own path.",
    ),
    ("too_deep", "More than 256 folders lie above it."),
    ("too_large", "The file has more bytes than the limit for one file. Raise the limit to scan it."),
    ("unreadable", "Reading failed, for the reason given."),
    (
        "walk_cut",
        "The listing of files was ended because there are more than two million of them, or because a commit holds the same folders again and again, as no project does. Name a folder to scan less.",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::CODES;

    /// Every code that is written in the sources of this module and of the jail is explained, and no other.
    #[test]
    fn the_codes_in_use_are_the_codes_explained() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut used = BTreeSet::new();
        let pattern = regex::Regex::new(r#"(?:(?:Note|Reason)::new\(\s*|=> )"([a-z_]+)"[,\n]"#).unwrap();
        for folder in ["repo", "system"] {
            for file in std::fs::read_dir(sources.join(folder)).unwrap().flatten() {
                let Ok(text) = std::fs::read_to_string(file.path()) else { continue };
                used.extend(pattern.captures_iter(&text).map(|it| it[1].to_owned()));
            }
        }
        let explained: Vec<_> = CODES.iter().map(|(code, _)| (*code).to_owned()).collect();
        assert_eq!(used.into_iter().collect::<Vec<_>>(), explained);
    }
}
