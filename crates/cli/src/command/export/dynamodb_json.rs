//! `monotable export dynamodb-json`: items as AWS's own tools take them.

use super::sample_store::fill_sample_store;
use super::stored_items::StoredItems;
use crate::exit::{Failure, note};
use crate::output::print;
use crate::rows::{EnvironmentArguments, Opened, Use, load_model};
use crate::target::TargetArguments;
use clap::{Args, ValueEnum, ValueHint};
use monotable_item::{EncodedItem, Item, limits};
use monotable_model::model::{Model, TableId};
use monotable_model::suggest::nearest;
use monotable_store::Store;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable export dynamodb-json yggdrasil --sample > items.json
  $ monotable export dynamodb-json model.toml --store ./data --table Orders > items.json
  $ monotable export dynamodb-json model.toml --sample --form batches > batches.jsonl
  $ while read -r batch; do aws dynamodb batch-write-item --request-items \"$batch\"; done < batches.jsonl";

/// Items in DynamoDB's JSON: for ImportTable of one table, or as requests of BatchWriteItem
///
/// Items are as they are stored, guards and counters included, and secrets too; the store's own item is left out. For a copy
/// that can be restored and verified, use `backup`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct DynamoDbJson {
    /// The model; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,

    /// How items are written
    #[arg(long, value_enum, default_value_t = ItemForm::Lines)]
    form: ItemForm,

    /// The items of this table of the model only
    #[arg(long, value_name = "NAME")]
    table: Option<String>,

    /// The sample data of the model, instead of what is in a store
    #[arg(long)]
    sample: bool,

    #[command(flatten)]
    environment: EnvironmentArguments,

    #[command(flatten)]
    target: TargetArguments,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum ItemForm {
    /// {"Item": {..}} on each line, as ImportTable reads it from S3
    Lines,
    /// {"Table": [{"PutRequest": {..}}, ..]} on each line, up to 25 items, as BatchWriteItem takes it
    Batches,
}

impl DynamoDbJson {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let (model, _) = load_model(&self.model, &self.environment)?;
        let tables = choose_tables(&model, self.table.as_deref(), self.form)?;
        let store = if self.sample {
            fill_sample_store(model, &self.model).await?
        } else {
            Opened::open_long(model, self.target, Use::Old).await?.store
        };
        let mut count = 0;
        for id in tables {
            count += write_table(&store, id, self.form).await?;
        }
        if count == 0 {
            note("there are no items");
        }
        Ok(())
    }
}

/// What is written: one table of a model with several, because ImportTable fills one.
fn choose_tables(
    model: &Model,
    named: Option<&str>,
    form: ItemForm,
) -> Result<Vec<TableId>, Failure> {
    let names: Vec<&str> = model
        .tables
        .iter()
        .map(|table| table.name.value.as_str())
        .collect();
    let stored = model.stored_tables();
    match named {
        Some(name) => {
            let found = model.tables().find(|(_, table)| table.name.value == name);
            let (id, _) = found.ok_or_else(|| {
                let failure = Failure::usage(format_args!("the model has no table `{name}`"));
                match nearest(name, names.iter().copied()) {
                    Some(near) => failure.help(format_args!("did you mean `{near}`?")),
                    None => failure.help(format_args!("it has {}", names.join(", "))),
                }
            })?;
            Ok(vec![id])
        }
        None if form == ItemForm::Lines && stored.len() > 1 => Err(Failure::usage(
            "lines for ImportTable are of one table, and the model has several",
        )
        .help(format_args!("name one with --table: {}", names.join(", ")))),
        None => Ok(stored),
    }
}

async fn write_table(store: &Store, id: TableId, form: ItemForm) -> Result<usize, Failure> {
    let table = &store.model().table(id).physical;
    let mut pages = StoredItems::new(store, id);
    let mut count = 0;
    while let Some(items) = pages.next_page().await? {
        count += items.len();
        let mut text = String::new();
        match form {
            ItemForm::Lines => {
                for item in &items {
                    push_line(&mut text, &Line::new(item))?;
                }
            }
            ItemForm::Batches => {
                for batch in items.chunks(limits::MAX_BATCH_WRITE) {
                    let puts: Vec<Put> = batch.iter().map(Put::new).collect();
                    let requests = std::collections::BTreeMap::from([(table, puts)]);
                    push_line(&mut text, &requests)?;
                }
            }
        }
        print(text.as_bytes())?;
    }
    Ok(count)
}

fn push_line(text: &mut String, line: &impl Serialize) -> Result<(), Failure> {
    text.push_str(&serde_json::to_string(line).map_err(Failure::bug)?);
    text.push('\n');
    Ok(())
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Line {
    item: EncodedItem,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Put {
    put_request: Line,
}

impl Line {
    fn new(item: &Item) -> Self {
        Self {
            item: EncodedItem::from(item),
        }
    }
}

impl Put {
    fn new(item: &Item) -> Self {
        Self {
            put_request: Line::new(item),
        }
    }
}
