//! DescribeStream.

use super::Execute;
use super::description::stream_arn;
use crate::catalog::{Catalog, ShardDefinition, Stream};
use crate::engine::Core;
use crate::step::Step;
use crate::stream::label;
use crate::wording;
use monotable_api::{
    DescribeStream, DescribeStreamInput, DescribeStreamOutput, Error, SequenceNumberRange, Shard,
    StreamArn, StreamDescription, StreamStatus, Timestamp, ValidKeySchema,
};
use std::sync::Arc;

impl Execute for DescribeStream {
    fn start(
        core: &Arc<Core>,
        input: DescribeStreamInput,
    ) -> Result<Step<DescribeStreamOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let stream = &find_stream(&catalog, &valid.stream)?.definition;
        let parent = valid.children_of.as_deref();
        let is_wanted =
            |shard: &&ShardDefinition| parent.is_none() || parent == shard.parent.as_deref();
        let start = valid.start.as_deref();
        // A shard to go on after that is gone was the oldest: everything that is left follows it.
        let known = start.and_then(|id| stream.shards.iter().position(|shard| shard.id == id));
        let skipped = known.map_or(0, |position| position + 1);
        let mut behind = stream.shards.iter().skip(skipped).filter(is_wanted);
        let shards: Vec<Shard> = behind.by_ref().take(valid.limit).map(describe).collect();
        let last = shards.last().and_then(|shard| shard.shard_id.clone());
        let label = label(stream.created);
        Ok(Step::Done(DescribeStreamOutput {
            stream_description: Some(StreamDescription {
                stream_arn: Some(stream_arn(&core.region, &stream.table, &label)),
                stream_label: Some(label),
                stream_status: Some(match stream.disabled {
                    None => StreamStatus::Enabled,
                    Some(_) => StreamStatus::Disabled,
                }),
                stream_view_type: Some(stream.view),
                creation_request_date_time: Some(Timestamp::from_millis(stream.created)),
                table_name: Some(stream.table.clone()),
                key_schema: Some(ValidKeySchema::from(&stream.key).describe()),
                last_evaluated_shard_id: last.filter(|_| behind.next().is_some()),
                shards: Some(shards),
            }),
        }))
    }
}

fn describe(shard: &ShardDefinition) -> Shard {
    Shard {
        shard_id: Some(shard.id.clone()),
        sequence_number_range: Some(SequenceNumberRange {
            starting_sequence_number: Some(shard.first.to_string()),
            ending_sequence_number: shard.last.map(|last| last.to_string()),
        }),
        parent_shard_id: shard.parent.clone(),
    }
}

/// The stream with this ARN. The region in it is not looked at: there is one.
pub(super) fn find_stream<'a>(
    catalog: &'a Catalog,
    arn: &StreamArn,
) -> Result<&'a Arc<Stream>, Error> {
    let is_named = |stream: &&Arc<Stream>| {
        let definition = &stream.definition;
        definition.table == arn.table() && label(definition.created) == arn.label()
    };
    let found = catalog.streams().find(is_named);
    found.ok_or_else(|| wording::stream_not_found(arn.as_str()))
}
