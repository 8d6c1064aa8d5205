//! The words of a report that are neither tiers nor codes, with what they mean.

use crate::bundle::VerdictKind;
use crate::model::{ChangeKind, CheckStatus, Layer, Severity, Standing};

/// A group of words: its name in the list, how one of its words is introduced, and the words.
pub struct Group {
    pub name: &'static str,
    pub kind: &'static str,
    pub words: &'static [(&'static str, &'static str)],
}

pub const GROUPS: &[Group] = &[
    Group { name: "verdicts", kind: "verdict", words: VERDICTS },
    Group { name: "severities", kind: "severity", words: SEVERITIES },
    Group { name: "standings", kind: "standing of a finding", words: STANDINGS },
    Group { name: "changes", kind: "change of a symbol", words: CHANGES },
    Group { name: "dependency changes", kind: "change of a dependency", words: DEPENDENCY_CHANGES },
    Group { name: "checks", kind: "status of a check", words: CHECKS },
    Group { name: "layers", kind: "layer", words: LAYERS },
    Group { name: "layer states", kind: "state of a layer", words: STATES },
    Group { name: "risk factors", kind: "risk factor", words: FACTORS },
];

/// Of symbols that share a name.
pub const NUMBERED: &str = "A symbol with `~2` behind its name is the second of that name in its file, such as an \
    overload or a definition behind a condition; `~3` is the third, in the order of the text.";

const VERDICTS: &[(&str, &str)] = &[
    (VerdictKind::Clean.name(), "Everything that was asked for was looked at, and nothing fails the run."),
    (VerdictKind::Findings.name(), "At least one finding counts by `--fail-on`; the exit status is 1."),
    (
        VerdictKind::Incomplete.name(),
        "A stage could not do what was asked of it, so nothing may be called clean; the exit status is 3.",
    ),
];

const SEVERITIES: &[(&str, &str)] = &[
    (Severity::Hint.name(), "The mildest: shown, and never a reason to fail."),
    (
        Severity::Info.name(),
        "Worth knowing. It fails a run with `--fail-on info`, or `new` if the base lacks it.",
    ),
    (Severity::Warning.name(), "To be looked at. It fails a run by default (`--fail-on warning`)."),
    (
        Severity::Error.name(),
        "The most severe. It fails a run unless `--fail-on` is `none`, or is `new` and the base has it too.",
    ),
];

const STANDINGS: &[(&str, &str)] = &[
    (
        Standing::New.name(),
        "The base does not have this finding. They are matched by rule, path and text, not by line, so a moved one is \
         not new.",
    ),
    (Standing::Existing.name(), "The base has this finding too, on this or another line."),
    (Standing::Unknown.name(), "There is no base to compare with: give `--base REV` or `--staged`."),
];

const CHANGES: &[(&str, &str)] = &[
    (ChangeKind::Added.name(), "The base has no symbol of this name in the file."),
    (
        ChangeKind::Removed.name(),
        "The base has the symbol and the new state does not; its users are looked for.",
    ),
    (
        ChangeKind::Renamed.name(),
        "The symbol has another name or place and, apart from that, the text that it had.",
    ),
    (
        ChangeKind::SignatureChanged.name(),
        "What callers see of the symbol differs: its parameters, result, bases or modifiers.",
    ),
    (ChangeKind::BodyChanged.name(), "The inside of the symbol differs; what callers see of it does not."),
    (ChangeKind::FormattingOnly.name(), "Only white space or comments of the symbol differ."),
];

const DEPENDENCY_CHANGES: &[(&str, &str)] = &[
    ("added", "The base neither declares nor locks this dependency."),
    ("removed", "The base has this dependency, and it is neither declared nor locked any more."),
    ("constraint_changed", "A manifest asks for other versions than the base does."),
    (
        "source_changed",
        "A lockfile takes a version that stayed from another address than that of the base. Nobody who only updates \
         dependencies needs that; look who owns the new address.",
    ),
    (
        "checksum_changed",
        "A lockfile states another checksum than the base for a version that stayed. What a registry has published does \
         not change, so that either side is no copy of it.",
    ),
    ("version_moved", "A lockfile settled on other versions than that of the base."),
];

const CHECKS: &[(&str, &str)] = &[
    (CheckStatus::Passed.name(), "The check ran over the rewritten copy and found no fault."),
    (CheckStatus::Failed.name(), "The check ran over the rewritten copy and found a fault."),
    (
        CheckStatus::Inconclusive.name(),
        "The check says nothing: it timed out, or its program could not be started.",
    ),
    (
        CheckStatus::Blocked.name(),
        "The check was not allowed to run, because a change under review does not choose programs.",
    ),
    (CheckStatus::NotRun.name(), "The check did not apply, or was not asked for with `--validate`."),
];

const LAYERS: &[(&str, &str)] = &[
    (Layer::Index.name(), "The files of the snapshot, read and outlined: definitions, imports and uses."),
    (
        Layer::Precision.name(),
        "An index that a compiler or indexer wrote: `cortex precision-status` tells of it.",
    ),
    (Layer::Dependencies.name(), "What manifests declare and what lockfiles settled on."),
    (
        Layer::Docs.name(),
        "What the installed packages say of what the code uses of them: above all, what is deprecated.",
    ),
    (Layer::Structural.name(), "The matches of rules in the syntax trees of the files."),
    (Layer::Graph.name(), "Which symbol uses which across files, each use graded by how it was found."),
    (Layer::Impact.name(), "What a change against a base touches, what that reaches, and the tests to run."),
    (Layer::History.name(), "What earlier commits say about the files of a change."),
    (
        Layer::Rewrite.name(),
        "What the fixes of the rules would change, made with `--preview`; nothing is written.",
    ),
    (Layer::Validate.name(), "The checks over a copy with the rewrite in it, made with `--validate`."),
];

const STATES: &[(&str, &str)] = &[
    ("available", "The layer did its part, and its results hold for the files as they are."),
    ("stale", "The layer has results of an older state, so what rests on them is graded lower."),
    (
        "unavailable",
        "The layer could not take part; the reason stands beside it. Nothing is known, which is not none.",
    ),
    ("disabled", "The layer was switched off or not asked for; the reason stands beside it."),
];

const FACTORS: &[(&str, &str)] = &[
    (
        "lines_added",
        "The lines that the change adds to source files; up to 70 of the 100 points, on a logarithmic scale.",
    ),
    (
        "fixes_12mo",
        "The fixes that the changed source files needed in the twelve months before; up to 14 points. Unavailable is not \
         counted.",
    ),
    ("files", "The number of changed source files; up to 4.5 points, which eleven files reach."),
    ("entropy", "How evenly the changed lines lie over the files, 0 to 1; up to 4.5 points."),
    (
        "lines_deleted",
        "The lines that the change deletes in source files; up to 7 points, on a logarithmic scale.",
    ),
];
