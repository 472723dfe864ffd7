//! A table as the model wants it, as a CreateTable request.

use monotable_api::{
    CreateTableInput, GlobalSecondaryIndex, IndexProjection, LocalSecondaryIndex,
    ScalarAttributeType, StreamSpecification, StreamViewType,
};
use monotable_model::model::{Billing, Index, KeyKind, Model, Projection, Stream, Table, TableId};

/// The request that makes a table with its indexes and its stream.
pub(super) fn create_request(model: &Model, id: TableId) -> CreateTableInput {
    let table = model.table(id);
    let kind = |attribute: &str| attribute_type(model, id, attribute);
    let hash = &table.hash.value;
    let mut input = CreateTableInput::new(&table.physical, hash, kind(hash));
    let mut declared = vec![hash.as_str()];
    if let Some(range) = &table.range {
        input = input.range(&range.value, kind(&range.value));
        declared.push(&range.value);
    }
    for index in &table.indexes {
        for name in index.attributes() {
            if !declared.contains(&name.value.as_str()) {
                declared.push(&name.value);
                input = input.attribute(&name.value, kind(&name.value));
            }
        }
        input = match local_index(index) {
            Some(local) => input.local_index(local),
            None => input.global_index(global_index(table, index)),
        };
    }
    if let Some(Billing::Provisioned { read, write }) = table.billing {
        input = input.provisioned(read.into(), write.into());
    }
    if let Some(stream) = table.stream {
        input.stream_specification = Some(StreamSpecification {
            stream_enabled: Some(true),
            stream_view_type: Some(view_type(stream).into()),
        });
    }
    input
}

/// The type of an attribute of a key.
pub(super) fn attribute_type(model: &Model, id: TableId, attribute: &str) -> ScalarAttributeType {
    match model.key_kind(id, attribute) {
        KeyKind::Number => ScalarAttributeType::N,
        KeyKind::Text => ScalarAttributeType::S,
    }
}

fn local_index(index: &Index) -> Option<LocalSecondaryIndex> {
    let range = index.range.as_ref().filter(|_| index.local)?;
    let local = LocalSecondaryIndex::new(&index.physical, &index.hash.value, &range.value);
    Some(local.projection(projection(index)))
}

fn global_index(table: &Table, index: &Index) -> GlobalSecondaryIndex {
    let mut global = GlobalSecondaryIndex::new(&index.physical, &index.hash.value);
    for name in &index.further.hash {
        global = global.hash(&name.value);
    }
    for name in index.range.iter().chain(&index.further.range) {
        global = global.range(&name.value);
    }
    if let Some(Billing::Provisioned { read, write }) = table.billing {
        global = global.provisioned(read.into(), write.into());
    }
    global.projection(projection(index))
}

fn projection(index: &Index) -> IndexProjection {
    match &index.projection {
        Projection::All => IndexProjection::all(),
        Projection::Keys => IndexProjection::keys_only(),
        Projection::Include(names) => IndexProjection::include(names.clone()),
    }
}

/// What a stream shows, as DynamoDB calls it.
pub(super) const fn view_type(stream: Stream) -> StreamViewType {
    match stream {
        Stream::NewAndOld => StreamViewType::NewAndOldImages,
        Stream::New => StreamViewType::NewImage,
        Stream::Old => StreamViewType::OldImage,
        Stream::Keys => StreamViewType::KeysOnly,
    }
}
