//! What a caller gives to a pattern.

use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::record;
use crate::scope::Scope;
use crate::template;
use crate::value;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::{Instant, RenderProblem, Shown, SourcePath, render_parts};
use monotable_model::model::{Generator, Kind, Mode, Part};
use monotable_model::plan::{PlanParameter, ReadPlan};

/// The parameters of one call, checked.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    pub(crate) values: Item,
}

impl Parameters {
    /// Checks what a caller gives: every name known, every value of its kind, nothing missing.
    pub(crate) fn check(plan: &ReadPlan, given: &Item) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let mut values = Item::new();
        for (name, value) in given.iter() {
            match accept(plan, name, value) {
                Ok(value) => {
                    values.insert(name.clone(), value);
                }
                Err(Problem::UnknownParameter) => errors.push(refuse_parameter(plan, name)),
                Err(problem) if may_be_secret(plan, name) => {
                    errors.push(FieldError::new(name, problem));
                }
                Err(problem) => errors.push(record::refuse_value(None, name, value, problem)),
            }
        }
        for name in plan.parameters.iter().filter(|one| one.is_refused) {
            let name = &name.name;
            let ends = [".from", ".to", ""];
            let is_given = |end: &&str| values.get(&format!("{name}{end}")).is_some();
            if ends.iter().any(is_given) {
                errors.push(FieldError::new(name, Problem::UnknownParameter));
            }
        }
        for parameter in &plan.parameters {
            let needed = matches!(parameter.mode, Mode::Plain | Mode::Open);
            let known = values.get(&parameter.name).is_some()
                || errors.iter().any(|error| error.attribute == parameter.name);
            if needed && !known {
                errors.push(FieldError::new(&parameter.name, Problem::Missing));
            }
        }
        if errors.is_empty() {
            Ok(Self { values })
        } else {
            Err(Error::validation(&plan.name, errors))
        }
    }

    /// What a part of a pattern is given: by its own names.
    pub(crate) const fn inner(values: Item) -> Self {
        Self { values }
    }

    /// The text of some parts of a template; a range's end is asked for by `name.from` and `name.to`.
    pub(crate) fn parts(
        &self,
        scope: &Scope,
        parts: &[Part],
        end: &str,
    ) -> Result<String, RenderProblem> {
        render_parts(parts, |path| self.source(scope, path, end))
    }

    /// The value that a place of a key shows.
    pub(crate) fn find_value(&self, scope: &Scope, path: &SourcePath<'_>) -> Option<Shown> {
        self.source(scope, path, "")
    }

    fn source(&self, scope: &Scope, path: &SourcePath<'_>, end: &str) -> Option<Shown> {
        if path.root.is_some() {
            return template::find_value(scope.model(), &self.values, path, &scope.circumstances);
        }
        let name = path.names.last()?;
        let value = match end {
            "" => self.values.get(name),
            end => self
                .values
                .get(&format!("{name}.{end}"))
                .or_else(|| self.values.get(name)),
        };
        value::show(value?)
    }
}

/// Whether what is given for a parameter may be a secret, which no message shows.
fn may_be_secret(plan: &ReadPlan, name: &str) -> bool {
    let mut parameters = plan.parameters.iter().filter(|known| known.name == name);
    parameters.any(|known| known.takes_mask || matches!(known.kind, Kind::Token(_)))
}

/// A name that is no parameter of a pattern, with those that are.
fn refuse_parameter(plan: &ReadPlan, name: &str) -> FieldError {
    let parameters = plan.parameters.iter().filter(|known| !known.is_refused);
    let names = parameters.flat_map(|known| match known.mode {
        Mode::Range => vec![format!("{}.from", known.name), format!("{}.to", known.name)],
        Mode::Plain | Mode::Optional | Mode::Open => vec![known.name.clone()],
    });
    let names: Vec<_> = names.collect();
    let note = record::list_names(names.iter().map(String::as_str));
    FieldError::new(name, Problem::UnknownParameter).noting(note)
}

fn accept(plan: &ReadPlan, name: &str, given: &AttributeValue) -> Result<AttributeValue, Problem> {
    let ends = [".from", ".to"];
    let base = ends.iter().find_map(|end| name.strip_suffix(end));
    let mut parameters = plan.parameters.iter();
    let parameter = parameters.find(|parameter| match parameter.mode {
        Mode::Range => base == Some(&parameter.name) || parameter.name == name,
        Mode::Plain | Mode::Optional | Mode::Open => parameter.name == name,
    });
    let parameter = parameter.ok_or(Problem::UnknownParameter)?;
    match parameter.mode {
        // A beginning of a value need not be one.
        Mode::Open => Ok(given.clone()),
        Mode::Range => bound(parameter, name.ends_with(".to"), given),
        // What is shown masked may be given so.
        Mode::Plain | Mode::Optional if parameter.takes_mask => Ok(given.clone()),
        // A time of which the key shows the day is told by the day.
        Mode::Plain | Mode::Optional if parameter.takes_day && is_day(given) => Ok(given.clone()),
        Mode::Plain | Mode::Optional => value::accept(&parameter.kind, given.clone()),
    }
}

fn is_day(given: &AttributeValue) -> bool {
    matches!(given, AttributeValue::S(text) if value::accept(&Kind::Date, text.as_str().into()).is_ok())
}

/// An end of a range. A time is in the form that is stored, if it is a whole one; it stands for the first or last id of
/// its millisecond, where ids are made of times.
fn bound(
    parameter: &PlanParameter,
    last: bool,
    given: &AttributeValue,
) -> Result<AttributeValue, Problem> {
    if let Kind::Timestamp(_) = parameter.kind {
        return time(&parameter.kind, given);
    }
    let (Some(generator @ (Generator::UuidV7 | Generator::Ulid)), AttributeValue::S(text)) =
        (parameter.generated, given)
    else {
        return Ok(given.clone());
    };
    Ok(match Instant::parse(text) {
        Ok(time) => {
            let bits = if last { u128::MAX } else { 0 };
            let id = crate::ids::bound(generator, time.to_micros(), bits);
            AttributeValue::S(id)
        }
        Err(_) => given.clone(),
    })
}

/// A time as it is stored; of a time that is not whole the beginning: `2026-01`.
fn time(kind: &Kind, given: &AttributeValue) -> Result<AttributeValue, Problem> {
    let begins = |text: &str| {
        let parts = |c: char| c.is_ascii_digit() || "-:T.Z".contains(c);
        text.starts_with(|first: char| first.is_ascii_digit()) && text.chars().all(parts)
    };
    match (value::accept(kind, given.clone()), given) {
        (Ok(stored), _) => Ok(stored),
        (Err(_), AttributeValue::S(text)) if begins(text) => Ok(given.clone()),
        (Err(problem), _) => Err(problem),
    }
}
