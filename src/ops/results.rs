//! Where the results of a scan go.

use std::path::PathBuf;

use super::error::OpError;
use super::places;
use super::scan::{Output, Request};
use crate::bundle::{self, Bundle, VerdictKind, Volatile};
use crate::repo::Repository;
use crate::report;
use crate::system::{self, Target};

/// Looks at every place that results were asked to go to, before anything is scanned.
///
/// # Errors
/// When a link of the repository decides where results go, a report would replace a file that git tracks, or its folder
/// is not there.
pub fn check_places(repository: &Repository, request: &Request) -> Result<(), OpError> {
    refuse_links(repository, request)?;
    for output in &request.output {
        let absolute = std::path::absolute(&output.path).unwrap_or_else(|_| output.path.clone());
        let Some((folder, name)) = absolute.parent().zip(absolute.file_name()) else { continue };
        let Ok(folder) = folder.canonicalize() else {
            let message = format!("there is no folder for `{}`", output.path.display());
            return Err(OpError::usage("output_unusable", message));
        };
        if repository.tracks(&folder.join(name)) {
            let message =
                format!("`{}` is a file that git tracks; a report would replace it", output.path.display());
            return Err(OpError::usage("output_unusable", message).hint("name another file"));
        }
    }
    Ok(())
}

/// A change under review must not choose which file the results replace.
fn refuse_links(repository: &Repository, request: &Request) -> Result<(), OpError> {
    let named = request.output.iter().map(|it| &it.path).chain(&request.out);
    let link = named.filter_map(|it| repository.root().link_towards(it)).next();
    let Some(link) = link else { return Ok(()) };
    let message = format!("the results would go through `{}`, a link in the repository", link.display());
    Err(OpError::refused("output_behind_link", message)
        .hint("nothing was scanned or written; name a place that the repository does not decide"))
}

/// Seals the bundle and writes it, and every report that was asked for. The bundle that comes back says itself when it
/// could not be stored.
///
/// # Errors
/// When a report cannot be written.
pub fn write(
    repository: &Repository,
    request: &Request,
    mut bundle: Bundle,
    volatile: &Volatile,
) -> Result<(Bundle, Result<PathBuf, OpError>), OpError> {
    let sealed = seal(&mut bundle);
    let written = sealed.and_then(|files| publish(repository, request, files, volatile));
    if let Err(error) = &written {
        bundle.manifest.verdict.outcome = VerdictKind::Incomplete;
        bundle.manifest.verdict.gaps.push(error.message.clone());
    }
    for output in &request.output {
        write_report(&bundle, output)?;
    }
    Ok((bundle, written))
}

fn write_report(bundle: &Bundle, output: &Output) -> Result<(), OpError> {
    let failed = |it: &dyn std::fmt::Display| OpError::incomplete("report_unwritten", it.to_string());
    let format = report::FORMATS
        .iter()
        .find(|it| it.name == output.format)
        .expect("because only known formats are parsed");
    let bytes = (format.render)(bundle).map_err(|it| failed(&it))?;
    system::write_file(&output.path, &bytes).map_err(|it| failed(&it))
}

fn unwritten(error: impl std::fmt::Display) -> OpError {
    OpError::incomplete("bundle_unwritten", error.to_string())
}

/// The files of the bundle; its manifest takes their digests, so that every report shows what is stored.
fn seal(bundle: &mut Bundle) -> Result<Vec<(String, Vec<u8>)>, OpError> {
    let reports = report::parts(bundle).map_err(unwritten)?;
    let (manifest, files) = bundle::seal(bundle, reports).map_err(unwritten)?;
    bundle.manifest = manifest;
    Ok(files)
}

fn publish(
    repository: &Repository,
    request: &Request,
    mut files: Vec<(String, Vec<u8>)>,
    volatile: &Volatile,
) -> Result<PathBuf, OpError> {
    files.push(("volatile.json".to_owned(), serde_json::to_vec_pretty(volatile).map_err(unwritten)?));
    let own = places::results();
    let (target, path) = match &request.out {
        Some(folder) => (Target::Folder(folder.clone()), folder.clone()),
        None => {
            // The run must not change what git or the next run sees.
            files.push((".gitignore".to_owned(), b"*\n".to_vec()));
            let path = repository.root().path().join(own.as_path());
            (Target::Confined(repository.root(), own), path)
        }
    };
    system::publish(target, &files).map_err(unwritten)?;
    Ok(path)
}
