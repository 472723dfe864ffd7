//! `monotable table describe`: what a table is.

use super::list::describe_row;
use crate::exit::Failure;
use crate::notation::Notation;
use crate::output::OutputArguments;
use crate::target::TargetArguments;
use clap::Args;
use monotable_api::{
    DescribeTableInput, DescribeTimeToLiveInput, Dynamo, DynamoExt, TableDescription,
};
use monotable_item::{EncodedItem, Item};

const EXAMPLES: &str = "\
Examples:
  $ monotable table describe Music
  $ monotable table describe Music --output json";

/// Show what a table is: its status, its keys and indexes, its sizes, its stream and when items expire
///
/// The numbers of items and bytes are brought up to date now and then, not with each write.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Describe {
    /// The table
    table: String,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Describe {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let dynamo = self.target.open().await?;
        let answer = dynamo
            .describe_table(DescribeTableInput::new(&self.table))
            .await?;
        let Some(table) = answer.table else {
            return Err(Failure::other("the table was not described"));
        };
        let mut row = add_settings(describe_row(&table), &table);
        if let Some(expiry) = find_expiry(&*dynamo, &self.table).await? {
            row = row.with("expires_by", expiry);
        }
        let printer = self
            .output
            .printer(Notation::Plain, vec!["name".to_owned()]);
        printer.one(&EncodedItem::from(row))
    }
}

fn add_settings(mut row: Item, table: &TableDescription) -> Item {
    let stream = table.stream_specification.as_ref();
    if let Some(view) = stream.and_then(|stream| stream.stream_view_type.as_ref()) {
        row = row.with("stream", view.as_str());
    }
    if let Some(arn) = &table.table_arn {
        row = row.with("arn", arn.as_str());
    }
    row.with(
        "deletion_protection",
        table.deletion_protection_enabled.unwrap_or_default(),
    )
}

/// The attribute that says when items expire.
async fn find_expiry(dynamo: &dyn Dynamo, table: &str) -> Result<Option<String>, Failure> {
    let answer = dynamo
        .describe_time_to_live(DescribeTimeToLiveInput::new(table))
        .await?;
    let described = answer.time_to_live_description;
    Ok(described.and_then(|described| described.attribute_name))
}
