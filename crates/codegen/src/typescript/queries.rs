//! The access patterns as functions.

use super::comment::write_comment;
use super::type_names::{write_property, write_text};
use super::value::{Integers, given_type};
use super::{Generator, write_signature};
use crate::names::camel_case;
use crate::prose::tell_about;
use crate::surface::{Answer, PatternSurface, ReturnedEntity};
use monotable_model::model::{Kind, Mode};
use monotable_model::plan::PlanParameter;

impl Generator<'_> {
    /// An interface with one method for each pattern.
    pub(super) fn write_queries<'p>(
        &self,
        name: &str,
        patterns: impl Iterator<Item = &'p PatternSurface<'p>>,
    ) -> String {
        let mut text = format!("  interface {name} {{\n");
        for pattern in patterns {
            text.push_str(&self.write_query(pattern));
        }
        text.push_str("  }\n");
        text
    }

    fn write_query(&self, pattern: &PatternSurface<'_>) -> String {
        let (options, answer) = match &pattern.answer {
            Answer::One(returned) => {
                let row = self.write_union(returned);
                ("mt.ReadOptions", format!("mt.Call<{row} | undefined>"))
            }
            Answer::List(returned) => {
                let row = self.write_union(returned);
                ("mt.ListOptions", format!("mt.Listing<{row}>"))
            }
            Answer::Differences(repository) => {
                let rows = self.write_entities(&repository.entities);
                ("mt.ReadOptions", format!("mt.Call<mt.Differences<{rows}>>"))
            }
        };
        let mut sentences: Vec<String> = tell_about(&pattern.access.notes).into_iter().collect();
        sentences.push(format!("`{}`: {}.", pattern.name(), pattern.requests));
        sentences.extend(pattern.remarks());
        let function = camel_case(pattern.name());
        let parameters = write_parameters(&pattern.parameters);
        let head = format!("{function}({parameters}options?: {options})");
        write_comment("    ", &sentences) + &write_signature("    ", &head, &answer)
    }

    /// The rows that a pattern returns: a union that `$entity` tells apart.
    fn write_union(&self, returned: &[ReturnedEntity<'_>]) -> String {
        let is_alone = returned.len() == 1;
        let rows = returned.iter().map(|each| {
            let row = self.write_returned(each);
            if is_alone || !row.contains('&') {
                row
            } else {
                format!("({row})")
            }
        });
        rows.collect::<Vec<_>>().join(" | ")
    }

    fn write_returned(&self, returned: &ReturnedEntity<'_>) -> String {
        let row = self.types.entity(returned.id);
        let mut text = row.to_owned();
        if !returned.only.is_empty() {
            let names = std::iter::once("$entity").chain(returned.only.iter().copied());
            let names: Vec<_> = names.map(write_text).collect();
            text = format!("mt.Only<{row}, {}>", names.join(" | "));
        }
        if returned.followed.is_empty() {
            return text;
        }
        let followed = returned.followed.iter().map(|followed| {
            let rows = self.write_entities(&followed.entities);
            let name = write_property(followed.attribute);
            if followed.many {
                format!("{name}: {}", super::value::list_type(&rows))
            } else {
                format!("{name}?: {rows}")
            }
        });
        let followed: Vec<_> = followed.collect();
        format!("{text} & {{ $followed: {{ {} }} }}", followed.join("; "))
    }

    /// Rows of these entities.
    pub(super) fn write_entities(&self, ids: &[monotable_model::model::EntityId]) -> String {
        let names: Vec<_> = ids.iter().map(|id| self.types.entity(*id)).collect();
        names.join(" | ")
    }
}

/// The parameters of a pattern as an object, with a comma behind it; nothing if there are none. An object of which
/// everything may be left out may be left out itself.
fn write_parameters(parameters: &[&PlanParameter]) -> String {
    if parameters.is_empty() {
        return "parameters?: mt.None, ".to_owned();
    }
    let members: Vec<_> = parameters
        .iter()
        .map(|known| write_parameter(known))
        .collect();
    let needed = |known: &&&PlanParameter| matches!(known.mode, Mode::Plain | Mode::Open);
    let mark = if parameters.iter().any(|known| needed(&known)) {
        ""
    } else {
        "?"
    };
    format!("parameters{mark}: {{ {} }}, ", members.join("; "))
}

fn write_parameter(parameter: &PlanParameter) -> String {
    let name = write_property(&parameter.name);
    let value = if parameter.takes_mask {
        "string".to_owned()
    } else {
        given_type(&parameter.kind, Integers::Number)
    };
    match parameter.mode {
        Mode::Plain => format!("{name}: {value}"),
        Mode::Optional => format!("{name}?: {value}"),
        // A beginning of a word or of a time need not be one.
        Mode::Open => format!("{name}: string"),
        Mode::Range => {
            let bound = match parameter.kind {
                Kind::Enum(_) => "string".to_owned(),
                _ if parameter.generated.is_some() => "mt.Time".to_owned(),
                _ => value,
            };
            format!("{name}?: mt.Range<{bound}>")
        }
    }
}
