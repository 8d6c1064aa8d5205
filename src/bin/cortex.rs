//! `cortex`: every operation.

use std::process::ExitCode;

fn main() -> ExitCode {
    cortex::cortex(std::env::args_os())
}
