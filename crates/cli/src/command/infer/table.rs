//! Items of the tables of a DynamoDB, with what it says about the tables.

use crate::exit::Failure;
use monotable_api::{
    DescribeTableInput, DescribeTimeToLiveInput, Dynamo, DynamoExt, ListTablesInput, ScanInput,
};
use monotable_import::read_description;
use monotable_infer::Sample;
use monotable_item::Item;
use monotable_sketch::{Table, quote};

pub(super) async fn read(
    dynamo: &dyn Dynamo,
    wanted: &[String],
    limit: usize,
) -> Result<Vec<Sample>, Failure> {
    let names = if wanted.is_empty() {
        list(dynamo).await?
    } else {
        wanted.to_vec()
    };
    let mut samples = Vec::new();
    for name in names {
        let table = describe(dynamo, &name).await?;
        let items = scan(dynamo, &name, limit).await?;
        samples.push(Sample { table, items });
    }
    Ok(samples)
}

async fn list(dynamo: &dyn Dynamo) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let mut request = ListTablesInput::new();
    loop {
        let page = dynamo.list_tables(request).await?;
        names.extend(page.table_names);
        match page.last_evaluated_table_name {
            None => return Ok(names),
            Some(last) => {
                request = ListTablesInput::new();
                request.exclusive_start_table_name = Some(last);
            }
        }
    }
}

async fn describe(dynamo: &dyn Dynamo, name: &str) -> Result<Table, Failure> {
    let answer = dynamo.describe_table(DescribeTableInput::new(name)).await?;
    let json = serde_json::to_string(&answer).map_err(std::io::Error::from)?;
    let mut table = read_description(&json).map_err(|error| {
        Failure::other(format_args!("the description of {name} cannot be read")).because(&error)
    })?;
    // What deployments differ in is no part of a first model.
    table
        .settings
        .retain(|(key, _)| key != "billing" && key != "tags");
    let expiry = dynamo
        .describe_time_to_live(DescribeTimeToLiveInput::new(name))
        .await?;
    let expiry = expiry.time_to_live_description;
    if let Some(attribute) = expiry.and_then(|expiry| expiry.attribute_name) {
        table.set("ttl", quote(&attribute));
    }
    Ok(table)
}

async fn scan(dynamo: &dyn Dynamo, name: &str, limit: usize) -> Result<Vec<Item>, Failure> {
    let mut items = Vec::new();
    let mut start = None;
    loop {
        let mut request = ScanInput::new(name);
        request.exclusive_start_key = start;
        let rest = limit.saturating_sub(items.len());
        request.limit = i64::try_from(rest.clamp(1, 1000)).ok();
        let page = dynamo.scan(request).await?;
        items.extend(page.items.into_iter().flatten().map(|item| item.to_item()));
        start = page.last_evaluated_key.map(Into::into);
        if start.is_none() || items.len() >= limit {
            return Ok(items);
        }
    }
}
