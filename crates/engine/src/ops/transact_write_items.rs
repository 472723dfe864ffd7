//! TransactWriteItems.

use super::update_item::check_update;
use super::{Execute, item_write};
use crate::capacity::{Kind, TRANSACTIONAL, Tally, item_read_units};
use crate::catalog::Table;
use crate::commit::{Action, Change, Effect, Evaluation, Refusal, Token, WriteRequest};
use crate::engine::Core;
use crate::keys::ItemKey;
use crate::step::Step;
use crate::stream::Author;
use crate::{schema, wording};
use monotable_api::{
    CancellationCode, CancellationReason, ConsumedCapacity, Error, ItemCollectionMetrics,
    ReturnConsumedCapacity, ReturnItemCollectionMetrics, TableName, TransactAction, TransactWrite,
    TransactWriteItems, TransactWriteItemsInput, TransactWriteItemsOutput, ValidTransactWriteItems,
};
use monotable_expr::Condition;
use monotable_item::EncodedItem;
use monotable_item::limits::MAX_TRANSACTION_BYTES;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

impl Execute for TransactWriteItems {
    fn start(
        core: &Arc<Core>,
        input: TransactWriteItemsInput,
    ) -> Result<Step<TransactWriteItemsOutput>, Error> {
        run(core, input.validate()?)
    }
}

/// Carries out a request that was checked.
pub(super) fn run(
    core: &Arc<Core>,
    valid: ValidTransactWriteItems,
) -> Result<Step<TransactWriteItemsOutput>, Error> {
    let token = token(core, &valid);
    let old_on_failure = valid.actions.iter();
    let old_on_failure = old_on_failure
        .map(|action| action.return_old_on_failure)
        .collect();
    let prepared = prepare(core, valid.actions, valid.capacity)?;
    let answer = Answer {
        capacity: valid.capacity,
        metrics: valid.metrics,
        old_on_failure,
        parts: prepared.parts,
    };
    if prepared.reasons.iter().any(Option::is_some) {
        return Err(cancelled(prepared.reasons));
    }
    let request = WriteRequest {
        actions: prepared.actions,
        token,
        author: Author::Client,
    };
    let snapshot_source = Arc::clone(core);
    let pending = core.committer.write(request);
    Ok(Step::Commit {
        pending: pending.map_err(|fault| wording::internal(&fault))?,
        answer: Box::new(move |evaluation| answer.make(&snapshot_source, evaluation)),
    })
}

fn token(core: &Core, valid: &ValidTransactWriteItems) -> Option<Token> {
    let text = valid.token.clone()?;
    let payload = valid.payload.as_deref().unwrap_or_default();
    Some(Token::new(text, payload, core.clock.now().as_secs()))
}

/// An action's table and key, for the answer.
struct Part {
    /// The table, as the request named it.
    name: TableName,
    table: Arc<Table>,
    key: ItemKey,
    subject: EncodedItem,
}

struct Prepared {
    actions: Vec<Action>,
    parts: Vec<Part>,
    /// What is known to be wrong before anything is read; AWS reports it as cancellation.
    reasons: Vec<Option<CancellationReason>>,
}

fn prepare(
    core: &Core,
    given: Vec<TransactAction>,
    capacity: ReturnConsumedCapacity,
) -> Result<Prepared, Error> {
    // What a write costs depends on the item before. Nothing else of the answer does.
    let wants_old = capacity != ReturnConsumedCapacity::None;
    let catalog = core.published.catalog.load();
    let mut prepared = Prepared {
        actions: Vec::with_capacity(given.len()),
        parts: Vec::with_capacity(given.len()),
        reasons: Vec::with_capacity(given.len()),
    };
    let mut bytes = 0;
    let mut seen = HashSet::new();
    for transact in given {
        let table = catalog.table(transact.table.as_str())?;
        match action(table, transact.write, wants_old) {
            Ok((action, subject)) => {
                if !seen.insert(action.key.clone()) {
                    return Err(wording::same_item_twice());
                }
                bytes += subject.size();
                let conflict = core.conflicts(table.name(), subject.view());
                prepared
                    .reasons
                    .push(conflict.then(CancellationReason::conflict));
                prepared.parts.push(Part {
                    name: transact.table,
                    table: Arc::clone(table),
                    key: action.key.clone(),
                    subject,
                });
                prepared.actions.push(action);
            }
            Err(Mistake::Request(error)) => return Err(error),
            Err(Mistake::Item(error)) => {
                prepared
                    .reasons
                    .push(Some(CancellationReason::validation(error.message())));
            }
        }
    }
    if bytes > MAX_TRANSACTION_BYTES {
        return Err(wording::transaction_request_too_large());
    }
    Ok(prepared)
}

/// AWS refuses a request whose keys do not fit, and cancels one whose item breaks a rule.
enum Mistake {
    Request(Error),
    Item(Error),
}

fn action(
    table: &Arc<Table>,
    write: TransactWrite,
    wants_old: bool,
) -> Result<(Action, EncodedItem), Mistake> {
    let keyed = |key: &EncodedItem| schema::check_key(table, key.view()).map_err(Mistake::Item);
    let (key, change, condition, subject): (_, _, Option<Condition>, _) = match write {
        TransactWrite::Put { item, condition } => {
            let key = schema::check_item(table, &item).map_err(Mistake::Item)?;
            (key, Change::Put(item.clone()), condition, item)
        }
        TransactWrite::Delete { key, condition } => (keyed(&key)?, Change::Delete, condition, key),
        TransactWrite::ConditionCheck { key, condition } => {
            (keyed(&key)?, Change::Check, Some(condition), key)
        }
        TransactWrite::Update {
            key,
            update,
            condition,
        } => {
            let bytes = keyed(&key)?;
            check_update(table, Some(&update)).map_err(Mistake::Request)?;
            schema::check_update_types(table, &update).map_err(Mistake::Item)?;
            let update = Some(update);
            let change = Change::Update {
                key: key.clone(),
                update,
            };
            (bytes, change, condition, key)
        }
    };
    let paths = condition.iter().flat_map(Condition::paths);
    schema::check_paths(table, paths).map_err(Mistake::Request)?;
    let action = Action {
        table: Arc::clone(table),
        key,
        change,
        condition,
        wants_old,
    };
    Ok((action, subject))
}

/// Makes the output.
struct Answer {
    capacity: ReturnConsumedCapacity,
    metrics: ReturnItemCollectionMetrics,
    old_on_failure: Vec<bool>,
    parts: Vec<Part>,
}

impl Answer {
    fn make(self, core: &Core, evaluation: Evaluation) -> Result<TransactWriteItemsOutput, Error> {
        match evaluation {
            Evaluation::Done { effects, .. } => Ok(self.output(self.consumed(&effects))),
            Evaluation::Repeated => Ok(self.output(self.consumed_again(core)?)),
            Evaluation::TokenTaken => Err(wording::token_taken()),
            Evaluation::TableGone(gone) => Err(gone),
            Evaluation::Refused(refusals) => {
                let reasons = refusals.into_iter().zip(&self.old_on_failure);
                let reasons = reasons.map(|(refusal, old)| Some(reason(refusal?, *old)));
                Err(cancelled(reasons.collect()))
            }
        }
    }

    fn output(&self, consumed: Option<Vec<ConsumedCapacity>>) -> TransactWriteItemsOutput {
        TransactWriteItemsOutput {
            consumed_capacity: consumed,
            item_collection_metrics: self.collections(),
        }
    }

    fn consumed(&self, effects: &[Effect]) -> Option<Vec<ConsumedCapacity>> {
        let parts = self.parts.iter().zip(effects);
        self.tallied(Kind::TransactionalWrite, |tallies| {
            for (part, effect) in parts {
                let tally: &mut Tally = tallies.entry(part.name.given().to_owned()).or_default();
                tally.add_write(&part.table, effect, TRANSACTIONAL);
            }
            Ok(())
        })
        .ok()
        .flatten()
    }

    /// A repeated request only reads the items, and costs what that costs.
    fn consumed_again(&self, core: &Core) -> Result<Option<Vec<ConsumedCapacity>>, Error> {
        let snapshot = core.published.snapshot();
        self.tallied(Kind::TransactionalRead, |tallies| {
            for part in &self.parts {
                let item = Core::read_item(&snapshot, &part.key)?;
                let units = item_read_units(item.as_ref(), true) * TRANSACTIONAL;
                let tally: &mut Tally = tallies.entry(part.name.given().to_owned()).or_default();
                tally.add_table(units);
            }
            Ok(())
        })
    }

    fn tallied(
        &self,
        kind: Kind,
        count: impl FnOnce(&mut BTreeMap<String, Tally>) -> Result<(), Error>,
    ) -> Result<Option<Vec<ConsumedCapacity>>, Error> {
        if self.capacity == ReturnConsumedCapacity::None {
            return Ok(None);
        }
        let mut tallies = BTreeMap::new();
        count(&mut tallies)?;
        let tallies = tallies.into_iter();
        Ok(tallies
            .map(|(table, tally)| tally.describe(&table, self.capacity, kind))
            .collect())
    }

    fn collections(&self) -> Option<BTreeMap<String, Vec<ItemCollectionMetrics>>> {
        if self.metrics == ReturnItemCollectionMetrics::None {
            return None;
        }
        let mut collections: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for part in &self.parts {
            let metrics = item_write::metrics(&part.table, part.subject.view(), self.metrics);
            if let Some(metrics) = metrics {
                let table = part.name.given().to_owned();
                collections.entry(table).or_default().push(metrics);
            }
        }
        Some(collections)
    }
}

fn reason(refusal: Refusal, old_on_failure: bool) -> CancellationReason {
    match refusal {
        Refusal::Condition { item } => {
            CancellationReason::condition_failed(item.filter(|_| old_on_failure))
        }
        Refusal::Invalid(error) => CancellationReason::validation(error.message()),
    }
}

/// AWS looks no further once an action breaks a rule: those after it have no reason of their own.
pub(super) fn cancelled(reasons: Vec<Option<CancellationReason>>) -> Error {
    let mut is_invalid = false;
    let reasons = reasons.into_iter().map(|reason| {
        let reason = reason.filter(|_| !is_invalid);
        let reason = reason.unwrap_or_else(CancellationReason::none);
        is_invalid |= reason.code == CancellationCode::ValidationError;
        reason
    });
    Error::TransactionCanceledException {
        reasons: reasons.collect(),
    }
}
