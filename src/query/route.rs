//! Which layers a question asks, each with the reason.

use super::aim::Aim;
use super::question::Question;
use crate::model::Layer;

/// The plan for one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// In the order in which they are asked.
    pub steps: Vec<Step>,
    /// The package whose documentation a remote provider may be asked for: one that the repository asks for itself.
    pub remote: Option<String>,
    /// The command that shows what a change would do. Nothing changes a file without being told to.
    pub preview: Option<&'static str>,
}

/// A layer and why it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub layer: Layer,
    pub reason: &'static str,
}

const PREVIEW: &str = "cortex scan --preview --rules FILE";
const APPLY: &str = "cortex rewrite apply ID";

const IDENTITY: Step = Step {
    layer: Layer::Precision,
    reason: "it is about something that has a name: an index knows it by identity, names and imports answer without one",
};
const WORDS: Step = Step {
    layer: Layer::Index,
    reason: "it names nothing that is defined here: the words are compared with names, comments and paths",
};
const REACH: Step = Step {
    layer: Layer::Impact,
    reason: "it asks what a change reaches: who uses it, near and far, and which tests",
};
const PAST: Step = Step { layer: Layer::History, reason: "git answers it; no optional layer is needed" };
const PACKAGES: Step = Step {
    layer: Layer::Dependencies,
    reason: "manifests say what is asked for, lockfiles what was settled on",
};
const SAID: Step = Step {
    layer: Layer::Docs,
    reason: "it asks what a dependency says about itself, which the installed version answers",
};
const SHAPE: Step =
    Step { layer: Layer::Structural, reason: "it asks for places of a shape: syntax is searched, not text" };

/// A change is laid out and never made.
const CHANGE: [Step; 6] = [
    Step { layer: Layer::Precision, reason: "what has the name, and who uses it" },
    Step { layer: Layer::Dependencies, reason: "the versions that the old and the new shape belong to" },
    Step { layer: Layer::Structural, reason: "the places to change, found by syntax" },
    Step { layer: Layer::Impact, reason: "what the change would reach" },
    Step { layer: Layer::Rewrite, reason: "a preview only: to write it takes an order of its own" },
    Step { layer: Layer::Validate, reason: "checks over a copy that has the preview in it" },
];
const WRITE: Step = Step {
    layer: Layer::Rewrite,
    reason: "a question writes nothing: the preview is verified by its id, and written with `--apply` alone",
};

/// Plans a question.
pub fn route(question: &Question) -> Route {
    let (steps, preview) = match question.aim {
        Aim::Definition | Aim::Uses | Aim::Implementations => (vec![IDENTITY], None),
        Aim::Behaviour => (vec![WORDS], None),
        Aim::Impact | Aim::Tests => (vec![REACH], None),
        Aim::History => (vec![PAST], None),
        Aim::Dependencies => (vec![PACKAGES], None),
        Aim::Documentation => (vec![SAID], None),
        Aim::Pattern => (vec![SHAPE], None),
        Aim::Rename => {
            (CHANGE.into_iter().filter(|it| it.layer != Layer::Dependencies).collect(), Some(PREVIEW))
        }
        Aim::Change => (CHANGE.to_vec(), Some(PREVIEW)),
        Aim::Apply => (vec![WRITE], Some(APPLY)),
    };
    let remote = question.package.clone().filter(|_| question.aim == Aim::Documentation);
    Route { steps, remote, preview }
}

#[cfg(test)]
mod tests {
    use super::super::known::Known;
    use super::super::question::Question;
    use super::route;

    const NAMES: &[&str] = &[
        "AuthService",
        "refresh_token",
        "Cart",
        "total",
        "parse_config",
        "OrderService",
        "send_mail",
        "useSession",
        "HttpClient",
        "format_date",
        "retry",
    ];
    const PACKAGES: &[&str] =
        &["requests", "sqlalchemy", "react", "zod", "tokio", "serde", "lodash", "express", "@acme/ui"];

    /// The layers and the package that a question is routed to.
    fn routed(question: &str) -> (String, String) {
        let route = route(&Question::read(question, &Known::from_names(NAMES, PACKAGES)));
        let layers: Vec<&str> = route.steps.iter().map(|it| it.layer.name()).collect();
        (layers.join(" "), route.remote.unwrap_or_else(|| "-".to_owned()))
    }

    /// The table of the specification.
    #[test]
    fn the_rows_of_the_specification_hold() {
        for (question, layers) in [
            ("Where is AuthService defined?", "precision"),
            ("Who calls refresh_token?", "precision"),
            ("What changed in this file?", "history"),
            ("Is this method deprecated in our installed version?", "docs"),
            ("Find all usages of this old API shape.", "structural"),
            (
                "Migrate all old API calls to the new shape.",
                "precision dependencies structural impact rewrite validate",
            ),
        ] {
            assert_eq!(routed(question), (layers.to_owned(), "-".to_owned()), "{question}");
        }
    }

    /// How many of the labelled questions of a part are routed as they should be.
    fn accuracy(part: &str) -> (usize, usize, Vec<String>) {
        let set = include_str!("../../tests/fixtures/query/routes.tsv");
        let rows = set.lines().filter_map(|it| it.strip_prefix(part)?.strip_prefix('\t'));
        let rows: Vec<Vec<&str>> = rows.map(|it| it.split('\t').collect()).collect();
        let wrong = rows.iter().filter(|it| routed(it[2]) != (it[0].to_owned(), it[1].to_owned()));
        let wrong: Vec<String> =
            wrong.map(|it| format!("{} -> {:?}, not {}", it[2], routed(it[2]), it[0])).collect();
        (rows.len() - wrong.len(), rows.len(), wrong)
    }

    #[test]
    fn the_labelled_questions_go_where_they_should() {
        let (right, all, wrong) = accuracy("tune");
        assert_eq!((right, all), (85, 86), "{wrong:#?}");
        let (right, all, wrong) = accuracy("held");
        assert_eq!((right, all), (34, 34), "{wrong:#?}");
    }

    /// Measured once: what the rules are worth for questions that nobody had in mind.
    #[test]
    fn what_was_written_late_is_counted_as_it_is() {
        let (right, all, wrong) = accuracy("late");
        assert_eq!((right, all), (13, 22), "{wrong:#?}");
    }
}
