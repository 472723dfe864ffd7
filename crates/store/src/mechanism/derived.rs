//! Rows that follow from a row: written, changed and deleted with it.

mod rows;
pub(crate) mod verify;

pub(crate) use rows::rows;

use crate::address::Address;
use crate::address::Finder;
use crate::change::{Cause, ItemChange, Run, StoredRow};
use crate::draft::Draft;
use crate::find::finder;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{Derive, EntityId};

/// Whether the keys of derived rows are new each time: then they are compared by what they say.
pub(crate) fn is_fresh(scope: &Scope, derive: &Derive) -> bool {
    let target = scope.entity(derive.entity);
    let mut key = target.key_attributes().into_iter();
    key.any(|name| {
        let attribute = target.attribute(name);
        attribute.is_some_and(|attribute| attribute.generated.is_some())
    })
}

/// The rows that follow from a row and whose keys follow from it too.
fn keyed(scope: &Scope, row: &Record) -> Result<Vec<Record>, Interrupt> {
    let fresh: Vec<_> = scope
        .model()
        .derives
        .iter()
        .filter(|derive| derive.of == row.entity && is_fresh(scope, derive))
        .map(|derive| derive.entity)
        .collect();
    let mut all = rows(scope, row)?;
    all.retain(|row| !fresh.contains(&row.entity));
    Ok(all)
}

/// Adds what a change does to the rows that follow from its rows, one of which may take over what followed from another.
pub(crate) async fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    if run.reader.model().derives.is_empty() {
        return Ok(());
    }
    follow_keyed(run, change).await?;
    // What goes with a row that is deleted is gathered before.
    let is_gathered = matches!(change.cause, Cause::Caller(_) | Cause::Cascade(_));
    if change.after().is_some() || !is_gathered {
        for row in &change.rows {
            let old = row.old.as_ref().map(|old| &old.record);
            follow_fresh(run, old, row.new.as_ref()).await?;
        }
    }
    Ok(())
}

/// Rows whose keys follow from their row, too.
async fn follow_keyed(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for row in change.old_rows() {
        before.extend(keyed(scope, row)?);
    }
    for row in change.new_rows() {
        after.extend(keyed(scope, row)?);
    }
    let mut kept = Vec::new();
    for row in after {
        let address = scope.row_address(&row)?;
        kept.push(address.clone());
        if before.contains(&row) {
            continue;
        }
        let old = before.iter().find(|old| {
            old.entity == row.entity && scope.row_address(old).is_ok_and(|at| at == address)
        });
        let stored = stored_or_presumed(run, row.entity, old.cloned(), &address).await?;
        let row = keep_managed(scope, row, stored.as_ref());
        // What others keep on the row must be what was read, or it would be written over.
        let is_kept = stored.is_some() && !scope.profile(row.entity).managed.is_empty();
        let change = ItemChange::new(Cause::Derived, stored, Some(row));
        run.push(if is_kept {
            change.of_whole_rows()
        } else {
            change
        });
    }
    for row in before {
        let address = scope.row_address(&row)?;
        if !kept.contains(&address) {
            let stored = stored_or_presumed(run, row.entity, Some(row), &address).await?;
            if stored.is_some() && !run.is_removed(&address) {
                run.push(ItemChange::new(Cause::Derived, stored, None));
            }
        }
    }
    Ok(())
}

/// What is stored of a derived row: read if it holds more than its row says, else what its row has said.
async fn stored_or_presumed(
    run: &mut Run<'_>,
    entity: EntityId,
    presumed: Option<Record>,
    address: &Address,
) -> Result<Option<StoredRow>, Interrupt> {
    let reader = run.reader;
    if !holds_more(reader.scope, entity) {
        let presumed = presumed.map(|row| StoredRow::presume(reader.scope, row));
        return presumed.transpose();
    }
    let found = reader.row(run.draft, address).await?;
    let found = found.filter(|(row, _)| row.entity == entity);
    Ok(found.map(|(record, item)| StoredRow {
        address: address.clone(),
        record,
        item,
    }))
}

/// Whether rows of an entity hold more than what they are derived from (counters that others keep on them, and numbers), or
/// other rows go with them: then what is there is what counts.
fn holds_more(scope: &Scope, entity: EntityId) -> bool {
    let declared = scope.entity(entity);
    let profile = scope.profile(entity);
    let mut attributes = declared.attributes.iter();
    !profile.managed.is_empty()
        || !profile.inbound.is_empty()
        || attributes.any(|attribute| attribute.numbered.is_some())
}

/// A derived row with what the store keeps on the one that is there.
fn keep_managed(scope: &Scope, mut row: Record, stored: Option<&StoredRow>) -> Record {
    let Some(stored) = stored else {
        return row;
    };
    let declared = scope.entity(row.entity);
    let numbered = declared
        .attributes
        .iter()
        .filter(|attribute| attribute.numbered.is_some())
        .map(|attribute| &attribute.name.value);
    for name in scope.profile(row.entity).managed.iter().chain(numbered) {
        // A default of the derived row is no count.
        if let Some(value) = stored.record.values.get(name) {
            row.values.insert(name.clone(), value.clone());
        }
    }
    row
}

/// Rows whose keys are new each time: those that are stored and say the same stay.
async fn follow_fresh(
    run: &mut Run<'_>,
    old: Option<&Record>,
    new: Option<&Record>,
) -> Result<(), Interrupt> {
    let reader = run.reader;
    let derives = reader.scope.model().derives.iter();
    let concerns =
        |derive: &&Derive, row: Option<&Record>| row.is_some_and(|row| row.entity == derive.of);
    let derives = derives.filter(|derive| concerns(derive, old) || concerns(derive, new));
    for derive in derives.filter(|derive| is_fresh(reader.scope, derive)) {
        let mut wanted = match new.filter(|new| new.entity == derive.of) {
            Some(new) => {
                let mut wanted = rows(reader.scope, new)?;
                wanted.retain(|row| row.entity == derive.entity);
                wanted
            }
            None => Vec::new(),
        };
        let stored = match old.filter(|old| old.entity == derive.of) {
            Some(old) => stored(&reader, derive, old).await?,
            None => Vec::new(),
        };
        for (row, item) in stored {
            let same = wanted
                .iter()
                .position(|new| says_the_same(reader.scope, new, &row));
            match same {
                Some(same) => {
                    wanted.swap_remove(same);
                }
                None => {
                    let old = StoredRow::locate(reader.scope, row, item)?;
                    run.push(ItemChange::new(Cause::Derived, Some(old), None));
                }
            }
        }
        for row in wanted {
            run.push(ItemChange::new(Cause::Derived, None, Some(row)));
        }
    }
    Ok(())
}

/// The derived rows of a row that others refer to, as they are stored: those go with them.
pub(crate) async fn stored_with_referrers(
    reader: &Reader<'_>,
    row: &Record,
) -> Result<Vec<(Record, Item)>, Interrupt> {
    let mut all = Vec::new();
    let derives = reader.model().derives.iter();
    let mut entities = derives
        .filter(|derive| derive.of == row.entity)
        .map(|derive| derive.entity);
    if !entities.any(|entity| !reader.profile(entity).inbound.is_empty()) {
        return Ok(all);
    }
    for derived in keyed(reader, row)? {
        if !reader.profile(derived.entity).inbound.is_empty() {
            let address = reader.row_address(&derived)?;
            let found = reader.row(&Draft::default(), &address).await?;
            all.extend(found.filter(|(found, _)| found.entity == derived.entity));
        }
    }
    Ok(all)
}

/// The derived rows of a row that are stored, of one declaration.
pub(crate) async fn stored(
    reader: &Reader<'_>,
    derive: &Derive,
    row: &Record,
) -> Result<Vec<(Record, Item)>, Interrupt> {
    let mut known = Item::new();
    for name in reader.entity(derive.entity).key_attributes() {
        let generated = reader
            .entity(derive.entity)
            .attribute(name)
            .is_some_and(|attribute| attribute.generated.is_some());
        if let (false, Some(value)) = (generated, row.values.get(name)) {
            known.insert(name, value.clone());
        }
    }
    let Some(Finder::Range(rows)) = finder(reader, derive.entity, &known, "") else {
        return Ok(Vec::new());
    };
    let table = rows.table();
    let mut found = Vec::new();
    for item in reader.all(&[rows]).await?.into_iter().flatten() {
        let record = reader.decode(table, &item);
        if let Some(record) = record.filter(|record| record.entity == derive.entity) {
            found.push((record, item));
        }
    }
    Ok(found)
}

/// Whether two rows agree on everything but what is made for each.
pub(crate) fn says_the_same(scope: &Scope, one: &Record, other: &Record) -> bool {
    let attributes = scope.entity(one.entity).attributes.iter();
    let managed = &scope.profile(one.entity).managed;
    let mut said = attributes.filter(|attribute| {
        attribute.role.is_none()
            && attribute.generated.is_none()
            && attribute.numbered.is_none()
            // Hashes of one text differ.
            && attribute.hashed.is_none()
            && !managed.contains(&attribute.name.value)
    });
    said.all(|attribute| {
        let name = &attribute.name.value;
        one.values.get(name) == other.values.get(name)
    })
}
