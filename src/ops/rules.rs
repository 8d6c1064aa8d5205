//! The rules of a scan: where they come from and what the configuration makes of them.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::error::OpError;
use super::places;
use super::scan::Request;
use crate::config::Config;
use crate::model::{Note, counted};
use crate::pipeline::DEPRECATED_USE;
use crate::repo::Repository;
use crate::structural::{self, Inline, Rule, RuleSet, Source, Wanted};
use crate::syntax::Language;
use crate::system::Root;

/// Where a repository keeps its rules: in its own folder, in ast-grep's, and where its configuration says.
pub fn of_repository<'r>(root: &'r Root, config: &Config) -> Vec<Source<'r>> {
    let mut sources = vec![
        Source::Folder { root, path: places::rules(), wanted: Wanted::IfPresent },
        Source::SgConfig { root },
    ];
    sources.extend(config.rules.paths.iter().map(|it| Source::Folder {
        root,
        path: it.clone(),
        wanted: Wanted::Configured,
    }));
    sources
}

/// Every rule that the request and the configuration name, ready to run.
///
/// # Errors
/// When one of them cannot be used, or a place that was named holds none: then nothing may be called clean.
pub fn load(
    repository: &Repository,
    config: &Config,
    request: &Request,
) -> Result<(RuleSet, Vec<Note>), OpError> {
    let root = repository.root();
    let inline = inline(request)?;
    let mut sources = of_repository(root, config);
    sources.extend(request.rules.iter().map(|it| Source::Named(it)));
    if let Some(inline) = &inline {
        // One pattern is a question of its own: the repository's rules would only drown its answer.
        sources = request.rules.iter().map(|it| Source::Named(it)).collect();
        sources.push(Source::Inline(inline));
    }
    let structural::Loaded { rules, problems, mut notes } = structural::load(&sources);
    notes.extend(unknown_severities(config, &rules));
    notes.extend(rules.iter().filter_map(Rule::doubt));
    let severities = config.rules.severity.iter().map(|(rule, level)| (rule.clone(), level.severity()));
    let rules = structural::with_severities(rules, &severities.collect());
    let set = if config.structural.enabled {
        RuleSet::new(rules, ignores(config)?, config.limits.max_matches_per_rule)
    } else {
        Ok(RuleSet::default())
    };
    let problems = match set {
        Ok(set) if problems.is_empty() => return Ok((set, notes)),
        Ok(_) => problems,
        Err(twins) => problems.into_iter().chain(twins).collect(),
    };
    let details: Vec<String> = problems.iter().map(ToString::to_string).collect();
    Err(OpError::usage("rule_invalid", format!("{} cannot be used:", counted(details.len() as u64, "rule")))
        .details(details)
        .hint("nothing was scanned: a rule that means nothing must not look like one that found nothing"))
}

fn inline(request: &Request) -> Result<Option<Inline>, OpError> {
    let (Some(pattern), Some(name)) = (&request.pattern, &request.language) else { return Ok(None) };
    let Some(language) = Language::of_name(name) else {
        let names: Vec<String> = Language::all().map(Language::name).collect();
        let message = format!("there is no language `{name}`; there are {}", names.join(", "));
        return Err(OpError::usage("language_unknown", message));
    };
    Ok(Some(Inline { pattern: pattern.clone(), language, rewrite: request.rewrite.clone() }))
}

fn ignores(config: &Config) -> Result<GlobSet, OpError> {
    let mut set = GlobSetBuilder::new();
    for pattern in &config.rules.ignores {
        let glob = GlobBuilder::new(pattern).literal_separator(false).build();
        set.add(glob.map_err(|it| OpError::usage("config_invalid", format!("`rules.ignores`: {it}")))?);
    }
    set.build().map_err(|it| OpError::usage("config_invalid", format!("`rules.ignores`: {it}")))
}

/// Severities for rules that are not there: most often a spelling, and a gate that does not close.
fn unknown_severities(config: &Config, rules: &[Rule]) -> Vec<Note> {
    let unknown = config
        .rules
        .severity
        .keys()
        .filter(|id| *id != DEPRECATED_USE && !rules.iter().any(|it| it.id == **id));
    unknown
        .map(|id| {
            Note::new("rule_unknown", format!("`rules.severity` names `{id}`, and no rule has that id"))
        })
        .collect()
}
