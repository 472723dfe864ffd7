//! A template bound to an entity: it renders, and parses as far as its formats can be undone.

use super::field_languages::FieldLanguages;
use super::format::{FormatProblem, Shown, apply};
use crate::model::{Entity, EntityId, Field, Format, Kind, Model, Part, Root, Source, Template};
use crate::shape::{Variables, Vocabulary, pattern_of, variable_name};
use crate::span::Spanned;
use monotable_language::{self as language, Pattern};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Where a value comes from: a root and names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePath<'t> {
    /// What the names belong to, if not to the row itself.
    pub root: Option<Root>,
    /// The names after the root.
    pub names: Vec<&'t str>,
}

/// A template that renders and parses.
#[derive(Clone, Debug)]
pub struct KeyTemplate {
    template: Template,
    pattern: Pattern,
    /// For each variable the attribute it gives back, and what undoes its format.
    readable: Vec<Readable>,
}

#[derive(Clone, Debug)]
struct Readable {
    variable: u32,
    attribute: String,
    padded: bool,
}

/// Why a template cannot be rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenderProblem {
    /// Nothing has this value.
    Absent {
        /// The field, as it is written.
        field: String,
    },
    /// The value cannot be shown so.
    Format {
        /// The field, as it is written.
        field: String,
        /// Why.
        problem: FormatProblem,
    },
}

impl fmt::Display for RenderProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { field } => write!(f, "`{field}` has no value"),
            Self::Format { field, problem } => write!(f, "`{field}` cannot be shown: {problem}"),
        }
    }
}

impl std::error::Error for RenderProblem {}

impl KeyTemplate {
    /// Binds a template to the entity whose attributes it shows. To bind many, [`super::CompiledModel`] is faster.
    #[must_use]
    pub fn new(model: &Model, entity: EntityId, template: &Template) -> Self {
        let declared = model.entity(entity);
        let vocabulary = Vocabulary::of(model);
        let template_alone = std::iter::once(template);
        let languages = FieldLanguages::work_out(&vocabulary, entity, declared, template_alone);
        Self::bind(declared, template, &languages)
    }

    /// A template of no entity: it renders, but reads nothing back.
    #[must_use]
    pub fn unbound(template: &Template) -> Self {
        Self {
            template: template.clone(),
            pattern: Pattern::default(),
            readable: Vec::new(),
        }
    }

    pub(super) fn bind(entity: &Entity, template: &Template, languages: &FieldLanguages) -> Self {
        let mut variables = Variables::default();
        let pattern = pattern_of(template, &mut variables, |field| languages.of_field(field));
        let readable = template
            .fields()
            .filter_map(|field| readable(field, &mut variables, entity))
            .collect();
        Self {
            template: template.clone(),
            pattern,
            readable,
        }
    }

    /// The template as it is written.
    #[must_use]
    pub const fn template(&self) -> &Template {
        &self.template
    }

    /// The text for these values.
    pub fn render(
        &self,
        value: impl Fn(&SourcePath<'_>) -> Option<Shown>,
    ) -> Result<String, RenderProblem> {
        render(&self.template, value)
    }

    /// Writes the text for these values behind what `text` holds. `plain` may give the text of an attribute that is shown as it
    /// is; what it does not give, `value` does.
    pub fn render_to<'v>(
        &self,
        text: &mut String,
        plain: impl Fn(&str) -> Option<&'v str>,
        value: impl Fn(&SourcePath<'_>) -> Option<Shown>,
    ) -> Result<(), RenderProblem> {
        for part in &self.template.parts {
            let field = match part {
                Part::Literal(literal) => {
                    text.push_str(&literal.value);
                    continue;
                }
                Part::Field(field) => field,
            };
            let known = match plain_field(field) {
                Some((name, [])) => plain(name),
                _ => None,
            };
            match known {
                Some(known) => text.push_str(known),
                None => text.push_str(&render_field(field, &value)?),
            }
        }
        Ok(())
    }

    /// The attributes that a rendered text gives back. None if it is no text of this template.
    #[must_use]
    pub fn parse(&self, text: &str) -> Option<BTreeMap<String, String>> {
        let assignment = language::parse(&self.pattern, text)?;
        let mut values = BTreeMap::new();
        for readable in &self.readable {
            if let Some(value) = assignment.get(&readable.variable) {
                let value = if readable.padded {
                    unpadded(value)
                } else {
                    value.clone()
                };
                values.insert(readable.attribute.clone(), value);
            }
        }
        Some(values)
    }

    /// Whether its literals stand in a text, in their order: what a text of this template has, whatever its values.
    #[must_use]
    pub fn looks_like(&self, text: &str) -> bool {
        let mut rest = text;
        let mut open = false;
        for part in &self.template.parts {
            match part {
                Part::Field(_) => open = true,
                Part::Literal(literal) => {
                    let at = if open {
                        rest.find(literal.value.as_str())
                    } else {
                        rest.starts_with(literal.value.as_str()).then_some(0)
                    };
                    let Some(at) = at else {
                        return false;
                    };
                    rest = rest.get(at + literal.value.len()..).unwrap_or_default();
                    open = false;
                }
            }
        }
        open || rest.is_empty()
    }

    /// Whether every number that it pads has its width in a text that looks like it.
    #[must_use]
    pub fn is_padded(&self, text: &str) -> bool {
        let mut rest = text;
        let mut parts = self.template.parts.iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                Part::Literal(literal) => {
                    let Some(after) = rest.strip_prefix(literal.value.as_str()) else {
                        return false;
                    };
                    rest = after;
                }
                Part::Field(field) => {
                    let end = match parts.peek() {
                        Some(Part::Literal(next)) => rest.find(next.value.as_str()),
                        Some(Part::Field(_)) | None => Some(rest.len()),
                    };
                    let Some((value, after)) = end.and_then(|end| rest.split_at_checked(end))
                    else {
                        return false;
                    };
                    let wide = field.formats.iter().all(|format| match &format.value {
                        Format::Pad(width) => value.len() == *width,
                        _ => true,
                    });
                    if !wide {
                        return false;
                    }
                    rest = after;
                }
            }
        }
        rest.is_empty()
    }

    /// Whether a text may show these values. Places that are not read back are not judged, nor is what stands behind one
    /// whose value is not known.
    #[must_use]
    pub fn agrees<'v>(&self, text: &str, value: impl Fn(&str) -> Option<Cow<'v, str>>) -> bool {
        let mut rest = text;
        for part in &self.template.parts {
            let shown = match part {
                Part::Literal(literal) => rest.strip_prefix(literal.value.as_str()),
                Part::Field(field) => {
                    let Some((name, formats)) = plain_field(field) else {
                        return true;
                    };
                    let is_read = self.reads().any(|known| known == name);
                    let Some(value) = value(name).filter(|_| is_read) else {
                        return true;
                    };
                    let value = match formats.first().map(|format| &format.value) {
                        Some(Format::Pad(width)) => Cow::Owned(format!("{value:0>width$}")),
                        _ => value,
                    };
                    rest.strip_prefix(&*value)
                }
            };
            match shown {
                Some(behind) => rest = behind,
                None => return false,
            }
        }
        rest.is_empty()
    }

    /// The attributes that it gives back.
    pub fn reads(&self) -> impl Iterator<Item = &str> {
        self.readable
            .iter()
            .map(|readable| readable.attribute.as_str())
    }

    /// Whether every attribute it shows can be read back.
    #[must_use]
    pub fn is_invertible(&self) -> bool {
        let fields = self.template.fields().map(variable_name);
        let shown: std::collections::BTreeSet<_> = fields.collect();
        shown.len() == self.readable.len() && language::ambiguity(&self.pattern).is_proven()
    }
}

/// The text of a template for these values.
pub fn render(
    template: &Template,
    value: impl Fn(&SourcePath<'_>) -> Option<Shown>,
) -> Result<String, RenderProblem> {
    render_parts(&template.parts, value)
}

/// The text of some parts of a template for these values.
pub fn render_parts(
    parts: &[Part],
    value: impl Fn(&SourcePath<'_>) -> Option<Shown>,
) -> Result<String, RenderProblem> {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Literal(literal) => text.push_str(&literal.value),
            Part::Field(field) => text.push_str(&render_field(field, &value)?),
        }
    }
    Ok(text)
}

fn render_field(
    field: &Field,
    value: &impl Fn(&SourcePath<'_>) -> Option<Shown>,
) -> Result<String, RenderProblem> {
    let name = || variable_name(field);
    let found = field.sources.iter().find_map(|source| match source {
        Source::Literal(text) => Some(Shown::One(text.value.clone())),
        Source::Nothing(_) => Some(Shown::One(String::new())),
        Source::Path { root, names, .. } => {
            let names = names.iter().map(|name| name.value.as_str()).collect();
            let path = SourcePath { root: *root, names };
            // An empty value gives way to what stands after it.
            let more = field.sources.len() > 1;
            value(&path).filter(|shown| !more || *shown != Shown::One(String::new()))
        }
    });
    let mut shown = found.ok_or_else(|| RenderProblem::Absent { field: name() })?;
    for format in &field.formats {
        shown = apply(&format.value, shown).map_err(|problem| RenderProblem::Format {
            field: name(),
            problem,
        })?;
    }
    match shown {
        Shown::One(text) => Ok(text),
        Shown::Many(_) | Shown::Digest { .. } => Err(RenderProblem::Format {
            field: name(),
            problem: FormatProblem::WrongShape,
        }),
    }
}

/// What a field gives back when its text is known.
fn readable(field: &Field, variables: &mut Variables, entity: &Entity) -> Option<Readable> {
    let (name, formats) = plain_field(field)?;
    let padded = match formats {
        [] => false,
        [format] => match (
            &format.value,
            entity.attribute(name).map(|attribute| &attribute.kind),
        ) {
            (Format::Pad(_), _) => true,
            // Shown as it is stored.
            (Format::Time(time), Some(Kind::Timestamp(own))) if time == own => false,
            _ => return None,
        },
        _ => return None,
    };
    Some(Readable {
        variable: variables.of_field(field),
        attribute: name.to_owned(),
        padded,
    })
}

/// The attribute that a field shows, if it shows nothing else, and how.
fn plain_field(field: &Field) -> Option<(&str, &[Spanned<Format>])> {
    let [
        Source::Path {
            root: None, names, ..
        },
    ] = field.sources.as_slice()
    else {
        return None;
    };
    match names.as_slice() {
        [name] => Some((&name.value, &field.formats)),
        _ => None,
    }
}

fn unpadded(text: &str) -> String {
    let digits = text.trim_start_matches('0');
    if digits.is_empty() {
        "0".to_owned()
    } else {
        digits.to_owned()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn sort_key(on_exists: &str, kind: &str) -> KeyTemplate {
        let text = format!(
            "monotable = 1\nmodel = \"m\"\n[table.T]\nkey = [\"PK\", \"SK\"]\n[entity.E]\n\
             key = [\"E#{{id}}\", \"AT#{{at}}\"]\non_exists = \"{on_exists}\"\n[entity.E.attributes]\n\
             id = \"ulid, generated\"\nat = \"timestamp({kind}), created\"\n"
        );
        let model = crate::read(&text).model.unwrap();
        let (id, entity) = model.entity_named("E").unwrap();
        let range = entity.keys.first().unwrap().range.clone().unwrap();
        KeyTemplate::new(&model, id, &range)
    }

    #[test]
    fn a_fraction_tells_times_of_one_second_apart() {
        for (kind, bare, fine) in [
            (
                "seconds",
                "2025-11-18T12:00:00",
                "2025-11-18T12:00:00.000001",
            ),
            (
                "zoned",
                "2025-11-18T12:00:00+0000",
                "2025-11-18T12:00:00.000001+0000",
            ),
        ] {
            let template = sort_key("fraction", kind);
            for time in [bare, fine] {
                let read = template.parse(&format!("AT#{time}")).unwrap();
                assert_eq!(read.get("at").map(String::as_str), Some(time));
            }
            // Other programs may write any precision, whatever the model writes.
            let template = sort_key("conflict", kind);
            for time in [bare, fine, "2025-11-18T12:00:00.1Z"] {
                let read = template.parse(&format!("AT#{time}")).unwrap();
                assert_eq!(read.get("at").map(String::as_str), Some(time));
            }
        }
        for time in ["2025-11-18T12:00:00.1", "2025-11-18T12:00:00.123456789"] {
            let read = sort_key("conflict", "seconds").parse(&format!("AT#{time}"));
            assert!(read.is_some(), "{time}");
        }
        assert_eq!(
            sort_key("conflict", "seconds").parse("AT#2025-11-18T12:00"),
            None
        );
    }
}
