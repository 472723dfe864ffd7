//! Whether the numbers that a counter gave are distinct, and the counter is not behind them.

use crate::profile::stored_name;
use crate::record::reference_values;
use crate::scope::Scope;
use crate::spread;
use crate::verify::{
    Candidate, Confirmation, FactSink, Fields, Findings, Remedy, StatedFact, StatedRow, Subject,
    Topic, ViolationKind, entity_at,
};
use monotable_item::AttributeValue;

/// The counter, as it is stored.
const COUNTER: u8 = 0;
/// A number that it gave.
const NUMBER: u8 = 1;

/// States the numbers of the row, and the counters on it that give numbers.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    state_counters(row, scope, facts);
    if !row.says_tenant {
        return;
    }
    let entity = scope.entity(row.record.entity);
    for attribute in &entity.attributes {
        let Some((through, counter)) = &attribute.numbered else {
            continue;
        };
        let Some(AttributeValue::N(number)) = row.record.values.get(&attribute.name.value) else {
            continue;
        };
        let reference = entity.attribute(&through.value);
        let Some((reference, target)) =
            reference.and_then(|known| Some((known, known.reference.as_ref()?.target)))
        else {
            continue;
        };
        let id = reference_values(reference, row.record).into_iter().next();
        let address = id.and_then(|id| scope.target_address(row.record, target, &id));
        let (Some(address), Ok(number)) = (address, number.to_string().parse::<u64>()) else {
            continue;
        };
        let stored = stored_name(scope.entity(target), &counter.value);
        // The rows of one item may share its number.
        let joined = spread::join(scope, row.record.clone());
        let first = spread::locate_first(scope, &joined).ok().flatten();
        let fields = Fields::new()
            .number(number)
            .number(row.record.entity.index() as u64)
            .text(&attribute.name.value)
            .address(row.address)
            .address(first.as_ref().unwrap_or(row.address));
        let subject = Fields::new().address(&address).text(&stored);
        facts.state(Topic::Numbers, subject, NUMBER, fields);
    }
}

fn state_counters(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    let own = row.record.entity;
    for (_, entity) in scope.model().stored() {
        for (through, counter) in entity
            .attributes
            .iter()
            .filter_map(|one| one.numbered.as_ref())
        {
            let reference = entity.attribute(&through.value);
            let target = reference.and_then(|known| Some(known.reference.as_ref()?.target));
            if target != Some(own) {
                continue;
            }
            let stored = stored_name(scope.entity(own), &counter.value);
            let fields = Fields::new()
                .number(own.index() as u64)
                .value(row.item.get(&stored))
                .text(&stored)
                .address(row.address);
            let subject = Fields::new().address(row.address).text(&stored);
            facts.state(Topic::Numbers, subject, COUNTER, fields);
        }
    }
}

/// Looks for numbers that were given twice, and for one that is beyond the counter.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let mut counter = None;
    let mut last: Option<StatedFact> = None;
    while let Some(fact) = subject.next_fact() {
        if fact.rank == COUNTER {
            counter = Some(fact);
            continue;
        }
        if let Some(before) = &last {
            judge_pair(subject, before, &fact, findings);
        }
        last = Some(fact);
    }
    if let (Some(counter), Some(last)) = (counter, last) {
        judge_counter(subject, &counter, &last, findings);
    }
}

fn judge_pair(
    subject: &Subject<'_>,
    before: &StatedFact,
    fact: &StatedFact,
    findings: &mut Findings<'_>,
) -> Option<()> {
    let scope = findings.scope;
    let (mut one, mut other) = (before.fields(), fact.fields());
    let number = other.number()?;
    if one.number()? != number {
        return None;
    }
    let (_, entity) = (one.number()?, entity_at(scope, other.number()?)?);
    let (_, name) = (one.text()?, other.text()?);
    let (first, address) = (one.address(scope)?, other.address(scope)?);
    if one.address(scope)? == other.address(scope)? {
        return None;
    }
    findings.push(Candidate {
        told: ViolationKind::Duplicate.into(),
        subject: subject.key().clone(),
        entity,
        message: format!("`{name}` is {number}, as that of {first}"),
        confirmation: Confirmation::Rejudge(vec![address.clone(), first]),
        address,
        remedy: None,
    });
    Some(())
}

fn judge_counter(
    subject: &Subject<'_>,
    counter: &StatedFact,
    last: &StatedFact,
    findings: &mut Findings<'_>,
) -> Option<()> {
    let scope = findings.scope;
    let mut fields = counter.fields();
    let entity = entity_at(scope, fields.number()?)?;
    let stored = fields.value();
    let name = fields.text()?.to_owned();
    let address = fields.address(scope)?;
    let mut fields = last.fields();
    let number = fields.number()?;
    fields.number()?;
    fields.text()?;
    let by = fields.address(scope)?;
    let given = match &stored {
        Some(AttributeValue::N(given)) => given.to_string().parse::<u64>().unwrap_or(0),
        _ => 0,
    };
    if given >= number {
        return None;
    }
    findings.push(Candidate {
        told: ViolationKind::Counter.into(),
        subject: subject.key().clone(),
        entity,
        message: format!("`{name}` is {given}, and {by} has the number {number}"),
        confirmation: Confirmation::Rejudge(vec![address.clone(), by]),
        address,
        remedy: Some(Remedy::SetCounter {
            counter: name,
            before: stored,
            after: number,
        }),
    });
    Some(())
}
