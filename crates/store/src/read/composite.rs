//! Patterns that are made of patterns.

use super::afterwards;
use super::fetch::PageRequest;
use super::query::{self, PlanRows};
use super::{Omitted, StoredRow};
use crate::allowed::Allowed;
use crate::assignment::assigned_value;
use crate::interrupt::Interrupt;
use crate::pattern::Parameters;
use crate::reader::Reader;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::AccessId;
use monotable_model::plan::{Composite, ReadPlan};

/// All rows of several patterns, one after the other.
pub(super) async fn union(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    composite: &Composite,
    given: &Parameters,
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let mut rows = Vec::new();
    for part in &composite.parts {
        let inner = parameters(reader, composite, &given.values, None);
        rows.extend(part_rows(reader, *part, inner, portion, omitted).await?);
    }
    Ok(afterwards::keep(reader, &plan.keep, given, rows))
}

/// Each row of one pattern gives the parameters of the next.
pub(super) async fn steps(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    composite: &Composite,
    given: &Parameters,
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let mut rows: Option<Vec<Allowed<StoredRow>>> = None;
    for part in &composite.parts {
        let inputs: Vec<Parameters> = match &rows {
            None => vec![parameters(reader, composite, &given.values, None)],
            Some(rows) => rows
                .iter()
                .map(|found| parameters(reader, composite, &given.values, Some(found)))
                .collect(),
        };
        let mut next = Vec::new();
        for input in inputs {
            next.extend(part_rows(reader, *part, input, portion, omitted).await?);
        }
        rows = Some(next);
    }
    Ok(afterwards::keep(
        reader,
        &plan.keep,
        given,
        rows.unwrap_or_default(),
    ))
}

/// What a part is given: the caller's parameters, what the row before says, and what the pattern sets.
fn parameters(
    scope: &Scope,
    composite: &Composite,
    given: &Item,
    row: Option<&StoredRow>,
) -> Parameters {
    let mut values = given.clone();
    if let Some(found) = row {
        for (name, value) in found.record.values.iter() {
            values.insert(name.clone(), value.clone());
        }
    }
    let known = values.clone();
    for assignment in &composite.set {
        if let Some(value) = assigned_value(scope, &known, &assignment.value) {
            values.insert(assignment.name.value.clone(), value);
        }
    }
    Parameters::inner(values)
}

async fn part_rows(
    reader: &Reader<'_>,
    part: AccessId,
    given: Parameters,
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let plan = reader.plans().pattern(part);
    let whole = PageRequest {
        consistent: portion.consistent,
        descending: plan.shape.descending,
        ..PageRequest::default()
    };
    let PlanRows { rows, .. } =
        Box::pin(query::reach(reader, plan, &given, whole, omitted)).await?;
    Ok(rows)
}
