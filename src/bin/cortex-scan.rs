//! `cortex-scan`: the pipeline alone.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cortex::cortex_scan(std::env::args_os())
}
