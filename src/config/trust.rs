//! What a configuration that is itself under review may not decide.

use super::note::{LIMIT_IGNORED, PROGRAM_IGNORED};
use super::settings::{Config, DependencyDocs, Limits, PrecisionIndex, Structural, Validation};
use crate::model::Note;

impl Config {
    /// These settings without whatever would run, reach or loosen something: programs, the remote provider, limits
    /// above their defaults. For a configuration that comes with the change under review; each setting that is taken
    /// back leaves a note.
    pub fn without_programs(mut self) -> (Self, Vec<Note>) {
        let mut notes = Vec::new();
        self.take_back_programs(&mut notes);
        self.take_back_limits(&mut notes);
        (self, notes)
    }

    /// These settings with whatever [`Self::without_programs`] takes back as another, trusted configuration has it.
    pub fn with_programs_of(self, trusted: Self) -> Self {
        let precision_index = PrecisionIndex {
            auto_generate: trusted.precision_index.auto_generate,
            generator_command: trusted.precision_index.generator_command,
            ..self.precision_index
        };
        Self {
            precision_index,
            dependency_docs: trusted.dependency_docs,
            structural: Structural { enabled: self.structural.enabled, ..trusted.structural },
            validation: trusted.validation,
            limits: trusted.limits,
            ..self
        }
    }

    fn take_back_programs(&mut self, notes: &mut Vec<Note>) {
        let mut given = Taken { origins: &mut self.origins, code: PROGRAM_IGNORED, notes };
        let (index, docs, engine) =
            (PrecisionIndex::default(), DependencyDocs::default(), Structural::default());
        given.restore("validation.commands", &mut self.validation, Validation::default());
        given.restore("precision_index.auto_generate", &mut self.precision_index.auto_generate, false);
        let generator = &mut self.precision_index.generator_command;
        given.restore("precision_index.generator_command", generator, index.generator_command);
        given.restore("structural.command", &mut self.structural.command, engine.command);
        given.restore("dependency_docs.enabled", &mut self.dependency_docs.enabled, docs.enabled);
        given.restore("dependency_docs.api_key_env", &mut self.dependency_docs.api_key_env, docs.api_key_env);
        let ttl = &mut self.dependency_docs.cache_ttl_seconds;
        given.restore("dependency_docs.cache_ttl_seconds", ttl, docs.cache_ttl_seconds);
        let stale = &mut self.dependency_docs.serve_stale_when_offline;
        given.restore("dependency_docs.serve_stale_when_offline", stale, docs.serve_stale_when_offline);
    }

    fn take_back_limits(&mut self, notes: &mut Vec<Note>) {
        let mut given = Taken { origins: &mut self.origins, code: LIMIT_IGNORED, notes };
        let (rewrite, scan) = (Structural::default(), Limits::default());
        let (structural, limits) = (&mut self.structural, &mut self.limits);
        for (key, value, most) in [
            ("structural.max_rewrite_files", &mut structural.max_rewrite_files, rewrite.max_rewrite_files),
            (
                "structural.max_rewrite_matches",
                &mut structural.max_rewrite_matches,
                rewrite.max_rewrite_matches,
            ),
            ("structural.max_rewrite_bytes", &mut structural.max_rewrite_bytes, rewrite.max_rewrite_bytes),
            (
                "structural.preview_ttl_seconds",
                &mut structural.preview_ttl_seconds,
                rewrite.preview_ttl_seconds,
            ),
            ("limits.max_file_bytes", &mut limits.max_file_bytes, scan.max_file_bytes),
            ("limits.parse_timeout_ms", &mut limits.parse_timeout_ms, scan.parse_timeout_ms),
            ("limits.max_matches_per_rule", &mut limits.max_matches_per_rule, scan.max_matches_per_rule),
            ("limits.max_findings", &mut limits.max_findings, scan.max_findings),
        ] {
            if *value > most {
                given.restore(key, value, most);
            }
        }
    }
}

struct Taken<'c> {
    origins: &'c mut std::collections::BTreeMap<String, super::settings::Origin>,
    code: &'static str,
    notes: &'c mut Vec<Note>,
}

impl Taken<'_> {
    fn restore<T: PartialEq>(&mut self, key: &str, value: &mut T, default: T) {
        self.origins.remove(key);
        if *value != default {
            *value = default;
            let message = format!(
                "`{key}` comes from a configuration that is itself under review; its default is used ({})",
                instead(key)
            );
            self.notes.push(Note::new(self.code, message));
        }
    }
}

/// What to do instead. What is sent to whom is nothing that a repository can decide, in whichever revision.
fn instead(key: &str) -> &'static str {
    if key == "dependency_docs.enabled" {
        "no revision of a repository can set it: set `CODECORTEX_DEPENDENCY_DOCS=1` in the environment, or name a \
         configuration file with `--config`"
    } else if key.starts_with("dependency_docs.") {
        "no revision of a repository can set it: name a configuration file with `--config`"
    } else {
        "set it in the base revision, or name a configuration file"
    }
}

#[cfg(test)]
mod tests {
    use crate::config::read;

    #[test]
    fn advice_is_what_would_help() {
        let text = br#"{"dependency_docs": {"enabled": true, "cache_ttl_seconds": 1}, "limits": {"max_findings": 999999}}"#;
        let (config, _) = read(&"config.json".parse().unwrap(), text);
        let notes = config.without_programs().1;
        let advice = |key: &str| {
            let note = notes.iter().find(|it| it.message.contains(key)).unwrap();
            (note.message.contains("base revision"), note.message.contains("CODECORTEX_DEPENDENCY_DOCS=1"))
        };
        assert_eq!(advice("dependency_docs.enabled"), (false, true));
        assert_eq!(advice("dependency_docs.cache_ttl_seconds"), (false, false));
        assert_eq!(advice("limits.max_findings"), (true, false));
    }
}
