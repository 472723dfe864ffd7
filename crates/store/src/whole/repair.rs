//! Repairs of what verify finds and what can be decided: counters, guards of old rows, keys of indexes.

use super::scan::tables;
use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::Error;
use crate::execute;
use crate::operation::Options;
use crate::read::is_own;
use crate::record::{self, Record};
use crate::session::{Interrupt, Session};
use crate::store::Store;
use crate::write;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::EntityId;
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
        let session = self.session(&Options::default());
        let mut counts: BTreeMap<(Address, String), u64> = BTreeMap::new();
        let mut stored: BTreeMap<(Address, String), Option<AttributeValue>> = BTreeMap::new();
        for table in tables(self.model()) {
            self.scan(table, |item| {
                count(&session, table, &item, &mut counts, &mut stored);
                Ok(())
            })
            .await?;
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
            self.repair(&session, address, action, &what, &mut repaired)
                .await?;
        }
        Ok(repaired)
    }

    /// Writes what rows from before the model lack: guards of their unique values, rows that follow from them, and keys of
    /// indexes. Revisions and their rows never change.
    pub async fn backfill(&self) -> Result<Repaired, Error> {
        let session = self.session(&Options::default());
        let mut rows = Vec::new();
        for table in tables(self.model()) {
            self.scan(table, |item| {
                if let Some(row) = session.decode(table, &item)
                    && let Some(address) = Address::of_item(session.model(), table, &item)
                    && is_own(&session, &address.hash)
                {
                    rows.push((address, row, item));
                }
                Ok(())
            })
            .await?;
        }
        let mut repaired = Repaired::default();
        for (address, row, item) in rows {
            if is_past(&session, row.entity) {
                continue;
            }
            let Ok(wanted) = session.encode(&row) else {
                repaired
                    .left
                    .push(format!("{address}: it breaks the model's rules"));
                continue;
            };
            let (set, remove) = record::rewritten(session.compiled(), &row, &item, &wanted);
            let moved = session.row_address(&row).is_ok_and(|new| new != address);
            if moved {
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
                self.repair(&session, address.clone(), action, &what, &mut repaired)
                    .await?;
            }
            for guard in write::guards(&session, &row)? {
                let taken = Demand::NoneOr(guard.owner.clone());
                let known = self.stored(&session, &guard.address).await?;
                if known.is_some() && taken.holds(known.as_ref()) {
                    continue;
                }
                let what = format!(
                    "the guard of `{}` of {address}: another row has the value",
                    guard.claim
                );
                let action =
                    Action::new(Write::Put(guard.item)).demand(Demand::Absent, Blame::Changed);
                self.repair(&session, guard.address, action, &what, &mut repaired)
                    .await?;
            }
            self.derive(&session, &row, &mut repaired).await?;
        }
        Ok(repaired)
    }

    /// Writes the rows that follow from a row and are not there.
    async fn derive(
        &self,
        session: &Session,
        row: &Record,
        repaired: &mut Repaired,
    ) -> Result<(), Error> {
        let derived = match write::derived_rows(session, row) {
            Ok(derived) => derived,
            Err(Interrupt::Fail(error)) => {
                repaired.left.push(error.to_string());
                return Ok(());
            }
            Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Vec::new(),
        };
        for row in derived {
            let address = session.row_address(&row)?;
            if self.stored(session, &address).await?.is_some() {
                continue;
            }
            let what = format!("the derived row {address}");
            let put = Action::new(Write::Put(session.encode(&row)?));
            let put = put.demand(Demand::Absent, Blame::Changed);
            self.repair(session, address, put, &what, repaired).await?;
        }
        Ok(())
    }

    async fn stored(&self, session: &Session, address: &Address) -> Result<Option<Item>, Error> {
        let request = session.get_request(address, true);
        let answer = self.executor.answer(request).await;
        match answer.result.map_err(Error::service)? {
            monotable_api::Response::GetItem(output) => Ok(output.item.map(|item| item.to_item())),
            other => Err(execute::unexpected(&other)),
        }
    }

    /// Writes one repair; what has changed since it was read is left.
    async fn repair(
        &self,
        session: &Session,
        address: Address,
        action: Action,
        what: &str,
        repaired: &mut Repaired,
    ) -> Result<(), Error> {
        let mut draft = Draft::default();
        let added = draft.add(address, action);
        debug_assert!(added.is_ok(), "a draft takes its first action");
        let request = draft.request(session.model(), "", false);
        let answer = self.executor.answer(request).await;
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
pub(super) fn is_past(session: &Session, entity: EntityId) -> bool {
    let repositories = &session.model().repositories;
    repositories
        .iter()
        .any(|repository| repository.log == entity || repository.entities.contains(&entity))
}

/// Counts what one item says.
fn count(
    session: &Session,
    table: monotable_model::model::TableId,
    item: &Item,
    counts: &mut BTreeMap<(Address, String), u64>,
    stored: &mut BTreeMap<(Address, String), Option<AttributeValue>>,
) {
    let Some(row) = session.decode(table, item) else {
        return;
    };
    let Some(address) = Address::of_item(session.model(), table, item) else {
        return;
    };
    for counter in &session.profile(row.entity).counters {
        stored.insert(
            (address.clone(), counter.clone()),
            item.get(counter).cloned(),
        );
    }
    for (target, counter) in crate::write::counted_by(session, &row) {
        *counts.entry((target, counter)).or_default() += 1;
    }
}
