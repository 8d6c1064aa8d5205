//! Words that programmers use for one another.

use super::term::term;

/// Each line is a family. A word may stand in several.
const FAMILIES: &[&str] = &[
    "remove delete drop discard erase unlink purge",
    "create make build new construct generate",
    "check validate verify assert ensure",
    "address url uri",
    "picture image photo",
    "response answer reply",
    "error exception failure fail",
    "limit maximum cap",
    "mail email",
    "setting configuration option preference",
    "wait delay sleep pause throttle",
    "stop quit abort halt cancel",
    "split parse tokenize",
    "save store persist write",
    "read load open fetch",
    "send push emit dispatch publish",
    "start begin launch boot",
    "size length",
    "show print display render",
    "regexp regular",
    "wildcard glob",
    "expire expiry exp expiration",
    "compress gzip zip deflate",
    "uncompress decompress unpack inflate extract",
    "count number amount",
    "duplicate twice unique",
    "retry again",
    "allow permit accept",
    "deny forbid block refuse reject restriction",
    "search find lookup",
    "change modify update edit mutate",
    "token credential secret",
    "password passphrase",
    "login signin authentication",
    "logout signout",
    "escape safe sanitize",
    "path file filename",
    "folder directory",
    "thread worker parallel",
    "close shutdown finish",
    "warn warning",
    "log logging logger",
    "run execute",
    "compare equal",
    "sort order",
    "copy clone",
    "cache memoize remember",
    "convert transform translate turn",
    "hide hidden",
    "ignore skip exclude",
    "join merge combine concatenate",
    "flag argument option parameter",
    "subcommand command",
    "language locale",
    "upload put store",
    "mime media content",
    "schedule queue enqueue",
];

/// The terms that mean the same as one, without it.
pub fn synonyms(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for family in FAMILIES {
        let terms: Vec<String> = family.split(' ').map(term).collect();
        if terms.iter().any(|it| it == word) {
            found.extend(terms.into_iter().filter(|it| it != word));
        }
    }
    found.sort();
    found.dedup();
    found
}
