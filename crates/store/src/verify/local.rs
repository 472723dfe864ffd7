//! What a row says that is wrong by itself: a fact that is a finding already.

use super::candidate::{Candidate, Confirmation, Findings, Remedy, Told};
use super::fact::{FactSink, FieldReader, Fields, StatedRow, Topic};
use super::report::{NoteKind, UnfinishedKind, ViolationKind};
use super::subject::Subject;
use crate::scope::Scope;
use monotable_model::model::EntityId;

/// The kinds that rows find by themselves; a fact has the position of its own.
const TOLD: [Told; 12] = [
    Told::Violation(ViolationKind::Value),
    Told::Violation(ViolationKind::Keys),
    Told::Violation(ViolationKind::Cycle),
    Told::Violation(ViolationKind::Tombstone),
    Told::Violation(ViolationKind::Each),
    Told::Violation(ViolationKind::Check),
    Told::Unfinished(UnfinishedKind::Delete),
    Told::Unfinished(UnfinishedKind::Move),
    Told::Note(NoteKind::Layout),
    Told::Note(NoteKind::Spelling),
    Told::Note(NoteKind::Time),
    Told::Violation(ViolationKind::History),
];

/// What mends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocalRemedy {
    None,
    Rewrite,
    SetTombstone,
}

/// The rank of such facts.
pub(crate) const LOCAL: u8 = 200;

/// States that something is wrong with a row.
pub(crate) fn state_local(
    facts: &mut dyn FactSink,
    topic: Topic,
    row: &StatedRow<'_>,
    told: impl Into<Told>,
    message: &str,
    remedy: LocalRemedy,
) {
    let told = told.into();
    let position = TOLD.iter().position(|known| *known == told).unwrap_or(0);
    let entity = row.record.entity.index();
    let fields = Fields::new()
        .number(position as u64)
        .number(entity as u64)
        .address(row.address)
        .text(message)
        .number(remedy as u64);
    facts.state(topic, Fields::new().address(row.address), LOCAL, fields);
}

/// Tells one of these facts.
pub(crate) fn judge_local(
    subject: &Subject<'_>,
    mut fields: FieldReader<'_>,
    findings: &mut Findings<'_>,
) -> Option<()> {
    let scope = findings.scope;
    let told = *TOLD.get(usize::try_from(fields.number()?).ok()?)?;
    let entity = entity_at(scope, fields.number()?)?;
    let address = fields.address(scope)?;
    let message = fields.text()?.to_owned();
    let remedy = match fields.number()? {
        1 => Some(Remedy::Rewrite),
        2 => Some(Remedy::SetTombstone),
        _ => None,
    };
    findings.push(Candidate {
        told,
        subject: subject.key().clone(),
        entity,
        confirmation: Confirmation::Rejudge(vec![address.clone()]),
        address,
        message,
        remedy,
    });
    Some(())
}

/// Judges subjects about which rows state nothing else.
pub(crate) fn judge_rows(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    while let Some(fact) = subject.next_fact() {
        judge_local(subject, fact.fields(), findings);
    }
}

/// The entity at a position of the model.
pub(crate) fn entity_at(scope: &Scope, index: u64) -> Option<EntityId> {
    let index = usize::try_from(index).ok()?;
    let mut entities = scope.model().entities();
    entities
        .find(|(id, _)| id.index() == index)
        .map(|(id, _)| id)
}
