//! What rows from before the model lack: keys of indexes, guards of unique values, rows that follow from them.

use super::ownership::ScannedRow;
use super::repair::{Repaired, is_past};
use crate::draft::{Action, Blame, Demand, Edit, Write};
use crate::error::Error;
use crate::guard;
use crate::interrupt::Interrupt;
use crate::mechanism::derived::{self, says_the_same};
use crate::operation::Options;
use crate::record::{self, Record};
use crate::scope::Scope;
use crate::store::Store;
use monotable_model::model::EntityId;
use std::collections::BTreeMap;

/// The rows that are stored, by their entities.
type StoredRows<'r> = BTreeMap<EntityId, Vec<&'r Record>>;

impl Store {
    /// Writes what rows from before the model lack: guards of their unique values, rows that follow from them, and keys of
    /// indexes. Rows of other tenants are left to their own call. Revisions and their rows never change. A second call
    /// writes nothing.
    pub async fn backfill(&self) -> Result<Repaired, Error> {
        self.refuse_lost_keys().await?;
        let scope = self.scope(&Options::default());
        let rows = self.rows_of_tenant(&scope).await?;
        let mut stored = StoredRows::new();
        for row in &rows {
            let same = stored.entry(row.record.entity).or_default();
            same.push(&row.record);
        }
        let mut repaired = Repaired::default();
        for row in &rows {
            if is_past(&scope, row.record.entity) {
                continue;
            }
            if self.backfill_keys(&scope, row, &mut repaired).await? {
                self.backfill_guards(&scope, row, &mut repaired).await?;
                self.backfill_derived(&scope, row, &stored, &mut repaired)
                    .await?;
            }
        }
        Ok(repaired)
    }

    /// All rows of the scope's tenant.
    async fn rows_of_tenant(&self, scope: &Scope) -> Result<Vec<ScannedRow>, Error> {
        let mut scanned = Vec::new();
        for table in self.model().stored_tables() {
            self.scan(table, |item| {
                if let Some(record) = scope.decode(table, &item)
                    && let Some(address) = scope.addressing().locate_item(table, &item)
                {
                    scanned.extend(ScannedRow::new(scope, address, record, item));
                }
                Ok(())
            })
            .await?;
        }
        let mut rows = Vec::with_capacity(scanned.len());
        for row in scanned {
            if self.owns(scope, &row).await? {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// Makes the item what its row gives. False: the row breaks the model's rules, so it gives nothing.
    async fn backfill_keys(
        &self,
        scope: &Scope,
        row: &ScannedRow,
        repaired: &mut Repaired,
    ) -> Result<bool, Error> {
        let ScannedRow {
            address,
            record,
            item,
            ..
        } = row;
        let Ok(wanted) = scope.encode(record) else {
            let left = format!("{address}: it breaks the model's rules");
            repaired.left.push(left);
            return Ok(false);
        };
        let (set, remove) = record::find_rewrites(scope.compiled(), record, item, &wanted);
        let is_moved = scope.row_address(record).is_ok_and(|new| new != *address);
        if is_moved {
            let left = format!("{address}: it stands under the key of an old layout");
            repaired.left.push(left);
        } else if !set.is_empty() || !remove.is_empty() {
            let mut action = Action::new(Write::Update(Edit {
                set,
                remove,
                ..Edit::default()
            }));
            for (name, value) in item.iter() {
                let demand = Demand::is(name, Some(value.clone()));
                action = action.demand(demand, Blame::Changed);
            }
            let what = format!("the keys of {address}");
            self.repair(scope, address.clone(), action, &what, repaired)
                .await?;
        }
        Ok(true)
    }

    /// Writes the guards of a row's unique values.
    async fn backfill_guards(
        &self,
        scope: &Scope,
        row: &ScannedRow,
        repaired: &mut Repaired,
    ) -> Result<(), Error> {
        for guard in guard::guards(scope, &row.record)? {
            let taken = Demand::NoneOr(guard.owner.clone());
            let known = self.stored(scope, &guard.address).await?;
            if known.is_some() && taken.holds(known.as_ref()) {
                continue;
            }
            let what = format!(
                "the guard of `{}` of {}: another row has the value",
                guard.claim, row.address
            );
            let action = Action::new(Write::Put(guard.item)).demand(Demand::Absent, Blame::Changed);
            self.repair(scope, guard.address, action, &what, repaired)
                .await?;
        }
        Ok(())
    }

    /// Writes the rows that follow from a row and are not there.
    async fn backfill_derived(
        &self,
        scope: &Scope,
        row: &ScannedRow,
        stored: &StoredRows<'_>,
        repaired: &mut Repaired,
    ) -> Result<(), Error> {
        let derived = match derived::rows(scope, &row.record) {
            Ok(derived) => derived,
            Err(Interrupt::Fail(error)) => {
                repaired.left.push(error.to_string());
                return Ok(());
            }
            Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Vec::new(),
        };
        for row in derived {
            if has_fresh_key(scope, row.entity) {
                // Its key is new each time, so it is found by what it says.
                let mut known = stored.get(&row.entity).into_iter().flatten();
                if known.any(|known| says_the_same(scope, known, &row)) {
                    continue;
                }
            }
            let address = scope.row_address(&row)?;
            if self.stored(scope, &address).await?.is_some() {
                continue;
            }
            let what = format!("the derived row {address}");
            let put = Action::new(Write::Put(scope.encode(&row)?));
            let put = put.demand(Demand::Absent, Blame::Changed);
            self.repair(scope, address, put, &what, repaired).await?;
        }
        Ok(())
    }
}

/// Whether the key of an entity's rows is new each time.
fn has_fresh_key(scope: &Scope, entity: EntityId) -> bool {
    let declared = scope.entity(entity);
    declared.key_attributes().into_iter().any(|name| {
        let attribute = declared.attribute(name);
        attribute.is_some_and(|attribute| attribute.generated.is_some())
    })
}
