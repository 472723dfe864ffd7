//! The partitions that the key of a pattern stands for: one, one for each day of a range, or one for each shard.

use super::days::days;
use super::parameters::Parameters;
use crate::field_error::{FieldError, Problem};
use crate::scope::Scope;
use monotable_model::compiled::{RenderProblem, shard_names};
use monotable_model::model::{Field, Format, Key, Mode, Part, Template};

/// How rows of several partitions become one list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// One partition after the other: they are in order, as days are.
    InTurn,
    /// All partitions at once, by sort key: chance has spread the rows over them.
    Merged,
}

/// Partition keys without the tenant's prefix, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Partitions {
    pub(crate) spread: Spread,
    pub(crate) keys: Vec<String>,
}

/// The partitions of a key.
pub(crate) fn list_partitions(
    scope: &Scope,
    template: &Template,
    given: &Parameters,
) -> Result<Partitions, Vec<FieldError>> {
    let Some((Part::Field(field), before)) = template.parts.split_last() else {
        return one(scope, template, given);
    };
    if field.mode != Mode::Range {
        return one(scope, template, given);
    }
    let before = given.parts(scope, before, "");
    let before = before.map_err(|problem| vec![refuse_place(&problem)])?;
    let (spread, ends) = match shards(field) {
        Some(shards) => (Spread::Merged, shard_names(shards)),
        None => (Spread::InTurn, days(&field.name(), &given.values)?),
    };
    let keys = ends.iter().map(|end| format!("{before}{end}")).collect();
    Ok(Partitions { spread, keys })
}

/// How many shards a place is a range of.
fn shards(field: &Field) -> Option<usize> {
    match field.formats.last().map(|format| &format.value) {
        Some(Format::Shard(shards)) => Some(*shards),
        _ => None,
    }
}

/// The name of a range of shards that nothing else asks for: all shards are read, so it is no parameter.
pub(crate) fn find_unasked(key: &Key) -> Option<String> {
    let mut ranges = key.hash.fields().filter(|field| field.mode == Mode::Range);
    let name = ranges.find(|field| shards(field).is_some())?.name();
    let mut others = key.range.iter().flat_map(Template::fields);
    (!others.any(|field| field.name() == name)).then_some(name)
}

fn one(
    scope: &Scope,
    template: &Template,
    given: &Parameters,
) -> Result<Partitions, Vec<FieldError>> {
    let key = match given.render(scope, template, "") {
        Err(RenderProblem::Absent { field }) => find_common(scope, template, given, &field)?,
        rendered => rendered.map_err(|problem| vec![refuse_place(&problem)])?,
    };
    Ok(Partitions {
        spread: Spread::InTurn,
        keys: vec![key],
    })
}

/// The partition that both ends of a range are in: two times of one day say which day.
fn find_common(
    scope: &Scope,
    template: &Template,
    given: &Parameters,
    absent: &str,
) -> Result<String, Vec<FieldError>> {
    let ends = ["from", "to"];
    let mut keys = Vec::new();
    for end in ends {
        match given.render(scope, template, end) {
            Ok(key) => keys.push(key),
            Err(RenderProblem::Absent { .. }) => {}
            Err(problem) => return Err(vec![refuse_place(&problem)]),
        }
    }
    keys.dedup();
    let refused = |problem| vec![FieldError::new(parameter(absent), problem)];
    match (keys.pop(), keys.pop()) {
        (Some(key), None) => Ok(key),
        (Some(_), Some(_)) => {
            let wanted = "a range inside one partition".to_owned();
            Err(refused(Problem::Wrong { wanted }))
        }
        (None, _) => Err(refused(Problem::Missing)),
    }
}

/// A place of a template without a value, or with one that cannot stand there.
pub(crate) fn refuse_place(problem: &RenderProblem) -> FieldError {
    match problem {
        RenderProblem::Absent { field } => FieldError::new(parameter(field), Problem::Missing),
        RenderProblem::Format { field, problem } => {
            let why = problem.to_string();
            FieldError::new(parameter(field), Problem::Key { why })
        }
    }
}

/// What a caller gives for a place, which may say more: `at:date`.
fn parameter(field: &str) -> &str {
    field.split([':', '|']).next().unwrap_or(field)
}
