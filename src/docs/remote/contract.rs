//! The documents of the provider, version 2 of its API. Fields that are not used are passed over: the provider may add
//! some. The `rules` that an answer can carry are text that third parties wrote for whoever reads it; they are left out.

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Search {
    pub results: Vec<Library>,
}

#[derive(Debug, Deserialize)]
pub struct Library {
    pub id: String,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub state: Option<String>,
    /// The labels of versions, in the provider's own spelling.
    #[serde(default)]
    pub versions: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Context {
    pub code_snippets: Vec<CodeSnippet>,
    pub info_snippets: Vec<InfoSnippet>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CodeSnippet {
    pub code_title: String,
    #[serde(default)]
    pub code_description: String,
    #[serde(default)]
    pub code_id: String,
    pub code_list: Vec<Code>,
}

#[derive(Debug, Deserialize)]
pub struct Code {
    #[serde(default)]
    pub language: String,
    pub code: String,
}

#[derive(Debug, Deserialize)]
pub struct InfoSnippet {
    #[serde(default)]
    pub breadcrumb: String,
    pub content: String,
}

/// A refusal, with the code that tells apart what one status can mean.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    #[serde(default)]
    pub error: String,
    #[serde(default)]
    pub redirect_url: Option<String>,
}

/// Whether a text is a library of the provider and nothing else: `/owner/name`, perhaps with a version.
pub fn is_library(id: &str) -> bool {
    let word = |it: &str| {
        !it.is_empty()
            && !it.starts_with('.')
            && it.chars().all(|it| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | '+' | '~' | '@'))
    };
    let parts: Vec<&str> = id.strip_prefix('/').unwrap_or_default().split('/').collect();
    id.len() <= 300 && matches!(parts.len(), 2 | 3) && parts.iter().all(|it| word(it))
}

#[cfg(test)]
mod tests {
    use super::is_library;

    #[test]
    fn only_a_library_is_one() {
        for good in ["/vercel/next.js", "/websites/x", "/vercel/next.js/v15.1.8", "/npm/x@1.0.0"] {
            assert!(is_library(good), "{good}");
        }
        for bad in [
            "",
            "/",
            "/a",
            "a/b",
            "//a/b",
            "/a/../b",
            "/a/b/c/d",
            "http://x/y",
            "/a/b?c=d",
            "/a/b\n",
            "/a/b c",
        ] {
            assert!(!is_library(bad), "{bad}");
        }
    }
}
