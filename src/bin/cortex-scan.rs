//! `cortex-scan`: the pipeline alone.

use std::process::ExitCode;

fn main() -> ExitCode {
    cortex::cortex_scan(std::env::args_os())
}
