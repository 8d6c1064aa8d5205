//! Which files hold tests, by the habits of their language.

use super::language::Language;
use crate::model::RepoPath;

/// Names of folders and of files that make a test file. A file name is matched without its extension.
struct Habit {
    languages: &'static [&'static str],
    folders: &'static [&'static str],
    folder_endings: &'static [&'static str],
    beginnings: &'static [&'static str],
    endings: &'static [&'static str],
    names: &'static [&'static str],
}

const HABITS: &[Habit] = &[
    Habit {
        languages: &["python"],
        folders: &["tests", "test", "testing"],
        folder_endings: &["_tests"],
        beginnings: &["test_"],
        endings: &["_test", "_tests"],
        names: &["conftest", "tests"],
    },
    Habit {
        languages: &["javascript", "typescript", "tsx"],
        folders: &["__tests__", "__mocks__", "tests", "test", "e2e", "cypress", "spec"],
        folder_endings: &[],
        beginnings: &[],
        endings: &[".test", ".spec", ".e2e", ".cy", ".test-d", ".bench"],
        names: &[],
    },
    Habit {
        languages: &["rust"],
        folders: &["tests", "benches"],
        folder_endings: &[],
        beginnings: &[],
        endings: &["_test", "_tests"],
        names: &["tests", "test"],
    },
    Habit {
        languages: &["go"],
        folders: &["testdata"],
        folder_endings: &[],
        beginnings: &[],
        endings: &["_test"],
        names: &[],
    },
    Habit {
        languages: &["java", "kotlin"],
        folders: &["test", "androidTest", "integrationTest", "testFixtures", "commonTest", "jvmTest"],
        folder_endings: &[],
        beginnings: &[],
        endings: &["Test", "Tests", "TestCase", "IT"],
        names: &[],
    },
    Habit {
        languages: &["csharp"],
        folders: &["test", "tests"],
        folder_endings: &[".Tests", ".Test", ".UnitTests", ".IntegrationTests", "Tests"],
        beginnings: &[],
        endings: &["Test", "Tests"],
        names: &[],
    },
];

/// Whether a file holds tests or their support, by its path alone.
pub fn is_test_file(path: &RepoPath, language: Language) -> bool {
    let language = language.name();
    let Some(habit) = HABITS.iter().find(|it| it.languages.contains(&language.as_str())) else {
        return false;
    };
    let text = path.to_string();
    let (folders, file) = text.rsplit_once('/').unwrap_or(("", &text));
    let stem = file.rsplit_once('.').map_or(file, |it| it.0);
    habit.names.contains(&stem)
        || habit.beginnings.iter().any(|it| stem.starts_with(it))
        || habit.endings.iter().any(|it| stem.ends_with(it))
        || folders.split('/').any(|folder| {
            habit.folders.contains(&folder) || habit.folder_endings.iter().any(|it| folder.ends_with(it))
        })
}

#[cfg(test)]
mod tests {
    use super::is_test_file;
    use crate::syntax::Language;

    #[test]
    fn test_files_are_told_by_folder_or_name() {
        let check = |path: &str, expected: bool| {
            let path = path.parse().unwrap();
            assert_eq!(is_test_file(&path, Language::of_path(&path).unwrap()), expected, "{path}");
        };
        check("pkg/tests/helper.py", true);
        check("pkg/test_things.py", true);
        check("pkg/contest.py", false);
        check("src/a.test.ts", true);
        check("src/__tests__/a.tsx", true);
        check("src/latest.ts", false);
        check("src/model/tests.rs", true);
        check("tests/it/main.rs", true);
        check("src/attest.rs", false);
        check("cmd/run_test.go", true);
        check("cmd/test.go", false);
        check("app/src/test/java/a/B.java", true);
        check("app/src/main/java/a/BTest.java", true);
        check("app/src/main/java/a/B.java", false);
        check("Shop.Tests/Cart.cs", true);
        check("Shop/Cart.cs", false);
    }
}
