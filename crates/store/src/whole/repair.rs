//! Repairs of what verify finds and what can be decided: here counters, and what all repairs share.

use super::ownership::ScannedRow;
use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::Error;
use crate::execute;
use crate::interrupt::Interrupt;
use crate::request;
use crate::scope::Scope;
use crate::store::Store;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::{EntityId, TableId};
use std::collections::BTreeMap;

/// What a repair did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Rows that were written.
    pub written: u64,
    /// What could not be repaired, and why.
    pub left: Vec<String>,
}

impl Store {
    /// Sets every counter to the count. One that others change meanwhile is left to the next call.
    pub async fn recount(&self) -> Result<Repaired, Error> {
        self.compare_templates().await?;
        let scope = self.scope_of_whole_tables();
        let mut rows = Vec::new();
        for table in self.model().stored_tables() {
            self.scan(table, |item| {
                rows.extend(scanned(&scope, table, item));
                Ok(())
            })
            .await?;
        }
        let mut counts: BTreeMap<(Address, String), u64> = BTreeMap::new();
        let mut stored: BTreeMap<(Address, String), Option<AttributeValue>> = BTreeMap::new();
        for row in rows {
            if self.owns(&scope, &row).await? {
                count(&scope, &row, &mut counts, &mut stored);
            }
        }
        let mut repaired = Repaired::default();
        for ((address, counter), before) in stored {
            let count = counts
                .get(&(address.clone(), counter.clone()))
                .copied()
                .unwrap_or(0);
            let wanted = AttributeValue::N(Number::from(count));
            if before.as_ref() == Some(&wanted) {
                continue;
            }
            let edit = Edit {
                set: Item::new().with(counter.clone(), wanted),
                ..Edit::default()
            };
            let action = Action::new(Write::Update(edit))
                .demand(Demand::Present, Blame::Changed)
                .demand(Demand::is(counter.clone(), before), Blame::Changed);
            let what = format!("`{counter}` of {address}");
            self.repair(&scope, address, action, &what, &mut repaired)
                .await?;
        }
        Ok(repaired)
    }

    pub(super) async fn stored(
        &self,
        scope: &Scope,
        address: &Address,
    ) -> Result<Option<Item>, Error> {
        let request = request::get(scope.model(), address, true);
        let answer = self.executor.answer(request.into_request()).await;
        match answer.result.map_err(Error::service)? {
            monotable_api::Response::GetItem(output) => Ok(output.item.map(|item| item.to_item())),
            other => Err(execute::unexpected(&other)),
        }
    }

    /// Writes one repair; what has changed since it was read is left.
    pub(super) async fn repair(
        &self,
        scope: &Scope,
        address: Address,
        action: Action,
        what: &str,
        repaired: &mut Repaired,
    ) -> Result<(), Error> {
        let mut draft = Draft::default();
        let added = draft.add(address, action);
        debug_assert!(added.is_ok(), "a draft takes its first action");
        let request = draft.request(scope.model(), "");
        let answer = self.executor.answer(request.into_request()).await;
        match draft.outcome(answer) {
            Ok(()) => repaired.written += 1,
            Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => {
                repaired.left.push(what.to_owned())
            }
            Err(Interrupt::Fail(error)) => return Err(error),
        }
        Ok(())
    }
}

/// Whether rows of an entity are what was committed once.
pub(super) fn is_past(scope: &Scope, entity: EntityId) -> bool {
    let repositories = &scope.model().repositories;
    repositories
        .iter()
        .any(|repository| repository.log == entity || repository.entities.contains(&entity))
}

/// The item as a row that may be of the scope's tenant, without what is not needed to count.
fn scanned(scope: &Scope, table: TableId, item: Item) -> Option<ScannedRow> {
    let record = scope.decode(table, &item)?;
    let address = scope.addressing().locate_item(table, &item)?;
    let counts = !scope.profile(record.entity).counters.is_empty()
        || !crate::mechanism::counters::counted_by(scope, &record).is_empty();
    counts.then(|| ScannedRow::new(scope, address, record, item))?
}

/// Counts what one row says.
fn count(
    scope: &Scope,
    row: &ScannedRow,
    counts: &mut BTreeMap<(Address, String), u64>,
    stored: &mut BTreeMap<(Address, String), Option<AttributeValue>>,
) {
    for counter in &scope.profile(row.record.entity).counters {
        let value = row.item.get(counter).cloned();
        stored.insert((row.address.clone(), counter.clone()), value);
    }
    for counted in crate::mechanism::counters::counted_by(scope, &row.record) {
        *counts
            .entry((counted.address, counted.counter))
            .or_default() += 1;
    }
}
