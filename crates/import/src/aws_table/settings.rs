//! What a table is beside its keys: names, times to live, streams, billing, tags.

use super::{Resolve, has_units, is_said};
use crate::document::{Node, Value};
use crate::error::ImportError;
use monotable_sketch::{Table, quote};

/// What is read elsewhere, or says nothing about the design: answers of DescribeTable have much of that.
const KNOWN: &[&str] = &[
    "ArchivalSummary",
    "AttributeDefinitions",
    "BillingMode",
    "BillingModeSummary",
    "CreationDateTime",
    "DeletionProtectionEnabled",
    "GlobalSecondaryIndexes",
    "GlobalTableVersion",
    "ItemCount",
    "KeySchema",
    "LatestStreamArn",
    "LatestStreamLabel",
    "LocalSecondaryIndexes",
    "OnDemandThroughput",
    "PointInTimeRecoverySpecification",
    "ProvisionedThroughput",
    "RestoreSummary",
    "StreamSpecification",
    "TableArn",
    "TableClassSummary",
    "TableId",
    "TableName",
    "TableSizeBytes",
    "TableStatus",
    "Tags",
    "TimeToLiveSpecification",
    "WarmThroughput",
];

pub(super) fn read(
    node: &Node,
    resolver: &dyn Resolve,
    table: &mut Table,
) -> Result<(), ImportError> {
    if let Some(name) = node.get("TableName") {
        match resolver.resolve(name).and_then(Node::as_text) {
            Some(name) => table.stored = Some(name.to_owned()),
            None => table.remarks.push(
                "The name of the table is known only when it is deployed: give it with `name`, or for each deployment in [environment.N]."
                    .to_owned(),
            ),
        }
    }
    if let Some(ttl) = node.get("TimeToLiveSpecification") {
        read_ttl(ttl, resolver, table);
    }
    let recovery = node.get("PointInTimeRecoverySpecification");
    if recovery.is_some_and(|recovery| recovery.is_true("PointInTimeRecoveryEnabled")) {
        table.set("pitr", "true");
    }
    if let Some(stream) = node.get("StreamSpecification") {
        read_stream(stream, table);
    }
    if let Some(protection) = node.get("DeletionProtectionEnabled") {
        match resolver.resolve(protection).and_then(Node::as_bool) {
            Some(flag) => table.set("deletion_protection", flag.to_string()),
            None => table.remarks.push(
                "Whether the table is protected against deletion is known only when it is deployed."
                    .to_owned(),
            ),
        }
    }
    read_billing(node, resolver, table);
    if let Some(tags) = node.get("Tags") {
        read_tags(tags, resolver, table)?;
    }
    for (name, value) in node.map()? {
        if !KNOWN.contains(&name.as_str()) && is_said(value) {
            table
                .remarks
                .push(format!("`{name}` is not part of a model."));
        }
    }
    Ok(())
}

fn read_ttl(ttl: &Node, resolver: &dyn Resolve, table: &mut Table) {
    let attribute = ttl.get("AttributeName");
    let attribute = attribute.and_then(|node| resolver.resolve(node)?.as_text());
    let is_off = ttl.get("Enabled").and_then(Node::as_bool) == Some(false);
    match attribute {
        Some(attribute) if !is_off => table.set("ttl", quote(attribute)),
        Some(_) => {}
        None => table.remarks.push(
            "The attribute of the time to live is known only when it is deployed.".to_owned(),
        ),
    }
}

fn read_stream(stream: &Node, table: &mut Table) {
    let view = stream.get("StreamViewType").and_then(Node::as_text);
    let view = match view {
        Some("NEW_IMAGE") => "new",
        Some("OLD_IMAGE") => "old",
        Some("NEW_AND_OLD_IMAGES") => "new_and_old",
        Some("KEYS_ONLY") => "keys",
        Some(_) | None => {
            if stream.is_map() {
                table
                    .remarks
                    .push("The view of the stream is known only when it is deployed.".to_owned());
            }
            return;
        }
    };
    table.set("stream", quote(view));
}

fn read_billing(node: &Node, resolver: &dyn Resolve, table: &mut Table) {
    let mode = node.get("BillingMode").or_else(|| {
        let summary = node.get("BillingModeSummary")?;
        summary.get("BillingMode")
    });
    let mode = mode.and_then(|mode| resolver.resolve(mode)?.as_text());
    if mode == Some("PAY_PER_REQUEST") {
        return table.set("billing", quote("on_demand"));
    }
    let Some(throughput) = node
        .get("ProvisionedThroughput")
        .filter(|node| has_units(node))
    else {
        return;
    };
    let units = |name: &str| {
        let value = resolver.resolve(throughput.get(name)?)?;
        value.as_scalar()?.parse::<u64>().ok()
    };
    match (units("ReadCapacityUnits"), units("WriteCapacityUnits")) {
        (Some(read), Some(write)) => {
            table.set("billing", format!("{{ read = {read}, write = {write} }}"));
        }
        _ => table
            .remarks
            .push("The capacity of the table is known only when it is deployed.".to_owned()),
    }
}

fn read_tags(tags: &Node, resolver: &dyn Resolve, table: &mut Table) -> Result<(), ImportError> {
    let mut written = Vec::new();
    let pairs: Vec<(String, &Node)> = match &tags.value {
        // GlobalTable and others have lists of pairs; SAM has an object.
        Value::Map(entries) => entries
            .iter()
            .map(|(key, node)| (key.clone(), node))
            .collect(),
        _ => {
            let mut pairs = Vec::new();
            for tag in tags.list()? {
                pairs.push((tag.need_text("Key")?.to_owned(), tag.need("Value")?));
            }
            pairs
        }
    };
    for (key, value) in pairs {
        match resolver.resolve(value).and_then(Node::as_scalar) {
            Some(value) => written.push(format!("{} = {}", quote(&key), quote(&value))),
            None => table.remarks.push(format!(
                "The value of the tag {key:?} is known only when it is deployed."
            )),
        }
    }
    if !written.is_empty() {
        table.set("tags", format!("{{ {} }}", written.join(", ")));
    }
    Ok(())
}
