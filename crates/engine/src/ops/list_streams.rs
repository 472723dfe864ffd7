//! ListStreams.

use super::Execute;
use super::description::stream_arn;
use crate::catalog::StreamDefinition;
use crate::engine::Core;
use crate::step::Step;
use crate::stream::label;
use monotable_api::{Error, ListStreams, ListStreamsInput, ListStreamsOutput, Stream};
use std::sync::Arc;

impl Execute for ListStreams {
    /// In the order of table names, and of one table the oldest first.
    fn start(core: &Arc<Core>, input: ListStreamsInput) -> Result<Step<ListStreamsOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let is_wanted = |stream: &StreamDefinition| {
            let table = valid.table.as_ref();
            table.is_none_or(|table| table.as_str() == stream.table)
        };
        let mut streams: Vec<(&str, String)> = catalog
            .streams()
            .map(|stream| &stream.definition)
            .filter(|stream| is_wanted(stream))
            .map(|stream| (stream.table.as_str(), label(stream.created)))
            .collect();
        streams.sort();
        let start = valid.start.as_ref();
        let is_behind = |(table, label): &(&str, String)| {
            start.is_none_or(|start| (*table, label.as_str()) > (start.table(), start.label()))
        };
        let mut behind = streams.into_iter().filter(is_behind);
        let streams: Vec<Stream> = behind
            .by_ref()
            .take(valid.limit)
            .map(|(table, label)| Stream {
                stream_arn: Some(stream_arn(&core.region, table, &label)),
                table_name: Some(table.to_owned()),
                stream_label: Some(label),
            })
            .collect();
        let last = streams.last().and_then(|stream| stream.stream_arn.clone());
        Ok(Step::Done(ListStreamsOutput {
            last_evaluated_stream_arn: last.filter(|_| behind.next().is_some()),
            streams,
        }))
    }
}
