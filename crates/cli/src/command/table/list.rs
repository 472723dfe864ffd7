//! `monotable table list`: the tables that there are.

use crate::exit::Failure;
use crate::notation::Notation;
use crate::output::OutputArguments;
use crate::table_keys::{TableKeys, describe};
use crate::target::TargetArguments;
use clap::Args;
use monotable_api::{
    DescribeTableInput, Dynamo, DynamoExt, Error, ListTablesInput, TableDescription,
};
use monotable_item::{EncodedItem, Item};

const EXAMPLES: &str = "\
Examples:
  $ monotable table list
  $ monotable table list --output jsonl";

/// The columns of the list, in order.
const COLUMNS: [&str; 6] = ["name", "status", "key", "indexes", "items", "bytes"];

/// List the tables with their status, keys, indexes and sizes
///
/// The numbers of items and bytes are brought up to date now and then, not with each write.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct List {
    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl List {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let dynamo = self.target.open().await?;
        let columns = COLUMNS.map(str::to_owned).to_vec();
        let mut printer = self.output.printer(Notation::Plain, columns);
        let mut request = ListTablesInput::new();
        loop {
            let page = dynamo.list_tables(request).await?;
            let mut rows = Vec::with_capacity(page.table_names.len());
            for name in page.table_names {
                rows.extend(describe_table(&*dynamo, name).await?);
            }
            printer.page(&rows)?;
            let Some(last) = page.last_evaluated_table_name else {
                return printer.finish();
            };
            request = ListTablesInput::new().start_after(last);
        }
    }
}

/// The table's line; none if it was deleted meanwhile.
async fn describe_table(dynamo: &dyn Dynamo, name: String) -> Result<Option<EncodedItem>, Failure> {
    match dynamo.describe_table(DescribeTableInput::new(name)).await {
        Ok(answer) => Ok(answer
            .table
            .map(|table| EncodedItem::from(describe_row(&table)))),
        Err(Error::ResourceNotFoundException { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What is shown of a table.
pub(super) fn describe_row(table: &TableDescription) -> Item {
    let keys = TableKeys::of(table);
    let status = table.table_status.map(|status| status.to_string());
    let indexes: Item = keys
        .indexes
        .iter()
        .map(|(name, key)| (name.clone(), describe(key).into()))
        .collect();
    Item::new()
        .with("name", table.table_name.clone().unwrap_or_default())
        .with("status", status.unwrap_or_default())
        .with("key", describe(&keys.key))
        .with("indexes", indexes)
        .with("items", table.item_count.unwrap_or_default())
        .with("bytes", table.table_size_bytes.unwrap_or_default())
}
