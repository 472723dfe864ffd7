//! The access patterns as methods, and the enums of mixed collections.

use super::comment::write_comment;
use super::value::{Place, argument_type, from_argument, value_type};
use super::{Generator, field_name, module_name, type_name};
use crate::names::pascal_case;
use crate::problem::{Problem, Scope};
use crate::prose::tell_about;
use crate::surface::{Answer, PatternSurface, ReturnedEntity};
use monotable_model::model::{EntityId, Kind, Mode};
use monotable_model::plan::PlanParameter;

impl Generator<'_> {
    /// The module of patterns.
    pub(super) fn write_patterns(&self) -> Result<String, Problem> {
        let mut text = String::from(
            "/// The access patterns.\npub mod patterns {\n    use monotable_store::typed as mt;\n",
        );
        text.push_str(&self.write_methods("Patterns", self.surface.patterns.iter()));
        if self.surface.patterns.iter().any(|known| known.is_global) {
            let global = self.surface.patterns.iter().filter(|known| known.is_global);
            text.push_str(&self.write_methods("GlobalPatterns", global));
        }
        let mut scope = Scope::with_reserved(&["Patterns", "GlobalPatterns"]);
        for pattern in &self.surface.patterns {
            let declaration = format!("access.{}", pattern.name());
            let name = pascal_case(pattern.name());
            let ids: Vec<_> = pattern.returned().iter().map(|each| each.id).collect();
            if ids.len() > 1 {
                let rows = format!("{name}Row");
                scope.take(&rows, &declaration)?;
                let about = format!("A row of `{}`.", pattern.name());
                text.push_str(&self.write_mixed(&rows, &about, &ids));
            }
            let followed = list_followed(pattern);
            if followed.len() > 1 {
                let rows = format!("{name}Followed");
                scope.take(&rows, &declaration)?;
                let about = format!("A row that comes along with those of `{}`.", pattern.name());
                text.push_str(&self.write_mixed(&rows, &about, &followed));
            }
        }
        text.push_str("}\n");
        Ok(text)
    }

    fn write_methods<'p>(
        &self,
        name: &str,
        patterns: impl Iterator<Item = &'p PatternSurface<'p>>,
    ) -> String {
        let mut text = format!(
            "\n    /// One method for each pattern.\n    #[derive(Clone, Copy, Debug)]\n    pub struct {name}<'s> {{\n\
             \x20       pub(super) store: &'s mt::Store,\n    }}\n\n    impl<'s> {name}<'s> {{\n"
        );
        for pattern in patterns {
            text.push_str(&self.write_method(pattern));
        }
        if text.ends_with("}\n\n") {
            text.pop();
        }
        text.push_str("    }\n");
        text
    }

    fn write_method(&self, pattern: &PatternSurface<'_>) -> String {
        let mut sentences: Vec<String> = tell_about(&pattern.access.notes).into_iter().collect();
        sentences.push(format!("`{}`: {}.", pattern.name(), pattern.requests));
        sentences.extend(pattern.remarks());
        let mut arguments = vec!["&self".to_owned()];
        let mut puts = String::new();
        for parameter in &pattern.parameters {
            let (argument, put) = self.write_parameter(pattern, parameter);
            arguments.push(argument);
            puts.push_str(&format!("            {put}\n"));
        }
        let is_changed = if puts.is_empty() { "" } else { "mut " };
        let name = pattern.name();
        let (answer, body) = match &pattern.answer {
            Answer::One(returned) => {
                let row = self.write_row_type(pattern, returned);
                let call = format!("self.store.query({name:?}, parameters)");
                (
                    format!("mt::TypedCall<'s, mt::Query, Option<{row}>>"),
                    format!("mt::TypedCall::first({call})"),
                )
            }
            Answer::List(returned) => {
                let row = self.write_row_type(pattern, returned);
                let followed = self.write_followed_type(pattern);
                (
                    format!("mt::Listing<'s, {row}, {followed}>"),
                    format!("mt::Listing::new(self.store, {name:?}, parameters)"),
                )
            }
            Answer::Differences(repository) => {
                arguments.truncate(1);
                arguments.push(format!(
                    "head: super::{}::Key",
                    module_name(&self.surface.model.entity(repository.head).name.value)
                ));
                arguments.push("from: mt::At".to_owned());
                arguments.push("to: mt::At".to_owned());
                let of = format!(
                    "super::repositories::{}Row",
                    pascal_case(&repository.name.value)
                );
                let call = format!(
                    "self.store.diff({:?}, head.into(), from, to)",
                    repository.name.value
                );
                let answer = format!("mt::TypedCall<'s, mt::Diff, mt::TypedDifferences<{of}>>");
                let body = format!("mt::TypedCall::differences({call})");
                return write_function(&sentences, pattern.name(), &arguments, &answer, &body);
            }
        };
        let body =
            format!("let {is_changed}parameters = mt::Item::new();\n{puts}            {body}");
        write_function(&sentences, pattern.name(), &arguments, &answer, &body)
    }

    fn write_row_type(
        &self,
        pattern: &PatternSurface<'_>,
        returned: &[ReturnedEntity<'_>],
    ) -> String {
        match returned {
            // A row of which only some attributes are read has none of the others.
            [only] if only.only.is_empty() => self.row_type(only.id),
            [_] => "mt::Row".to_owned(),
            _ if pattern.access.only.is_empty() => format!("{}Row", pascal_case(pattern.name())),
            _ => "mt::Row".to_owned(),
        }
    }

    fn write_followed_type(&self, pattern: &PatternSurface<'_>) -> String {
        match list_followed(pattern).as_slice() {
            [] => "mt::Row".to_owned(),
            [one] => self.row_type(*one),
            _ => format!("{}Followed", pascal_case(pattern.name())),
        }
    }

    /// An argument of a method, and the statement that adds it to the parameters.
    fn write_parameter(
        &self,
        pattern: &PatternSurface<'_>,
        parameter: &PlanParameter,
    ) -> (String, String) {
        let attribute = &parameter.name;
        let name = field_name(attribute);
        let is_text = parameter.takes_mask
            || parameter.mode == Mode::Open
            || parameter.mode == Mode::Range && matches!(parameter.kind, Kind::Enum(_));
        let of = if is_text {
            "String".to_owned()
        } else {
            self.parameter_type(pattern, parameter)
        };
        match parameter.mode {
            Mode::Plain | Mode::Open => {
                let value = match from_argument(&of, &name) {
                    value if value == name => value,
                    _ => format!("Into::<{of}>::into({name})"),
                };
                (
                    format!("{name}: {}", argument_type(&of)),
                    format!("mt::put(&mut parameters, {attribute:?}, {value});"),
                )
            }
            Mode::Optional => (
                format!("{name}: Option<{of}>"),
                format!("mt::put_optional(&mut parameters, {attribute:?}, {name});"),
            ),
            Mode::Range => (
                format!("{name}: impl Into<mt::Range<{of}>>"),
                format!("{name}.into().put_into(&mut parameters, {attribute:?});"),
            ),
        }
    }

    /// The type of a parameter: words are those of the first entity that has them.
    fn parameter_type(&self, pattern: &PatternSurface<'_>, parameter: &PlanParameter) -> String {
        let name = &parameter.name;
        let known = pattern.returned().iter().find_map(|each| {
            let entity = self.surface.model.entity(each.id);
            let attribute = entity.attribute(name)?;
            let is_word = matches!(attribute.kind, Kind::Enum(_)) && !attribute.internal;
            is_word.then(|| module_name(&entity.name.value))
        });
        match (&parameter.kind, &known) {
            (Kind::Enum(_), Some(module)) => {
                value_type(name, &parameter.kind, Place::Outside(module))
            }
            (Kind::Enum(_), None) => "String".to_owned(),
            (Kind::List { of, .. }, _) if matches!(**of, Kind::Enum(_)) => "Vec<String>".to_owned(),
            (kind, _) => value_type(name, kind, Place::Inside),
        }
    }

    /// An enum of rows of several entities.
    pub(super) fn write_mixed(&self, name: &str, about: &str, ids: &[EntityId]) -> String {
        let mut text = format!(
            "\n    /// {about}\n    #[derive(Clone, Debug, PartialEq)]\n    pub enum {name} {{\n"
        );
        for id in ids {
            let entity = &self.surface.model.entity(*id).name.value;
            text.push_str(&format!(
                "        /// A row of `{entity}`.\n        {}({}),\n",
                type_name(entity),
                self.row_type(*id)
            ));
        }
        text.push_str(&format!(
            "    }}\n\n    impl mt::FromRow for {name} {{\n\
             \x20       fn from_row(row: mt::Row) -> Result<Self, mt::Error> {{\n\
             \x20           match row.entity.as_str() {{\n"
        ));
        let (last, first) = ids
            .split_last()
            .map_or((None, ids), |(last, first)| (Some(last), first));
        for id in first {
            let entity = &self.surface.model.entity(*id).name.value;
            let variant = type_name(entity);
            text.push_str(&format!(
                "                {entity:?} => mt::FromRow::from_row(row).map(Self::{variant}),\n"
            ));
        }
        if let Some(id) = last {
            let variant = type_name(&self.surface.model.entity(*id).name.value);
            text.push_str(&format!(
                "                _ => mt::FromRow::from_row(row).map(Self::{variant}),\n"
            ));
        }
        text.push_str("            }\n        }\n    }\n");
        text
    }
}

/// The entities whose rows come along, each once.
fn list_followed(pattern: &PatternSurface<'_>) -> Vec<EntityId> {
    let mut ids = Vec::new();
    for followed in pattern.returned().iter().flat_map(|each| &each.followed) {
        for id in &followed.entities {
            if !ids.contains(id) {
                ids.push(*id);
            }
        }
    }
    ids
}

fn write_function(
    sentences: &[String],
    name: &str,
    arguments: &[String],
    answer: &str,
    body: &str,
) -> String {
    format!(
        "{}        pub fn {}({}) -> {answer} {{\n            {body}\n        }}\n\n",
        write_comment("        ", "///", sentences),
        field_name(name),
        arguments.join(", ")
    )
}
