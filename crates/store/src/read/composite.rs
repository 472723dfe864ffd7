//! Patterns that are made of patterns.

use super::StoredRow;
use super::afterwards;
use super::fetch::PageRequest;
use super::parameters::Parameters;
use super::query::{self, PlanRows};
use crate::allowed::Allowed;
use crate::session::{Interrupt, Session};
use crate::write::assigned_value;
use monotable_item::Item;
use monotable_model::model::{Access, AccessId};

/// All rows of several patterns, one after the other.
pub(super) async fn union(
    session: &Session,
    access: &Access,
    parts: &[AccessId],
    given: &Parameters,
    portion: &PageRequest,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let mut rows = Vec::new();
    for part in parts {
        let inner = parameters(session, access, &given.values, None);
        rows.extend(part_rows(session, *part, inner, portion).await?);
    }
    Ok(afterwards::kept(session, access, given, rows))
}

/// Each row of one pattern gives the parameters of the next.
pub(super) async fn steps(
    session: &Session,
    access: &Access,
    parts: &[AccessId],
    given: &Parameters,
    portion: &PageRequest,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let mut rows: Option<Vec<Allowed<StoredRow>>> = None;
    for part in parts {
        let inputs: Vec<Parameters> = match &rows {
            None => vec![parameters(session, access, &given.values, None)],
            Some(rows) => rows
                .iter()
                .map(|found| parameters(session, access, &given.values, Some(found)))
                .collect(),
        };
        let mut next = Vec::new();
        for input in inputs {
            next.extend(part_rows(session, *part, input, portion).await?);
        }
        rows = Some(next);
    }
    Ok(afterwards::kept(
        session,
        access,
        given,
        rows.unwrap_or_default(),
    ))
}

/// What a part is given: the caller's parameters, what the row before says, and what the pattern sets.
fn parameters(
    session: &Session,
    access: &Access,
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
    for assignment in &access.set {
        if let Some(value) = assigned_value(session, &known, &assignment.value) {
            values.insert(assignment.name.value.clone(), value);
        }
    }
    Parameters::inner(values)
}

async fn part_rows(
    session: &Session,
    part: AccessId,
    given: Parameters,
    portion: &PageRequest,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let access = session.model().pattern(part);
    let whole = PageRequest {
        consistent: portion.consistent,
        descending: access.order == monotable_model::model::Order::Descending,
        ..PageRequest::default()
    };
    let PlanRows { rows, .. } = Box::pin(query::reach(session, access, &given, whole)).await?;
    Ok(rows)
}
