//! The packages that are installed for Python, by what their own metadata say.

use crate::deps::Ecosystem;
use crate::model::RepoPath;
use crate::system::{FileKind, Root};

/// One installed distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// In the common spelling.
    pub name: String,
    pub version: String,
    /// The modules by which code imports it: `yaml`, `google.cloud.storage`.
    pub modules: Vec<String>,
    /// The folder that holds them.
    pub folder: RepoPath,
}

/// Names of environments that tools make in a project.
const ENVIRONMENTS: [&str; 4] = [".venv", "venv", "env", ".env"];

/// The largest list of installed files that is read.
const RECORD_BYTES: u64 = 16 << 20;

/// The most distributions of one environment.
const MOST: usize = 5_000;

/// The folders `site-packages` of the environments in a folder.
pub fn environments(root: &Root, folder: Option<&RepoPath>) -> Vec<RepoPath> {
    let below = |name: &str| match folder {
        Some(folder) => folder.join(name.as_bytes()).ok(),
        None => RepoPath::new(name.as_bytes()).ok(),
    };
    ENVIRONMENTS.iter().filter_map(|it| below(it)).flat_map(|it| of_environment(root, Some(&it))).collect()
}

/// The folders `site-packages` of one environment.
pub fn of_environment(root: &Root, environment: Option<&RepoPath>) -> Vec<RepoPath> {
    let lib = match environment {
        Some(it) => it.join(b"lib").ok(),
        None => RepoPath::new(b"lib").ok(),
    };
    let Some((lib, entries)) =
        lib.and_then(|it| Some((it.clone(), root.folder(Some(&it)).ok()?.entries().ok()?)))
    else {
        return Vec::new();
    };
    let pythons =
        entries.iter().filter(|it| it.kind == FileKind::Directory && it.name.starts_with(b"python"));
    let found = pythons.filter_map(|it| lib.join(&it.name).ok()?.join(b"site-packages").ok());
    found.filter(|it| root.stat(it).is_ok_and(|it| it.kind == FileKind::Directory)).collect()
}

/// What is installed in a folder `site-packages`, by name.
pub fn distributions(root: &Root, folder: &RepoPath, is_wanted: impl Fn(&str) -> bool) -> Vec<Distribution> {
    let entries = root.folder(Some(folder)).and_then(|it| it.entries()).unwrap_or_default();
    let named = entries.iter().filter(|it| it.kind == FileKind::Directory).filter_map(|it| {
        let (name, version) =
            std::str::from_utf8(&it.name).ok()?.strip_suffix(".dist-info")?.rsplit_once('-')?;
        Some((Ecosystem::Pypi.common_name(name), version.to_owned(), folder.join(&it.name).ok()?))
    });
    let wanted = named.filter(|it| is_wanted(&it.0)).take(MOST);
    wanted
        .map(|(name, version, metadata)| Distribution {
            modules: modules(root, &metadata),
            name,
            version,
            folder: folder.clone(),
        })
        .collect()
}

/// The modules that a distribution installs: by the list of its files, else by the names that it states.
fn modules(root: &Root, metadata: &RepoPath) -> Vec<String> {
    let read =
        |name: &[u8]| String::from_utf8(root.read(&metadata.join(name).ok()?, RECORD_BYTES).ok()?).ok();
    let recorded = read(b"RECORD").map(|it| of_record(&it)).unwrap_or_default();
    if !recorded.is_empty() {
        return recorded;
    }
    let stated = read(b"top_level.txt").unwrap_or_default();
    let mut modules: Vec<String> =
        stated.lines().map(str::trim).filter(|it| !it.is_empty()).map(|it| it.replace('/', ".")).collect();
    modules.sort();
    modules.dedup();
    modules
}

/// The outermost packages and modules of a list of files. A folder without `__init__.py` is a space that several
/// distributions share, so that what lies in it counts, not the folder.
fn of_record(record: &str) -> Vec<String> {
    let paths: Vec<&str> = record.lines().map(file_of_record).collect();
    let mut packages: Vec<&str> = paths
        .iter()
        .filter_map(|it| it.strip_suffix("/__init__.py").or_else(|| it.strip_suffix("/__init__.pyi")))
        .collect();
    packages.sort_unstable();
    packages.dedup();
    let is_inside = |path: &str| {
        let mut around = path;
        while let Some((folder, _)) = around.rsplit_once('/') {
            if packages.binary_search(&folder).is_ok() {
                return true;
            }
            around = folder;
        }
        false
    };
    let alone = paths.iter().filter_map(|it| {
        let stem = it.strip_suffix(".py").or_else(|| {
            let name = it.strip_suffix(".so").or_else(|| it.strip_suffix(".pyd"))?;
            let start = name.rfind('/').map_or(0, |at| at + 1);
            let stem = name.get(start..)?.split('.').next()?;
            name.get(..start + stem.len())
        })?;
        (!stem.ends_with("__init__")).then_some(stem)
    });
    let outermost = packages.iter().copied().chain(alone).filter(|it| !is_inside(it));
    let is_module = |it: &&str| {
        it.split('/').all(|it| {
            it.starts_with(|it: char| it.is_alphabetic() || it == '_')
                && it.chars().all(|it| it.is_alphanumeric() || it == '_')
        })
    };
    let mut modules: Vec<String> = outermost.filter(is_module).map(|it| it.replace('/', ".")).collect();
    modules.sort();
    modules.dedup();
    modules
}

/// The path of a line, which stands in quotes when it has a comma.
fn file_of_record(line: &str) -> &str {
    match line.strip_prefix('"') {
        Some(rest) => rest.split('"').next().unwrap_or_default(),
        None => line.split(',').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::of_record;

    /// Lines as `pip` writes them for PyYAML, six, google-cloud-storage and a lone extension module.
    #[test]
    fn the_list_of_files_says_what_is_imported() {
        let yaml = "yaml/__init__.py,sha256=x,1\nyaml/loader.py,,\n_yaml/__init__.py,,\n\
                    yaml/_yaml.cpython-312-x86_64-linux-gnu.so,,\nPyYAML-6.0.dist-info/RECORD,,\n";
        assert_eq!(of_record(yaml), ["_yaml", "yaml"]);
        assert_eq!(of_record("six.py,sha256=x,1\n__pycache__/six.cpython-312.pyc,,\n"), ["six"]);
        let google =
            "google/cloud/storage/__init__.py,,\ngoogle/cloud/storage/blob.py,,\n../../../bin/x.py,,\n";
        assert_eq!(of_record(google), ["google.cloud.storage"]);
        assert_eq!(of_record("_cffi_backend.cpython-312-x86_64-linux-gnu.so,,\n"), ["_cffi_backend"]);
        assert_eq!(of_record("\"a,b/__init__.py\",,\nok/__init__.py,,\n"), ["ok"]);
    }
}
