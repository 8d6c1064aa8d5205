//! Version catalogs that are written in a settings script: `versionCatalogs { libs { library(…) } }`.

use super::PLUGIN_END;
use super::expression::{Expression, Parser, Piece, Value};
use super::script::Form;

/// One entry: the variable by which scripts know it, and what it declares.
pub struct CatalogEntry {
    pub variable: Option<(String, Expression)>,
    pub form: Option<Form>,
}

/// The entry that starts at a word, and what follows it.
pub fn entry(parser: &Parser<'_>, at: usize, catalog: &str) -> Option<(CatalogEntry, usize)> {
    let word = parser.word(at)?;
    let (mut arguments, mut after) = arguments(parser, at + 1)?;
    let alias = parser.plain(at + 2)?;
    let variable = |kind: &str| format!("{catalog}.{kind}{}", dotted(alias));
    if word == "version" {
        let [_, version] = <[Expression; 2]>::try_from(arguments).ok()?;
        let variable = Some((variable("versions."), version));
        return Some((CatalogEntry { variable, form: None }, after));
    }
    arguments.remove(0);
    if word == "alias" {
        let is_to = parser.is_sign(after, b'.') && parser.word(after + 1) == Some("to");
        (arguments, after) = self::arguments(parser, after + 2).filter(|_| is_to)?;
    }
    let (version, after) = version(parser, after, catalog)?;
    if word == "plugin" {
        let [id] = <[Expression; 1]>::try_from(arguments).ok()?;
        let variable = Some((variable("plugins."), together(&id, &marker(&id), version.as_ref())));
        return Some((CatalogEntry { variable, form: Some(Form::Plugin { id, version }) }, after));
    }
    let mut arguments = arguments.into_iter();
    let found = match (arguments.next(), arguments.next(), arguments.next()) {
        (Some(notation), None, None) => CatalogEntry {
            variable: Some((variable(""), notation.clone())),
            form: Some(Form::Notation { notation, version, is_argument: false }),
        },
        (Some(group), Some(name), None) => CatalogEntry {
            variable: Some((variable(""), together(&group, &name, version.as_ref()))),
            form: Some(Form::Parts { group, name, version }),
        },
        (None | Some(_), None | Some(_), None | Some(_)) => return None,
    };
    Some((found, after))
}

/// An alias as scripts write it.
pub fn dotted(alias: &str) -> String {
    alias.replace(['-', '_'], ".")
}

/// The arguments of a call, and what follows it.
fn arguments(parser: &Parser<'_>, open: usize) -> Option<(Vec<Expression>, usize)> {
    parser.is_sign(open, b'(').then_some(())?;
    let (mut found, mut at) = (Vec::new(), open + 1);
    loop {
        let (argument, after) = parser.expression(parser.skip_lines(at))?;
        found.push(argument);
        let after = parser.skip_lines(after);
        if parser.is_sign(after, b')') {
            return Some((found, after + 1));
        }
        at = parser.is_sign(after, b',').then_some(after + 1)?;
    }
}

/// The version behind an entry; none where the call of it has more than one argument.
fn version(parser: &Parser<'_>, at: usize, catalog: &str) -> Option<(Option<Expression>, usize)> {
    let dot = parser.skip_lines(at);
    if !parser.is_sign(dot, b'.') {
        return Some((None, at));
    }
    match parser.word(dot + 1)? {
        "version" => {
            let (arguments, after) = arguments(parser, dot + 2)?;
            let [version] = <[Expression; 1]>::try_from(arguments).ok()?;
            Some((Some(version), after))
        }
        "versionRef" => {
            let (arguments, after) = arguments(parser, dot + 2)?;
            let range = arguments.first()?.range.clone();
            let name = format!("{catalog}.versions.{}", dotted(parser.plain(dot + 3)?));
            let pieces = vec![Piece { value: Value::Variable(name), range: range.clone() }];
            Some((Some(Expression { pieces, range }), after))
        }
        _ => Some((None, at)),
    }
}

/// The name of the package that leads to a plugin.
fn marker(id: &Expression) -> Expression {
    let end = Piece { value: Value::Text(PLUGIN_END.to_owned()), range: id.range.clone() };
    Expression { pieces: id.pieces.iter().cloned().chain([end]).collect(), range: id.range.clone() }
}

/// `group:name:version` as one sum.
fn together(group: &Expression, name: &Expression, version: Option<&Expression>) -> Expression {
    let colon = || Piece { value: Value::Text(":".to_owned()), range: name.range.clone() };
    let mut pieces = group.pieces.clone();
    pieces.push(colon());
    pieces.extend(name.pieces.iter().cloned());
    if let Some(version) = version {
        pieces.push(colon());
        pieces.extend(version.pieces.iter().cloned());
    }
    Expression { pieces, range: group.range.start..name.range.end }
}
