//! Filters: a predicate of the model as a `FilterExpression`.

use super::pattern_request::{RequestValue, ValueKind};
use monotable_expr::predicate::{Path, Predicate as Parsed};
use monotable_model::model::{Access, Attribute, Kind, Model};

/// A filter as DynamoDB takes it.
#[derive(Debug, Default)]
pub(super) struct Filter {
    pub(super) expression: String,
    pub(super) names: Vec<(String, String)>,
    pub(super) values: Vec<RequestValue>,
    /// The kind of the attribute seen last: what a parameter without a kind is compared with.
    compared: Option<ValueKind>,
}

/// The filter of a query, if DynamoDB can decide it: not on keys, and not on other rows.
pub(super) fn filter(access: &Access, model: &Model, keys: &[String]) -> Option<Filter> {
    let text = access.filter.as_ref()?.to_string();
    // The normal form is parsed again, so that spans are places in it.
    let parsed = Parsed::parse(&text).ok()?;
    let mut filter = Filter::default();
    let mut at = 0;
    for path in parsed.paths() {
        let span = path.span();
        filter.add_words(text.get(at..span.start)?);
        match path.root() {
            Some(_) => filter.add_parameter(path, access),
            None => filter.add_attribute(path, access, model, keys)?,
        }
        at = span.end;
    }
    filter.add_words(text.get(at..)?);
    Some(filter)
}

impl Filter {
    fn add_attribute(
        &mut self,
        path: &Path,
        access: &Access,
        model: &Model,
        keys: &[String],
    ) -> Option<()> {
        let name = path.first_name()?;
        let attribute = access
            .returns
            .iter()
            .find_map(|id| model.entity(*id).attribute(name));
        let stored = attribute.map_or(name, |attribute| attribute.stored.as_str());
        let elsewhere = |attribute: &Attribute| {
            attribute.key_only || (attribute.reference.is_some() && path.steps().len() > 1)
        };
        if attribute.is_some_and(elsewhere) || keys.iter().any(|key| key == stored) {
            return None;
        }
        self.compared = attribute.map(|attribute| value_kind(&attribute.kind));
        let placeholder = format!("#{}", word(stored));
        self.expression.push_str(&placeholder);
        // What follows the attribute are names inside it, which stay as they are.
        let inner = path.to_string();
        self.expression
            .push_str(inner.strip_prefix(name).unwrap_or_default());
        if !self.names.iter().any(|(known, _)| *known == placeholder) {
            self.names.push((placeholder, stored.to_owned()));
        }
        Some(())
    }

    fn add_parameter(&mut self, path: &Path, access: &Access) {
        let name = path.first_name().unwrap_or("now");
        let parameter = access
            .parameters
            .iter()
            .find(|parameter| parameter.name == name);
        let kind = match parameter.map(|parameter| &parameter.kind) {
            None | Some(Kind::Any) => self.compared.unwrap_or(ValueKind::Text),
            Some(kind) => value_kind(kind),
        };
        let text = path.to_string();
        let shown = text.strip_prefix("param.").unwrap_or(&text);
        self.add_value(word(name), kind, format!("{{{shown}}}"));
    }

    fn add_value(&mut self, name: String, kind: ValueKind, text: String) {
        let placeholder = format!(":{name}");
        self.expression.push_str(&placeholder);
        if !self.values.iter().any(|known| known.name == placeholder) {
            self.values.push(RequestValue {
                name: placeholder,
                kind,
                text,
            });
        }
    }

    fn add_literal(&mut self, kind: ValueKind, text: String) {
        let name = format!("v{}", self.values.len() + 1);
        self.add_value(name, kind, text);
    }

    /// Keywords stay; what is written in the predicate becomes a value.
    fn add_words(&mut self, words: &str) {
        let mut rest = words;
        while let Some(first) = rest.chars().next() {
            rest = match first {
                '\'' => self.add_quoted(rest),
                c if c.is_ascii_digit() || c == '-' => self.add_number(rest),
                c if c.is_alphabetic() => self.add_word(rest),
                c => {
                    self.expression.push(c);
                    rest.get(c.len_utf8()..).unwrap_or_default()
                }
            };
        }
    }

    fn add_quoted<'t>(&mut self, text: &'t str) -> &'t str {
        let inside = text.get(1..).unwrap_or_default();
        let mut end = 0;
        while let Some(quote) = inside.get(end..).and_then(|rest| rest.find('\'')) {
            end += quote;
            if inside.get(end + 1..end + 2) != Some("'") {
                break;
            }
            end += 2;
        }
        let value = inside.get(..end).unwrap_or(inside).replace("''", "'");
        self.add_literal(ValueKind::Text, value);
        inside.get(end + 1..).unwrap_or_default()
    }

    fn add_number<'t>(&mut self, text: &'t str) -> &'t str {
        let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let (number, rest) = text.split_at(end);
        self.add_literal(ValueKind::Number, number.to_owned());
        rest
    }

    fn add_word<'t>(&mut self, text: &'t str) -> &'t str {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        match word {
            "true" | "false" => self.add_literal(ValueKind::Boolean, word.to_owned()),
            keyword => self.expression.push_str(keyword),
        }
        rest
    }
}

const fn value_kind(kind: &Kind) -> ValueKind {
    match kind {
        Kind::Boolean => ValueKind::Boolean,
        kind if kind.is_number() => ValueKind::Number,
        _ => ValueKind::Text,
    }
}

/// A placeholder is letters, digits and `_`.
fn word(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}
