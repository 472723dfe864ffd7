//! Templates of keys, shown and read back by the plainest means that the five models need.

use super::plain::Values;
use monotable_model::model::{Field, Format, Part, Root, Source, Template};
use serde_json::Value;

/// A value as a key shows it.
pub(crate) fn show_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The text of a template; none if a value is missing. `find` gives the values of roots and attributes.
pub(crate) fn render(
    template: &Template,
    find: &dyn Fn(Option<Root>, &str) -> Option<Value>,
) -> Option<String> {
    let mut text = String::new();
    for part in &template.parts {
        match part {
            Part::Literal(literal) => text.push_str(&literal.value),
            Part::Field(field) => text.push_str(&render_field(field, find)?),
        }
    }
    Some(text)
}

fn render_field(
    field: &Field,
    find: &dyn Fn(Option<Root>, &str) -> Option<Value>,
) -> Option<String> {
    let mut sources = field.sources.iter();
    let text = sources.find_map(|source| match source {
        Source::Path { root, names, .. } => {
            let name = names.first().map_or("", |name| name.value.as_str());
            find(*root, name).map(|value| show_value(&value))
        }
        Source::Literal(text) => Some(text.value.clone()),
        Source::Nothing(_) => Some(String::new()),
    })?;
    let formats = field.formats.iter();
    Some(formats.fold(text, |text, format| apply_format(&format.value, text)))
}

fn apply_format(format: &Format, text: String) -> String {
    match format {
        Format::Lower => text.to_lowercase(),
        Format::Trim(None) => text.trim().to_owned(),
        Format::Trim(Some(letter)) => text.trim_matches(*letter).to_owned(),
        Format::Fit(most) if text.len() <= *most => text,
        Format::Date => text.chars().take(10).collect(),
        Format::Pad(width) => format!("{text:0>width$}"),
        other => panic!("the matrix does not know the format {other:?} of a key that it renders"),
    }
}

/// What a key says of attributes: each field that shows one attribute as it is. None if the text is not of the template.
pub(crate) fn match_text(template: &Template, text: &str) -> Option<Values> {
    let mut found = Vec::new();
    let matches = match_parts(&template.parts, text, &mut found);
    let values = found.into_iter();
    matches.then(|| {
        values
            .map(|(name, text)| (name.to_owned(), Value::from(text)))
            .collect()
    })
}

fn match_parts<'t>(parts: &'t [Part], text: &'t str, found: &mut Vec<(&'t str, &'t str)>) -> bool {
    let (field, rest) = match parts.split_first() {
        None => return text.is_empty(),
        Some((Part::Literal(literal), rest)) => {
            let text = text.strip_prefix(literal.value.as_str());
            return text.is_some_and(|text| match_parts(rest, text, found));
        }
        Some((Part::Field(field), rest)) => (field, rest),
    };
    let may_be_empty = field
        .sources
        .iter()
        .any(|source| matches!(source, Source::Nothing(_)));
    // The shortest value first: ids do not hold what stands behind them.
    let least = usize::from(!may_be_empty);
    let ends: Vec<usize> = match rest.first() {
        None => vec![text.len()],
        Some(Part::Literal(literal)) => text
            .match_indices(literal.value.as_str())
            .map(|(at, _)| at)
            .collect(),
        Some(Part::Field(_)) => text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect(),
    };
    for end in ends.into_iter().filter(|end| *end >= least) {
        let known = found.len();
        if let (Some(name), true) = (single_name(field), end > 0) {
            found.push((name, &text[..end]));
        }
        if match_parts(rest, &text[end..], found) {
            return true;
        }
        found.truncate(known);
    }
    false
}

/// The attribute that a field shows as it is stored.
fn single_name(field: &Field) -> Option<&str> {
    let Some(Source::Path {
        root: None, names, ..
    }) = field.sources.first()
    else {
        return None;
    };
    let plain = |format: &Format| matches!(format, Format::Pad(_) | Format::Fit(_));
    let is_plain = field.formats.iter().all(|format| plain(&format.value));
    match names.as_slice() {
        [name] if is_plain => Some(&name.value),
        _ => None,
    }
}

/// How many letters a template writes itself: the more, the better it tells what a key is of.
pub(crate) fn count_letters(template: &Template) -> usize {
    let parts = template.parts.iter();
    let letters = parts.map(|part| match part {
        Part::Literal(literal) => literal.value.len(),
        Part::Field(_) => 0,
    });
    letters.sum()
}
