//! Counters: kept in the transaction of the rows they count.

pub(crate) mod verify;

mod unadopted;

use crate::address::Address;
use crate::change::{ItemChange, Run};
use crate::draft::{Action, Blame, Demand, Edit, Write};
use crate::error::Error;
use crate::find;
use crate::interrupt::Interrupt;
use crate::profile::{references, stored_name};
use crate::record::Record;
use crate::record::reference_values;
use crate::scope::Scope;
use crate::store_item::is_adopted;
use monotable_item::Number;

/// Whether a change is of rows that are counted.
pub(crate) fn concern(scope: &Scope, change: &ItemChange) -> bool {
    let mut rows = change.new_rows().chain(change.old_rows());
    rows.any(|row| {
        let mut references = references(scope.entity(row.entity));
        references.any(|(_, reference)| reference.counted.is_some())
    })
}

/// Adds what a change does to the counters that count its rows, but for those of rows that are gone.
pub(crate) async fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    for row in &change.rows {
        let old = row.old.as_ref().map(|old| &old.record);
        let before = old.map(|old| counted_by(run.reader.scope, old));
        let after = row
            .new
            .as_ref()
            .map(|new| counted_by(run.reader.scope, new));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        for counted in &before {
            if !after.contains(counted) && !moves_along(run, counted, &after) {
                if let Some(old) = old.filter(|_| run.reader.attempt.avoids(&counted.address)) {
                    Box::pin(find::refuse_carried(&run.reader, old)).await?;
                }
                count_down(run, &counted.address, &counted.counter)?;
            }
        }
        let is_counted_anew = after.iter().any(|counted| !before.contains(counted));
        if let Some(new) = row.new.as_ref().filter(|_| is_counted_anew)
            && !is_adopted(&run.reader).await?
        {
            Box::pin(unadopted::refuse_low_counters(run, new)).await?;
        }
        for counted in &after {
            if !before.contains(counted) && !moved_here(run, counted, &before) {
                let edit = Edit::adding(&counted.counter, Number::from(1));
                let action = Action::new(Write::Update(edit));
                if !run.gone.contains(&counted.address) {
                    run.draft.add(counted.address.clone(), action)?;
                }
            }
        }
    }
    Ok(())
}

/// Whether a counter moves with the row that it counts: it has counted the row already.
fn moves_along(run: &Run<'_>, counted: &Counted, after: &[Counted]) -> bool {
    let to = run.moved.get(&counted.address);
    to.is_some_and(|to| {
        let mut after = after.iter();
        after.any(|after| after.address == *to && after.counter == counted.counter)
    })
}

/// Whether a counter has come here with the row that it counts.
fn moved_here(run: &Run<'_>, counted: &Counted, before: &[Counted]) -> bool {
    let mut before = before.iter();
    before.any(|before| {
        before.counter == counted.counter
            && run.moved.get(&before.address) == Some(&counted.address)
    })
}

fn count_down(run: &mut Run<'_>, address: &Address, counter: &str) -> Result<(), Interrupt> {
    if run.gone.contains(address) {
        return Ok(());
    }
    if run.reader.attempt.avoids(address) {
        // The row that counted is gone; as long as it is, there is nothing to count down.
        let check = Action::check().demand(Demand::Absent, Blame::Changed);
        return run.draft.add(address.clone(), check);
    }
    let message = format!(
        "`{counter}` of {address} is less than the rows it counts: run `monotable verify --repair --yes`, which counts again"
    );
    let least = Demand::AtLeast {
        attribute: counter.to_owned(),
        least: Number::from(1),
    };
    let action = Action::new(Write::Update(Edit::adding(counter, Number::from(-1))))
        .demand(Demand::Present, Blame::Avoid(address.clone()))
        .demand(least, Blame::FailUnlessChanged(Error::integrity(message)));
    run.draft.add(address.clone(), action)
}

/// A counter that counts a row: where it is, and what it is called there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Counted {
    pub(crate) address: Address,
    pub(crate) counter: String,
}

/// The counters that count a row.
pub(crate) fn counted_by(scope: &Scope, row: &Record) -> Vec<Counted> {
    let mut counters = Vec::new();
    for (attribute, reference) in references(scope.entity(row.entity)) {
        let Some(counter) = &reference.counted else {
            continue;
        };
        let counter = stored_name(scope.entity(reference.target), &counter.value);
        for id in reference_values(attribute, row) {
            if let Some(address) = scope.target_address(row, reference.target, &id) {
                let counter = counter.clone();
                counters.push(Counted { address, counter });
            }
        }
    }
    counters
}
