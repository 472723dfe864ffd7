//! Candidates, looked at again: what is told was so when it was read for the second time.

use super::{Content, Inspection};
use crate::address::Address;
use crate::error::Error;
use crate::mechanism;
use crate::request;
use crate::scope::Scope;
use crate::store::Store;
use crate::verify::{
    Candidate, Confirmation, FactFilter, Facts, Findings, StatedRow, SubjectKey, Told,
};
use monotable_api::Response;
use monotable_item::{Item, limits};
use std::collections::{BTreeMap, BTreeSet};

/// How often rows are read until they stay what they are.
const LOOKS: usize = 5;

/// Items that were read.
pub(super) type Items = BTreeMap<Address, Option<Item>>;

impl Inspection<'_> {
    /// Those of the candidates that are still so.
    pub(super) async fn confirm(
        &mut self,
        candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, Error> {
        let (asked, mut open): (Vec<_>, Vec<_>) = candidates
            .into_iter()
            .partition(|candidate| matches!(candidate.confirmation, Confirmation::Ask(_)));
        let mut confirmed = self.ask(asked).await?;
        let mut before: Option<Items> = None;
        for _ in 0..LOOKS {
            if open.is_empty() {
                break;
            }
            let addresses: BTreeSet<Address> = open.iter().flat_map(reads).cloned().collect();
            let items = self.store.read_items(&addresses).await?;
            let mut still = Vec::new();
            for candidate in open {
                let Some(found) = self.look_again(&candidate, &items) else {
                    continue;
                };
                let stays = before.as_ref().is_some_and(|before| {
                    let mut reads = reads(&candidate);
                    reads.all(|address| before.get(address) == items.get(address))
                });
                if stays {
                    confirmed.push(found);
                } else {
                    still.push(candidate);
                }
            }
            open = still;
            before = Some(items);
        }
        self.verification.unsettled += open.len() as u64;
        Ok(confirmed)
    }

    /// The candidate as it is by what was read; none if it is no longer so.
    fn look_again(&mut self, candidate: &Candidate, items: &Items) -> Option<Candidate> {
        let facts = self.restate(&candidate.subject, reads(candidate), items);
        if let Confirmation::Unchanged { facts: wanted, .. } = &candidate.confirmation {
            let is_same = wanted.iter().all(|fact| facts.contains(fact));
            return is_same.then(|| candidate.clone());
        }
        let mut found = judge_again(&self.neutral, facts, items);
        found.retain(|found| {
            // What was read again may show that it is allowed.
            let is_milder = matches!(found.told, Told::Note(_));
            (found.told == candidate.told || is_milder)
                && found.address == candidate.address
                && found.entity == candidate.entity
        });
        // Several things may be wrong with one row; what is wrong may also be told in other words by now.
        let mut positions = found.iter();
        let same = positions.position(|found| found.message == candidate.message);
        found.into_iter().nth(same.unwrap_or(0))
    }

    /// The facts that rows state about a subject.
    pub(super) fn restate<'a>(
        &mut self,
        subject: &SubjectKey,
        addresses: impl Iterator<Item = &'a Address>,
        items: &Items,
    ) -> Vec<Vec<u8>> {
        let mut filter = FactFilter::new(subject);
        for address in addresses {
            let Some(Some(item)) = items.get(address) else {
                continue;
            };
            self.restate_item(address, item, &mut filter);
        }
        filter.facts
    }

    pub(super) fn restate_item(
        &mut self,
        address: &Address,
        item: &Item,
        filter: &mut FactFilter<'_>,
    ) {
        let Some(located) = self.tenants.locate(address.table(), item) else {
            return;
        };
        match &located.content {
            Content::Row {
                record,
                layout,
                says_tenant,
            } => {
                let row = StatedRow {
                    address: &located.address,
                    record,
                    item,
                    layout: layout.as_deref(),
                    says_tenant: *says_tenant,
                };
                self.statements.state(&row, &located.scope, filter);
            }
            Content::Other => {
                self.statements
                    .state_item(&located.address, item, &located.scope, filter);
            }
        }
    }
}

fn reads(candidate: &Candidate) -> std::slice::Iter<'_, Address> {
    match &candidate.confirmation {
        Confirmation::Rejudge(reads) | Confirmation::Unchanged { reads, .. } => reads.iter(),
        Confirmation::Ask(_) => [].iter(),
    }
}

/// What these facts show.
pub(super) fn judge_again(scope: &Scope, facts: Vec<Vec<u8>>, items: &Items) -> Vec<Candidate> {
    let mut facts = Facts::from_memory(facts);
    let mut findings = Findings::new(scope, 0).confirming(items);
    while let Ok(Some(mut subject)) = facts.next_subject() {
        mechanism::judge(&mut subject, &mut findings);
    }
    findings.take_candidates()
}

impl Store {
    /// Items by their keys, read strongly.
    pub(in crate::whole) async fn read_items(
        &self,
        addresses: &BTreeSet<Address>,
    ) -> Result<Items, Error> {
        let scope = self.scope_of_whole_tables();
        let mut items: Items = addresses
            .iter()
            .map(|address| (address.clone(), None))
            .collect();
        let addresses: Vec<Address> = addresses.iter().cloned().collect();
        for chunk in addresses.chunks(limits::MAX_BATCH_GET) {
            let request = request::batch_get(self.model(), chunk, true);
            let answer = self.executor.answer(request.into_request()).await;
            let Response::BatchGetItem(output) = answer.result.map_err(Error::service)? else {
                return Err(Error::integrity("a batch was answered by something else"));
            };
            for (physical, found) in output.responses {
                let mut tables = self.model().tables();
                let Some((table, _)) = tables.find(|(_, table)| table.physical == physical) else {
                    continue;
                };
                for item in found {
                    let item = item.to_item();
                    if let Some(address) = scope.addressing().locate_item(table, &item) {
                        items.insert(address, Some(item));
                    }
                }
            }
        }
        Ok(items)
    }
}
