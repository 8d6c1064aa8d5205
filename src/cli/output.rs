//! Writing to the terminal: a failed write reaches the exit status, a closed pipe is no failure.

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};

use super::args::Colour;
use super::exit::Exit;
use crate::model::Note;
use crate::ops::OpError;
use crate::report::{Colours, escape_terminal};

/// Both outputs of the program.
pub struct Terminal {
    stdout: AutoStream<std::io::Stdout>,
    stderr: AutoStream<std::io::Stderr>,
    failed: bool,
}

impl Terminal {
    pub fn new(colour: Colour) -> Self {
        let choice = |auto: ColorChoice| match colour {
            Colour::Auto => auto,
            Colour::Always => ColorChoice::Always,
            Colour::Never => ColorChoice::Never,
        };
        let (stdout, stderr) = (std::io::stdout(), std::io::stderr());
        let (out, err) = (choice(AutoStream::choice(&stdout)), choice(AutoStream::choice(&stderr)));
        Self { stdout: AutoStream::new(stdout, out), stderr: AutoStream::new(stderr, err), failed: false }
    }

    /// Whether what is printed may hold colours.
    pub fn colours(&self) -> Colours {
        match self.stdout.current_choice() {
            ColorChoice::Never => Colours::Off,
            ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => Colours::On,
        }
    }

    /// Whether a person watches stderr.
    pub fn is_watched(&self) -> bool {
        std::io::stderr().is_terminal()
    }

    /// Whether a person reads stdout, not a program.
    pub fn is_read_by_a_person(&self) -> bool {
        std::io::stdout().is_terminal()
    }

    /// Results.
    pub fn print(&mut self, bytes: &[u8]) {
        if self.failed {
            return;
        }
        if let Err(error) = self.stdout.write_all(bytes).and_then(|()| self.stdout.flush())
            && error.kind() != ErrorKind::BrokenPipe
        {
            self.warn(&format!("cannot write the results: {error}"));
            self.failed = true;
        }
    }

    /// Results of a line each, with whatever a terminal would obey made visible.
    pub fn print_lines(&mut self, lines: impl Iterator<Item = String>) {
        let mut text = String::new();
        for line in lines {
            text.push_str(&escape_terminal(&line));
            text.push('\n');
        }
        self.print(text.as_bytes());
    }

    /// Words about the run.
    pub fn warn(&mut self, message: &str) {
        // Nobody is left to tell when stderr is gone too.
        drop(writeln!(self.stderr, "{}", escape_terminal(message)));
    }

    /// Remarks on the results.
    pub fn notes(&mut self, notes: &[Note]) {
        for note in notes {
            self.warn(&format!("note: {note}"));
        }
    }

    pub fn error(&mut self, error: &OpError) -> Exit {
        self.warn(&format!("error: {} [{}]", error.message, error.code));
        for detail in &error.details {
            self.warn(&format!("  {detail}"));
        }
        for hint in &error.hints {
            self.warn(&format!("hint: {hint}"));
        }
        error.kind.into()
    }

    /// The exit status, unless the results were lost on the way.
    pub fn end(&self, exit: Exit) -> ExitCode {
        if self.failed { Exit::Incomplete.into() } else { exit.into() }
    }
}

/// Help, version, or what is wrong with the arguments. These are quoted as they are, so those that could write lines of
/// their own are not.
pub fn usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let is_plain = |it: &OsString| !it.to_string_lossy().contains(char::is_control);
    let printed = if !error.use_stderr() || arguments.iter().all(is_plain) {
        error.print()
    } else {
        let message =
            "error: the arguments are wrong, and one of them holds control characters; try '--help'";
        writeln!(std::io::stderr(), "{message}")
    };
    match printed {
        Err(it) if it.kind() != ErrorKind::BrokenPipe => Exit::Incomplete.into(),
        Ok(()) | Err(_) if error.use_stderr() => Exit::Usage.into(),
        Ok(()) | Err(_) => Exit::Clean.into(),
    }
}
