//! `monotable table get`: one item of a table.

use crate::exit::Failure;
use crate::notation::NotationArguments;
use crate::output::OutputArguments;
use crate::table_keys::{TableKeys, parse_key};
use crate::target::TargetArguments;
use clap::Args;
use monotable_api::{DynamoExt, GetItemInput};
use monotable_item::EncodedItem;

const EXAMPLES: &str = "\
Examples:
  $ monotable table get Music 'Nina Simone' 'Feeling Good'
  $ monotable table get Music Artist='Nina Simone' Song='Feeling Good' --output json
  $ monotable table get Music '{\"Artist\": \"Nina Simone\", \"Song\": \"Feeling Good\"}'";

/// Show one item of a table
///
/// Exits with 255 if there is no such item.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Get {
    /// The table
    table: String,

    /// The key: its values in order, NAME=VALUE for each attribute, or a JSON object
    ///
    /// Values are of the types that the table's key has; binary ones are base64.
    #[arg(required = true, allow_negative_numbers = true)]
    key: Vec<String>,

    /// Show only these attributes, for example 'Artist, Address.City'
    #[arg(long, value_name = "EXPR")]
    projection: Option<String>,

    /// See every write that was acknowledged before
    #[arg(long)]
    consistent: bool,

    #[command(flatten)]
    notation: NotationArguments,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Get {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let dynamo = self.target.open().await?;
        let keys = TableKeys::describe(&*dynamo, &self.table).await?;
        let notation = self.notation.notation();
        let key = parse_key(&keys.key, &self.key, notation)?;
        let mut get = GetItemInput::new(&self.table, &key);
        get.projection_expression = self.projection;
        get.consistent_read = self.consistent.then_some(true);
        let Some(item) = dynamo.get_item(get).await?.item else {
            let key = serde_json::to_string(&notation.show(&EncodedItem::from(&key)));
            return Err(Failure::other(format_args!(
                "no item with the key {} in {}",
                key.unwrap_or_default(),
                self.table
            )));
        };
        let leading = keys.key.into_iter().map(|attribute| attribute.name);
        self.output.printer(notation, leading.collect()).one(&item)
    }
}
