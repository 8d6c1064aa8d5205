//! One task over a precision index, by this program's reader or by the protocol's own crate, for `precision.py` to
//! measure from outside.
//!
//! `precision` and the modules that it names stand here as in the library, so that nothing of them has to be public.
#![expect(dead_code, unused_imports, reason = "the modules serve more than a measurement")]
#![expect(clippy::print_stdout, reason = "the result of a measurement is what it prints")]

#[path = "../src/config/mod.rs"]
mod config;
#[path = "../src/model/mod.rs"]
mod model;
#[path = "../src/precision/mod.rs"]
mod precision;
#[path = "../src/repo/mod.rs"]
mod repo;
#[path = "../src/system/mod.rs"]
mod system;

use std::path::Path;

use precision::{Freshness, Index, open};
use protobuf::Message as _;
use repo::Repository;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome = Result<usize, Box<dyn std::error::Error>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let count = match arguments.as_slice() {
        ["read", index] => Ok(open(Path::new(index))?.bytes.len()),
        ["load", index] => load(Path::new(index)),
        ["peer-load", index] => {
            Ok(peer(Path::new(index))?.documents.iter().map(|it| it.occurrences.len()).sum())
        }
        ["peer-symbol", index, symbol] => peer_symbol(Path::new(index), symbol),
        ["freshness", index, folder, times] => freshness(Path::new(index), Path::new(folder), times.parse()?),
        _ => Err("run benches/precision.py".into()),
    }?;
    println!("{count}");
    Ok(())
}

/// Reads an index and decodes every document.
fn load(path: &Path) -> Outcome {
    let file = open(path)?;
    let index = Index::parse(&file.bytes)?;
    Ok(index.occurrences().count() + index.relations().count() + index.malformed())
}

fn peer(path: &Path) -> Result<scip::types::Index, Box<dyn std::error::Error>> {
    Ok(scip::types::Index::parse_from_bytes(&std::fs::read(path)?)?)
}

/// The definitions of a symbol whose last descriptor has the name.
fn peer_symbol(path: &Path, name: &str) -> Outcome {
    let index = peer(path)?;
    let occurrences = index.documents.iter().flat_map(|it| &it.occurrences);
    let is_meant = |symbol: &str| {
        let parsed = symbol.contains(name).then(|| scip::symbol::parse_symbol(symbol).ok()).flatten();
        parsed.is_some_and(|it| it.descriptors.last().is_some_and(|it| it.name == name))
    };
    Ok(occurrences.filter(|it| it.symbol_roles & 1 == 1 && is_meant(&it.symbol)).count())
}

/// Asks the file system for every document, so often.
fn freshness(path: &Path, folder: &Path, times: usize) -> Outcome {
    let file = open(path)?;
    let index = Index::parse(&file.bytes)?;
    let (repository, _) = Repository::discover(folder)?;
    Ok((0..times).map(|_| Freshness::check(&repository, &index, &file).stale()).max().unwrap_or(0))
}
