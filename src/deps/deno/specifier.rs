//! What a module specifier of Deno asks for: `jsr:@std/path@^1/posix`, `npm:chalk@5`, an address, a path.

use crate::deps::ecosystem::Ecosystem;

/// A specifier of a registry, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specifier<'t> {
    pub ecosystem: Ecosystem,
    pub name: &'t str,
    pub constraint: Option<&'t str>,
}

/// Takes a specifier apart; none for what is of no registry.
pub fn specifier(text: &str) -> Option<Specifier<'_>> {
    let (ecosystem, rest) = match text.split_once(':')? {
        ("jsr", rest) => (Ecosystem::Jsr, rest),
        ("npm", rest) => (Ecosystem::Npm, rest),
        _ => return None,
    };
    let rest = rest.trim_start_matches('/');
    let scope = if rest.starts_with('@') { rest.find('/')? + 1 } else { 0 };
    let end = rest.get(scope..)?.find(['@', '/']).map_or(rest.len(), |it| scope + it);
    let name = rest.get(..end).filter(|it| it.len() > scope)?;
    let constraint = rest.get(end..)?.strip_prefix('@');
    // A path into the package stands behind the constraint.
    let constraint = constraint.map(|it| it.split('/').next().unwrap_or(it)).filter(|it| !it.is_empty());
    Some(Specifier { ecosystem, name, constraint })
}

#[cfg(test)]
mod tests {
    use super::{Specifier, specifier};
    use crate::deps::ecosystem::Ecosystem::{self, Jsr, Npm};

    #[track_caller]
    fn check(text: &str, ecosystem: Ecosystem, name: &str, constraint: Option<&str>) {
        assert_eq!(specifier(text), Some(Specifier { ecosystem, name, constraint }), "{text}");
    }

    /// The forms of Deno's manual.
    #[test]
    fn specifiers_say_registry_name_and_constraint() {
        check("jsr:@std/path@^1.0.0", Jsr, "@std/path", Some("^1.0.0"));
        check("jsr:/@std/path@1/posix", Jsr, "@std/path", Some("1"));
        check("jsr:@std/path/posix", Jsr, "@std/path", None);
        check("npm:chalk", Npm, "chalk", None);
        check("npm:@types/node@20/fs", Npm, "@types/node", Some("20"));
        check("npm:lodash@^4.17/merge", Npm, "lodash", Some("^4.17"));
        for text in ["./a.ts", "https://deno.land/x/oak@v12/mod.ts", "node:fs", "npm:", "jsr:@std", "npm:@a/"]
        {
            assert_eq!(specifier(text), None, "{text}");
        }
    }
}
