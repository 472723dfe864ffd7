//! `monotable get`: one item, or one row of a model.

use crate::exit::Failure;
use crate::notation::NotationArguments;
use crate::output::OutputArguments;
use crate::rows::{Call, CallerArguments, InputValues, RowCommand, Verb};
use crate::table_keys::{TableKeys, parse_key};
use crate::target::TargetArguments;
use clap::{Args, ValueHint};
use monotable_api::{DynamoExt, GetItemInput};
use monotable_item::EncodedItem;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable get Music 'Nina Simone' 'Feeling Good'
  $ monotable get Music Artist='Nina Simone' Song='Feeling Good' --output json
  $ monotable get Music '{\"Artist\": \"Nina Simone\", \"Song\": \"Feeling Good\"}'
  $ monotable get -m model.toml Person UserId=ada PersonId=george
  $ monotable get -m model.toml Tree UserId=ada TreeId=byron --as UserId=mary";

const USAGE: &str = "\
monotable get [OPTIONS] <TABLE> <KEY>...
       monotable get [OPTIONS] -m <FILE> <ENTITY> <NAME=VALUE>...";

/// Show one item of a table, or with -m one row of a model
///
/// Exits with 255 if there is no such item, and with 254 if there is no such row.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Get {
    /// The table; with -m the entity
    table: String,

    /// The key: its values in order, NAME=VALUE for each attribute, or a JSON object
    ///
    /// Values are of the types that the table's key has; binary ones are base64. With -m they are of the
    /// kinds that the model says, and each has its name.
    #[arg(required = true, allow_negative_numbers = true)]
    key: Vec<String>,

    /// A row of this model; - is stdin
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    /// Show only these attributes, for example 'Artist, Address.City'
    #[arg(long, value_name = "EXPR", conflicts_with = "model")]
    projection: Option<String>,

    /// See every write that was acknowledged before
    #[arg(long)]
    consistent: bool,

    #[command(flatten)]
    notation: NotationArguments,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    caller: CallerArguments,

    #[command(flatten)]
    target: TargetArguments,
}

impl Get {
    pub(crate) async fn run(mut self) -> Result<(), Failure> {
        match self.model.take() {
            Some(model) => self.row(model).await,
            None => self.item().await,
        }
    }

    async fn row(self, model: PathBuf) -> Result<(), Failure> {
        let notation = self.notation.notation();
        let mut asked = RowCommand::new(
            Verb::Get,
            self.table,
            InputValues::words(self.key, notation)?,
        );
        asked.is_consistent = self.consistent;
        let call = Call {
            model,
            caller: self.caller,
            notation,
            output: self.output,
            target: self.target,
        };
        call.run(asked).await
    }

    async fn item(self) -> Result<(), Failure> {
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
