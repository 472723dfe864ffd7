//! Rows of old layouts, written as the model writes them today.

use super::ownership::ScannedRow;
use super::repair::{Repaired, is_past};
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::record::{self, Decoded, Record};
use crate::scope::Scope;
use crate::store::Store;
use monotable_item::Item;
use monotable_model::model::TableId;

impl Store {
    /// Writes every row that stands under keys of an old layout under those of today, each in one transaction. Revisions
    /// and their rows never change; rows of other tenants are left to their own call.
    pub async fn convert(&self) -> Result<Repaired, Error> {
        let scope = self.scope_of_whole_tables();
        let mut old = Vec::new();
        for table in self.model().stored_tables() {
            self.scan(table, |item| {
                old.extend(in_old_layout(&scope, table, item)?);
                Ok(())
            })
            .await?;
        }
        let mut repaired = Repaired::default();
        for row in old {
            if !self.owns(&scope, &row).await? {
                continue;
            }
            let what = format!("{}: another row is there, or it has changed", row.address);
            let draft = match converted(&scope, &row) {
                Ok(draft) => draft,
                Err(Interrupt::Fail(error)) => {
                    repaired.left.push(format!("{}: {error}", row.address));
                    continue;
                }
                Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => continue,
            };
            let token = scope.fresh_token()?;
            let request = draft.request(scope.model(), &token);
            let answer = self.executor.answer(request.into_request()).await;
            match draft.outcome(answer) {
                Ok(()) => repaired.written += 1,
                Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => repaired.left.push(what),
                Err(Interrupt::Fail(error)) => return Err(error),
            }
        }
        if repaired.left.is_empty() {
            repaired.left = self.settle_templates().await?;
        }
        Ok(repaired)
    }
}

/// The item as a row in a layout that is only read; none if it is in today's, or of another tenant.
fn in_old_layout(scope: &Scope, table: TableId, item: Item) -> Result<Option<ScannedRow>, Error> {
    let Some(address) = scope.addressing().locate_item(table, &item) else {
        return Ok(None);
    };
    let decoded = record::decode(scope.compiled(), table, scope.addressing().prefix(), &item);
    let Decoded::Row { mut record, layout } = decoded else {
        return Ok(None);
    };
    if is_past(scope, record.entity) {
        return Ok(None);
    }
    record::upgrade(scope.model(), &mut record, &scope.circumstances);
    record::add_unwritten(scope.model(), &mut record, &scope.circumstances);
    let Some(mut row) = ScannedRow::new(scope, address, record, item) else {
        return Ok(None);
    };
    if layout.is_none() && !has_old_index_keys(scope, &row.record, &row.item) {
        return Ok(None);
    }
    add_generated(scope, &mut row.record)?;
    Ok(Some(row))
}

/// Whether a row stands under the table key of today, and in an index under that of another layout.
fn has_old_index_keys(scope: &Scope, record: &Record, item: &Item) -> bool {
    let entity = scope.entity(record.entity);
    if entity.layouts.is_empty() {
        return false;
    }
    let Ok(wanted) = scope.encode(record) else {
        return false;
    };
    let indexes = scope.model().table(entity.table).indexes.iter();
    let mut names = indexes.flat_map(|index| std::iter::once(&index.hash).chain(&index.range));
    names.any(|name| wanted.get(&name.value) != item.get(&name.value))
}

/// Old keys may lack what those of today end with: an id that keeps two rows of one time apart.
fn add_generated(scope: &Scope, record: &mut Record) -> Result<(), Error> {
    let entity = scope.entity(record.entity);
    let filled = record::fill_copy(scope.model(), record.clone(), &scope.circumstances)
        .map_err(|error| scope.refused(record.entity, vec![error]))?;
    for name in entity.key_attributes() {
        let attribute = entity.attribute(name);
        let generated = attribute.is_some_and(|attribute| attribute.generated.is_some());
        if let (true, None, Some(value)) =
            (generated, record.values.get(name), filled.values.get(name))
        {
            record.values.insert(name, value.clone());
        }
    }
    Ok(())
}

/// The row under the keys of today, with everything that the model does not know of it.
fn converted(scope: &Scope, row: &ScannedRow) -> Result<Draft, Interrupt> {
    let wanted = scope.encode(&row.record)?;
    let new_address = scope.row_address(&row.record)?;
    let (set, remove) = record::find_rewrites(scope.compiled(), &row.record, &row.item, &wanted);
    let mut unchanged = Action::check().demand(Demand::Present, Blame::Changed);
    for (name, value) in row.item.iter() {
        unchanged = unchanged.demand(Demand::is(name, Some(value.clone())), Blame::Changed);
    }
    let mut draft = Draft::default();
    if new_address == row.address {
        let edit = Edit {
            set,
            remove,
            ..Edit::default()
        };
        unchanged.write = Write::Update(edit);
        draft.add(row.address.clone(), unchanged)?;
        return Ok(draft);
    }
    let mut item = row.item.clone();
    for (name, value) in set {
        item.insert(name, value);
    }
    for name in remove {
        item.remove(&name);
    }
    unchanged.write = Write::Delete;
    draft.add(row.address.clone(), unchanged)?;
    let put = Action::new(Write::Put(item)).demand(Demand::Absent, Blame::Changed);
    draft.add(new_address, put)?;
    Ok(draft)
}
