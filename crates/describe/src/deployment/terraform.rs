//! The tables of a model as resources of Terraform's provider for AWS.

use super::alarm::{
    Alarm, AlarmOptions, DATAPOINTS, EVALUATED, Metric, NAMESPACE, PERIOD, list_alarms,
};
use super::hcl::{Block, Expression};
use super::identifiers::Identifiers;
use super::table::{attribute_type, billing_mode, key_attributes, projection_type, view_type};
use super::{Deployment, Encryption};
use monotable_model::model::{Billing, Index, Model, Projection, TableId};

/// The first version of the provider that has everything here.
const PROVIDER: &str = ">= 5.0";
/// The first one in which indexes whose keys have several attributes work.
const PROVIDER_OF_LONG_KEYS: &str = ">= 6.37";

/// The resources, as the text of a file.
#[must_use]
pub fn terraform(model: &Model, deployment: &Deployment) -> String {
    let mut blocks = vec![required_provider(model)];
    let mut identifiers = Identifiers::default();
    if let Some(encryption) = &deployment.tables {
        for (id, declared) in model.tables() {
            let name = identifiers.snake(&[&declared.name.value]);
            blocks.push(table(model, id, &name, encryption));
        }
    }
    let mut identifiers = Identifiers::default();
    if let Some(options) = &deployment.alarms {
        for alarm in list_alarms(model, options) {
            let words: Vec<&str> = alarm.words.iter().map(String::as_str).collect();
            let name = identifiers.snake(&words);
            blocks.push(self::alarm(&alarm, &name, options));
        }
    }
    let texts: Vec<String> = blocks.iter().map(Block::render).collect();
    texts.join("\n")
}

fn required_provider(model: &Model) -> Block {
    let mut indexes = model.tables.iter().flat_map(|table| &table.indexes);
    let version = if indexes.any(has_long_key) {
        PROVIDER_OF_LONG_KEYS
    } else {
        PROVIDER
    };
    let provider = Expression::Object(vec![
        (
            "source".to_owned(),
            Expression::Text("hashicorp/aws".to_owned()),
        ),
        ("version".to_owned(), Expression::Text(version.to_owned())),
    ]);
    let providers = Block::new("required_providers", &[]).set("aws", provider);
    Block::new("terraform", &[]).block(providers)
}

const fn has_long_key(index: &Index) -> bool {
    !index.further.hash.is_empty() || !index.further.range.is_empty()
}

fn table(model: &Model, id: TableId, name: &str, encryption: &Encryption) -> Block {
    let table = model.table(id);
    let mut block = Block::new("resource", &["aws_dynamodb_table", name])
        .text("name", &table.physical)
        .text("billing_mode", billing_mode(table.billing));
    block = with_units(block, table.billing).text("hash_key", &table.hash.value);
    if let Some(range) = &table.range {
        block = block.text("range_key", &range.value);
    }
    if let Some(stream) = table.stream {
        block = block
            .flag("stream_enabled", true)
            .text("stream_view_type", view_type(stream));
    }
    if let Some(is_on) = table.deletion_protection {
        block = block.flag("deletion_protection_enabled", is_on);
    }
    if !table.tags.is_empty() {
        block = block.set("tags", Expression::Map(table.tags.clone()));
    }
    for attribute in key_attributes(model, id) {
        let kind = attribute_type(model, id, attribute);
        let attribute = Block::new("attribute", &[]).text("name", attribute);
        block = block.block(attribute.text("type", kind));
    }
    for index in &table.indexes {
        block = block.block(self::index(index, table.billing));
    }
    if let Some(ttl) = &table.ttl {
        let ttl = Block::new("ttl", &[]).text("attribute_name", &ttl.value);
        block = block.block(ttl.flag("enabled", true));
    }
    block = block.block(Block::new("point_in_time_recovery", &[]).flag("enabled", table.pitr));
    block = block.block(self::encryption(encryption));
    let lifecycle = Block::new("lifecycle", &[]).flag("prevent_destroy", true);
    block.block(lifecycle)
}

fn with_units(block: Block, billing: Option<Billing>) -> Block {
    match billing {
        Some(Billing::Provisioned { read, write }) => block
            .number("read_capacity", read)
            .number("write_capacity", write),
        Some(Billing::OnDemand) | None => block,
    }
}

fn index(index: &Index, billing: Option<Billing>) -> Block {
    let kind = if index.local {
        "local_secondary_index"
    } else {
        "global_secondary_index"
    };
    let mut block = Block::new(kind, &[]).text("name", &index.physical);
    let is_long = has_long_key(index);
    // A local index has the table's partition key, and says only its own sort key.
    if !is_long && !index.local {
        block = block.text("hash_key", &index.hash.value);
    }
    if let (false, Some(range)) = (is_long, &index.range) {
        block = block.text("range_key", &range.value);
    }
    block = block.text("projection_type", projection_type(&index.projection));
    if let Projection::Include(names) = &index.projection {
        block = block.set("non_key_attributes", Expression::List(names.clone()));
    }
    if !index.local {
        block = with_units(block, billing);
    }
    if is_long {
        let partition = std::iter::once(&index.hash).chain(&index.further.hash);
        let partition = partition.map(|name| (name, "HASH"));
        let sort = index.range.iter().chain(&index.further.range);
        for (name, kind) in partition.chain(sort.map(|name| (name, "RANGE"))) {
            let element = Block::new("key_schema", &[]).text("attribute_name", &name.value);
            block = block.block(element.text("key_type", kind));
        }
    }
    block
}

/// A table without this block has DynamoDB's own keys; `enabled` means keys of KMS.
fn encryption(encryption: &Encryption) -> Block {
    let block = Block::new("server_side_encryption", &[]);
    match encryption {
        Encryption::Owned => block.flag("enabled", false),
        Encryption::Managed => block.flag("enabled", true),
        Encryption::Key(arn) => block.flag("enabled", true).text("kms_key_arn", arn),
    }
}

fn alarm(alarm: &Alarm, name: &str, options: &AlarmOptions) -> Block {
    let mut block = Block::new("resource", &["aws_cloudwatch_metric_alarm", name])
        .text("alarm_name", &alarm.name)
        .text("alarm_description", &alarm.about)
        .text("comparison_operator", "GreaterThanOrEqualToThreshold")
        .number("threshold", alarm.threshold)
        .number("evaluation_periods", EVALUATED)
        .number("datapoints_to_alarm", DATAPOINTS)
        .text("treat_missing_data", "notBreaching");
    if let Some(topic) = &options.topic {
        block = block.set("alarm_actions", Expression::List(vec![topic.clone()]));
    }
    match (alarm.metrics.expression(), alarm.metrics.all()) {
        (None, metrics) => {
            for metric in metrics {
                block = describe_metric(block, metric)
                    .number("period", PERIOD)
                    .text("statistic", "Sum");
            }
            block
        }
        (Some(expression), metrics) => {
            let value = Block::new("metric_query", &[])
                .text("id", "value")
                .text("expression", expression.text)
                .text("label", expression.label)
                .flag("return_data", true);
            block = block.block(value);
            for (number, metric) in (1..).zip(metrics) {
                let metric = describe_metric(Block::new("metric", &[]), metric)
                    .number("period", PERIOD)
                    .text("stat", expression.statistic);
                let part = Block::new("metric_query", &[]).text("id", &format!("m{number}"));
                block = block.block(part.block(metric));
            }
            block
        }
    }
}

fn describe_metric(block: Block, metric: &Metric) -> Block {
    let block = block
        .text("namespace", NAMESPACE)
        .text("metric_name", metric.name);
    if metric.dimensions.is_empty() {
        return block;
    }
    let dimensions = metric.dimensions.iter();
    let dimensions =
        dimensions.map(|(name, value)| ((*name).to_owned(), Expression::Text(value.clone())));
    block.set("dimensions", Expression::Object(dimensions.collect()))
}
