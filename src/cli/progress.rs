//! A line on the terminal while a run goes on; nothing anywhere else.

use indicatif::{ProgressBar, ProgressStyle};

use crate::pipeline::Progress;

/// The line.
pub struct Line {
    bar: ProgressBar,
}

impl Line {
    pub fn new(is_watched: bool) -> Self {
        let bar = if is_watched { ProgressBar::no_length() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {pos}/{len} {elapsed}") {
            bar.set_style(style);
        }
        Self { bar }
    }

    pub fn hear(&self, progress: Progress) {
        match progress {
            Progress::Stage(layer) => self.bar.set_message(layer.name()),
            Progress::Files(count) => self.bar.set_length(count as u64),
            Progress::File => self.bar.inc(1),
        }
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
