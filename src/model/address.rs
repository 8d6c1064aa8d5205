//! The credentials that addresses can hold: as a user or a password, and in the query or the fragment.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What stands in place of a credential.
pub const MASK: &str = "[redacted]";

/// Who logs in by a key or with the password behind it: no secret by itself.
const KNOWN_USERS: [&str; 8] =
    ["git", "hg", "svn", "anonymous", "oauth2", "x-access-token", "x-token-auth", "gitlab-ci-token"];

/// The longest name of a scheme that is looked for.
const SCHEME: usize = 32;

/// A parameter whose name says that its value is a secret.
static PARAMETER: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?i)(?<before>[?&#;](?:[a-z0-9_.-]*(?:token|secret|passw(?:or)?d|passphrase|pwd|signature|credential|api[_-]?key|access[_-]?key)[a-z0-9_.-]*|sig|key|pass|auth|authorization|jwt|sas|code)=)[^\s&#;"'<>`]+"#;
    Regex::new(pattern).expect("because the pattern is a constant")
});

/// An address in which slashes and the like are escaped, with its user.
static ESCAPED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?i)(?<before>%3a%2f%2f)(?:(?:[^%\s"'&]|%[013-9a-f][0-9a-f]|%2[0-9a-e])+)%40"#;
    Regex::new(pattern).expect("because the pattern is a constant")
});

/// An address that leaves out its scheme, with a user and a password.
static WITHOUT_SCHEME: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?m)(?<before>(?:^|[\s"'`=(,<])//[^\s/:@"'`<>]+:)[^\s/@"'`<>]+@"#;
    Regex::new(pattern).expect("because the pattern is a constant")
});

/// The address of a file as `ssh` and `git` write it: `USER@HOST:PATH`.
static OF_SHELL: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r#"(?m)(?<before>^|[\s"'`=(,<+])(?<user>[A-Za-z0-9_-]+)(?<host>@[A-Za-z0-9.-]+:[A-Za-z0-9_~./-])"#;
    Regex::new(pattern).expect("because the pattern is a constant")
});

/// A text in which the credentials of all addresses are masked. A user of `ssh` is a login name, and so are those that
/// every host knows.
pub fn without_credentials(text: &str) -> Cow<'_, str> {
    if !text.contains(":/") && !text.contains("%40") && !text.contains('@') {
        return Cow::Borrowed(text);
    }
    let masked = with_users_masked(text);
    let masked = WITHOUT_SCHEME.replace_all(&masked, format!("${{before}}{MASK}@"));
    let masked = OF_SHELL.replace_all(&masked, |found: &Captures<'_>| {
        let part = |name: &str| found.name(name).map_or("", |it| it.as_str());
        let user = if is_token(part("user")) { MASK } else { part("user") };
        format!("{}{user}{}", part("before"), part("host"))
    });
    let masked = PARAMETER.replace_all(&masked, format!("${{before}}{MASK}"));
    let masked = ESCAPED.replace_all(&masked, format!("${{before}}{MASK}%40"));
    if *masked == *text { Cow::Borrowed(text) } else { Cow::Owned(masked.into_owned()) }
}

fn with_users_masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(":/") {
        let scheme = scheme(before);
        let inner = after.trim_start_matches('/');
        let slashes = after.get(..after.len() - inner.len()).unwrap_or_default();
        masked.push_str(before);
        masked.push_str(":/");
        masked.push_str(slashes);
        rest = inner;
        // Browsers and npm take one slash for two.
        if slashes.is_empty() && !is_of_web(&scheme) {
            continue;
        }
        if let Some((user, host)) = user(inner) {
            masked.push_str(&with_user_masked(&scheme, user));
            masked.push('@');
            rest = host;
        }
    }
    masked.push_str(rest);
    masked
}

/// The scheme that a text ends with, in small letters.
fn scheme(before: &str) -> String {
    let letters = before.bytes().rev().take(SCHEME);
    let length = letters.take_while(|it| it.is_ascii_alphanumeric() || b"+-.".contains(it)).count();
    before.get(before.len() - length..).unwrap_or_default().to_ascii_lowercase()
}

/// Whether a lone user of the scheme is a token rather than a name.
fn is_of_web(scheme: &str) -> bool {
    let last = scheme.rsplit(['+', '-', '.']).next().unwrap_or(scheme);
    ["http", "https", "git"].contains(&last)
}

/// The user with its password before a host, and what follows the `@`.
fn user(rest: &str) -> Option<(&str, &str)> {
    let run = |ends: &[char]| {
        let end = rest.find(|it: char| it.is_whitespace() || ends.contains(&it)).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    };
    let authority = run(&['/', '?', '#', '"', '<', '>', '`', '\\']);
    let at = authority.rfind('@').or_else(|| {
        // A password with a letter that should have been escaped: what stands behind the colon is no port.
        let (_, port) = authority.rsplit(']').next()?.split_once(':')?;
        let is_port = port.bytes().all(|it| it.is_ascii_digit());
        (!is_port).then(|| run(&['"', '<', '>', '`']).find('@')).flatten()
    })?;
    Some((rest.get(..at)?, rest.get(at + 1..)?))
}

fn with_user_masked(scheme: &str, written: &str) -> String {
    let (user, password) = written.split_once(':').map_or((written, None), |it| (it.0, Some(it.1)));
    // `TOKEN:x-oauth-basic@` and `TOKEN:@` are tokens too.
    let is_alone = password.is_none_or(|it| matches!(it, "" | "x-oauth-basic"));
    let is_known = user.is_empty() || user == MASK || KNOWN_USERS.contains(&user) || is_variable(user);
    let is_secret = if is_alone && is_of_web(scheme) {
        // A user without a password is who is meant, as in `https://organization@dev.azure.com`, or a token.
        is_token(user) || password.is_some()
    } else {
        is_long_token(user)
    };
    let user = if is_secret && !is_known { MASK } else { user };
    match password {
        None => user.to_owned(),
        Some(it) if is_alone => format!("{user}:{it}"),
        Some(_) => format!("{user}:{MASK}"),
    }
}

/// `${NAME}`: what it stands for is not in the text.
fn is_variable(user: &str) -> bool {
    let name = user.strip_prefix("${").and_then(|it| it.strip_suffix('}'));
    name.is_some_and(|it| it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_'))
}

/// Whether a lone user is a token: it begins as one, or no name is written like it.
fn is_token(user: &str) -> bool {
    const LONGEST_NAME: usize = 19;
    const BEGINNINGS: [&str; 13] = [
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
        "github_pat_",
        "glpat-",
        "gldt-",
        "npm_",
        "pypi-",
        "sk-",
        "xox",
        "ATBB",
    ];
    let has = |kind: fn(&u8) -> bool| user.bytes().any(|it| kind(&it));
    let is_small = has(u8::is_ascii_lowercase);
    let is_mixed = is_small && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit);
    let is_name = user.bytes().all(|it| it.is_ascii_alphanumeric() || b"._-".contains(&it));
    !is_name
        || !is_small
        || is_mixed
        || user.len() > LONGEST_NAME
        || BEGINNINGS.iter().any(|it| user.starts_with(it))
}

/// Whether a user is longer and more mixed than names are.
fn is_long_token(user: &str) -> bool {
    user.len() >= 20 && user.bytes().any(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::without_credentials;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(without_credentials(text), expected);
        assert_eq!(without_credentials(expected), expected, "a second pass changes nothing");
    }

    #[test]
    fn users_and_passwords_are_masked() {
        check("git+https://ghp_xxx@github.com/o/r", "git+https://[redacted]@github.com/o/r");
        check("HTTPS://x:TOKEN@h/a", "HTTPS://x:[redacted]@h/a");
        check("https://TOKEN:x-oauth-basic@h/a", "https://[redacted]:x-oauth-basic@h/a");
        check("https://TOKEN:@h/a", "https://[redacted]:@h/a");
        check("https:/u:TOKEN@h/a", "https:/u:[redacted]@h/a");
        check("https://u:pa@ss@h/a", "https://u:[redacted]@h/a");
        check("https://u:pa/s#s@h/a", "https://u:[redacted]@h/a");
        check(
            "git://TOKEN@h/a, then git+ssh://me:TOKEN@h",
            "git://[redacted]@h/a, then git+ssh://me:[redacted]@h",
        );
        check("https://a.b/?to=https://TOKEN@h", "https://a.b/?to=https://[redacted]@h");
        check(
            "x::__archiveUrl=https%3A%2F%2Fu%3ATOKEN%40h%2Fx",
            "x::__archiveUrl=https%3A%2F%2F[redacted]%40h%2Fx",
        );
    }

    #[test]
    fn addresses_need_no_scheme() {
        check("a=//user:token@host/x", "a=//user:[redacted]@host/x");
        check("//u:p4ss@h:80/x, //v:q@i", "//u:[redacted]@h:80/x, //v:[redacted]@i");
        check("TOKEN@host:a/b", "[redacted]@host:a/b");
        check("git+ghp_0aA@github.com:a/b.git", "git+[redacted]@github.com:a/b.git");
        check("'0123456789abcdef0123@h.org:a'", "'[redacted]@h.org:a'");
    }

    #[test]
    fn secret_parameters_are_masked() {
        check(
            "https://h/x?token=abc&v=1&sig=d%2F#access_token=e",
            "https://h/x?token=[redacted]&v=1&sig=[redacted]#access_token=[redacted]",
        );
        check(
            "https://h/x?X-Amz-Signature=abc&X-Amz-Date=1",
            "https://h/x?X-Amz-Signature=[redacted]&X-Amz-Date=1",
        );
    }

    #[test]
    fn what_is_no_secret_stays() {
        for text in [
            "^1.0 || >=2",
            "git+ssh://git@github.com/a/b.git#v1",
            "ssh://alice@h/a",
            "git@github.com:a/b.git",
            "alice@example.org:a/b.git",
            "https://org@dev.azure.com/org/project/_git/x",
            "https://My-Org@h/a and https://user2@h/b",
            "// see a:b@c and //a/b:c@d and //registry.example/:x",
            "left@npm:right@^1",
            "KEY@1.2.3",
            "git+https://git@github.com/a/b@v1#egg=b&subdirectory=c",
            "https://h:8080/@scope/a/-/a-1.tgz#sha1",
            "https://h/a@1?v=b@c#d@e",
            "https://h?v=b@c",
            "http://[::1]:80/a@b",
            "https://${TOKEN}@h/a",
            "https://h/a-1.whl#sha256=0123",
            "file:///a@b",
            "npm:real@^1",
            "a:/b@c",
            "keyboard=1",
        ] {
            check(text, text);
        }
    }
}
