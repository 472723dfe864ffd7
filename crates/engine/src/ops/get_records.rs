//! GetRecords.

use super::Execute;
use super::get_shard_iterator::end_of;
use crate::catalog::Stream;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Direction, Space, StoreFault};
use crate::stream::{
    Author, ITERATOR_MILLIS, Sequence, SequenceRange, ShardIterator, StoredRecord, label,
};
use crate::wording;
use monotable_api::{
    Error, GetRecords, GetRecordsInput, GetRecordsOutput, Identity, Record, StreamArn,
    StreamRecord, Timestamp, ValidGetRecords,
};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// An answer has no more than this, in bytes, but for one record that is larger.
const MOST_BYTES: usize = 1024 * 1024;

impl Execute for GetRecords {
    fn start(core: &Arc<Core>, input: GetRecordsInput) -> Result<Step<GetRecordsOutput>, Error> {
        let valid = input.validate()?;
        let iterator = ShardIterator::parse(&valid.iterator);
        let iterator = iterator.ok_or_else(wording::invalid_iterator)?;
        let core = Arc::clone(core);
        Ok(Step::Read(Box::new(move || read(&core, &valid, iterator))))
    }
}

fn read(
    core: &Core,
    valid: &ValidGetRecords,
    iterator: ShardIterator,
) -> Result<GetRecordsOutput, Error> {
    let now = core.now_millis();
    if now.saturating_sub(iterator.created) > ITERATOR_MILLIS {
        return Err(wording::iterator_expired());
    }
    // The number first: catalog and snapshot are then at least as new, and what is newer than the number is not looked at.
    // So a shard that is closed meanwhile neither gives away records of the next one nor ends early.
    let visible = Sequence::after_group(core.published.group());
    let catalog = core.published.catalog.load();
    let stream = catalog.stream(iterator.stream);
    let stream = stream.ok_or_else(wording::shard_of_iterator_gone)?;
    let arn = ShardIterator::arn(&valid.iterator).unwrap_or_default();
    if !is_arn_of(arn, stream) {
        return Err(wording::invalid_iterator());
    }
    let mut shards = stream.definition.shards.iter();
    let shard = shards.find(|shard| shard.first == iterator.shard);
    let end = end_of(shard.ok_or_else(wording::shard_of_iterator_gone)?);
    if iterator.position < stream.progress.trimmed().min(end) {
        return Err(wording::records_trimmed());
    }
    let range = SequenceRange {
        start: iterator.position,
        end: end.min(visible),
    };
    let page = read_page(core, stream, range, valid.limit);
    let page = page.map_err(|fault| wording::internal(&fault))?;
    let is_read_up = page.next >= end;
    Ok(GetRecordsOutput {
        records: page.records,
        next_shard_iterator: (!is_read_up).then(|| {
            let next = ShardIterator {
                position: page.next.max(iterator.position),
                created: now,
                ..iterator
            };
            next.render(arn)
        }),
    })
}

/// Whether an ARN names the stream, in whatever region.
fn is_arn_of(arn: &str, stream: &Stream) -> bool {
    let definition = &stream.definition;
    StreamArn::parse(arn).is_ok_and(|arn| {
        arn.table() == definition.table && arn.label() == label(definition.created)
    })
}

struct Page {
    records: Vec<Record>,
    /// Where to go on.
    next: Sequence,
}

fn read_page(
    core: &Core,
    stream: &Stream,
    range: SequenceRange,
    limit: usize,
) -> Result<Page, StoreFault> {
    let mut page = Page {
        records: Vec::new(),
        next: range.end,
    };
    let mut bytes = 0;
    let rows = range.rows(stream.definition.id);
    let snapshot = core.published.snapshot();
    for row in snapshot.range(Space::Indexes, rows, Direction::Forwards) {
        let (key, value) = row?;
        let record = StoredRecord::read(&value, &stream.key_names);
        let (Some(sequence), Some(record)) = (Sequence::of_row_key(&key), record) else {
            return Err(StoreFault::Damaged {
                what: format!("a record of a stream of table {}", stream.definition.table),
            });
        };
        bytes += record.size();
        let is_full = bytes > MOST_BYTES && !page.records.is_empty();
        if page.records.len() == limit || is_full {
            page.next = sequence;
            break;
        }
        page.records.push(describe(core, stream, sequence, record));
    }
    Ok(page)
}

fn describe(core: &Core, stream: &Stream, sequence: Sequence, record: StoredRecord) -> Record {
    let id = xxh3_128(&sequence.row_key(stream.definition.id));
    let size = record.size() as u64;
    Record {
        event_id: Some(format!("{id:032x}")),
        event_name: Some(record.kind),
        event_version: Some("1.1".to_owned()),
        event_source: Some("aws:dynamodb".to_owned()),
        aws_region: Some(core.region.clone()),
        dynamodb: Some(StreamRecord {
            // AWS gives whole seconds.
            approximate_creation_date_time: Some(Timestamp::from_millis(record.time / 1000 * 1000)),
            keys: Some(record.key),
            new_image: record.new,
            old_image: record.old,
            sequence_number: Some(sequence.to_string()),
            size_bytes: Some(size),
            stream_view_type: Some(stream.definition.view),
        }),
        user_identity: match record.author {
            Author::Client => None,
            Author::TimeToLive => Some(Identity {
                principal_id: Some("dynamodb.amazonaws.com".to_owned()),
                kind: Some("Service".to_owned()),
            }),
        },
    }
}
