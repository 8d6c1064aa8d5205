//! `explain`: what a tier, a code or a rule means.

use std::path::PathBuf;

use super::dependencies::FORMAT_UNKNOWN;
use super::error::OpError;
use super::generator;
use super::rules;
use super::scan::discover;
use super::settings;
use super::words;
use super::world::World;
use crate::graph::Calibration;
use crate::model::{Method, Tier};
use crate::structural;
use crate::{config, deps, docs, graph, history, impact, precision, query, repo, rewrite, validate};

/// What to explain.
#[derive(Clone, Debug, clap::Args)]
pub struct Request {
    /// A trust tier, a provenance, a code of a note or error, a word of a report, or the id of a rule; without it, all
    /// of them by name
    #[arg(value_name = "TIER|RULE|CODE|WORD")]
    pub name: Option<String>,
    /// A folder of the repository whose rules are looked up
    #[arg(long, short = 'C', default_value = ".", value_name = "PATH")]
    pub path: PathBuf,
}

/// An explanation, or the names that have one.
pub enum Response {
    Text { title: String, text: String },
    Names(Vec<(&'static str, Vec<String>)>),
}

/// Codes that no single layer owns.
const CODES: &[(&str, &str)] = &[
    ("binary", "The file has a NUL byte near its start, so it is not text and was not parsed."),
    ("not_utf8", "The file is not valid UTF-8. It was not parsed and no rewrite touches it."),
    (
        "not_parsed",
        "The parser gave the file up: it took longer than `limits.parse_timeout_ms`, or its brackets nest too deep. \
         Rules found nothing in it because they could not look.",
    ),
    ("no_manifest", "No manifest or lockfile of a format that this version reads was found."),
    (
        "dependency_unknown",
        "No project that was looked at declares or locks a package of that name. Give the package's own name, the name \
         that the manifest gives it, NAME@VERSION, or a package URL.",
    ),
    (
        FORMAT_UNKNOWN,
        "The one file that was named is no manifest or lockfile that this version reads. It reads files of these names, \
         where `*` stands for any letters:",
    ),
    (
        "manifest_unread",
        "A manifest or lockfile could not be read, so what it declares is not in the result, which is incomplete.",
    ),
    (
        "manifest_linked",
        "A manifest or lockfile that is a symbolic link is not followed: what it leads to can lie outside of the \
         repository, and what lies inside is read where it stands. The note counts the links and names the first.",
    ),
    (
        "repository_nested",
        "A submodule, or a folder with a repository of its own, belongs to another repository, and is not looked into. \
         The note counts them and names the first; `cortex deps FOLDER` lists what one of them depends on.",
    ),
    (
        "dependency_way_unrecorded",
        "A `go.mod` lists what other modules bring as `// indirect` and does not say which of them does. `go mod why -m \
         MODULE` finds out from the sources of the modules, which it may have to fetch.",
    ),
    (
        "base_unread",
        "The older state of a changed file could not be read, so its changed symbols are not known.",
    ),
    ("finding_limit", "There are more findings than `limits.max_findings`; the run counts as incomplete."),
    (
        "index_in_change",
        "With a base, a precision index that the change itself adds or alters is not believed: its author would say \
         what is exact. One that is made where the scan runs, and is not committed, is.",
    ),
    (
        "no_precision_index",
        "No compiler-grade index was read. Definitions and references come from syntax and imports.",
    ),
    (
        "names_lead_nowhere",
        "No index answered, and names and imports do not say what stands there: a local variable, a member of a value \
         of unknown type, a name from outside the repository, or no name at all.",
    ),
    ("preview_not_asked", "Rewrites are previewed when `--preview` is given."),
    (
        "path_unusable",
        "The path that was named is missing, is neither a file nor a folder, or cannot be read.",
    ),
    (
        "scan_impossible",
        "The files of the repository or of the base could not be listed, or there are more than `limits.max_files`.",
    ),
    ("language_unknown", "No language has that name. The message lists those that there are."),
    ("format_unknown", "No report has that name. `cortex scan --help` lists those that there are."),
    ("config_invalid", "A setting cannot be used, such as a pattern in `rules.ignores` that is none."),
    ("no_git", "There is no git repository around the path, so nothing can be compared with a base."),
    (
        "revision_malformed",
        "The base is not written as a revision. Give a branch, a tag, a commit, or two of them as `A..B`.",
    ),
    (
        "revision_unknown",
        "No commit has that name here. In a shallow clone it may not have been fetched: `git fetch --unshallow`, or a \
         larger `fetch-depth` of the checkout step, brings it.",
    ),
    ("structural_disabled", "`structural.enabled` is false, so no rule was matched."),
    (
        "precision_disabled",
        "`precision_index.enabled` is false. Definitions and references come from syntax and imports.",
    ),
    (
        "docs_credentials_missing",
        "The remote provider of documentation may be asked, but the variable that holds its key (`dependency_docs.api_key_env`) \
         is not set.",
    ),
    (
        "docs_provider_unusable",
        "The address of the remote provider (`CODECORTEX_DEPENDENCY_DOCS_URL`) is neither https:// nor http:// on this \
         machine, or its key has characters that no header may have.",
    ),
    (
        "docs_disabled",
        "Neither the environment (`CODECORTEX_DEPENDENCY_DOCS=1`) nor a configuration that is named on the command line \
         switches the remote provider on: nothing leaves this machine. A repository's own configuration cannot.",
    ),
    (
        "snapshot_failed",
        "The files of the repository could not be listed, so nothing is known of its manifests.",
    ),
    (
        "seal_unwritten",
        "The seal could not be written beside the index: the folder cannot be written, or something that is no regular file has its name.",
    ),
    ("no_index_to_seal", "There is no precision index that can be used, so there is nothing to seal."),
    ("no_threads", "The operating system gives no threads. Fewer may do: `--jobs 1`."),
    (
        "report_unwritten",
        "A report could not be made or written to its file, so the run counts as incomplete. The cause is named.",
    ),
    (
        "rules_changed",
        "The change under review touches files below `.codecortex`: rules, severities or settings. What it removes there \
         judges nothing any more, so look at that part of it with your own eyes.",
    ),
    (
        "config_invalid",
        "The configuration that was named for this run has a part that cannot be used; each is listed with its place.",
    ),
    (
        "output_unusable",
        "A report was asked to go to a file that git tracks, which it would replace, or into a folder that is not there.",
    ),
    (
        "rule_unknown",
        "`rules.severity` in the configuration names a rule that no rule file of this run has, so the setting does nothing.",
    ),
    (
        "output_behind_link",
        "A place that was named for results lies behind a symbolic link of the repository. The change under review may \
         have made it, and it would decide which file is replaced. Name a place that no link of the repository leads to.",
    ),
    (
        "no_state_folder",
        "Neither `XDG_STATE_HOME` nor `HOME` is set to an absolute path, so a preview cannot be kept under its id. \
         One in a bundle outside the repository can still be applied by its file.",
    ),
    ("state_unwritable", "The state folder cannot be written, so the preview cannot be applied by its id."),
    (
        "not_applied",
        "A file changed at the last moment or could not be written. What had been replaced was put back.",
    ),
    ("no_bundle", "The folder is missing or cannot be opened. `cortex scan` writes a bundle."),
    (
        "bundle_malformed",
        "A part of the bundle cannot be read or breaks the rules of its document, though no digest of another part \
         differs.",
    ),
    (
        "nothing_of_that_name",
        "It is no tier, provenance, code, word of a report, or rule of this repository. `cortex explain` without a name lists them.",
    ),
    ("symbol_unknown", "No definition in a language with an outline has that name, at or below the path."),
    ("no_fix", "No rule of the run has a `fix`."),
    ("no_base", "Impact is weighed against a base: give `--base REV` or `--staged`."),
    ("rule_invalid", "A rule cannot be used. The message names its file, line and fault; the run stops."),
    ("config_unread", "The configuration file is there and cannot be read; every setting has its default."),
    (
        "bundle_unwritten",
        "The results could not be written to the bundle's folder; the report on the terminal is whole.",
    ),
    (
        "bundle_differs",
        "The folder is not the bundle that its manifest describes: a part is missing or has another SHA-256, the \
         manifest itself was written anew, or a file lies there that the manifest does not list. Only `volatile.json` \
         and `.gitignore` may stand beside the listed parts.",
    ),
    ("schema_too_new", "A newer version of this program wrote the document."),
];

/// The table of every module that has codes.
fn tables() -> [&'static [(&'static str, &'static str)]; 14] {
    [
        CODES,
        generator::CODES,
        repo::CODES,
        config::CODES,
        precision::CODES,
        deps::CODES,
        docs::CODES,
        structural::CODES,
        graph::CODES,
        history::CODES,
        impact::CODES,
        query::CODES,
        rewrite::CODES,
        validate::CODES,
    ]
}

/// Looks a name up.
///
/// # Errors
/// When nothing has that name.
pub fn run(world: &World<'_>, request: &Request) -> Result<Response, OpError> {
    let Some(name) = &request.name else { return Ok(names()) };
    let plain = name.trim().to_lowercase().replace('-', "_");
    let meanings = meanings(&plain);
    match meanings.as_slice() {
        [] if is_numbered(name) => {
            Ok(Response::Text { title: name.clone(), text: words::NUMBERED.to_owned() })
        }
        [] => rule(world, request, name),
        [(_, only)] => Ok(Response::Text { title: plain, text: only.clone() }),
        several => {
            let lines: Vec<String> =
                several.iter().map(|(kind, text)| format!("As a {kind}: {text}")).collect();
            Ok(Response::Text { title: plain, text: lines.join("\n") })
        }
    }
}

/// What a code means, with the names that it is about.
fn of_code((code, text): &(&str, &str)) -> String {
    match *code {
        FORMAT_UNKNOWN => format!("{text}\n{}", deps::names().collect::<Vec<_>>().join(", ")),
        _ => (*text).to_owned(),
    }
}

/// What a name can stand for, with the kind of each meaning: a layer and a tier may be called alike.
fn meanings(name: &str) -> Vec<(&'static str, String)> {
    let tiers = Tier::ALL.into_iter().filter(|it| it.name() == name);
    let mut found: Vec<(&'static str, String)> = tiers.map(|it| ("tier", of_tier(it).to_owned())).collect();
    for method in Method::ALL.into_iter().filter(|it| it.name() == name) {
        let (provider, ceiling) = (method.provider().name(), method.ceiling().name());
        let layer = format!("It belongs to the {provider} layer and can reach the tier {ceiling}.");
        found.push(("provenance", format!("{} {layer}", of_method(method))));
    }
    for group in words::GROUPS {
        let words = group.words.iter().filter(|it| it.0 == name);
        found.extend(words.map(|it| (group.kind, it.1.to_owned())));
    }
    let code = tables().into_iter().flatten().find(|it| it.0 == name);
    found.extend(code.map(|it| ("code", of_code(it))));
    let resolutions = Calibration::table().iter().filter(|it| it.resolution.name() == name);
    found.extend(resolutions.map(|it| ("resolution", of_resolution(it))));
    found
}

/// Whether a name ends as the second or a later one of its kind does: `f~2`.
fn is_numbered(name: &str) -> bool {
    name.rsplit_once('~').is_some_and(|(_, number)| number.parse::<u32>().is_ok_and(|it| it > 1))
}

fn names() -> Response {
    let mut codes: Vec<String> = tables().into_iter().flatten().map(|it| it.0.to_owned()).collect();
    codes.sort();
    codes.dedup();
    let mut groups = vec![
        ("tiers", Tier::ALL.iter().rev().map(|it| it.name().to_owned()).collect()),
        ("provenance", Method::ALL.iter().map(|it| it.name().to_owned()).collect()),
        ("resolutions", Calibration::table().iter().map(|it| it.resolution.name().to_owned()).collect()),
    ];
    groups.extend(
        words::GROUPS.iter().map(|it| (it.name, it.words.iter().map(|it| it.0.to_owned()).collect())),
    );
    groups.push(("codes", codes));
    Response::Names(groups)
}

const fn of_tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Exact => {
            "A compiler or indexer resolved this occurrence, and the source has not changed since."
        }
        Tier::NearExact => "A running language server resolved this.",
        Tier::Structural => {
            "Read off a syntax tree, a manifest, a lockfile or a diff: what it says stands in the text, but names are \
             not resolved."
        }
        Tier::InferredHigh => {
            "A strong relationship: the name was followed through imports or a typed receiver, or exact evidence has \
             gone stale."
        }
        Tier::Inferred => "A heuristic: most likely, but the name alone decides between several places.",
        Tier::Weak => "Spelled alike; nothing else speaks for it.",
    }
}

fn of_resolution(row: &Calibration) -> String {
    let tier = row.tier.name();
    let measured = if row.judged == 0 {
        "Its precision was not measured on its own.".to_owned()
    } else {
        format!(
            "Of {} such uses in four repositories, {:.1} % led to the true definition; in the worst repository {:.1} %.",
            row.judged,
            row.precision * 100.0,
            row.worst * 100.0
        )
    };
    format!("A way in which the graph finds the target of a use; it gives the tier {tier}. {measured}")
}

const fn of_method(method: Method) -> &'static str {
    match method {
        Method::PrecisionIndex => "Read from an index that a compiler or indexer wrote.",
        Method::LanguageServer => "Asked of a language server.",
        Method::SyntaxTree => "Read off a parsed file.",
        Method::StructuralMatch => "A rule matched a node of a syntax tree.",
        Method::GraphStrong => "Followed through imports, inheritance or a typed receiver.",
        Method::GraphHeuristic => "A member name that only few reachable types have.",
        Method::Lexical => "The text is spelled alike.",
        Method::Manifest => "Stated by a dependency manifest.",
        Method::Lockfile => "Stated by a lockfile.",
        Method::DocsVersionExact => "Documentation of the very version that is used.",
        Method::DocsFallback => "Documentation of a version that may not be the one that is used.",
        Method::GitLog => "Read from the history.",
        Method::GitDiff => "Read from the difference of two states.",
        Method::MemoryRecall => "Remembered from an earlier case.",
        Method::CommandRun => "A check ran and ended so.",
    }
}

fn rule(world: &World<'_>, request: &Request, name: &str) -> Result<Response, OpError> {
    let (repository, _) = discover(&request.path)?;
    let settings = settings::load(&repository, None, None, world.environment.approval)?;
    let loaded = structural::load(&rules::of_repository(repository.root(), &settings.config));
    let Some(rule) = loaded.rules.iter().find(|it| it.id == name) else {
        let message = format!(
            "nothing is called `{name}`: no tier, provenance, code, word of a report, or rule of this repository"
        );
        return Err(
            OpError::usage("nothing_of_that_name", message).hint("`cortex explain` lists what there is")
        );
    };
    let fix = if rule.fixer().is_some() { "has a fix" } else { "has no fix" };
    let mut text =
        format!("A {} rule for {}, from {}; it {fix}.", rule.severity.name(), rule.language, rule.origin);
    for more in [&rule.note, &rule.url].into_iter().flatten() {
        text.push('\n');
        text.push_str(more);
    }
    Ok(Response::Text { title: rule.id.clone(), text })
}
