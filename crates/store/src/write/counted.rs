//! Counters: kept in the transaction of the rows they count.

use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::profile::{references, stored_name};
use crate::reader::Reader;
use crate::record::Record;
use crate::record::reference_values;
use crate::scope::Scope;
use monotable_item::Number;
use std::collections::BTreeSet;

/// Adds what a write does to the counters that count the row, but for those of rows that are gone.
pub(super) fn recount(
    reader: &Reader<'_>,
    draft: &mut Draft,
    old: Option<&Record>,
    new: Option<&Record>,
    gone: &BTreeSet<Address>,
) -> Result<(), Interrupt> {
    let Some(row) = new.or(old) else {
        return Ok(());
    };
    let entity = reader.entity(row.entity);
    for (attribute, reference) in references(entity) {
        let Some(counter) = &reference.counted else {
            continue;
        };
        let before = old
            .map(|row| reference_values(attribute, row))
            .unwrap_or_default();
        let after = new
            .map(|row| reference_values(attribute, row))
            .unwrap_or_default();
        if before == after {
            continue;
        }
        let target = reader.entity(reference.target);
        let counter = stored_name(target, &counter.value);
        for (row, ids, step) in [(old, before, -1), (new, after, 1)] {
            for id in ids {
                let address = row.and_then(|row| reader.target_address(row, reference.target, &id));
                let Some(address) = address.filter(|address| !gone.contains(address)) else {
                    continue;
                };
                if step < 0 && reader.attempt.avoids(&address) {
                    // The row that counted is gone; as long as it is, there is nothing to count down.
                    let check = Action::check().demand(Demand::Absent, Blame::Changed);
                    draft.add(address, check)?;
                    continue;
                }
                let mut action =
                    Action::new(Write::Update(Edit::adding(&counter, Number::from(step))));
                if step < 0 {
                    action = action.demand(Demand::Present, Blame::Avoid(address.clone()));
                    let least = Number::from(1);
                    let message = format!(
                        "`{counter}` of {} {address} is less than the rows it counts: run `recount`",
                        target.name.value
                    );
                    let attribute = counter.clone();
                    action = action.demand(
                        Demand::AtLeast { attribute, least },
                        Blame::FailUnlessChanged(Error::integrity(message)),
                    );
                }
                draft.add(address, action)?;
            }
        }
    }
    Ok(())
}

/// The counters that count a row: where they are, and what they are called there.
pub(crate) fn counted_by(scope: &Scope, row: &Record) -> Vec<(Address, String)> {
    let mut counters = Vec::new();
    for (attribute, reference) in references(scope.entity(row.entity)) {
        let Some(counter) = &reference.counted else {
            continue;
        };
        let counter = stored_name(scope.entity(reference.target), &counter.value);
        for id in reference_values(attribute, row) {
            if let Some(address) = scope.target_address(row, reference.target, &id) {
                counters.push((address, counter.clone()));
            }
        }
    }
    counters
}
