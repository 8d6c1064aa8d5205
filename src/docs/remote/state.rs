//! What came of a question to the provider.

/// The closed list of outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody agreed that anything leaves the machine.
    Disabled,
    /// The variable that holds the key is not set.
    CredentialsMissing {
        variable: String,
    },
    /// The provider cannot be reached, or did not answer in time.
    Offline {
        reason: String,
    },
    RateLimited {
        retry_after: Option<u64>,
    },
    /// The provider knows the library and has not finished preparing it.
    Pending,
    /// The provider names another place than the one that was agreed to.
    Redirected {
        to: String,
    },
    NotFound(Missing),
    /// The key is not accepted, or its account may not ask this.
    Denied {
        status: u16,
    },
    /// The provider has the library and cannot use it.
    Unusable,
    Error {
        status: u16,
    },
    /// The answer is not what the provider's contract says: too large, another type, another shape.
    Unexpected {
        reason: String,
    },
    Ok,
}

/// What the provider does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Library,
    Tag,
    Snippets,
}

impl State {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::CredentialsMissing { .. } => "credentials_missing",
            Self::Offline { .. } => "offline",
            Self::RateLimited { .. } => "rate_limited",
            Self::Pending => "pending",
            Self::Redirected { .. } => "redirected",
            Self::NotFound(_) => "not_found",
            Self::Denied { .. } => "denied",
            Self::Unusable => "unusable",
            Self::Error { .. } => "error",
            Self::Unexpected { .. } => "unexpected",
            Self::Ok => "ok",
        }
    }

    /// The state in words; none where the name says it all.
    pub fn detail(&self) -> Option<String> {
        Some(match self {
            Self::Disabled | Self::Pending | Self::Unusable | Self::Ok => return None,
            Self::CredentialsMissing { variable } => format!("set `{variable}` to the provider's key"),
            Self::Offline { reason } | Self::Unexpected { reason } => reason.clone(),
            Self::RateLimited { retry_after: Some(seconds) } => format!("ask again in {seconds} seconds"),
            Self::RateLimited { retry_after: None } => "ask again later".to_owned(),
            Self::Redirected { to } => format!("the provider points to `{to}`, which is not followed"),
            Self::NotFound(Missing::Library) => "the provider does not know the library".to_owned(),
            Self::NotFound(Missing::Tag) => "the provider does not have that version".to_owned(),
            Self::NotFound(Missing::Snippets) => "the provider has nothing on the question".to_owned(),
            Self::Denied { status } | Self::Error { status } => format!("HTTP {status}"),
        })
    }
}
