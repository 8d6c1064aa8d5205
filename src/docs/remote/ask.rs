//! One question: find the library, find the version's label, get what is said, or say why not.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::cache;
use super::contract::{Context, Library, Refusal, Search, is_library};
use super::label::label;
use super::provider::{Provider, Reply};
use super::state::{Missing, State};
use crate::deps::Ecosystem;
use crate::model::Timestamp;

/// What is asked. The library, a label and the text are all that leaves the machine.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    pub ecosystem: Ecosystem,
    pub library: &'q str,
    /// The version that the project settled on.
    pub version: Option<&'q str>,
    pub text: &'q str,
}

/// What the provider says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The library that the provider means.
    pub library: String,
    /// The label that was pinned in the request; none when the default documentation answered.
    pub label: Option<String>,
    /// Whether it is about the very version that the project settled on.
    pub version_exact: bool,
    pub snippets: Vec<Snippet>,
}

/// A piece of documentation: text or code that others wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snippet {
    pub title: String,
    pub text: String,
    /// Code in the order in which it is given, each with the name of its language.
    pub code: Vec<(String, String)>,
    pub source: String,
}

/// Answers that were given before.
#[derive(Clone, Copy)]
pub struct Cached<'c> {
    pub folder: &'c Path,
    pub ttl_seconds: u64,
    /// Whether an older one may stand in while the provider cannot be reached.
    pub serves_stale: bool,
    pub now: Timestamp,
}

/// An answer with its age.
pub struct Outcome {
    pub state: State,
    pub answer: Option<Answer>,
    /// When a kept answer was given; none for one that was just given.
    pub kept_since: Option<Timestamp>,
    /// Whether it is older than answers are taken for current.
    pub is_stale: bool,
}

impl Outcome {
    /// Why there is no answer.
    pub const fn without(state: State) -> Self {
        Self { state, answer: None, kept_since: None, is_stale: false }
    }
}

/// How often a library that moved is followed.
const MOVES: usize = 3;
const LONGEST: usize = 500;

/// Asks, or takes what was kept.
pub fn ask(provider: &Provider, question: Question<'_>, cached: Option<Cached<'_>>) -> Outcome {
    let base = provider.base();
    let kept = cached.and_then(|it| Some((it, cache::find(it.folder, base, &question)?)));
    let is_fresh = |cached: &Cached<'_>, at: Timestamp| cached.now < at.plus_seconds(cached.ttl_seconds);
    if let Some((_, (answer, at))) = kept.as_ref().filter(|(cached, (_, at))| is_fresh(cached, *at)) {
        return Outcome {
            state: State::Ok,
            answer: Some(answer.clone()),
            kept_since: Some(*at),
            is_stale: false,
        };
    }
    match answer(provider, &question) {
        Ok(answer) => {
            if let Some(it) = cached {
                cache::keep(it.folder, base, &question, &answer, it.now);
            }
            Outcome { state: State::Ok, answer: Some(answer), kept_since: None, is_stale: false }
        }
        Err(state) => {
            let may_stand_in =
                matches!(state, State::Offline { .. } | State::RateLimited { .. } | State::Error { .. });
            let kept = kept.filter(|(cached, _)| cached.serves_stale && may_stand_in);
            let (answer, kept_since) =
                kept.map_or((None, None), |(_, (answer, at))| (Some(answer), Some(at)));
            Outcome { state, is_stale: answer.is_some(), answer, kept_since }
        }
    }
}

fn answer(provider: &Provider, question: &Question<'_>) -> Result<Answer, State> {
    let text: String = question.text.chars().take(LONGEST).collect();
    let name: String = question.library.chars().take(LONGEST).collect();
    let library = search(provider, &name, &text)?;
    let labels = library.versions.unwrap_or_default();
    let pinned = question.version.and_then(|it| label(&labels, question.ecosystem, &name, it));
    // A label is one step of a path; any other text would name something else.
    let pinned = pinned.filter(|it| is_library(&format!("{}/{it}", library.id)));
    let (id, context) = context(provider, &library.id, pinned, &text)?;
    let is_named = is_called(&library.id, &library.title, &name);
    let snippets: Vec<Snippet> = snippets(context);
    if snippets.is_empty() {
        return Err(State::NotFound(Missing::Snippets));
    }
    Ok(Answer {
        library: id,
        label: pinned.map(str::to_owned),
        version_exact: pinned.is_some() && is_named,
        snippets,
    })
}

/// The library that the provider means: of its results the first that is called so, else its first.
fn search(provider: &Provider, name: &str, text: &str) -> Result<Library, State> {
    let reply = provider.get("/v2/libs/search", &[("libraryName", name), ("query", text)])?;
    let Search { results } = document(&reply, Missing::Library)?;
    let mut results: Vec<Library> = results.into_iter().filter(|it| is_library(&it.id)).collect();
    let at = results.iter().position(|it| is_called(&it.id, &it.title, name)).unwrap_or(0);
    if results.is_empty() {
        return Err(State::NotFound(Missing::Library));
    }
    let library = results.swap_remove(at);
    match library.state.as_deref() {
        Some("initial" | "processing") => Err(State::Pending),
        Some("error" | "delete") => Err(State::Unusable),
        Some(_) | None => Ok(library),
    }
}

/// Whether a library of the provider is called as the package is, up to case, punctuation and a `js` at the end.
fn is_called(id: &str, title: &str, name: &str) -> bool {
    let bare = |it: &str| {
        let it: String = it.to_lowercase().chars().filter(|it| it.is_alphanumeric()).collect();
        it.strip_suffix("js").filter(|it| !it.is_empty()).map_or_else(|| it.clone(), str::to_owned)
    };
    let name = bare(name.rsplit('/').next().unwrap_or(name));
    let last = id.rsplit('/').next().unwrap_or(id);
    bare(title) == name || bare(last) == name
}

/// What is said of a library, followed where it moved to within the same provider.
fn context(
    provider: &Provider,
    library: &str,
    label: Option<&str>,
    text: &str,
) -> Result<(String, Context), State> {
    let mut library = library.to_owned();
    let mut seen = vec![library.clone()];
    loop {
        let pinned = label.map_or_else(|| library.clone(), |it| format!("{library}/{it}"));
        let reply =
            provider.get("/v2/context", &[("libraryId", &pinned), ("query", text), ("type", "json")])?;
        if reply.status != 301 {
            return Ok((library, document(&reply, Missing::Snippets)?));
        }
        let refusal: Refusal = serde_json::from_slice(&reply.body).unwrap_or_default();
        let to = refusal.redirect_url.or(reply.location).unwrap_or_default();
        if !is_library(&to) || seen.contains(&to) || seen.len() > MOVES {
            return Err(State::Redirected { to: to.chars().take(200).collect() });
        }
        seen.push(to.clone());
        library = to;
    }
}

/// The document of a reply that is an answer; the state of one that is not. Only 200 is an answer: 202 explains in its
/// body that there is none yet.
fn document<T: for<'d> Deserialize<'d>>(reply: &Reply, empty: Missing) -> Result<T, State> {
    if reply.status != 200 {
        return Err(refused(reply));
    }
    if reply.body.iter().all(u8::is_ascii_whitespace) {
        return Err(State::NotFound(empty));
    }
    if !reply.is_json {
        return Err(State::Unexpected { reason: "the answer is not JSON".to_owned() });
    }
    serde_json::from_slice(&reply.body)
        .map_err(|it| State::Unexpected { reason: format!("the answer has another shape than agreed: {it}") })
}

fn refused(reply: &Reply) -> State {
    let Refusal { error, redirect_url } = serde_json::from_slice(&reply.body).unwrap_or_default();
    match (reply.status, error.as_str()) {
        (202, _) => State::Pending,
        (300..=399, _) => {
            let to = redirect_url.or_else(|| reply.location.clone()).unwrap_or_default();
            State::Redirected { to: to.chars().take(200).collect() }
        }
        (401..=403, _) => State::Denied { status: reply.status },
        (404, "tag_not_found") => State::NotFound(Missing::Tag),
        (404, "no_snippets_found") => State::NotFound(Missing::Snippets),
        (404, _) => State::NotFound(Missing::Library),
        (422, _) => State::Unusable,
        (429, _) => State::RateLimited { retry_after: reply.retry_after },
        (status, _) => State::Error { status },
    }
}

fn snippets(context: Context) -> Vec<Snippet> {
    let code = context.code_snippets.into_iter().map(|it| Snippet {
        title: it.code_title,
        text: it.code_description,
        code: it.code_list.into_iter().map(|it| (it.language, it.code)).collect(),
        source: it.code_id,
    });
    let text = context.info_snippets.into_iter().map(|it| Snippet {
        title: it.breadcrumb,
        text: it.content,
        code: Vec::new(),
        source: String::new(),
    });
    code.chain(text).collect()
}
