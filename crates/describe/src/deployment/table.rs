//! A table as the properties of CloudFormation's `AWS::DynamoDB::Table`.

use super::encryption::Encryption;
use monotable_model::model::{Billing, Index, KeyKind, Model, Projection, Stream, TableId};
use monotable_model::span::Name;
use serde_json::{Map, Value, json};

/// The type of a key attribute, as DynamoDB calls it.
pub(super) fn attribute_type(model: &Model, table: TableId, attribute: &str) -> &'static str {
    match model.key_kind(table, attribute) {
        KeyKind::Text => "S",
        KeyKind::Number => "N",
    }
}

/// The attributes of a table's key and of its indexes' keys, each once.
pub(super) fn key_attributes(model: &Model, id: TableId) -> Vec<&str> {
    let table = model.table(id);
    let own = std::iter::once(&table.hash).chain(&table.range);
    let mut names: Vec<&str> = Vec::new();
    for name in own.chain(table.index_attributes()) {
        if !names.contains(&name.value.as_str()) {
            names.push(&name.value);
        }
    }
    names
}

/// What a stream shows, as DynamoDB calls it.
pub(super) const fn view_type(stream: Stream) -> &'static str {
    match stream {
        Stream::NewAndOld => "NEW_AND_OLD_IMAGES",
        Stream::New => "NEW_IMAGE",
        Stream::Old => "OLD_IMAGE",
        Stream::Keys => "KEYS_ONLY",
    }
}

/// What an index holds, as DynamoDB calls it.
pub(super) const fn projection_type(projection: &Projection) -> &'static str {
    match projection {
        Projection::All => "ALL",
        Projection::Keys => "KEYS_ONLY",
        Projection::Include(_) => "INCLUDE",
    }
}

/// How a table is paid for, as DynamoDB calls it. A table of which the model says nothing is made as `setup` makes it.
pub(super) const fn billing_mode(billing: Option<Billing>) -> &'static str {
    match billing {
        Some(Billing::Provisioned { .. }) => "PROVISIONED",
        Some(Billing::OnDemand) | None => "PAY_PER_REQUEST",
    }
}

/// The properties of a table.
pub(super) fn properties(
    model: &Model,
    id: TableId,
    encryption: &Encryption,
) -> Map<String, Value> {
    let table = model.table(id);
    let definitions = key_attributes(model, id).into_iter().map(
        |name| json!({ "AttributeName": name, "AttributeType": attribute_type(model, id, name) }),
    );
    let own = key_schema(std::iter::once(&table.hash), table.range.iter());
    let mut properties = Map::new();
    let mut set = |name: &str, value: Value| properties.insert(name.to_owned(), value);
    set("TableName", json!(table.physical));
    set("AttributeDefinitions", definitions.collect());
    set("KeySchema", own);
    set("BillingMode", json!(billing_mode(table.billing)));
    if let Some(units) = throughput(table.billing) {
        set("ProvisionedThroughput", units);
    }
    for (name, local) in [
        ("GlobalSecondaryIndexes", false),
        ("LocalSecondaryIndexes", true),
    ] {
        let indexes = table.indexes.iter().filter(|index| index.local == local);
        let indexes: Vec<Value> = indexes
            .map(|index| self::index(table.billing, index))
            .collect();
        if !indexes.is_empty() {
            set(name, indexes.into());
        }
    }
    if let Some(ttl) = &table.ttl {
        let attribute = &ttl.value;
        set(
            "TimeToLiveSpecification",
            json!({ "AttributeName": attribute, "Enabled": true }),
        );
    }
    if let Some(stream) = table.stream {
        set(
            "StreamSpecification",
            json!({ "StreamViewType": view_type(stream) }),
        );
    }
    set(
        "PointInTimeRecoverySpecification",
        json!({ "PointInTimeRecoveryEnabled": table.pitr }),
    );
    if let Some(is_on) = table.deletion_protection {
        set("DeletionProtectionEnabled", json!(is_on));
    }
    set("SSESpecification", encryption.specification());
    if !table.tags.is_empty() {
        let tags = table.tags.iter();
        let tags = tags.map(|(key, value)| json!({ "Key": key, "Value": value }));
        set("Tags", tags.collect());
    }
    properties
}

fn index(billing: Option<Billing>, index: &Index) -> Value {
    let partition = std::iter::once(&index.hash).chain(&index.further.hash);
    let sort = index.range.iter().chain(&index.further.range);
    let mut projection = json!({ "ProjectionType": projection_type(&index.projection) });
    if let (Projection::Include(names), Some(projection)) =
        (&index.projection, projection.as_object_mut())
    {
        projection.insert("NonKeyAttributes".to_owned(), json!(names));
    }
    let mut made = Map::new();
    made.insert("IndexName".to_owned(), json!(index.physical));
    made.insert("KeySchema".to_owned(), key_schema(partition, sort));
    made.insert("Projection".to_owned(), projection);
    if let (false, Some(units)) = (index.local, throughput(billing)) {
        made.insert("ProvisionedThroughput".to_owned(), units);
    }
    made.into()
}

fn key_schema<'n>(
    partition: impl Iterator<Item = &'n Name>,
    sort: impl Iterator<Item = &'n Name>,
) -> Value {
    let element = |name: &Name, kind: &str| json!({ "AttributeName": name.value, "KeyType": kind });
    let partition = partition.map(|name| element(name, "HASH"));
    let sort = sort.map(|name| element(name, "RANGE"));
    partition.chain(sort).collect()
}

fn throughput(billing: Option<Billing>) -> Option<Value> {
    match billing {
        Some(Billing::Provisioned { read, write }) => {
            Some(json!({ "ReadCapacityUnits": read, "WriteCapacityUnits": write }))
        }
        Some(Billing::OnDemand) | None => None,
    }
}
