//! What expressions of JavaScript and TypeScript tell of their value.

use super::grammar::Steps;
use super::value::Step;

pub(super) const STEPS: Steps = &[
    ("identifier", Step::Name),
    ("this", Step::Name),
    ("property_identifier", Step::Name),
    ("member_expression", Step::Member("object", "property")),
    ("call_expression", Step::Call("function", "arguments")),
    ("new_expression", Step::New("constructor")),
    ("subscript_expression", Step::Item("object")),
    ("await_expression", Step::Awaited),
    ("parenthesized_expression", Step::First),
    ("non_null_expression", Step::First),
    ("satisfies_expression", Step::First),
    ("ternary_expression", Step::Either("consequence", "alternative")),
    ("binary_expression", Step::Choice(&["??", "||", "&&"])),
    ("assignment_expression", Step::Through("right")),
    ("string", Step::Literal),
    ("template_string", Step::Literal),
    ("number", Step::Literal),
    ("regex", Step::Literal),
    ("array", Step::Literal),
];
