//! The checksums of lockfiles in the form that a bill of materials has for them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

/// A digest in CycloneDX's form.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Hash {
    alg: &'static str,
    /// Hexadecimal, lower case.
    content: String,
}

/// The name of an algorithm and the bytes of its digest.
const ALGORITHMS: [(&str, &str, usize); 5] = [
    ("md5", "MD5", 16),
    ("sha1", "SHA-1", 20),
    ("sha256", "SHA-256", 32),
    ("sha384", "SHA-384", 48),
    ("sha512", "SHA-512", 64),
];

/// Reads `sha512-<base64>` as npm writes it, `sha256:<hex>` as Python does, or bare hexadecimal as Cargo does. None for
/// what is of a tool's own making, such as the trees that Go and yarn sum up.
pub fn hash(checksum: &str) -> Option<Hash> {
    // Several algorithms stand behind each other, strongest last.
    let text = checksum.split_whitespace().next_back()?;
    let (name, digest) = if let Some((name, encoded)) = text.split_once('-') {
        let encoded = encoded.split('?').next().unwrap_or(encoded);
        (name, STANDARD.decode(encoded).ok()?)
    } else if let Some((name, digits)) = text.split_once(':') {
        (name, from_hexadecimal(digits)?)
    } else {
        let digest = from_hexadecimal(text)?;
        (ALGORITHMS.iter().find(|it| it.2 == digest.len())?.0, digest)
    };
    let (_, alg, _) = ALGORITHMS.iter().find(|it| it.0 == name && it.2 == digest.len())?;
    Some(Hash { alg, content: digest.iter().map(|it| format!("{it:02x}")).collect() })
}

fn from_hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return None };
    let digit = |it: u8| char::from(it).to_digit(16).and_then(|it| u8::try_from(it).ok());
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Hash, hash};

    /// The digests of the empty text, as `sha512sum` and `openssl base64` print them.
    #[test]
    fn checksums_of_lockfiles_are_hexadecimal_digests() {
        let sha512 = "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e";
        let sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let npm =
            "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
        for (checksum, alg, content) in [
            (npm.to_owned(), "SHA-512", sha512),
            (format!("sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk= {npm}"), "SHA-512", sha512),
            (
                "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=".to_owned(),
                "SHA-1",
                "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            ),
            (format!("sha256:{sha256}"), "SHA-256", sha256),
            (sha256.to_owned(), "SHA-256", sha256),
        ] {
            assert_eq!(hash(&checksum), Some(Hash { alg, content: content.to_owned() }), "{checksum}");
        }
        for checksum in ["", "h1:uuQ=", "10/abcdef", "sha256:00", "sha512-AAAA", "owner-c-0a1b2c3", "0a1b2c3"]
        {
            assert_eq!(hash(checksum), None, "{checksum}");
        }
    }
}
