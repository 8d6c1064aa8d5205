//! What the configurations of Gradle are for: <https://docs.gradle.org/current/userguide/java_plugin.html>.

use crate::deps::fact::Scope;

/// The ends of the names of configurations that dependencies are given to, in lower case.
const ENDS: [&str; 16] = [
    "implementation",
    "api",
    "compile",
    "compileonly",
    "compileonlyapi",
    "runtime",
    "runtimeonly",
    "classpath",
    "annotationprocessor",
    "kapt",
    "ksp",
    "providedcompile",
    "providedruntime",
    "developmentonly",
    "provided",
    "desugaring",
];

/// Whether a word is the name of such a configuration.
pub fn is_configuration(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ENDS.iter().any(|it| word.ends_with(it)) || word.starts_with("kapt") || word.starts_with("ksp")
}

/// What a configuration's entries are wanted for; any other name is one of the build's own.
pub fn configuration_scope(name: &str) -> Scope {
    let name = name.to_ascii_lowercase();
    if name.contains("test") {
        Scope::Dev
    } else if name.starts_with("kapt")
        || name.starts_with("ksp")
        || name.ends_with("annotationprocessor")
        || name == "classpath"
    {
        Scope::Build
    } else if name.ends_with("compileonly") || name.ends_with("compileonlyapi") || name.contains("provided") {
        Scope::Peer
    } else {
        Scope::Normal
    }
}
