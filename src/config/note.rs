//! The remarks that reading a configuration can leave.

pub const UNREADABLE: &str = "config_unreadable";
pub const SECTION_MALFORMED: &str = "config_section_malformed";
pub const KEY_UNKNOWN: &str = "config_key_unknown";
pub const KEY_REPEATED: &str = "config_key_repeated";
pub const PROGRAM_IGNORED: &str = "config_program_ignored";
pub const LIMIT_IGNORED: &str = "config_limit_ignored";

/// Every code of this module with its explanation.
pub const CODES: &[(&str, &str)] = &[
    (
        UNREADABLE,
        "The configuration file is too large, not UTF-8 or not JSON, so that every setting has its default. The note \
         gives the first place that does not parse. Comments and trailing commas are allowed; nothing else beyond JSON \
         is.",
    ),
    (
        SECTION_MALFORMED,
        "A value of a configuration section has the wrong type or lies outside its range. The whole section falls back \
         to its defaults, the other sections stand. The note names the place, what was expected, and the valid keys.",
    ),
    (
        KEY_UNKNOWN,
        "The configuration holds a key that has no meaning, most often a misspelt one. It is ignored; the note names \
         the nearest valid key when there is one.",
    ),
    (
        KEY_REPEATED,
        "An object of the configuration holds the same key twice. The last one counts, as everywhere in JSON; remove \
         the others.",
    ),
    (
        PROGRAM_IGNORED,
        "A setting that names a program, an environment variable or a remote service comes from a configuration that \
         is itself under review, for example the head of a pull request. It is ignored and the default stands, because \
         whoever proposes a change must not choose what runs. Settings of the base revision or of a file named on the \
         command line are used; those of `dependency_docs` only of such a file.",
    ),
    (
        LIMIT_IGNORED,
        "A limit was raised above its default, or a guard was switched off, by a configuration that is itself under \
         review. The default stands; raise it in the base revision's configuration or in a file named on the command \
         line.",
    ),
];
