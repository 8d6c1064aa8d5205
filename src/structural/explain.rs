//! What the codes of this layer mean.

/// Code and explanation.
pub const CODES: &[(&str, &str)] = &[
    (
        "no_rules",
        "No rule was given, so nothing was searched for. Put ast-grep rules into `.codecortex/rules`, name a folder \
         with `--rules`, keep an `sgconfig.yml`, or give one `--pattern` with its `--language`.",
    ),
    (
        "custom_language_refused",
        "`sgconfig.yml` names a library to load as a language. A library is code, and code that comes with a \
         repository is not run; the rules for that language are left out.",
    ),
    (
        "match_limit",
        "A rule matched more often in one file than `limits.max_matches_per_file` allows. The first matches in the \
         order of the file are kept, and the note says how many there were.",
    ),
    (
        "pattern_in_doubt",
        "A pattern of Go that looks like a call, such as `fmt.Sprintf($$$A)`, stands for a type conversion when it is read \
         alone, as Go's grammar has it, and finds no call. Write it as `pattern: {context: 'func f() { fmt.Sprintf($$$A) }', \
         selector: call_expression}`.",
    ),
];
