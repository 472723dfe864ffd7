//! Rows that an older version of the model has written, written as this one writes them.
//!
//! A row is due if this version would store it otherwise: under another key, under other names, with defaults that it lacks. It is
//! written on the condition that it is what was read, so a second call finds nothing to do, and whoever writes at the same time wins.

use super::convert::{OldRow, convert_to_draft};
use super::repair::{RepairMode, Repaired};
use super::scan::whole_page;
use super::verify::{Content, Tenants};
use crate::address::{self, Address};
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::Error;
use crate::guard;
use crate::interrupt::Interrupt;
use crate::mechanism::values;
use crate::record::{self, Record};
use crate::scope::Scope;
use crate::store::Store;
use crate::store_item::Adopted;
use monotable_item::{EncodedItem, Item};
use monotable_model::model::TableId;
use std::collections::BTreeSet;

/// How often a row is read again that others keep changing.
const ATTEMPTS: usize = 8;

/// What became of a page of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RewrittenPage {
    /// Items that were read.
    pub items: u64,
    /// What was written, or would be, and what could not be.
    pub rows: Repaired,
    /// Where rows and their guards would stand, of a page that is only planned: no two rows may have one place.
    pub places: Vec<PlannedPlace>,
    /// Items that are neither rows nor guards of the model, of a page that is only planned.
    pub unknown: Vec<Item>,
    /// The key behind which the next page begins; none at the end.
    pub next: Option<EncodedItem>,
}

/// Where a row, or a guard of it, would stand.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedPlace {
    /// The row: its entity and its key.
    pub row: String,
    /// The place: table and key.
    pub place: String,
}

/// A page of items that only another version of the model knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForgottenPage {
    /// Items that were deleted, or would be.
    pub items: u64,
    /// The key behind which the next page begins; none at the end.
    pub next: Option<EncodedItem>,
}

impl Store {
    /// Writes the rows of a page of a table as the model writes them, or says which would be written. Rows that the model refuses
    /// are left, and named. Revisions and their rows never change.
    pub async fn rewrite_page(
        &self,
        table: TableId,
        after: Option<EncodedItem>,
        mode: RepairMode,
    ) -> Result<RewrittenPage, Error> {
        let (items, next) = self.scan_page(whole_page(table, after)).await?;
        let mut page = RewrittenPage {
            next,
            ..RewrittenPage::default()
        };
        let mut tenants = Tenants::new(self);
        for item in items {
            page.items += 1;
            let item = item.to_item();
            if mode == RepairMode::Plan && !self.knows(&mut tenants, table, &item) {
                page.unknown.push(item);
                continue;
            }
            self.rewrite_item(&mut tenants, table, item, mode, &mut page)
                .await?;
        }
        Ok(page)
    }

    async fn rewrite_item(
        &self,
        tenants: &mut Tenants<'_>,
        table: TableId,
        mut item: Item,
        mode: RepairMode,
        page: &mut RewrittenPage,
    ) -> Result<(), Error> {
        for _ in 0..ATTEMPTS {
            let Some(row) = find_row(tenants, table, item) else {
                return Ok(());
            };
            let address = row.address.clone();
            match self.rewrite_row(row, mode, page).await {
                Ok(()) => return Ok(()),
                Err(Interrupt::Fail(error)) => return Err(error),
                // It has changed since it was read.
                Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => {}
            }
            match self.stored(&address).await? {
                Some(current) => item = current,
                None => return Ok(()),
            }
        }
        let what = "others change it all the time, or another row stands where it belongs";
        page.rows.left.push(what.to_owned());
        Ok(())
    }

    async fn rewrite_row(
        &self,
        mut row: OldRow,
        mode: RepairMode,
        page: &mut RewrittenPage,
    ) -> Result<(), Interrupt> {
        let rows = &mut page.rows;
        let scope = &row.scope;
        complete(scope, &mut row.record)?;
        let name = scope.name(row.record.entity);
        let key = scope.key_text(row.record.entity, &row.address);
        let wrong = record::problems(scope.compiled(), &row.record, &scope.circumstances);
        if let Some(error) = wrong.first() {
            rows.left.push(format!("{name} {key}: {error}"));
            return Ok(());
        }
        let wanted = match (scope.encode(&row.record), scope.row_address(&row.record)) {
            (Ok(wanted), Ok(address)) => (wanted, address),
            (Err(error), _) | (_, Err(error)) => {
                rows.left.push(format!("{name} {key}: {error}"));
                return Ok(());
            }
        };
        if mode == RepairMode::Plan {
            let places = list_places(scope, &row.record, &wanted.1);
            let planned = places.into_iter().map(|place| PlannedPlace {
                row: format!("{name} {key}"),
                place,
            });
            page.places.extend(planned);
        }
        let (set, remove) =
            record::find_rewrites(scope.compiled(), &row.record, &row.item, &wanted.0);
        if wanted.1 == row.address && set.is_empty() && remove.is_empty() {
            return Ok(());
        }
        if mode == RepairMode::Plan {
            rows.planned.push(format!("{name} {key}"));
            return Ok(());
        }
        let draft = convert_to_draft(scope, &row)?;
        let token = scope.fresh_token().map_err(Error::from)?;
        let request = draft.request(scope.model(), &token);
        let answer = self.executor.answer(request.into_request()).await;
        draft.outcome(answer)?;
        rows.written += 1;
        Ok(())
    }

    /// Deletes the items of a page that another version of the model knows, as rows or guards, and this one does not; or counts them.
    pub async fn forget_page(
        &self,
        old: &Self,
        table: TableId,
        after: Option<EncodedItem>,
        mode: RepairMode,
    ) -> Result<ForgottenPage, Error> {
        let name = &self.model().table(table).name.value;
        let mut known = old.model().tables();
        let old_table = known.find(|(_, other)| other.name.value == *name);
        let Some((old_table, _)) = old_table else {
            return Ok(ForgottenPage::default());
        };
        let (items, next) = self.scan_page(whole_page(table, after)).await?;
        let mut page = ForgottenPage { items: 0, next };
        let (mut ours, mut theirs) = (Tenants::new(self), Tenants::new(old));
        for item in items {
            let item = item.to_item();
            if self.knows(&mut ours, table, &item) || !old.knows(&mut theirs, old_table, &item) {
                continue;
            }
            page.items += 1;
            if mode == RepairMode::Write {
                self.delete_unchanged(table, &item).await?;
            }
        }
        Ok(page)
    }

    /// Whether an item is a row, or stands where guards do.
    fn knows(&self, tenants: &mut Tenants<'_>, table: TableId, item: &Item) -> bool {
        let Some(located) = tenants.locate(table, item) else {
            return true;
        };
        if address::is_reserved(located.address.partition_key()) {
            return true;
        }
        let statements = self.statements();
        let guard = statements
            .guards()
            .looks_like(&located.scope, &located.address);
        matches!(located.content, Content::Row { .. }) || guard.is_some()
    }

    /// Deletes an item if it is what was read; one that has changed stays.
    async fn delete_unchanged(&self, table: TableId, item: &Item) -> Result<(), Error> {
        let scope = self.scope_of_whole_tables();
        let Some(address) = scope.addressing().locate_item(table, item) else {
            return Ok(());
        };
        let mut delete = Action::new(Write::Delete).demand(Demand::Present, Blame::Changed);
        for (name, value) in item.iter() {
            delete = delete.demand(Demand::is(name, Some(value.clone())), Blame::Changed);
        }
        let mut draft = Draft::default();
        if draft.add(address, delete).is_err() {
            return Ok(());
        }
        let request = draft.request(scope.model(), "");
        let answer = self.executor.answer(request.into_request()).await;
        match draft.outcome(answer) {
            Err(Interrupt::Fail(error)) => Err(error),
            Ok(()) | Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Ok(()),
        }
    }

    /// Records that rows have the key templates of this model under these names, such as `Order`, `Order.GSI1` and `[tenant]`: the
    /// caller has proved that the keys are the same.
    pub async fn accept_templates(&self, names: &[String]) -> Result<(), Error> {
        let Some(recorded) = self.recorded_templates().await? else {
            return Ok(());
        };
        let templates = crate::store_item::Templates::new(self.model());
        for name in names {
            let written = templates.0.get(name).map(|written| &written.text);
            if let (Some(known), Some(text)) = (recorded.get(name), written)
                && !(known.len() == 1 && known.contains(text))
            {
                self.replace_templates(name, known, text).await?;
            }
        }
        Ok(())
    }

    /// Says that rows may lack what the model's operations rely on, until `verify` finds nothing: meanwhile operations read the
    /// rows themselves where a guard or a counter is missing, or refuse.
    pub async fn mark_unadopted(&self) -> Result<(), Error> {
        self.set_adopted(Adopted::No).await
    }
}

/// Where a row and its guards stand, each once: two claims of a row may share a guard.
fn list_places(scope: &Scope, row: &Record, address: &Address) -> BTreeSet<String> {
    let show = |what: &str, address: &Address| {
        let table = &scope.model().table(address.table()).name.value;
        format!("{what} {address} of {table}")
    };
    let guards = guard::stored_guards(scope, row);
    let guards = guards.iter().map(|guard| show("the guard", &guard.address));
    std::iter::once(show("the key", address))
        .chain(guards)
        .collect()
}

/// The item as a row that may be written.
fn find_row(tenants: &mut Tenants<'_>, table: TableId, item: Item) -> Option<OldRow> {
    let located = tenants.locate(table, &item)?;
    let Content::Row {
        record,
        says_tenant,
        ..
    } = located.content
    else {
        return None;
    };
    let is_fixed = located.scope.model().keeps_history(record.entity) || !says_tenant;
    (located.is_asked && !is_fixed).then(|| OldRow {
        scope: located.scope.for_program(),
        address: located.address,
        record,
        item,
    })
}

/// Adds what the model requires and the row lacks: defaults, ids, times, and what is computed.
fn complete(scope: &Scope, row: &mut Record) -> Result<(), Error> {
    let filled = record::fill_copy(scope.model(), row.clone(), &scope.circumstances)
        .map_err(|error| scope.refused(row.entity, vec![error]))?;
    for attribute in &scope.entity(row.entity).attributes {
        let name = &attribute.name.value;
        let is_wanted = attribute.is_always_present() || attribute.computed.is_some();
        if let (true, None, Some(value)) =
            (is_wanted, row.values.get(name), filled.values.get(name))
        {
            row.values.insert(name.clone(), value.clone());
        }
    }
    values::verify::refresh(scope, row);
    Ok(())
}
