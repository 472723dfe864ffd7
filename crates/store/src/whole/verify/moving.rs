//! What a move that has not ended explains: rows that stand under old and new keys, with references between the two, and
//! counters that count both. It is told once, as unfinished, and nothing of it is repaired.

use super::{Content, Inspection};
use crate::address::Address;
use crate::error::Error;
use crate::mark::{self, Begun};
use crate::record::Record;
use crate::scope::Scope;
use crate::verify::{Candidate, Told, ViolationKind};
use monotable_item::Item;
use monotable_model::model::{Move, MoveKind};
use std::collections::BTreeSet;

/// A move that has begun on a row and gives it new values.
struct UnfinishedMove<'m> {
    declared: &'m Move,
    tenant: Option<String>,
    address: Address,
    row: Record,
    set: Item,
}

impl UnfinishedMove<'_> {
    /// Whether a row is the one that moves, or goes with it.
    fn takes(&self, scope: &Scope, address: &Address, row: &Record) -> bool {
        let MoveKind::Changes { changes, carries } = &self.declared.kind else {
            return false;
        };
        if *address == self.address {
            return true;
        }
        let known = |name: &str| row.values.get(name);
        let has_place = changes.iter().all(|changed| {
            let name = changed.value.as_str();
            known(name) == self.row.values.get(name) || known(name) == self.set.get(name)
        });
        has_place
            && carries.iter().any(|pattern| {
                let pattern = scope.model().pattern(*pattern);
                let mut parameters = pattern.parameters.iter();
                pattern.returns.contains(&row.entity)
                    && parameters.all(|parameter| {
                        let asked = self.row.values.get(&parameter.name);
                        asked.is_none() || known(&parameter.name) == asked
                    })
            })
    }
}

impl Inspection<'_> {
    /// Leaves out what a move explains that has not ended.
    pub(super) async fn leave_out_moving(
        &mut self,
        candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, Error> {
        let asked = candidates.iter().filter(|candidate| may_explain(candidate));
        let asked: BTreeSet<Address> = asked.map(|found| found.address.clone()).collect();
        if self.moving.is_empty() || asked.is_empty() {
            return Ok(candidates);
        }
        let marked = self.store.read_items(&self.moving).await?;
        let items = self.store.read_items(&asked).await?;
        let model = self.store.model();
        let mut moves = Vec::new();
        for (address, item) in marked {
            let Some((row, tenant, item)) = self.read_row(&address, item) else {
                continue;
            };
            let mark = self.neutral.profile(row.entity).deleting.as_deref();
            let Some(Begun::Move { name, set }) = mark.and_then(|mark| mark::read(&item, mark))
            else {
                continue;
            };
            let mut declared = model.moves.iter();
            if let Some(declared) = declared.find(|declared| declared.name.value == name) {
                moves.push(UnfinishedMove {
                    declared,
                    tenant,
                    address,
                    row,
                    set,
                });
            }
        }
        let mut explained = BTreeSet::new();
        for (address, item) in items {
            if let Some((row, tenant, _)) = self.read_row(&address, item) {
                let mut moves = moves.iter().filter(|known| known.tenant == tenant);
                if moves.any(|known| known.takes(&self.neutral, &address, &row)) {
                    explained.insert(address);
                }
            }
        }
        let kept = candidates
            .into_iter()
            .filter(|found| !may_explain(found) || !explained.contains(&found.address));
        Ok(kept.collect())
    }

    fn read_row(
        &mut self,
        address: &Address,
        item: Option<Item>,
    ) -> Option<(Record, Option<String>, Item)> {
        let item = item?;
        let located = self.tenants.locate(address.table(), &item)?;
        let tenant = located.scope.circumstances.tenant.as_ref();
        let tenant = tenant.map(|tenant| tenant.as_str().to_owned());
        match located.content {
            Content::Row { record, .. } => Some((record, tenant, item)),
            Content::Other => None,
        }
    }
}

/// Whether half a move can be why: it writes each row with its own keys and guards, but not what refers to it elsewhere.
const fn may_explain(candidate: &Candidate) -> bool {
    matches!(
        candidate.told,
        Told::Violation(
            ViolationKind::Reference
                | ViolationKind::Counter
                | ViolationKind::Check
                | ViolationKind::Owner
                | ViolationKind::Derived
        )
    )
}
