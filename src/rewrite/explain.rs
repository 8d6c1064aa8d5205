//! What the codes of a rewrite mean.

/// Code and explanation.
pub const CODES: &[(&str, &str)] = &[
    (
        "breaks_syntax",
        "The rewritten file would have more syntax errors than it has today. It is left out of the preview; look at \
         the rule's `fix`, most often a missing pair of parentheses or a list that became empty.",
    ),
    (
        "result_does_not_parse",
        "The rewritten file exceeds the parser's limits, so nobody can say whether it is sound.",
    ),
    ("changes_nothing", "The rule's fix gives the text that is there already."),
    ("edit_splits_character", "An edit would cut a character in two. The file is left out of the preview."),
    (
        "not_idempotent",
        "The rewritten text matches the rule again: every further run would change the file once more. Narrow the \
         rule so that it does not match its own result.",
    ),
    (
        "remaining_matches",
        "Some matches lie inside others of the same rule. This preview rewrites the outer ones; make another preview \
         after applying it.",
    ),
    (
        "rules_conflict",
        "Two rules want to change the same text in different ways. The one that starts first, or is longer, or comes \
         first by its id, has its way; the other is listed.",
    ),
    (
        "rewrite_limit",
        "The rewrite exceeds `structural.max_rewrite_files`, `max_rewrite_matches` or `max_rewrite_bytes`, so no \
         preview was made. Narrow the rules or the path, or raise the limit in `.codecortex/config.json`.",
    ),
    ("preview_expired", "The preview is older than its time to live. Make a new one."),
    (
        "preview_altered",
        "The preview does not have the digest that it states: its file was edited or cut. Make a new one.",
    ),
    (
        "preview_unreadable",
        "The file is not a preview that this version reads. It must be one that `cortex scan --preview` wrote.",
    ),
    (
        "preview_inside_repository",
        "Previews that lie inside the repository are not accepted: a change could bring its own. Keep the bundle or \
         the preview outside the tree, or name the preview by its id.",
    ),
    (
        "file_changed",
        "A file is not as it was when the preview was made, so nothing was written. Make a new preview.",
    ),
    (
        "apply_not_allowed",
        "The configuration says `structural.allow_apply: false`. Change it in `.codecortex/config.json` to allow \
         rewrites in this repository.",
    ),
    ("no_preview", "There is no preview of that id for this user, and no file of that name."),
];
