//! What writes of one item have in common.

use crate::capacity::{Kind, Tally};
use crate::catalog::Table;
use crate::commit::{Action, Effect, Evaluation, Refusal, WriteRequest};
use crate::engine::Core;
use crate::step::Step;
use crate::stream::Author;
use crate::{index, wording};
use monotable_api::{
    ConsumedCapacity, Error, ItemCollectionMetrics, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, TableName,
};
use monotable_item::{EncodedItem, ItemView};
use std::sync::Arc;

/// What a write is to return beside its effect.
pub(super) struct Asked {
    /// The table, as the request named it.
    pub(super) table: TableName,
    pub(super) old_on_failure: bool,
    pub(super) capacity: ReturnConsumedCapacity,
    pub(super) metrics: ReturnItemCollectionMetrics,
}

impl Asked {
    /// Whether the answer needs the item as it was.
    pub(super) fn needs_old(&self) -> bool {
        self.capacity != ReturnConsumedCapacity::None
    }
}

/// A write that was done.
pub(super) struct Written {
    pub(super) effect: Effect,
    pub(super) capacity: Option<ConsumedCapacity>,
    pub(super) metrics: Option<ItemCollectionMetrics>,
}

/// Queues a write of one item; `answer` makes the output of it. `subject` is the item or its key.
pub(super) fn start<O: 'static>(
    core: &Core,
    action: Action,
    subject: EncodedItem,
    asked: Asked,
    answer: impl FnOnce(Written) -> O + Send + 'static,
) -> Result<Step<O>, Error> {
    if core.conflicts(action.table.name(), subject.view()) {
        return Err(wording::transaction_conflict());
    }
    let table = Arc::clone(&action.table);
    let request = WriteRequest {
        actions: vec![action],
        token: None,
        author: Author::Client,
    };
    let pending = core.committer.write(request);
    Ok(Step::Commit {
        pending: pending.map_err(|fault| wording::internal(&fault))?,
        answer: Box::new(move |evaluation| {
            let effect = only_effect(evaluation, asked.old_on_failure)?;
            Ok(answer(Written {
                capacity: capacity(&table, &effect, &asked),
                metrics: metrics(&table, subject.view(), asked.metrics),
                effect,
            }))
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

fn capacity(table: &Table, effect: &Effect, asked: &Asked) -> Option<ConsumedCapacity> {
    if asked.capacity == ReturnConsumedCapacity::None {
        return None;
    }
    let mut tally = Tally::default();
    tally.add_write(table, effect, 1.0);
    tally.describe(asked.table.given(), asked.capacity, Kind::Plain)
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
