//! What hosts ask of a store beside the operations of the contract: whole tables, and items of streams.

use super::opened::OpenStore;
#[cfg(feature = "whole")]
use super::whole::WholeTask;
use super::{number, output};
use monotable_item::EncodedItem;
use monotable_store::{Error, Store};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A task: a JSON object with its name as the only member.
pub(super) enum Task {
    /// Makes the tables.
    Setup,
    /// Verifies or repairs whole tables.
    #[cfg(feature = "whole")]
    Whole(WholeTask),
    /// Says what items of streams are.
    Parse(Vec<Image>),
}

/// An item as a stream or a table shows it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Image {
    /// Its table, by its name in the model or in DynamoDB. If none is named, it is the first that knows the item.
    table: Option<String>,
    item: EncodedItem,
}

impl Task {
    /// The task of a JSON object; none if it is something else, such as an operation.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, String> {
        let members: BTreeMap<String, &serde_json::value::RawValue> =
            serde_json::from_str(text).map_err(|problem| problem.to_string())?;
        let mut members = members.iter();
        let (Some((name, given)), None) = (members.next(), members.next()) else {
            return Ok(None);
        };
        Ok(Some(match name.as_str() {
            "setup" => Self::Setup,
            "parse" => {
                let images = serde_json::from_str(given.get());
                Self::Parse(images.map_err(|problem| problem.to_string())?)
            }
            #[cfg(feature = "whole")]
            name => match WholeTask::parse(name) {
                Some(task) => Self::Whole(task),
                None => return Ok(None),
            },
            #[cfg(not(feature = "whole"))]
            _ => return Ok(None),
        }))
    }

    pub(super) async fn carry_out(
        self,
        store: Store,
        opened: Arc<OpenStore>,
    ) -> Result<String, Error> {
        match self {
            Self::Setup => {
                let made = store.setup().await?;
                let tables = made
                    .iter()
                    .map(|made| json!({ "table": made.table, "new": made.new }));
                Ok(Value::Array(tables.collect()).to_string())
            }
            #[cfg(feature = "whole")]
            Self::Whole(task) => task.carry_out(store).await,
            Self::Parse(images) => parse_images(&store, &opened, images),
        }
    }
}

/// For each item its row and its tenant, or null.
fn parse_images(store: &Store, opened: &OpenStore, images: Vec<Image>) -> Result<String, Error> {
    let mut parsed = Vec::new();
    for Image { table, item } in images {
        let found = store.read_image(table.as_deref(), &item.to_item());
        let Some(mut found) = found else {
            parsed.push(Value::Null);
            continue;
        };
        number::show_row(store.compiled(), &opened.bigint, &mut found.row)?;
        let row: Value = serde_json::from_str(&output::write(&found.row)).unwrap_or_default();
        parsed.push(match found.tenant {
            Some(tenant) => json!({ "row": row, "tenant": tenant }),
            None => json!({ "row": row }),
        });
    }
    Ok(Value::Array(parsed).to_string())
}
