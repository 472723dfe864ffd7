//! BatchWriteItem.

use super::{Execute, item_write};
use crate::capacity::{Kind, Tally};
use crate::catalog::Table;
use crate::commit::{Action, Change, Effect, Evaluation, Refusal, WriteRequest};
use crate::engine::Core;
use crate::step::Step;
use crate::stream::Author;
use crate::{schema, wording};
use monotable_api::{
    BatchWrite, BatchWriteItem, BatchWriteItemInput, BatchWriteItemOutput, Error,
    ItemCollectionMetrics, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
};
use monotable_item::EncodedItem;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// One table of the request: as it was named, and what is written to it.
struct TableWrites {
    table: Arc<Table>,
    given_name: String,
    /// The item or key of each write.
    subjects: Vec<EncodedItem>,
}

impl Execute for BatchWriteItem {
    fn start(
        core: &Arc<Core>,
        input: BatchWriteItemInput,
    ) -> Result<Step<BatchWriteItemOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let wants_old = valid.capacity != ReturnConsumedCapacity::None;
        let mut actions = Vec::new();
        let mut tables = Vec::with_capacity(valid.tables.len());
        for request in valid.tables {
            let table = catalog.table(request.table.as_str())?;
            let mut seen = HashSet::new();
            let mut subjects = Vec::with_capacity(request.writes.len());
            for write in request.writes {
                let (action, subject) = action(table, write, wants_old)?;
                if core.conflicts(table.name(), subject.view()) {
                    return Err(wording::transaction_conflict());
                }
                if !seen.insert(action.key.clone()) {
                    return Err(wording::duplicate_keys());
                }
                actions.push(action);
                subjects.push(subject);
            }
            tables.push(TableWrites {
                table: Arc::clone(table),
                given_name: request.given_name,
                subjects,
            });
        }
        let request = WriteRequest {
            actions,
            token: None,
            author: Author::Client,
        };
        let pending = core.committer.write(request);
        Ok(Step::Commit {
            pending: pending.map_err(|fault| wording::internal(&fault))?,
            answer: Box::new(move |evaluation| {
                let effects = effects(evaluation)?;
                Ok(output(tables, &effects, valid.capacity, valid.metrics))
            }),
        })
    }
}

fn action(
    table: &Arc<Table>,
    write: BatchWrite,
    wants_old: bool,
) -> Result<(Action, EncodedItem), Error> {
    let (key, change, subject) = match write {
        BatchWrite::Put(item) => {
            let key = schema::check_item(table, &item)?;
            (key, Change::Put(item.clone()), item)
        }
        BatchWrite::Delete(key) => {
            let bytes = schema::check_key(table, key.view())?;
            (bytes, Change::Delete, key)
        }
    };
    let action = Action {
        table: Arc::clone(table),
        key,
        change,
        condition: None,
        wants_old,
    };
    Ok((action, subject))
}

/// A batch has no conditions: what is refused is refused because of the item.
fn effects(evaluation: Evaluation) -> Result<Vec<Effect>, Error> {
    match evaluation {
        Evaluation::Done { effects, .. } => Ok(effects),
        Evaluation::TableGone(gone) => Err(gone),
        Evaluation::Refused(refusals) => Err(refusals
            .into_iter()
            .flatten()
            .find_map(|refusal| match refusal {
                Refusal::Invalid(error) => Some(error),
                Refusal::Condition { .. } => None,
            })
            .unwrap_or_else(wording::no_outcome)),
        Evaluation::Repeated | Evaluation::TokenTaken => Err(wording::no_outcome()),
    }
}

fn output(
    tables: Vec<TableWrites>,
    effects: &[Effect],
    capacity: ReturnConsumedCapacity,
    metrics: ReturnItemCollectionMetrics,
) -> BatchWriteItemOutput {
    let mut effects = effects.iter();
    let mut consumed = Vec::new();
    let mut collections: BTreeMap<String, Vec<ItemCollectionMetrics>> = BTreeMap::new();
    for writes in tables {
        let mut tally = Tally::default();
        let own: Vec<ItemCollectionMetrics> = writes
            .subjects
            .iter()
            .zip(effects.by_ref())
            .filter_map(|(subject, effect)| {
                if capacity != ReturnConsumedCapacity::None {
                    tally.add_write(&writes.table, effect, 1.0);
                }
                item_write::metrics(&writes.table, subject.view(), metrics)
            })
            .collect();
        consumed.extend(tally.describe(&writes.given_name, capacity, Kind::Plain));
        if !own.is_empty() {
            collections.insert(writes.given_name, own);
        }
    }
    BatchWriteItemOutput {
        unprocessed_items: BTreeMap::new(),
        item_collection_metrics: (metrics != ReturnItemCollectionMetrics::None)
            .then_some(collections),
        consumed_capacity: (!consumed.is_empty()).then_some(consumed),
    }
}
