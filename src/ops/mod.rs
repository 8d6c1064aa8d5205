//! What can be asked for: one file for each operation, with its request, its response and the function between them.
//!
//! Command line and tool servers parse the same requests. A request that cannot be carried out is an [`OpError`] with
//! a stable code and what to do about it.

mod bundle;
mod config;
mod dependencies;
mod docs;
mod doctor;
mod error;
mod explain;
mod generator;
mod graph;
mod history;
mod impact;
mod index;
mod names;
mod places;
mod precision;
mod query;
mod results;
mod rewrite;
mod rules;
mod scan;
mod settings;
mod state;
mod words;
mod world;

pub use bundle::{ShowRequest, VerifyRequest, show, verify};
pub use config::{ShowRequest as ConfigRequest, schema, show as show_config};
pub use dependencies::{
    DiffRequest as DependencyDiffRequest, Project as DependencyProject, Request as DependenciesRequest,
    Response as DependenciesResponse, WhyRequest as DependencyWhyRequest, diff as dependency_diff,
    run as dependencies, used as used_dependencies, why as dependency_why,
};
pub use docs::{Documented, Request as DocsRequest, run as docs};
pub use doctor::{Request as DoctorRequest, run as doctor};
pub use error::{ErrorKind, OpError};
pub use explain::{Request as ExplainRequest, Response as ExplainResponse, run as explain};
pub use graph::{Edge as GraphEdge, EdgesRequest, edges as graph_edges};
pub use history::{FileSummary as HistoryFile, Request as HistoryRequest, run as history};
pub use impact::{Request as ImpactRequest, TestsRequest, run as impact, tests};
pub use index::{GenerateRequest, SealRequest, Written as SealWritten, generate, index as make_index, seal};
pub use precision::{
    PositionRequest, Response as PrecisionResponse, StatusRequest as PrecisionStatusRequest, SymbolRequest,
    answer as position, status as precision_status, symbol,
};
pub use query::{
    Request as QueryRequest, Response as QueryResponse, RouteRequest, Routed, route, run as query,
};
pub use rewrite::{ApplyRequest, Written, apply};
pub use scan::{Request as ScanRequest, Response as ScanResponse, run as scan};
pub use world::{Approval, Consent, DocsEnvironment, Environment, World};

pub use crate::deps::Way as DependencyWay;
pub use crate::docs::{Machine, Outcome as DocsOutcome};
pub use crate::precision::Question;

/// The name and the version that artifacts state.
pub const TOOL: &str = concat!("cortex ", env!("CARGO_PKG_VERSION"));
/// The structural engine, pinned to one version: its matches are part of what this tool promises.
pub const ENGINE: &str = "ast-grep 0.51.1";
