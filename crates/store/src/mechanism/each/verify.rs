//! Whether an item that is stored as several rows has all of them, and they agree.

use crate::record::Record;
use crate::scope::Scope;
use crate::spread;
use crate::verify::{
    Candidate, Confirmation, FactSink, Fields, Findings, Remedy, StatedFact, StatedRow, Subject,
    Topic, ViolationKind, content_hash, entity_at,
};

/// One of the rows.
const ROW: u8 = 0;

/// How many rows of an item are read again: a transaction writes no more.
const MOST: usize = 100;

/// States which of the item's rows it is, how many there are, and what all of them say.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    if !spread::is_spread(scope, row.record.entity) {
        return;
    }
    let item = spread::join(scope, row.record.clone());
    let rows = spread::spread(scope, &item);
    let addresses: Vec<_> = rows.iter().map(|row| scope.row_address(row).ok()).collect();
    let Some(first) = addresses.first().cloned().flatten() else {
        let message = "it is one of the rows of a list, and its list has no elements";
        let kind = ViolationKind::Each;
        let remedy = crate::verify::LocalRemedy::None;
        crate::verify::state_local(facts, Topic::Each, row, kind, message, remedy);
        return;
    };
    let own = Some(row.address.clone());
    let position = addresses.iter().position(|address| *address == own);
    let wanted = position.and_then(|position| rows.get(position));
    let is_other = wanted.is_some_and(|wanted| !is_same_element(scope, row.record, wanted));
    let fields = Fields::new()
        .number(position.map_or(u64::MAX, |position| position as u64))
        .number(rows.len() as u64)
        .number(row.record.entity.index() as u64)
        .number(u64::from(is_other))
        .bytes(&content_hash(scope, &without_numbers(scope, item)))
        .address(row.address);
    facts.state(Topic::Each, Fields::new().address(&first), ROW, fields);
}

/// Whether a stored row says the element that it should. One that only its key shows may be shown in another form there.
pub(crate) fn is_same_element(scope: &Scope, row: &Record, wanted: &Record) -> bool {
    let entity = scope.entity(row.entity);
    entity.each.iter().all(|each| {
        let name = &each.variable.value;
        let attribute = entity.attribute(name);
        let is_stored = attribute.is_some_and(|attribute| !attribute.key_only);
        !is_stored || row.values.get(name) == wanted.values.get(name)
    })
}

/// What the rows of an item have in common: each of them may have a number of its own.
fn without_numbers(scope: &Scope, mut item: Record) -> Record {
    let attributes = scope.entity(item.entity).attributes.iter();
    for attribute in attributes.filter(|attribute| attribute.numbered.is_some()) {
        item.values.remove(&attribute.name.value);
    }
    item
}

/// Judges the rows of one item.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let mut rows = Vec::new();
    while let Some(fact) = subject.next_fact() {
        if fact.rank == crate::verify::LOCAL {
            crate::verify::judge_local(subject, fact.fields(), findings);
        } else if rows.len() <= MOST {
            rows.push(fact);
        }
    }
    judge_item(subject, &rows, findings);
}

fn judge_item(
    subject: &Subject<'_>,
    rows: &[StatedFact],
    findings: &mut Findings<'_>,
) -> Option<()> {
    let scope = findings.scope;
    let mut content = None;
    let mut wrong = None;
    let mut addresses = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let mut fields = row.fields();
        let (position, count) = (fields.number()?, fields.number()?);
        let entity = entity_at(scope, fields.number()?)?;
        let is_other = fields.number()? == 1;
        let says = fields.bytes()?.to_vec();
        let address = fields.address(scope)?;
        let message = if position == u64::MAX || position >= count {
            Some("its place is not one of those of its list".to_owned())
        } else if content.as_ref().is_some_and(|content| *content != says) {
            Some("it does not agree with the other rows of its item".to_owned())
        } else if is_other {
            Some("it says another element than its list has at its place".to_owned())
        } else if position != index as u64 {
            Some(format!("the row of the element {index} is missing"))
        } else if index + 1 == rows.len() && count != rows.len() as u64 {
            Some(format!("the row of the element {} is missing", rows.len()))
        } else {
            None
        };
        content.get_or_insert(says);
        if let (None, Some(message)) = (&wrong, message) {
            wrong = Some((entity, address.clone(), message));
        }
        addresses.push(address);
    }
    let (entity, address, message) = wrong?;
    findings.push(Candidate {
        told: ViolationKind::Each.into(),
        subject: subject.key().clone(),
        entity,
        address,
        message,
        confirmation: Confirmation::Rejudge(addresses),
        remedy: Some(Remedy::SpreadRows),
    });
    Some(())
}
