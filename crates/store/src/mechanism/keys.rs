//! The row's own action: where it stands, what is written there, and what must hold of what was read.

pub(crate) mod verify;

use super::collections::demand_mark;
use super::times;
use crate::address::Address;
use crate::change::{Cause, Direction, ItemChange, RowChange, Run, StoredRow, WriteKind};
use crate::draft::{Action, Blame, Demand, Edit, Write};
use crate::error::{Clash, Error};
use crate::interrupt::Interrupt;
use crate::mark;
use crate::profile::stored_name;
use crate::record::{self, Record};
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{Entity, Guard, OnExists, Role};

/// Adds the action on each row of an item.
pub(crate) fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    for row in &change.rows {
        match (&row.old, &row.new) {
            (None, Some(new)) => put(run, change, row, new)?,
            (Some(old), Some(new)) => rewrite(run, change, (row, old), new)?,
            (Some(old), None) => remove(run, change, row, old)?,
            (None, None) => {}
        }
    }
    Ok(())
}

/// Adds a row that is new.
fn put(
    run: &mut Run<'_>,
    change: &ItemChange,
    row: &RowChange,
    new: &Record,
) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    let address = scope.row_address(new)?;
    let put = Action::new(Write::Put(scope.encode(new)?));
    match &change.cause {
        // It is what its row says, whatever was there.
        Cause::Derived => run.draft.add_follower(address, put),
        Cause::Noted if scope.entity(new.entity).on_exists == OnExists::Replace => {
            run.draft.add(address, put)
        }
        Cause::Committed => {
            let demands = row.demands.iter().cloned();
            let put = demands.fold(put, |put, (demand, blame)| put.demand(demand, blame));
            run.draft.add(address, put)
        }
        Cause::Caller(_) => {
            let blame = blame_taken(scope, &change.cause, new, &address);
            run.draft
                .add_first(address, put.demand(Demand::Absent, blame))
        }
        _ => {
            let blame = blame_taken(scope, &change.cause, new, &address);
            run.draft.add(address, put.demand(Demand::Absent, blame))
        }
    }
}

/// What it means that there is a row where one is put.
fn blame_taken(scope: &Scope, cause: &Cause, row: &Record, address: &Address) -> Blame {
    let name = scope.name(row.entity);
    let clash = |mention| Error::conflict(name, Clash::key(mention));
    match cause {
        Cause::Caller(WriteKind::Create) | Cause::Noted => {
            if times::applies(scope, row) {
                Blame::Avoid(address.clone())
            } else {
                clash(scope.mention(row.entity, address)).into()
            }
        }
        // A row that was read and has changed since is why.
        Cause::Caller(_) | Cause::Moved(_) => {
            Blame::FailUnlessChanged(clash(scope.mention(row.entity, address)))
        }
        // An old copy that an index still showed has been moved already.
        Cause::Rekeyed(by) | Cause::Carried(by) => {
            let note = format!("(by `{by}`)");
            let mention = scope.mention_for_program(address).with_note(&note);
            Blame::FailUnlessChanged(clash(mention))
        }
        Cause::Cascade(_)
        | Cause::Mirrored
        | Cause::Derived
        | Cause::Path
        | Cause::Committed
        | Cause::Snapshot => clash(scope.mention_for_program(address)).into(),
    }
}

/// Adds the change of a row that is there.
fn rewrite(
    run: &mut Run<'_>,
    change: &ItemChange,
    (row, old): (&RowChange, &StoredRow),
    new: &Record,
) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    if matches!(change.cause, Cause::Caller(_) | Cause::Cascade(_)) {
        refuse_contradiction(scope, old)?;
    }
    let after = scope.encode(new)?;
    let new_address = scope.row_address(new)?;
    if change.cause == Cause::Derived && row.demands.is_empty() && !change.is_whole {
        return follow(run, old, new_address, after);
    }
    let present = present(scope, change, old);
    let mut action = demand_unchanged(scope, change, (row, old), present);
    if new_address == old.address {
        let (set, remove) = record::find_rewrites(scope.compiled(), new, &old.item, &after);
        if !set.is_empty() || !remove.is_empty() {
            action.write = Write::Update(Edit {
                set,
                remove,
                ..Edit::default()
            });
        }
        return run.draft.add_first(old.address.clone(), action);
    }
    action.write = Write::Delete;
    run.draft.add_first(old.address.clone(), action)?;
    let item = if let Cause::Moved(_) = change.cause {
        moved_item(scope, old, new, after)
    } else {
        rewritten_item(scope, old, new, after)
    };
    let blame = match &change.cause {
        Cause::Caller(_) | Cause::Cascade(_) => {
            let clash = Clash::key(scope.mention(new.entity, &new_address));
            Error::conflict(scope.name(new.entity), clash).into()
        }
        cause => blame_taken(scope, cause, new, &new_address),
    };
    let put = Action::new(Write::Put(item)).demand(Demand::Absent, blame);
    run.draft.add(new_address, put)
}

/// Makes a row what the row says that it follows from, whatever it was.
fn follow(
    run: &mut Run<'_>,
    old: &StoredRow,
    new_address: Address,
    after: Item,
) -> Result<(), Interrupt> {
    if new_address != old.address {
        let delete = Action::new(Write::Delete);
        run.draft.add_follower(old.address.clone(), delete)?;
    }
    run.draft
        .add_follower(new_address, Action::new(Write::Put(after)))
}

/// Adds the delete of a row.
fn remove(
    run: &mut Run<'_>,
    change: &ItemChange,
    row: &RowChange,
    old: &StoredRow,
) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    let address = old.address.clone();
    match &change.cause {
        Cause::Derived => run.draft.add_follower(address, Action::new(Write::Delete)),
        Cause::Path => {
            let mut delete = Action::new(Write::Delete);
            for (name, value) in old.item.iter() {
                let demand = Demand::is(name, Some(value.clone()));
                delete = delete.demand(Demand::NoneOr(vec![demand]), Blame::Changed);
            }
            run.draft.add(address, delete)
        }
        cause => {
            let present = match cause {
                Cause::Moved(Direction::Purge) => present(scope, change, old),
                _ => Action::check().demand(Demand::Present, Blame::Changed),
            };
            let mut delete = demand_unchanged(scope, change, (row, old), present);
            delete.write = Write::Delete;
            // A row that was counted, numbered or related since would be left behind.
            let entity = scope.entity(old.record.entity);
            for name in &scope.profile(old.record.entity).managed {
                let counter = stored_name(entity, name);
                let demand = Demand::is(counter.as_str(), old.item.get(&counter).cloned());
                delete = delete.demand(demand, Blame::Changed);
            }
            let delete = demand_mark(scope, old.record.entity, &old.item, delete);
            run.draft.add_first(address, delete)
        }
    }
}

/// Demands that a row is there.
fn present(scope: &Scope, change: &ItemChange, old: &StoredRow) -> Action {
    let entity = old.record.entity;
    let blame = match &change.cause {
        Cause::Caller(_) | Cause::Cascade(_) | Cause::Moved(Direction::Purge)
            if !change.is_whole =>
        {
            let mention = scope.mention(entity, &old.address);
            Error::not_found(scope.name(entity), mention).into()
        }
        _ => Blame::Changed,
    };
    Action::check().demand(Demand::Present, blame)
}

/// Demands that what the write was decided from is as it was read.
fn demand_unchanged(
    scope: &Scope,
    change: &ItemChange,
    (row, old): (&RowChange, &StoredRow),
    mut action: Action,
) -> Action {
    for (demand, blame) in &row.demands {
        action = action.demand(demand.clone(), blame.clone());
    }
    if change.is_whole {
        let table = scope.model().table(old.address.table());
        for (name, value) in old.item.iter().filter(|(name, _)| !table.is_key(name)) {
            action = action.demand(Demand::is(name, Some(value.clone())), Blame::Changed);
        }
        return action;
    }
    let dependencies = &scope.profile(old.record.entity).dependencies;
    unchanged(scope, old, dependencies.union(&change.decided_by), action)
}

/// Demands that these attributes are what was read, whatever they are called in the item.
fn unchanged<'n>(
    scope: &Scope,
    old: &StoredRow,
    names: impl IntoIterator<Item = &'n String>,
    mut action: Action,
) -> Action {
    let entity = scope.entity(old.record.entity);
    let key = entity.key_attributes();
    for name in names {
        // What is in the key, or never changes, is as it was read. But another row may have come to stand under the same key
        // since: its unique values are others.
        let fixed = entity.attribute(name).is_some_and(|attribute| {
            attribute.key_only
                || attribute.immutable && !is_claimed(entity, name)
                || attribute.role == Some(Role::Created)
                || key.contains(&name.as_str())
        });
        if fixed {
            continue;
        }
        let stored = stored_name(entity, name);
        let value = old.item.get(&stored).cloned();
        action = action.demand(Demand::is(stored, value), Blame::Changed);
    }
    action
}

/// Whether a guard row holds the value of an attribute.
fn is_claimed(entity: &Entity, name: &str) -> bool {
    entity.claims.iter().any(|claim| match &claim.guard {
        Guard::Row { attributes, .. } => attributes.iter().any(|claimed| claimed == name),
        Guard::Entity { .. } | Guard::Snapshot => false,
    })
}

/// Refuses to change a row whose attributes contradict its key.
fn refuse_contradiction(scope: &Scope, old: &StoredRow) -> Result<(), Error> {
    let found = record::find_contradiction(scope.compiled(), &old.record, &old.item);
    let Some(contradiction) = found else {
        return Ok(());
    };
    let name = scope.name(old.record.entity);
    let key = scope.key_text(old.record.entity, &old.address);
    Err(Error::integrity(format!(
        "{name} {key} contradicts itself: {contradiction}. Something else wrote it. Delete the row, or correct the \
         attribute where it was written, and change the row then"
    )))
}

/// The item of a row under its new key. It keeps the attributes that the model does not know.
fn rewritten_item(scope: &Scope, old: &StoredRow, new: &Record, encoded: Item) -> Item {
    let (set, remove) = record::find_rewrites(scope.compiled(), new, &old.item, &encoded);
    let mut item = old.item.clone();
    for (name, value) in set {
        item.insert(name, value);
    }
    for name in remove.into_iter().chain(marks_of(scope, old)) {
        item.remove(&name);
    }
    item
}

/// What a long operation that ends with this change has left in the row.
fn marks_of(scope: &Scope, old: &StoredRow) -> Vec<String> {
    let mark = scope.profile(old.record.entity).deleting.as_deref();
    mark.map_or_else(Vec::new, |mark| mark::names(mark).into())
}

/// The item of a row that became one of another entity. It keeps every attribute that the move does not change, also those
/// that the model does not know, so the way back gives the same bytes.
fn moved_item(scope: &Scope, old: &StoredRow, new: &Record, encoded: Item) -> Item {
    let (from, to) = (scope.entity(old.record.entity), scope.entity(new.entity));
    let types: Vec<&str> = from
        .is
        .iter()
        .chain(&to.is)
        .map(|known| known.attribute.value.as_str())
        .collect();
    let marks = marks_of(scope, old);
    let changed: Vec<String> = old
        .record
        .values
        .iter()
        .filter(|(name, value)| new.values.get(name) != Some(value))
        .map(|(name, _)| stored_name(from, name))
        .collect();
    let mut item = Item::new();
    for (name, value) in old.item.iter() {
        let is_own = to.open && scope.compiled().is_own_attribute(from.table, name);
        let is_key = !is_own && scope.compiled().is_key_attribute(from.table, name);
        if !is_key
            && !marks.contains(name)
            && !types.contains(&name.as_str())
            && !changed.contains(name)
        {
            item.insert(name.clone(), value.clone());
        }
    }
    for (name, value) in encoded {
        if item.get(&name).is_none() {
            item.insert(name, value);
        }
    }
    item
}
