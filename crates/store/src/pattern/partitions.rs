//! The partitions that a plan asks: one, one for each day of a range, or one for each shard.

use super::days::days;
use super::parameters::Parameters;
use crate::field_error::{FieldError, Problem};
use crate::scope::Scope;
use monotable_model::compiled::{RenderProblem, shard_names};
use monotable_model::model::Part;
use monotable_model::plan::{self, PartitionText};

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

/// The partitions that a plan asks.
pub(crate) fn list_partitions(
    scope: &Scope,
    text: &PartitionText,
    given: &Parameters,
) -> Result<Partitions, Vec<FieldError>> {
    if text.spread == plan::Spread::One {
        return one(scope, &text.parts, given);
    }
    let before = given.parts(scope, &text.parts, "");
    let before = before.map_err(|problem| vec![refuse_place(&problem)])?;
    let (spread, ends) = match &text.spread {
        plan::Spread::One => (Spread::InTurn, vec![String::new()]),
        plan::Spread::Shards { count } => (Spread::Merged, shard_names(*count)),
        plan::Spread::Days { parameter } => (Spread::InTurn, days(parameter, &given.values)?),
    };
    let keys = ends.iter().map(|end| format!("{before}{end}")).collect();
    Ok(Partitions { spread, keys })
}

fn one(scope: &Scope, parts: &[Part], given: &Parameters) -> Result<Partitions, Vec<FieldError>> {
    let key = match given.parts(scope, parts, "") {
        Err(RenderProblem::Absent { field }) => find_common(scope, parts, given, &field)?,
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
    parts: &[Part],
    given: &Parameters,
    absent: &str,
) -> Result<String, Vec<FieldError>> {
    let ends = ["from", "to"];
    let mut keys = Vec::new();
    for end in ends {
        match given.parts(scope, parts, end) {
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
