//! What hosts ask of a store beside the operations of the contract: whole tables, and items of streams.

use super::opened::OpenStore;
use super::{number, output};
use monotable_item::EncodedItem;
use monotable_store::{Adoption, Error, RepairMode, Repaired, Store, Verification, VerifyOptions};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A task: a JSON object with its name as the only member.
pub(super) enum Task {
    /// Makes the tables.
    Setup,
    /// Holds everything against the model.
    Verify,
    /// Takes over rows that something else has written.
    Adopt,
    /// Counts anew.
    Recount,
    /// Writes what rows lack.
    Backfill,
    /// Writes rows of old layouts under the keys of today.
    Convert,
    /// Ends what was begun.
    Finish,
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
            "verify" => Self::Verify,
            "adopt" => Self::Adopt,
            "recount" => Self::Recount,
            "backfill" => Self::Backfill,
            "convert" => Self::Convert,
            "finish" => Self::Finish,
            "parse" => {
                let images = serde_json::from_str(given.get());
                Self::Parse(images.map_err(|problem| problem.to_string())?)
            }
            _ => return Ok(None),
        }))
    }

    pub(super) async fn carry_out(
        self,
        store: Store,
        opened: Arc<OpenStore>,
    ) -> Result<String, Error> {
        let options = VerifyOptions::new();
        let told = match self {
            Self::Setup => {
                let made = store.setup().await?;
                let tables = made
                    .iter()
                    .map(|made| json!({ "table": made.table, "new": made.new }));
                Value::Array(tables.collect())
            }
            Self::Verify => show_verification(&store.verify_with(&options).await?),
            Self::Adopt => show_adoption(&store.adopt(&options, RepairMode::Write).await?),
            Self::Recount => show_repaired(&store.recount().await?),
            Self::Backfill => show_repaired(&store.backfill().await?),
            Self::Convert => show_repaired(&store.convert().await?),
            Self::Finish => show_repaired(&store.finish(&options).await?),
            Self::Parse(images) => return parse_images(&store, &opened, images),
        };
        Ok(told.to_string())
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

fn show_repaired(repaired: &Repaired) -> Value {
    json!({ "written": repaired.written, "left": repaired.left })
}

fn show_adoption(adoption: &Adoption) -> Value {
    json!({
        "converted": adoption.converted.written,
        "repaired": adoption.repaired.written,
        "left": adoption.repaired.left,
        "violations": adoption.verification.violations.len(),
        "adopted": adoption.is_adopted,
    })
}

fn show_verification(found: &Verification) -> Value {
    let violations = found.violations.iter().map(|one| {
        json!({ "wrong": one.wrong.name(), "entity": one.entity, "key": one.key, "message": one.message })
    });
    let notes = found.notes.iter().map(|one| {
        json!({ "kind": one.kind.name(), "entity": one.entity, "key": one.key, "message": one.message })
    });
    let unfinished = found.unfinished.iter().map(|one| {
        json!({ "what": one.what.name(), "entity": one.entity, "key": one.key, "message": one.message })
    });
    json!({
        "violations": violations.collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
        "unfinished": unfinished.collect::<Vec<_>>(),
    })
}
