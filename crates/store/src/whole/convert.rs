//! Rows of old layouts, written as the model writes them today.

use super::repair::Repaired;
use super::scan::whole_page;
use super::verify::{Content, LocatedItem, Tenants};
use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::operation::Options;
use crate::pattern::respell_key_times;
use crate::read::owners_of_row;
use crate::record::{self, Record};
use crate::scope::Scope;
use crate::store::Store;
use monotable_item::Item;
use monotable_model::model::TableId;

/// A row in a layout that is only read.
pub(super) struct OldRow {
    pub(super) scope: Scope,
    pub(super) address: Address,
    pub(super) record: Record,
    pub(super) item: Item,
}

impl Store {
    /// Writes every row that stands under keys of an old layout under those of today, each in one transaction: rows of all
    /// tenants, unless this handle is of one. Revisions and their rows never change. No more than a page is held.
    pub async fn convert(&self) -> Result<Repaired, Error> {
        let mut repaired = Repaired::default();
        let mut tenants = Tenants::new(self);
        for table in self.model().stored_tables() {
            let mut after = None;
            loop {
                let (items, next) = self.scan_page(whole_page(table, after)).await?;
                for item in items {
                    let found = self.old_row(&mut tenants, table, item.to_item()).await?;
                    if let Some(row) = found {
                        self.convert_row(&row, &mut repaired).await?;
                    }
                }
                after = next;
                if after.is_none() {
                    break;
                }
            }
        }
        if repaired.left.is_empty() {
            repaired.left = self.settle_templates().await?;
        }
        Ok(repaired)
    }

    async fn convert_row(&self, row: &OldRow, repaired: &mut Repaired) -> Result<(), Error> {
        let scope = &row.scope;
        let draft = match convert_to_draft(scope, row) {
            Ok(draft) => draft,
            Err(Interrupt::Fail(error)) => {
                repaired.left.push(format!("{}: {error}", row.address));
                return Ok(());
            }
            Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => return Ok(()),
        };
        let token = scope.fresh_token()?;
        let request = draft.request(scope.model(), &token);
        let answer = self.executor.answer(request.into_request()).await;
        match draft.outcome(answer) {
            Ok(()) => repaired.written += 1,
            Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => {
                let what = format!("{}: another row is there, or it has changed", row.address);
                repaired.left.push(what);
            }
            Err(Interrupt::Fail(error)) => return Err(error),
        }
        Ok(())
    }

    /// The item as a row in a layout that is only read; none if it is in today's, or of a tenant that is not meant.
    async fn old_row(
        &self,
        tenants: &mut Tenants<'_>,
        table: TableId,
        item: Item,
    ) -> Result<Option<OldRow>, Error> {
        let Some(located) = tenants.locate(table, &item) else {
            return Ok(None);
        };
        let LocatedItem {
            scope,
            address,
            content,
            is_asked,
        } = located;
        let says_tenant = content.says_tenant();
        // A row that does not say whose it is may be of this handle's tenant.
        let (scope, content) = if says_tenant {
            (scope.for_program(), content)
        } else {
            let own = self.scope(&Options::default());
            let content = Content::read(&own, table, &item);
            (own, content)
        };
        let Content::Row {
            mut record, layout, ..
        } = content
        else {
            return Ok(None);
        };
        let is_old = layout.is_some() || has_old_index_keys(&scope, &record, &item);
        // Revisions and their rows stay what they are; a time in another spelling is the same time.
        let is_respelled = layout.is_none() && respell_key_times(&scope, &mut record);
        let is_due = is_respelled || is_old && !scope.model().keeps_history(record.entity);
        if !is_due || (says_tenant && !is_asked) {
            return Ok(None);
        }
        if !says_tenant && !self.has_owners(&scope, &record).await? {
            return Ok(None);
        }
        add_generated(&scope, &mut record)?;
        Ok(Some(OldRow {
            scope,
            address,
            record,
            item,
        }))
    }
}

impl Store {
    /// Whether a row that does not say whose it is goes with rows of the scope's tenant.
    async fn has_owners(&self, scope: &Scope, record: &Record) -> Result<bool, Error> {
        let owners = owners_of_row(scope, record);
        for owner in &owners {
            if self.stored(owner).await?.is_none() {
                return Ok(false);
            }
        }
        Ok(!owners.is_empty())
    }
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
    let mut names = scope.model().table(entity.table).index_attributes();
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
pub(super) fn convert_to_draft(scope: &Scope, row: &OldRow) -> Result<Draft, Interrupt> {
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
