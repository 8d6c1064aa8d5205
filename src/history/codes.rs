//! What the notes of this layer mean.

pub const CODES: &[(&str, &str)] = &[
    (
        "history_shallow",
        "The clone is shallow: the parents of some commits are not there, so neither are older changes and fixes. \
         Counts that need them are unavailable, not 0. `git fetch --unshallow`, or a larger `fetch-depth` of the \
         checkout step, brings them.",
    ),
    (
        "history_trees_missing",
        "Some trees of older commits are not in this clone (`--filter=tree:0`) or are damaged, so it is not known which \
         files these commits changed.",
    ),
    (
        "history_limited",
        "Only the last commits are looked at (10,000 of them), and the question reaches back beyond.",
    ),
    (
        "history_unkept",
        "What was read of the history could not be kept in the state folder, so each look reads it again. The answer is whole.",
    ),
    (
        "blame_limited",
        "Finding out who wrote the lines took longer than its limit, or too many were asked for. The rest of them are \
         counted as not known.",
    ),
    (
        "blame_unavailable",
        "The content of an older state of a file is not in this clone (a partial or shallow one), so it is not known who \
         wrote the lines.",
    ),
    ("never_committed", "No commit that was looked at changed the file: it may be new."),
];
