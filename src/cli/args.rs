//! What can be said on the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::ops;

const EXIT_CODES: &str = "Exit status:
  0  clean
  1  findings at or above --fail-on
  2  wrong use or configuration, a missing path or base
  3  incomplete, or it could not be finished
  4  refused by a gate";

const INDEXER: &str = "The indexer is `precision_index.generator_command` of the configuration: a program with its \
arguments, and no shell. It runs in the root of the repository, and `{output}` in an argument stands for the path that \
it must write to. A configuration that comes with the repository may name it only when CORTEX_APPROVE_COMMANDS=1 is \
set; one that is named with --config is trusted.";

/// Evidence for every change: what it touches, what it depends on, what a migration would do, and how that is known
#[derive(Debug, Parser)]
#[command(name = "cortex", version, after_help = EXIT_CODES, max_term_width = 110)]
pub struct Cortex {
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long = "color", value_enum, default_value_t = Colour::Auto, value_name = "WHEN", global = true, help_heading = "Results")]
    pub colour: Colour,
}

/// Scan a repository: index, dependencies, rules, impact, rewrite preview, checks
#[derive(Debug, Parser)]
#[command(name = "cortex-scan", version, after_help = EXIT_CODES, max_term_width = 110)]
pub struct CortexScan {
    #[command(flatten)]
    pub scan: Scan,
    /// When to use colours
    #[arg(long = "color", value_enum, default_value_t = Colour::Auto, value_name = "WHEN", help_heading = "Results")]
    pub colour: Colour,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Scan a repository: index, dependencies, rules, impact, rewrite preview, checks
    #[command(after_help = EXIT_CODES)]
    Scan(Box<Scan>),
    /// Verify or show a stored evidence bundle
    #[command(subcommand)]
    Bundle(Bundle),
    /// Apply a previewed rewrite
    #[command(subcommand)]
    Rewrite(Rewrite),
    /// Show the settings in force
    #[command(subcommand)]
    Config(Config),
    /// List what the repository, a folder or one file depends on: what is asked for and what was settled on
    Deps(Deps),
    /// Say where what stands at a position is defined
    Definition(Position),
    /// Say where what stands at a position is used
    References(Position),
    /// Say what implements what stands at a position
    Implementations(Position),
    /// Say where the symbols of a name are defined
    Symbol(Symbol),
    /// Say what the precision index holds and whether it is current
    PrecisionStatus(PrecisionStatus),
    /// Make the precision index with the configured indexer, or seal the one that is there
    #[command(after_help = INDEXER)]
    Index(Index),
    /// Say what a change touches: symbols, who uses them, tests, risk
    Impact(Impact),
    /// List the tests that a change reaches, the likeliest to fail first
    Tests(Tests),
    /// Answer a question about the repository with the lines that tell, within a budget of tokens
    Query(Query),
    /// Say which layers a question asks, and why
    Route(Route),
    /// Show which symbol uses which, and how that is known
    #[command(subcommand)]
    Graph(Graph),
    /// Say what changed a file, a symbol or the files of a change, what was fixed there, and what mostly changes with it
    History(History),
    /// Say what works here and what does not
    Doctor(Doctor),
    /// Say what a trust tier, a code or a rule means
    Explain(ops::ExplainRequest),
    /// Print a completion script for a shell
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub struct Scan {
    #[command(flatten)]
    pub request: ops::ScanRequest,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT", help_heading = "Results")]
    pub format: Format,
    /// Exit with 0 even when there are findings
    #[arg(long, help_heading = "Results")]
    pub exit_zero: bool,
}

#[derive(Debug, Subcommand)]
pub enum Bundle {
    /// Hash every part and name the first that differs
    Verify(ops::VerifyRequest),
    /// Print the report of a stored bundle
    Show {
        #[command(flatten)]
        request: ops::ShowRequest,
        /// What to print
        #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
        format: Format,
    },
}

#[derive(Debug, Subcommand)]
pub enum Rewrite {
    /// Verify a preview; with `--apply`, write it, whole or not at all
    Apply {
        #[command(flatten)]
        request: ops::ApplyRequest,
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum Config {
    /// Print every setting with its value
    Show {
        #[command(flatten)]
        request: ops::ConfigRequest,
        /// Say where each value comes from
        #[arg(long)]
        origin: bool,
    },
    /// Print the JSON Schema of `.codecortex/config.json`
    Schema,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Deps {
    #[command(subcommand)]
    pub command: Option<DepsCommand>,
    #[command(flatten)]
    pub request: ops::DependenciesRequest,
    /// Print every dependency with its places as JSON
    #[arg(long, conflicts_with = "cyclonedx")]
    pub json: bool,
    /// Print a bill of materials in CycloneDX 1.6, as JSON
    #[arg(long)]
    pub cyclonedx: bool,
    /// List what the direct dependencies bring with them too, as the JSON does anyway
    #[arg(long)]
    pub all: bool,
    /// Say which files use each dependency, and what of it, by reading the sources
    #[arg(long, conflicts_with = "cyclonedx")]
    pub used: bool,
}

#[derive(Debug, Subcommand)]
pub enum DepsCommand {
    /// Say by which ways a package got in, from each direct dependency that leads to it
    Why {
        #[command(flatten)]
        request: ops::DependencyWhyRequest,
        /// Print the ways as JSON
        #[arg(long)]
        json: bool,
    },
    /// Say what the installed version of a package declares, and what of it is deprecated
    Docs {
        #[command(flatten)]
        request: ops::DocsRequest,
        /// Print the declarations as JSON
        #[arg(long)]
        json: bool,
    },
    /// Say what a change did to what is asked for and what was settled on
    Diff {
        #[command(flatten)]
        request: ops::DependencyDiffRequest,
        /// Print the changes as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub struct Impact {
    #[command(flatten)]
    pub request: ops::ImpactRequest,
    /// Print the impact as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Query {
    #[command(flatten)]
    pub request: ops::QueryRequest,
    /// Print the route, the lines and the evidence as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Route {
    #[command(flatten)]
    pub request: ops::RouteRequest,
    /// Print the route as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Tests {
    #[command(flatten)]
    pub request: ops::TestsRequest,
    /// In whose words
    #[arg(long, value_enum, default_value_t = Runner::List, value_name = "RUNNER", conflicts_with = "json")]
    pub format: Runner,
    /// Print the tests with the way by which each is reached as JSON
    #[arg(long)]
    pub json: bool,
}

/// Who runs tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Runner {
    /// `path::name`, of every language
    List,
    /// Node ids: `pytest $(cortex tests --format pytest)`
    Pytest,
    /// Files
    Jest,
    /// Files
    Vitest,
    /// Names: `cargo test -- $(cortex tests --format cargo)`
    Cargo,
    /// Filter expressions, one for each test
    Nextest,
    /// A package with its tests on each line: `cortex tests --format go | xargs -L1 go test`
    Go,
    /// `Class#method`, as `-Dtest` of Maven takes them
    Junit,
}

#[derive(Debug, Subcommand)]
pub enum Graph {
    /// List every use of a symbol with the definition that it leads to
    Edges {
        #[command(flatten)]
        request: ops::EdgesRequest,
        /// Print each edge as JSON, one on a line
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub struct History {
    #[command(flatten)]
    pub request: ops::HistoryRequest,
    /// Print the numbers of each file and the evidence as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Position {
    #[command(flatten)]
    pub request: ops::PositionRequest,
    /// Print the state of the layer and the evidence as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Symbol {
    #[command(flatten)]
    pub request: ops::SymbolRequest,
    /// Print the state of the layer and the evidence as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct PrecisionStatus {
    #[command(flatten)]
    pub request: ops::PrecisionStatusRequest,
    /// Print the state as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Index {
    #[command(subcommand)]
    pub command: Option<IndexCommand>,
    #[command(flatten)]
    pub request: ops::GenerateRequest,
}

#[derive(Debug, Subcommand)]
pub enum IndexCommand {
    /// Run the configured indexer and seal what it writes; the old index stays until the new one is proven to be one
    #[command(after_help = INDEXER)]
    Generate(ops::GenerateRequest),
    /// Write beside the index what the files hold that it was made of, right after the indexer ran
    Seal(ops::SealRequest),
}

#[derive(Debug, Args)]
pub struct Doctor {
    #[command(flatten)]
    pub request: ops::DoctorRequest,
    /// Print the rows as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Findings with their source, and a summary
    Human,
    /// The manifest and the findings with their evidence
    Json,
    Markdown,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of a GitHub workflow run
    Github,
}

impl Format {
    /// The name in the table of reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Sarif => "sarif",
            Self::Github => "github",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal that wants them
    Auto,
    Always,
    Never,
}
