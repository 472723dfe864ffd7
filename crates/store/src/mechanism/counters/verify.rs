//! Whether every counter is the count of the rows that refer to its row.

use crate::scope::Scope;
use crate::verify::{
    Candidate, Confirmation, FactSink, Fields, Findings, Remedy, StatedFact, StatedRow, Subject,
    Topic, ViolationKind, encode_fact, entity_at,
};
use monotable_item::{AttributeValue, Number};

/// The counter, as it is stored.
const COUNTER: u8 = 0;
/// A row that is counted.
const COUNTED: u8 = 1;

/// How many of the counted rows are read again to confirm that a counter is wrong.
const READ_AGAIN: usize = 200;

/// States the counters of the row, and those that count it.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    for counter in &scope.profile(row.record.entity).counters {
        let subject = Fields::new().address(row.address).text(counter);
        let fields = Fields::new()
            .number(row.record.entity.index() as u64)
            .value(row.item.get(counter))
            .text(counter)
            .address(row.address);
        facts.state(Topic::Counters, subject, COUNTER, fields);
    }
    if !row.says_tenant {
        return;
    }
    for counted in super::counted_by(scope, row.record) {
        let subject = Fields::new()
            .address(&counted.address)
            .text(&counted.counter);
        let fields = Fields::new().address(row.address);
        facts.state(Topic::Counters, subject, COUNTED, fields);
    }
}

/// Compares a counter with its count.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    let Some(counter) = subject.next_fact().filter(|fact| fact.rank == COUNTER) else {
        // What is counted on a row that is not there is a dangling reference.
        return;
    };
    let mut count = 0_u64;
    let mut seen = vec![counter];
    while let Some(fact) = subject.next_fact() {
        count += 1;
        if seen.len() <= READ_AGAIN {
            seen.push(fact);
        }
    }
    compare(subject, &seen, count, findings);
}

fn compare(
    subject: &Subject<'_>,
    seen: &[StatedFact],
    count: u64,
    findings: &mut Findings<'_>,
) -> Option<()> {
    let scope = findings.scope;
    let (counter, counted) = seen.split_first()?;
    let mut fields = counter.fields();
    let entity = entity_at(scope, fields.number()?)?;
    let stored = fields.value();
    let name = fields.text()?.to_owned();
    let address = fields.address(scope)?;
    let wanted = AttributeValue::N(Number::from(count));
    if stored.as_ref() == Some(&wanted) || (stored.is_none() && count == 0) {
        return None;
    }
    let shown = match &stored {
        Some(AttributeValue::N(number)) => number.to_string(),
        _ => "absent".to_owned(),
    };
    let mut reads = vec![address.clone()];
    reads.extend(
        counted
            .iter()
            .filter_map(|fact| fact.fields().address(scope)),
    );
    let facts = seen.iter().map(|fact| encode_fact(subject.key(), fact));
    findings.push(Candidate {
        told: ViolationKind::Counter.into(),
        subject: subject.key().clone(),
        entity,
        message: format!("`{name}` is {shown}, and the count is {count}"),
        confirmation: Confirmation::Unchanged {
            reads,
            facts: facts.collect(),
        },
        address,
        remedy: Some(Remedy::SetCounter {
            counter: name,
            before: stored,
            after: count,
        }),
    });
    Some(())
}
