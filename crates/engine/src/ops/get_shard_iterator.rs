//! GetShardIterator.

use super::Execute;
use super::describe_stream::find_stream;
use crate::catalog::{ShardDefinition, Stream};
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Direction, Snapshot, Space, StoreFault};
use crate::stream::{Sequence, SequenceRange, ShardIterator, StoredRecord};
use crate::wording;
use monotable_api::{
    Error, GetShardIterator, GetShardIteratorInput, GetShardIteratorOutput, ShardPosition,
};
use std::sync::Arc;

impl Execute for GetShardIterator {
    fn start(
        core: &Arc<Core>,
        input: GetShardIteratorInput,
    ) -> Result<Step<GetShardIteratorOutput>, Error> {
        let valid = input.validate()?;
        // The number first: the catalog is then at least as new.
        let now = Sequence::after_group(core.published.group());
        let catalog = core.published.catalog.load();
        let stream = find_stream(&catalog, &valid.stream)?;
        let shard = stream.shard(&valid.shard);
        let shard = shard.ok_or_else(|| wording::shard_not_found(&valid.shard))?;
        let end = end_of(shard);
        let position = match valid.position {
            ShardPosition::TrimHorizon => stream.progress.trimmed().clamp(shard.first, end),
            ShardPosition::Latest => now.clamp(shard.first, end),
            ShardPosition::At(number) => numbered(stream, shard, &number, |number| number)?,
            ShardPosition::After(number) => numbered(stream, shard, &number, Sequence::next)?,
            ShardPosition::AtTime(time) => {
                let snapshot = core.published.snapshot();
                let start = stream.progress.trimmed().clamp(shard.first, end);
                let end = now.clamp(start, end);
                let range = SequenceRange { start, end };
                let found = first_since(&snapshot, stream, range, time.as_millis());
                found.map_err(|fault| wording::internal(&fault))?
            }
        };
        let iterator = ShardIterator {
            stream: stream.definition.id,
            shard: shard.first,
            position,
            created: core.now_millis(),
        };
        Ok(Step::Done(GetShardIteratorOutput {
            shard_iterator: Some(iterator.render(valid.stream.as_str())),
        }))
    }
}

/// Behind the last record that the shard has or will have.
pub(super) fn end_of(shard: &ShardDefinition) -> Sequence {
    shard
        .last
        .map_or(Sequence::from_number(u64::MAX), Sequence::next)
}

/// Where reading begins that goes by the number of a record.
fn numbered(
    stream: &Stream,
    shard: &ShardDefinition,
    number: &str,
    begin: impl Fn(Sequence) -> Sequence,
) -> Result<Sequence, Error> {
    let number = Sequence::parse(number).ok_or_else(wording::sequence_not_in_shard)?;
    if number < shard.first || number >= end_of(shard) {
        return Err(wording::sequence_not_in_shard());
    }
    let position = begin(number);
    if position < stream.progress.trimmed() {
        return Err(wording::records_trimmed());
    }
    Ok(position)
}

/// The number of the first record that is not older than `time`; the end of the range if all are. Times rise with numbers,
/// so that the middle of a range tells which half to look at.
fn first_since(
    snapshot: &Snapshot,
    stream: &Stream,
    mut range: SequenceRange,
    time: u64,
) -> Result<Sequence, StoreFault> {
    while let Some(middle) = range.middle() {
        let upper = SequenceRange {
            start: middle,
            ..range
        };
        let rows = upper.rows(stream.definition.id);
        let next = snapshot
            .range(Space::Indexes, rows, Direction::Forwards)
            .next();
        let Some((key, value)) = next.transpose()? else {
            range.end = middle;
            continue;
        };
        let is_older = StoredRecord::time_of(&value).is_some_and(|written| written < time);
        match Sequence::of_row_key(&key) {
            Some(found) if is_older => range.start = found.next(),
            Some(_) | None => range.end = middle,
        }
    }
    Ok(range.start)
}
