//! What writes of one item have in common.

use crate::capacity::{Kind, Tally};
use crate::catalog::Table;
use crate::commit::{Action, Effect, Evaluation, Refusal, WriteRequest};
use crate::engine::Core;
use crate::step::Step;
use crate::{index, wording};
use monotable_api::{
    ConsumedCapacity, Error, ItemCollectionMetrics, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics,
};
use monotable_item::ItemView;
use std::sync::Arc;

/// What a write is to return beside its effect.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub(super) old_on_failure: bool,
    pub(super) capacity: ReturnConsumedCapacity,
    pub(super) metrics: ReturnItemCollectionMetrics,
}

impl Asked {
    /// Whether the answer needs the item as it was.
    pub(super) fn needs_old(self) -> bool {
        self.capacity != ReturnConsumedCapacity::None
    }
}

/// Queues a write of one item; `answer` makes the output from its effect.
pub(super) fn start<O: 'static>(
    core: &Core,
    action: Action,
    subject: ItemView<'_>,
    asked: Asked,
    answer: impl FnOnce(&Table, Effect) -> O + Send + 'static,
) -> Result<Step<O>, Error> {
    if core.conflicts(action.table.name(), subject) {
        return Err(wording::transaction_conflict());
    }
    let table = Arc::clone(&action.table);
    let request = WriteRequest {
        actions: vec![action],
        token: None,
    };
    let pending = core.committer.write(request);
    Ok(Step::Commit {
        pending: pending.map_err(|fault| wording::internal(&fault))?,
        answer: Box::new(move |evaluation| {
            let effect = only_effect(evaluation, asked.old_on_failure)?;
            Ok(answer(&table, effect))
        }),
    })
}

fn only_effect(evaluation: Evaluation, old_on_failure: bool) -> Result<Effect, Error> {
    match evaluation {
        Evaluation::Done { mut effects, .. } => effects.pop().ok_or_else(wording::no_outcome),
        Evaluation::Refused(refusals) => Err(refusals
            .into_iter()
            .flatten()
            .next()
            .map_or_else(wording::no_outcome, |refusal| {
                refuse(refusal, old_on_failure)
            })),
        Evaluation::TableGone(gone) => Err(gone),
        // Only requests with a token.
        Evaluation::Repeated | Evaluation::TokenTaken => Err(wording::token_taken()),
    }
}

fn refuse(refusal: Refusal, old_on_failure: bool) -> Error {
    match refusal {
        Refusal::Condition { item } => wording::condition_failed(item.filter(|_| old_on_failure)),
        Refusal::Invalid(error) => error,
    }
}

/// The consumed capacity of a write, if asked for.
pub(super) fn capacity(table: &Table, effect: &Effect, asked: Asked) -> Option<ConsumedCapacity> {
    if asked.capacity == ReturnConsumedCapacity::None {
        return None;
    }
    let mut tally = Tally::default();
    tally.add_write(table, effect, 1.0);
    tally.describe(table.name(), asked.capacity, Kind::Plain)
}

/// The metrics of the item's collection, if asked for. Only tables with local indexes have them.
pub(super) fn metrics(
    table: &Table,
    key: ItemView<'_>,
    asked: ReturnItemCollectionMetrics,
) -> Option<ItemCollectionMetrics> {
    if asked == ReturnItemCollectionMetrics::None || !table.has_local_indexes() {
        return None;
    }
    let names: Vec<String> = table.key.hash.iter().map(|key| key.name.clone()).collect();
    Some(ItemCollectionMetrics {
        item_collection_key: Some(index::pick(&names, key)),
        // An estimate, as AWS's is: a collection is not measured on every write.
        size_estimate_range_gb: Some(vec![0.0, 1.0]),
    })
}
