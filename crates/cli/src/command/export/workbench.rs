//! `monotable export workbench`: a model with its sample data for NoSQL Workbench.

use super::sample_store::fill_sample_store;
use super::stored_items::StoredItems;
use crate::exit::{Failure, note};
use crate::output::print;
use crate::rows::{EnvironmentArguments, load_model};
use crate::sample::has_sample;
use clap::{Args, ValueHint};
use monotable_describe::{SampleRow, workbench};
use monotable_item::{EncodedItem, Item};
use monotable_model::model::TableId;
use monotable_store::Store;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  $ monotable export workbench model.toml > model-workbench.json
  $ monotable export workbench yggdrasil > yggdrasil-workbench.json";

/// A model for NoSQL Workbench of AWS: tables, indexes, a facet for each entity, and the sample data
///
/// Sample data are the operations of `sample.jsonl` beside the model, carried out by the model in memory; a model without
/// such a file is exported without rows.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct WorkbenchForm {
    /// The model; - is stdin
    #[arg(value_hint = ValueHint::FilePath)]
    model: PathBuf,

    #[command(flatten)]
    environment: EnvironmentArguments,
}

impl WorkbenchForm {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let (model, _) = load_model(&self.model, &self.environment)?;
        let rows = if has_sample(&self.model) {
            let store = fill_sample_store(model.clone(), &self.model).await?;
            read_rows(&store).await?
        } else {
            note("there is no sample.jsonl beside the model, so no rows are exported");
            BTreeMap::new()
        };
        let made = workbench(&model, &rows);
        for what in &made.left_out {
            note(format_args!("not exported: {what}"));
        }
        print(format!("{:#}\n", made.document).as_bytes())
    }
}

/// All items but the store's own, in the order of their keys.
async fn read_rows(store: &Store) -> Result<BTreeMap<TableId, Vec<SampleRow>>, Failure> {
    let mut rows: BTreeMap<TableId, Vec<SampleRow>> = BTreeMap::new();
    for id in store.model().stored_tables() {
        let table = store.model().table(id);
        let mut found = Vec::new();
        let mut pages = StoredItems::new(store, id);
        while let Some(items) = pages.next_page().await? {
            for item in items {
                let image = store.read_image(Some(&table.physical), &item);
                found.push(SampleRow {
                    entity: image.map(|image| image.row.entity),
                    item: to_json(&item)?,
                });
            }
        }
        found.sort_by_cached_key(|row| {
            let names = std::iter::once(&table.hash).chain(&table.range);
            let values = names.map(|name| row.item.get(&name.value).map(ToString::to_string));
            values.collect::<Vec<_>>()
        });
        rows.insert(id, found);
    }
    Ok(rows)
}

fn to_json(item: &Item) -> Result<Map<String, Value>, Failure> {
    match serde_json::to_value(EncodedItem::from(item)) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Failure::bug("an item is no JSON object")),
        Err(error) => Err(Failure::bug(error)),
    }
}
