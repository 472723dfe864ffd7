//! Rows that a refused change refers to and that the caller does not see.
//!
//! Whoever may not see a row must not learn that it is there, also not by trying to write something that belongs to it: a
//! row that refers to a hidden one is refused in the words of one that refers to nothing.

use super::allow::{Bindings, Change, Content};
use super::gate::Gate;
use super::question::{Known, Question, Right, rules};
use crate::draft::Draft;
use crate::error::Error;
use crate::find::by_ids;
use crate::interrupt::Interrupt;
use crate::profile::references;
use crate::reader::Reader;
use crate::record::{Record, reference_values};
use monotable_expr::predicate::Truth;
use monotable_item::AttributeValue;
use monotable_model::model::{Attribute, Reference};

/// What a refused change is answered with, if it refers to a row that the caller does not see, and would have been let
/// through up to there if that row were not there.
pub(super) async fn missing_for_caller(
    gate: &mut Gate<'_>,
    draft: &Draft,
    question: &Question<'_>,
) -> Result<Option<Error>, Interrupt> {
    let reader = gate.reader();
    let is_asked = matches!(question.right, Right::Create | Right::Update);
    let Some(row) = question.new.filter(|_| is_asked) else {
        return Ok(None);
    };
    let right = question.right.granted_as(question.clears());
    let is_up_to_the_target = is_allowed_without_referred(reader, question)
        && gate.grants().allow_without_owners(row, right).await?;
    if !is_up_to_the_target {
        return Ok(None);
    }
    for (attribute, reference) in references(reader.entity(row.entity)) {
        let is_versioned = reader.model().repository_of(reference.target).is_some();
        if reference.missing_warns || is_versioned {
            continue;
        }
        let known = question.old.map(|old| reference_values(attribute, old));
        for id in reference_values(attribute, row) {
            if known.as_ref().is_some_and(|known| known.contains(&id)) {
                continue;
            }
            let target = read_target(reader, draft, row, reference, &id).await?;
            let is_seen = match target {
                Some(target) => gate.sees([&target]).await? == [true],
                None => false,
            };
            if !is_seen {
                return Ok(Some(missing(reader, row, (attribute, reference), &id)));
            }
        }
    }
    Ok(None)
}

/// Whether the rules allow a change whatever stands behind its references.
fn is_allowed_without_referred(reader: &Reader<'_>, question: &Question<'_>) -> bool {
    let bindings = Bindings::new(reader);
    let change = Change {
        old: Content::new(question.old),
        new: Content::new(question.new),
    };
    let rules = rules(reader, question, Known::Both);
    let mut truths = rules.iter();
    truths.all(|(rule, side)| bindings.decide(rule, &change, *side) == Truth::True)
}

async fn read_target(
    reader: &Reader<'_>,
    draft: &Draft,
    row: &Record,
    reference: &Reference,
    id: &AttributeValue,
) -> Result<Option<Record>, Interrupt> {
    if let Some(address) = reader.target_address(row, reference.target, id) {
        let found = reader.row(draft, &address).await?;
        let found = found.map(|(record, _)| record);
        return Ok(found.filter(|found| found.entity == reference.target));
    }
    let found = by_ids(
        reader,
        reference.target,
        &row.values,
        std::slice::from_ref(id),
    )
    .await?;
    Ok(found.into_iter().flatten().next())
}

/// What somebody is told whose row refers to nothing.
fn missing(
    reader: &Reader<'_>,
    row: &Record,
    (attribute, reference): (&Attribute, &Reference),
    id: &AttributeValue,
) -> Error {
    let name = reader.name(reference.target);
    let mention = match reader.target_address(row, reference.target, id) {
        Some(address) => reader.mention_by(attribute, &address),
        None => reader.mention_ids(attribute, std::slice::from_ref(id)),
    };
    Error::not_found(name, mention)
}
