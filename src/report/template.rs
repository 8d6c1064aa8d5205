//! Filling templates: every value passes the escaper of the template's kind, without the template asking for it.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{Environment, Error, Output, State, UndefinedBehavior};
use serde::Serialize;

use super::escape;
use crate::model::counted;

/// What the values of a template are escaped for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sink {
    Markdown,
    Html,
}

/// Steps of the template engine for one report: far above any real one, and an end for a template gone wrong.
const FUEL: u64 = 200_000_000;

/// Renders one template over one value.
pub fn render(source: &str, sink: Sink, context: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_syntax(
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?,
    );
    environment.set_formatter(move |output, _: &mut State<'_, '_>, value| write(output, value, sink));
    environment.add_filter("code", |text: String| Value::from_safe_string(escape::markdown_code(&text)));
    environment.add_filter("counted", |count: u64, noun: &str| counted(count, noun));
    environment.add_filter("grouped", |count: u64| grouped(count));
    let text = environment.render_str(source, Value::from(Serde(context)))?;
    Ok(text.into_bytes())
}

fn write(output: &mut Output<'_>, value: &Value, sink: Sink) -> Result<(), Error> {
    if matches!(value.kind(), ValueKind::Undefined | ValueKind::None) {
        return Ok(());
    }
    let text = value.to_string();
    let safe = value.is_safe() || value.kind() == ValueKind::Number;
    let written = match sink {
        _ if safe => output.write_str(&text),
        Sink::Markdown => output.write_str(&escape::markdown(&text)),
        Sink::Html => output.write_str(&escape::html(&text)),
    };
    written.map_err(Error::from)
}

/// A count with its thousands apart: 12,345.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut result = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result
}
