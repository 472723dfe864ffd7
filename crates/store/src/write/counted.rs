//! Counters: kept in the transaction of the rows they count.

use crate::anatomy::{references, stored_name};
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::Error;
use crate::place::Place;
use crate::record::Record;
use crate::session::{Session, Stop, referred};
use monotable_item::Number;
use std::collections::BTreeSet;

/// Adds what a write does to the counters that count the row, but for those of rows that are gone.
pub(super) fn recount(
    session: &Session,
    draft: &mut Draft,
    old: Option<&Record>,
    new: Option<&Record>,
    gone: &BTreeSet<Place>,
) -> Result<(), Stop> {
    let Some(row) = new.or(old) else {
        return Ok(());
    };
    let entity = session.entity(row.entity);
    for (attribute, reference) in references(entity) {
        let Some(counter) = &reference.counted else {
            continue;
        };
        let before = old.map(|row| referred(attribute, row)).unwrap_or_default();
        let after = new.map(|row| referred(attribute, row)).unwrap_or_default();
        if before == after {
            continue;
        }
        let target = session.entity(reference.target);
        let counter = stored_name(target, &counter.value);
        for (row, ids, step) in [(old, before, -1), (new, after, 1)] {
            for id in ids {
                let place = row.and_then(|row| session.target_place(row, reference.target, &id));
                let Some(place) = place.filter(|place| !gone.contains(place)) else {
                    continue;
                };
                if step < 0 && session.leaves(&place) {
                    // The row that counted is gone; as long as it is, there is nothing to count down.
                    let check = Action::check().demand(Demand::Absent, Blame::Changed);
                    draft.add(place, check)?;
                    continue;
                }
                let mut action =
                    Action::new(Write::Update(Edit::adding(&counter, Number::from(step))));
                if step < 0 {
                    action = action.demand(Demand::Present, Blame::Foreign(place.clone()));
                    let least = Number::from(1);
                    let message = format!(
                        "`{counter}` of {} {place} is less than the rows it counts: run `recount`",
                        target.name.value
                    );
                    let attribute = counter.clone();
                    action = action.demand(
                        Demand::AtLeast { attribute, least },
                        Blame::Doubt(Error::integrity(message)),
                    );
                }
                draft.add(place, action)?;
            }
        }
    }
    Ok(())
}

/// The counters that count a row: where they are, and what they are called there.
pub(crate) fn counted_by(session: &Session, row: &Record) -> Vec<(Place, String)> {
    let mut counters = Vec::new();
    for (attribute, reference) in references(session.entity(row.entity)) {
        let Some(counter) = &reference.counted else {
            continue;
        };
        let counter = stored_name(session.entity(reference.target), &counter.value);
        for id in referred(attribute, row) {
            if let Some(place) = session.target_place(row, reference.target, &id) {
                counters.push((place, counter.clone()));
            }
        }
    }
    counters
}
