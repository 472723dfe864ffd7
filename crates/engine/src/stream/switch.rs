//! Switching streams on and off, in the group that changes the table.

use super::label;
use crate::catalog::{
    CatalogRows, Ids, Stream, StreamDefinition, StreamId, StreamProgress, TableDefinition,
    TableStream, to_row,
};
use crate::commit::Group;
use crate::store::{Space, StoreFault};
use monotable_api::StreamViewType;

/// Gives a table a new stream. What is written from here on goes into it.
pub(crate) fn enable(
    group: &mut Group<'_>,
    definition: &mut TableDefinition,
    view: StreamViewType,
    ids: &mut Ids,
    now: u64,
) -> Result<(), StoreFault> {
    let id = StreamId(ids.take());
    let streams = group.catalog().streams();
    let of_table = streams.filter(|stream| stream.definition.table == definition.name);
    let newest = of_table.map(|stream| stream.definition.created).max();
    // Labels have milliseconds, and two streams of a table must not have the same.
    let created = newest.map_or(now, |newest| now.max(newest + 1));
    let mut stream = StreamDefinition {
        id,
        table: definition.name.clone(),
        created,
        view,
        key: definition.key.clone(),
        disabled: None,
        policy: None,
        shards: Vec::new(),
    };
    stream.open_shard_at(group.take_sequence(), now);
    definition.stream = Some(TableStream {
        id,
        created,
        view,
        enabled: true,
    });
    tracing::debug!(table = %definition.name, label = %label(created), "a stream begins");
    store_definition(group, stream)
}

/// Ends a table's stream, which can be read for another day.
pub(crate) fn disable(
    group: &mut Group<'_>,
    definition: &mut TableDefinition,
    now: u64,
) -> Result<(), StoreFault> {
    let Some(stream) = &mut definition.stream else {
        return Ok(());
    };
    stream.enabled = false;
    let Some(known) = group.catalog().stream(stream.id) else {
        return Ok(());
    };
    let mut stream = known.definition.clone();
    stream.disabled = Some(now);
    stream.close_shard(group.take_sequence(), now);
    store_definition(group, stream)
}

/// Writes the definition of a stream, and puts it into the group's catalog.
pub(crate) fn store_definition(
    group: &mut Group<'_>,
    definition: StreamDefinition,
) -> Result<(), StoreFault> {
    let row = CatalogRows::stream(definition.id);
    group.write(Space::Meta, row, Some(to_row(&definition)?));
    let stream = match group.catalog().stream(definition.id) {
        Some(known) => known.redefined(definition),
        None => Stream::new(definition, StreamProgress::default()),
    };
    let catalog = group.catalog().with_stream(stream);
    group.set_catalog(catalog);
    Ok(())
}
