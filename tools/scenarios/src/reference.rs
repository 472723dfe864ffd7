//! What runners of scripts in other languages need of this one: models as generated code carries them, and the items that a
//! script leaves behind.

use crate::run::{Failure, play_on};
use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_item::EncodedItem;
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Model;
use monotable_store::{Host, NativeHost, NoEntropy, Pause};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Answers models, one JSON text a line, each with a line: the model as generated code carries it, and its tables.
pub fn answer_models(models: impl BufRead, out: &mut impl Write) -> std::io::Result<()> {
    for line in models.lines() {
        let text: String = serde_json::from_str(&line?)?;
        let answer = match monotable_check::check(&text).model {
            Some(model) => describe(model),
            None => json!({ "problem": "the model does not pass its check" }),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

fn describe(model: Model) -> Value {
    let tables: Vec<_> = model
        .tables
        .iter()
        .map(|table| table.physical.clone())
        .collect();
    let first = model.tables.first().map(|table| {
        json!({
            "name": table.physical,
            "hash": table.hash.value,
            "range": table.range.as_ref().map(|range| &range.value),
        })
    });
    match CompiledModel::new(model).to_text() {
        Ok(text) => json!({ "model": text, "tables": tables, "table": first }),
        Err(problem) => json!({ "problem": problem.to_string() }),
    }
}

/// Chance that counts: the bytes are those of the numbers 0, 1, 2, and so on, four for each.
#[derive(Default)]
struct CountingHost {
    drawn: AtomicU32,
}

impl Host for CountingHost {
    fn now_micros(&self) -> i64 {
        NativeHost.now_micros()
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        for chunk in bytes.chunks_mut(4) {
            let drawn = self.drawn.fetch_add(1, Ordering::SeqCst).to_be_bytes();
            chunk.copy_from_slice(drawn.get(..chunk.len()).unwrap_or_default());
        }
        Ok(())
    }

    fn sleep(&self, time: Duration) -> Pause<'_> {
        NativeHost.sleep(time)
    }
}

/// Runs a script, and writes what it has left behind: `{"script", "items": ["table {..}", ..]}` with DynamoDB's JSON of every
/// item but the store's own.
pub async fn dump_file(path: &Path, models: &Path) -> Result<String, Failure> {
    let played = play_on(path, models, Arc::new(CountingHost::default())).await?;
    let mut items = Vec::new();
    if let Some(store) = &played.store {
        for table in &store.model().tables {
            let listed = list_items(&*played.dynamo, &table.physical).await;
            items.extend(listed.map_err(Failure::outside)?);
        }
    }
    items.sort();
    Ok(json!({ "script": path.display().to_string(), "items": items }).to_string())
}

async fn list_items(dynamo: &dyn Dynamo, table: &str) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    let mut input = ScanInput::new(table).consistent();
    loop {
        let output = match dynamo.scan(input.clone()).await {
            Ok(output) => output,
            // A script may have dropped its tables.
            Err(monotable_api::Error::ResourceNotFoundException { .. }) => return Ok(lines),
            Err(error) => return Err(error.to_string()),
        };
        for item in output.items.iter().flatten() {
            lines.extend(show_item(table, item)?);
        }
        match output.last_evaluated_key {
            Some(last) => input.exclusive_start_key = Some(last.into()),
            None => return Ok(lines),
        }
    }
}

/// An item as a line; none for the store's own, which differs from run to run.
fn show_item(table: &str, item: &EncodedItem) -> Result<Option<String>, String> {
    let json = serde_json::to_value(item).map_err(|error| error.to_string())?;
    let is_own = |value: &Value| value.get("S") == Some(&Value::from("monotable#store"));
    let own = json
        .as_object()
        .is_some_and(|item| item.values().any(is_own));
    Ok((!own).then(|| format!("{table} {json}")))
}
