//! Statements about what is stored, and about whole tables.

use super::Runner;
use crate::expectation::Answer;
use crate::json::{of_item, to_item};
use crate::statement::Statement;
use monotable_api::{DeleteTableInput, DynamoExt, GetItemInput, PutItemInput, ScanInput};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_store::{Error, RepairMode, Repaired, VerifyOptions};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::atomic::Ordering;

/// The answer to a statement of this kind; none if it is another.
pub(super) async fn answer(
    runner: &mut Runner,
    statement: &Statement,
) -> Result<Option<Answer>, String> {
    let store = match statement.word.as_str() {
        "setup" | "drop" | "item" | "load" | "items" | "digest" | "backup" | "restore"
        | "verify" | "notes" | "unfinished" | "finish" | "adopt" | "recount" | "backfill"
        | "convert" => runner.store()?.clone(),
        _ => return Ok(None),
    };
    // Backups are made and restored by a program of their own: what it reads of the clock moves nobody else's.
    let clock = std::sync::Arc::clone(&runner.clock);
    let tool = || {
        store
            .clone()
            .with_clock(move || clock.load(Ordering::SeqCst))
    };
    let dynamo = std::sync::Arc::clone(&runner.opened.dynamo);
    let table = store
        .model()
        .tables
        .first()
        .ok_or("the model has no table")?
        .clone();
    let name = table.physical.clone();
    let answer = match statement.word.as_str() {
        "setup" => match store.setup().await {
            Ok(made) => {
                let new: Vec<_> = made.iter().filter(|made| made.new).collect();
                Answer::Value(Value::from(new.len()))
            }
            Err(error) => failed(&error),
        },
        "drop" => {
            for table in &store.model().tables {
                let input = DeleteTableInput::new(table.physical.clone());
                dynamo
                    .delete_table(input)
                    .await
                    .map_err(|error| error.to_string())?;
            }
            Answer::Value(Value::Null)
        }
        "item" => {
            let key = statement
                .json_at(0)?
                .as_array()
                .cloned()
                .unwrap_or_default();
            let names = std::iter::once(&table.hash).chain(&table.range);
            let mut wanted = Item::new();
            for (name, value) in names.zip(&key) {
                wanted.insert(name.value.clone(), value.as_str().unwrap_or_default());
            }
            let input = GetItemInput::new(name, wanted).consistent();
            let output = dynamo
                .get_item(input)
                .await
                .map_err(|error| error.to_string())?;
            let item = output.item.map(|item| of_item(&item.to_item()));
            Answer::Value(item.unwrap_or(Value::Null))
        }
        "load" => {
            let item = to_item(statement.json_at(0)?)?;
            // As old programs wrote it: with nulls.
            let input = PutItemInput::new(name, item);
            dynamo
                .put_item(input)
                .await
                .map_err(|error| error.to_string())?;
            Answer::Value(Value::Null)
        }
        "items" => {
            let prefix = match statement.json_at(0) {
                Ok(json) => json.as_str().unwrap_or_default().to_owned(),
                Err(_) => String::new(),
            };
            let items = all(&*dynamo, &name).await?;
            let hash = &table.hash.value;
            let begins = |item: &Item| matches!(item.get(hash), Some(AttributeValue::S(text)) if text.starts_with(&prefix));
            let found = items.iter().filter(|item| begins(item)).map(of_item);
            Answer::Value(Value::Array(found.collect()))
        }
        "digest" => {
            let mut lines: Vec<String> = all(&*dynamo, &name)
                .await?
                .iter()
                .map(|item| of_item(item).to_string())
                .collect();
            lines.sort();
            let hash = Sha256::digest(lines.join("\n").as_bytes());
            let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            Answer::Value(Value::String(hash))
        }
        "backup" => {
            let mut bytes = Vec::new();
            match tool().backup(&mut bytes).await {
                Ok(count) => {
                    runner
                        .backups
                        .insert(statement.word_at(0)?.to_owned(), bytes);
                    Answer::Value(Value::from(count))
                }
                Err(error) => failed(&error),
            }
        }
        "restore" => {
            let bytes = runner.backups.get(statement.word_at(0)?);
            let bytes = bytes.ok_or("there is no such backup")?;
            match tool().restore(bytes.as_slice()).await {
                Ok(loaded) => Answer::Value(Value::from(loaded.items)),
                Err(error) => failed(&error),
            }
        }
        "verify" => match store.verify().await {
            Ok(found) => {
                let violations = found.violations.iter().map(|violation| {
                    json!({
                        "wrong": violation.wrong.name(),
                        "entity": violation.entity,
                        "key": violation.key,
                        "message": violation.message,
                    })
                });
                Answer::Value(Value::Array(violations.collect()))
            }
            Err(error) => failed(&error),
        },
        "notes" => match store.verify().await {
            Ok(found) => {
                let notes = found.notes.iter().map(|note| {
                    json!({
                        "kind": note.kind.name(),
                        "entity": note.entity,
                        "key": note.key,
                        "message": note.message,
                    })
                });
                Answer::Value(Value::Array(notes.collect()))
            }
            Err(error) => failed(&error),
        },
        "unfinished" => match store.verify().await {
            Ok(found) => {
                let unfinished = found.unfinished.iter().map(|unfinished| {
                    json!({
                        "what": unfinished.what.name(),
                        "entity": unfinished.entity,
                        "key": unfinished.key,
                        "message": unfinished.message,
                    })
                });
                Answer::Value(Value::Array(unfinished.collect()))
            }
            Err(error) => failed(&error),
        },
        "adopt" => match store.adopt(&VerifyOptions::new(), RepairMode::Write).await {
            Ok(adoption) => Answer::Value(json!({
                "converted": adoption.converted.written,
                "repaired": adoption.repaired.written,
                "left": adoption.repaired.left,
                "violations": adoption.verification.violations.len(),
                "adopted": adoption.is_adopted,
            })),
            Err(error) => failed(&error),
        },
        "finish" => repaired(store.finish(&VerifyOptions::new()).await),
        "recount" => repaired(store.recount().await),
        "convert" => repaired(store.convert().await),
        _ => repaired(store.backfill().await),
    };
    Ok(Some(answer))
}

fn failed(error: &Error) -> Answer {
    Answer::Error {
        kind: error.kind().name().to_owned(),
        message: error.to_string(),
    }
}

fn repaired(result: Result<Repaired, Error>) -> Answer {
    match result {
        Ok(Repaired { written, left, .. }) => {
            Answer::Value(json!({"written": written, "left": left}))
        }
        Err(error) => failed(&error),
    }
}

/// Every item of a table but the store's own, which differs from run to run.
async fn all(dynamo: &dyn monotable_api::Dynamo, table: &str) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    let mut input = ScanInput::new(table).consistent();
    loop {
        let output = dynamo
            .scan(input.clone())
            .await
            .map_err(|error| error.to_string())?;
        items.extend(
            output
                .items
                .unwrap_or_default()
                .iter()
                .map(EncodedItem::to_item),
        );
        match output.last_evaluated_key {
            Some(last) => input.exclusive_start_key = Some(last.into()),
            None => {
                let own = AttributeValue::from("monotable#store");
                items.retain(|item: &Item| item.iter().all(|(_, value)| *value != own));
                return Ok(items);
            }
        }
    }
}
