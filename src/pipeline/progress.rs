//! What a run tells about itself while it goes on.

use crate::model::Layer;

/// A step forward.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// A stage begins.
    Stage(Layer),
    /// The files that the index stage is going to look at.
    Files(usize),
    /// One of them is done.
    File,
}

/// Who listens. Called from many threads.
pub type Listener<'l> = &'l (dyn Fn(Progress) + Sync);
