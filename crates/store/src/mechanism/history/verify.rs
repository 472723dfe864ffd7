//! Whether heads, logs, snapshots and intents belong together.

mod judge;
mod tree;

pub(crate) use judge::judge;

use crate::address::Address;
use crate::profile::role;
use crate::record::Record;
use crate::scope::Scope;
use crate::verify::{FactSink, Fields, LocalRemedy, StatedRow, Topic, ViolationKind, state_local};
use monotable_item::AttributeValue;
use monotable_model::compiled::Instant;
use monotable_model::model::{Repository, Role};

/// The head.
const HEAD: u8 = 0;
/// A revision in the log.
const REVISION: u8 = 1;
/// A commit under way.
const INTENT: u8 = 2;
/// A row of a snapshot.
const ROW: u8 = 3;

/// A commit under way, as its intent tells it.
pub(crate) struct PendingCommit {
    /// Where its head stands.
    pub(crate) head: Address,
    pub(crate) revision: String,
    /// When it began, in microseconds.
    pub(crate) began: Option<i64>,
    /// A sweep has claimed it.
    pub(crate) is_claimed: bool,
}

/// Reads the commit that an intent stands for, or says why the intent contradicts itself; none if it is of another
/// repository.
pub(crate) type ReadIntent =
    fn(&Scope, &Repository, &Address, &Record) -> Option<Result<PendingCommit, String>>;

/// States what the row is in the history of its head.
pub(crate) fn state(
    row: &StatedRow<'_>,
    scope: &Scope,
    read_intent: ReadIntent,
    facts: &mut dyn FactSink,
) {
    for (position, repository) in scope.model().repositories.iter().enumerate() {
        let entity = row.record.entity;
        if entity == repository.intent {
            match read_intent(scope, repository, row.address, row.record) {
                Some(Ok(intent)) => state_intent(row, position, &intent, facts),
                Some(Err(message)) => {
                    let (kind, remedy) = (ViolationKind::History, LocalRemedy::None);
                    state_local(facts, Topic::Values, row, kind, &message, remedy);
                }
                None => {}
            }
            continue;
        }
        let rank = match entity {
            entity if entity == repository.head => HEAD,
            entity if entity == repository.log => REVISION,
            entity if repository.entities.contains(&entity) => ROW,
            _ => continue,
        };
        let values = &row.record.values;
        let Ok(head) = scope.addressing().locate_row(repository.head, values) else {
            continue;
        };
        let text = |name: &str| match values.get(name) {
            Some(AttributeValue::S(text)) => text.as_str(),
            _ => "",
        };
        let name = if rank == HEAD {
            &repository.pointer.value
        } else {
            &repository.revision.value
        };
        let parent = repository.parent.as_ref().filter(|_| rank == REVISION);
        let fields = Fields::new()
            .text(text(name))
            .text(parent.map_or("", |parent| text(&parent.value)))
            .number(ordered(time_of(scope, repository, row)))
            .address(row.address);
        let counted = count_of(repository, row).filter(|_| rank == REVISION);
        let fields = counted.into_iter().fold(fields, Fields::number);
        let subject = Fields::new().number(position as u64).address(&head);
        facts.state(Topic::History, subject, rank, fields);
    }
}

/// Times in an order of numbers that are not negative; 0 is none.
fn ordered(time: Option<i64>) -> u64 {
    time.and_then(|time| u64::try_from(time).ok()).unwrap_or(0)
}

/// How many rows a revision says its snapshot has.
fn count_of(repository: &Repository, row: &StatedRow<'_>) -> Option<u64> {
    match row.record.values.get(&repository.count.as_ref()?.value) {
        Some(AttributeValue::N(number)) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// When a revision was made.
fn time_of(scope: &Scope, repository: &Repository, row: &StatedRow<'_>) -> Option<i64> {
    let log = scope.entity(repository.log);
    let created = role(log, Role::Created)?;
    match row.record.values.get(&created.name.value) {
        Some(AttributeValue::S(text)) => Some(Instant::parse(text).ok()?.to_micros()),
        _ => None,
    }
}

fn state_intent(
    row: &StatedRow<'_>,
    position: usize,
    intent: &PendingCommit,
    facts: &mut dyn FactSink,
) {
    let fields = Fields::new()
        .text(&intent.revision)
        .text(if intent.is_claimed { "claimed" } else { "" })
        .number(ordered(intent.began))
        .address(row.address);
    let subject = Fields::new().number(position as u64).address(&intent.head);
    facts.state(Topic::History, subject, INTENT, fields);
}
