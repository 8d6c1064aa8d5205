//! The remarks that reading and joining dependencies can leave.

use crate::model::Note;

pub const TOO_LARGE: &str = "dependency_file_too_large";
pub const NOT_TEXT: &str = "dependency_file_not_text";
pub const CONFLICTED: &str = "dependency_file_conflicted";
pub const UNREADABLE: &str = "dependency_file_unreadable";
pub const TOO_MANY: &str = "dependency_lock_too_many";
pub const ENTRY_MALFORMED: &str = "dependency_entry_malformed";
pub const LOCK_SHADOWED: &str = "dependency_lock_shadowed";
pub const LOCK_VERSION_UNKNOWN: &str = "dependency_lock_version_unknown";
pub const WORKSPACE_MISSING: &str = "dependency_workspace_missing";
pub const WORKSPACE_OUTSIDE: &str = "dependency_workspace_outside";
pub const NOT_INHERITED: &str = "dependency_not_inherited";
pub const NOT_INCLUDED: &str = "dependency_not_included";
pub const LOCK_DRIFTED: &str = "dependency_lock_drifted";
pub const NOT_LOCKED: &str = "dependency_not_locked";
pub const BUILD_LIST_UNKNOWN: &str = "dependency_build_list_unknown";
pub const VERSION_REFUSED: &str = "dependency_version_refused";
pub const PARENT_CYCLE: &str = "dependency_parent_cycle";
pub const MODEL_MISSING: &str = "dependency_model_missing";
pub const UNEVALUATED: &str = "dependency_unevaluated";

/// Whether a note says that nothing of a file was read.
pub fn is_unread(note: &Note) -> bool {
    [TOO_LARGE, NOT_TEXT, CONFLICTED, UNREADABLE].contains(&note.code.as_str())
}

/// Every code of this module with its explanation.
pub const CODES: &[(&str, &str)] = &[
    (
        TOO_LARGE,
        "A manifest or lockfile is larger than this program reads. Its dependencies are unknown, which is not the same \
         as none.",
    ),
    (
        NOT_TEXT,
        "A manifest or lockfile is not UTF-8, or of a binary format. Its dependencies are unknown; the note names the \
         first byte that is not text, or what to do instead.",
    ),
    (
        CONFLICTED,
        "A manifest or lockfile holds the marks of an unresolved merge. Its dependencies are unknown until the \
         conflict is resolved; regenerate a lockfile with its own tool.",
    ),
    (
        UNREADABLE,
        "A manifest or lockfile does not parse: it is truncated, nests too deep or breaks its format. Its dependencies \
         are unknown, which is not the same as none. The note names the first place that does not parse.",
    ),
    (
        TOO_MANY,
        "A lockfile lists more packages than this program reads. The first ones are read; the rest is left out, so \
         that what depends on them is incomplete.",
    ),
    (
        ENTRY_MALFORMED,
        "One entry of a manifest or lockfile has the wrong type, lacks its name or version, or has a name of absurd \
         length. It is left out; the \
         other entries are read.",
    ),
    (
        LOCK_SHADOWED,
        "A folder holds two lockfiles of one ecosystem. A tool reads only one of them (npm prefers npm-shrinkwrap.json), \
         and so does this program: the first by name. `cortex deps FILE` reads the one that is named.",
    ),
    (
        LOCK_VERSION_UNKNOWN,
        "A lockfile states a format version that this program does not know. It is read as the newest known one; \
         update the program when something is missing.",
    ),
    (
        WORKSPACE_MISSING,
        "A member says where the root of its workspace is, and no such root was read there. What the root would add \
         (inherited entries, the lockfile) is unknown.",
    ),
    (
        WORKSPACE_OUTSIDE,
        "A workspace names members that lie outside of its folder, or of the repository. They are left out of it: what is \
         there in the repository is read as projects of their own. The note counts them and names the first.",
    ),
    (
        NOT_INHERITED,
        "A member of a workspace says that it inherits a dependency, but no workspace root at or above it lists that \
         dependency. Its constraint is unknown.",
    ),
    (
        NOT_INCLUDED,
        "A requirements file includes a file that is missing, lies outside of the repository or includes the first one \
         again. The line is left out; what such a file asks for is unknown.",
    ),
    (
        LOCK_DRIFTED,
        "A manifest asks for what its lockfile does not have: the constraint admits none of the locked versions. The \
         lockfile is older than the manifest; its own tool brings it up to date.",
    ),
    (
        NOT_LOCKED,
        "A manifest asks for a package that its lockfile does not list. The lockfile is older than the manifest; its own \
         tool brings it up to date.",
    ),
    (
        BUILD_LIST_UNKNOWN,
        "A Go module states no version of Go or one before 1.17, so that its `go.mod` holds minimums and need not name \
         what its dependencies bring. The versions of the build are unknown until `go mod tidy -go=1.17` or a newer \
         version lists them.",
    ),
    (
        VERSION_REFUSED,
        "An entry states a version that its own tool refuses for this package. The entry is listed as written, and settles \
         no version.",
    ),
    (
        PARENT_CYCLE,
        "A pom is its own parent, directly or through others, which Maven refuses. It is read without its parent, so \
         that what it would inherit is unknown.",
    ),
    (
        MODEL_MISSING,
        "A pom takes versions or properties from a parent or a bill of materials that is neither in this \
         repository nor in the local Maven repository of this machine. What only that one states is unknown, which is not \
         the same as none.",
    ),
    (
        UNEVALUATED,
        "What an entry asks for is known only when something is run: it depends on the environment, is computed, or is \
         an address without a package's name. It is left out, not guessed, or stands as written; the note shows the expression.",
    ),
];
