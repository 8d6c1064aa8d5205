//! One call to the provider: where it may go, how long it may take, how much it may say.

use std::io::Read as _;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::http::HeaderMap;

use super::state::State;

/// Whom to ask, with what key.
pub struct Provider {
    agent: Agent,
    base: String,
    key: String,
    /// When the whole question must be answered.
    deadline: Instant,
}

/// Why there is no provider to ask.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    #[error(
        "the address of the documentation provider must be https://, or http:// on this machine, without a user or a query"
    )]
    Address,
    #[error("the key of the documentation provider is no key: it has characters that no header may have")]
    Key,
}

/// A reply of any status.
pub struct Reply {
    pub status: u16,
    pub is_json: bool,
    /// As the provider asks for it, in seconds.
    pub retry_after: Option<u64>,
    pub location: Option<String>,
    pub body: Vec<u8>,
}

/// All calls of one question, with their second tries: shorter than what a person waits for.
const WHOLE: Duration = Duration::from_secs(8);
/// The largest body that is read.
const BODY_BYTES: u64 = 2 << 20;
const HEADER_BYTES: usize = 64 << 10;
/// A call is tried again once, and only after a pause as short as this.
const TRIES: u32 = 2;
const LONGEST_PAUSE: u64 = 2;
const PAUSE: Duration = Duration::from_millis(200);

impl Provider {
    /// # Errors
    /// When the address or the key cannot be used.
    pub fn new(base: &str, key: &str) -> Result<Self, ProviderError> {
        let base = base.trim_end_matches('/');
        if !is_allowed(base) {
            return Err(ProviderError::Address);
        }
        if key.is_empty() || !key.bytes().all(|it| it.is_ascii_graphic()) {
            return Err(ProviderError::Key);
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(HEADER_BYTES)
            .user_agent("cortex")
            .accept("application/json")
            .build();
        let agent = config.new_agent();
        Ok(Self { agent, base: base.to_owned(), key: key.to_owned(), deadline: Instant::now() + WHOLE })
    }

    /// The address that was agreed to.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Gets a path with these query parameters. Tried again on what may pass: no connection, 429 with a short pause, 500,
    /// 503, 504.
    ///
    /// # Errors
    /// When there is no whole reply.
    pub fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Reply, State> {
        let mut tries = 1;
        loop {
            let outcome = self.call(path, query);
            let pause = match &outcome {
                Ok(Reply { status: 429, retry_after: Some(seconds), .. }) if *seconds <= LONGEST_PAUSE => {
                    Some(Duration::from_secs(*seconds))
                }
                Ok(Reply { status: 500 | 503 | 504, .. }) | Err(State::Offline { .. }) => Some(PAUSE),
                Ok(_) | Err(_) => None,
            };
            let left = self.deadline.saturating_duration_since(Instant::now());
            match pause.filter(|pause| tries < TRIES && *pause < left) {
                Some(pause) => std::thread::sleep(pause),
                None => return outcome,
            }
            tries += 1;
        }
    }

    fn call(&self, path: &str, query: &[(&str, &str)]) -> Result<Reply, State> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(offline("the provider did not answer in time"));
        }
        let request = self
            .agent
            .get(format!("{}{path}", self.base))
            .query_pairs(query.iter().copied())
            .header("authorization", format!("Bearer {}", self.key))
            .config()
            .timeout_global(Some(left))
            .build();
        let response = request.call().map_err(|it| failed(&it))?;
        let (parts, body) = response.into_parts();
        let text = |name: &str| header(&parts.headers, name);
        // No encoding was asked for, so that what is read is as large as it looks.
        if text("content-encoding").is_some_and(|it| !it.eq_ignore_ascii_case("identity")) {
            return Err(unexpected("the answer is compressed, which was not asked for"));
        }
        let mut bytes = Vec::new();
        let mut reader = body.into_reader().take(BODY_BYTES + 1);
        reader.read_to_end(&mut bytes).map_err(|it| offline(&format!("the answer broke off: {it}")))?;
        if bytes.len() as u64 > BODY_BYTES {
            return Err(unexpected(&format!("the answer is over the limit of {BODY_BYTES} bytes")));
        }
        Ok(Reply {
            status: parts.status.as_u16(),
            is_json: text("content-type").is_some_and(|it| it.to_ascii_lowercase().contains("json")),
            retry_after: text("retry-after").and_then(|it| it.trim().parse().ok()),
            location: text("location"),
            body: bytes,
        })
    }
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

fn offline(reason: &str) -> State {
    State::Offline { reason: reason.to_owned() }
}

fn unexpected(reason: &str) -> State {
    State::Unexpected { reason: reason.to_owned() }
}

/// What cannot be a word of the contract is unexpected; what says nothing about the provider is being offline.
fn failed(error: &ureq::Error) -> State {
    if let ureq::Error::LargeResponseHeader(..) = error {
        return unexpected("the headers of the answer are over the limit");
    }
    if let ureq::Error::Protocol(it) = error {
        return unexpected(&format!("the answer is no HTTP: {it}"));
    }
    if let ureq::Error::Timeout(_) = error {
        return offline("the provider did not answer in time");
    }
    offline(&format!("the provider cannot be reached: {error}"))
}

/// Where a question may go: with TLS, or to this machine itself.
fn is_allowed(base: &str) -> bool {
    let is_plain = !base.contains(['@', '?', '#', '\\']) && base.bytes().all(|it| it.is_ascii_graphic());
    let host = |rest: &str| rest.split(['/', ':']).next().unwrap_or_default().to_owned();
    let is_here =
        |it: &str| it == "localhost" || it.parse::<std::net::Ipv4Addr>().is_ok_and(|it| it.is_loopback());
    is_plain
        && match (base.strip_prefix("https://"), base.strip_prefix("http://")) {
            (Some(rest), _) => !host(rest).is_empty(),
            (None, Some(rest)) => is_here(&host(rest)),
            (None, None) => false,
        }
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn questions_go_out_with_tls_or_stay_here() {
        for good in ["https://context7.com/api", "http://127.0.0.1:8080", "http://localhost/api"] {
            assert!(is_allowed(good), "{good}");
        }
        for bad in [
            "http://example.org",
            "http://127.0.0.1@example.org",
            "http://127.0.0.1.example.org",
            "https://",
            "https://a/?b",
            "file:///etc/passwd",
            "",
        ] {
            assert!(!is_allowed(bad), "{bad}");
        }
    }
}
