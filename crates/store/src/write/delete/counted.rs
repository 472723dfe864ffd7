//! Rows that a counter counts and that were not found.
//!
//! The rows that go are read one query after another. A row that is made meanwhile may be missing from what was read of the rows,
//! and be counted by what was read of the row that counts them. Then the delete would find the counter as it was read, and leave
//! that row behind: whoever makes the counting row anew would get it back, uncounted. So counters are compared with what was
//! found. Where one counts more, its row is read again, and then the rows that it counts: whatever is made after that
//! changes the counter, and the delete depends on the counter.

use super::gather::{Removal, address_of, below, on_delete};
use crate::address::Address;
use crate::find::{self, Referrer, ReferrerQuery};
use crate::interrupt::Interrupt;
use crate::mechanism::counters::{Counted, counted_by};
use crate::profile::{Inbound, stored_name};
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Number};
use monotable_model::model::OnDelete;
use std::collections::{BTreeMap, BTreeSet};

/// How often rows are looked for that a counter counts and an index does not show yet. A counter that is wrong is believed no longer.
const LOOKS: u32 = 3;

/// Finds rows that the counters of gathered rows count, and that were not gathered. A row is read again once.
pub(super) async fn find_missed(
    reader: &Reader<'_>,
    gathered: &mut [Removal],
    recounted: &mut BTreeSet<Address>,
    seen: &mut BTreeSet<Address>,
) -> Result<Vec<Removal>, Interrupt> {
    let mut tally = tally(reader, gathered);
    let mut missed = Vec::new();
    for removal in gathered.iter_mut() {
        let address = address_of(reader, &removal.record, &removal.item)?;
        let inbound = counting_references(reader, removal);
        if inbound.is_empty() || is_complete(reader, removal, &address, &tally) {
            continue;
        }
        if !recounted.insert(address.clone()) {
            continue;
        }
        for look in 0..LOOKS {
            read_counters(reader, removal, &address).await?;
            let query = ReferrerQuery {
                row: &removal.record,
                inbound: inbound.clone(),
            };
            let found = find::referrers(reader, &[query]).await?.pop();
            let found = found.unwrap_or_default();
            for referrer in found.referrers {
                let place = address_of(reader, &referrer.record, &referrer.item)?;
                if seen.insert(place) {
                    count(reader, &referrer.record, &mut tally);
                    add(reader, removal, referrer, &mut missed);
                }
            }
            let is_done = is_complete(reader, removal, &address, &tally);
            if is_done || !found.uncertain || !reader.mode.writes() {
                break;
            }
            reader.steps.wait(look).await;
        }
    }
    Ok(missed)
}

/// Adds a row that was missed to those that go, or to those that lose their reference.
fn add(reader: &Reader<'_>, above: &mut Removal, referrer: Referrer, missed: &mut Vec<Removal>) {
    if on_delete(reader, &referrer.inbound) == OnDelete::Clear {
        above.cleared.push(referrer);
    } else {
        missed.push(below(above, referrer));
    }
}

/// How many rows that go are counted by each counter.
fn tally(scope: &Scope, gathered: &[Removal]) -> BTreeMap<Counted, u32> {
    let mut tally = BTreeMap::new();
    for removal in gathered {
        let link = removal.link.iter().map(|(row, _)| row);
        let cleared = removal.cleared.iter().map(|referrer| &referrer.record);
        for row in std::iter::once(&removal.record).chain(link).chain(cleared) {
            count(scope, row, &mut tally);
        }
    }
    tally
}

fn count(scope: &Scope, row: &Record, tally: &mut BTreeMap<Counted, u32>) {
    for counted in counted_by(scope, row) {
        *tally.entry(counted).or_default() += 1;
    }
}

/// The references by which rows are counted that go, or lose the reference, with the row.
fn counting_references(scope: &Scope, removal: &Removal) -> Vec<Inbound> {
    let inbound = scope.profile(removal.record.entity).inbound.iter();
    inbound
        .filter(|inbound| counter_of(scope, inbound).is_some())
        .filter(|inbound| {
            matches!(
                on_delete(scope, inbound),
                OnDelete::Cascade | OnDelete::Clear
            )
        })
        .cloned()
        .collect()
}

/// The counter that counts rows which refer so.
fn counter_of<'s>(scope: &'s Scope, inbound: &Inbound) -> Option<&'s str> {
    let attribute = scope.entity(inbound.entity).attribute(&inbound.attribute)?;
    let counter = attribute.reference.as_ref()?.counted.as_ref()?;
    Some(&counter.value)
}

/// Whether no counter of a row counts more rows than go. Rows that stay are counted too, so a counter of such rows tells nothing.
fn is_complete(
    scope: &Scope,
    removal: &Removal,
    address: &Address,
    tally: &BTreeMap<Counted, u32>,
) -> bool {
    let entity = scope.entity(removal.record.entity);
    let inbound = &scope.profile(removal.record.entity).inbound;
    let stays = |inbound: &Inbound| {
        matches!(
            on_delete(scope, inbound),
            OnDelete::Keep | OnDelete::Restrict
        )
    };
    let open: BTreeSet<&str> = inbound
        .iter()
        .filter(|inbound| stays(inbound))
        .filter_map(|inbound| counter_of(scope, inbound))
        .collect();
    let counters = inbound
        .iter()
        .filter_map(|inbound| counter_of(scope, inbound));
    counters
        .filter(|counter| !open.contains(counter))
        .all(|counter| {
            let stored = stored_name(entity, counter);
            let Some(AttributeValue::N(known)) = removal.item.get(&stored) else {
                return true;
            };
            let counted = Counted {
                address: address.clone(),
                counter: stored,
            };
            let found = tally.get(&counted).copied().unwrap_or_default();
            *known <= Number::from(found)
        })
}

/// Reads what the store keeps on a row again. Everything else stays as it was read: it was decided from, and the delete demands it.
async fn read_counters(
    reader: &Reader<'_>,
    removal: &mut Removal,
    address: &Address,
) -> Result<(), Interrupt> {
    let Some(item) = reader.get(address, true).await? else {
        return Err(Interrupt::Restart);
    };
    let item = item.to_item();
    let entity = reader.entity(removal.record.entity);
    for name in &reader.profile(removal.record.entity).managed {
        let stored = stored_name(entity, name);
        match item.get(&stored) {
            Some(value) => {
                removal.record.values.insert(name.clone(), value.clone());
                removal.item.insert(stored, value.clone());
            }
            None => {
                removal.record.values.remove(name);
                removal.item.remove(&stored);
            }
        }
    }
    Ok(())
}
