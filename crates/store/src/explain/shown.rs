//! Requests as text, with what was read marked.

use crate::steps::Answer;
use monotable_api::{Request, Response};
use monotable_item::{AttributeValue, EncodedItem};
use monotable_model::model::Model;
use serde_json::Value;
use std::collections::BTreeMap;

/// Texts that were read, and where: `<read 1: Email>`.
#[derive(Debug, Default)]
pub(super) struct ReadValues(BTreeMap<String, String>);

impl ReadValues {
    /// Notes what a request has read. Keys stay as they are: they are what a reader knows the rows by.
    pub(super) fn note(&mut self, model: &Model, request: usize, answer: &Answer) {
        let Ok(response) = &answer.result else { return };
        for item in items(response) {
            for (name, value) in item.to_item() {
                let is_key = model.tables.iter().any(|table| {
                    let indexes = table.indexes.iter();
                    table.is_key(&name)
                        || indexes
                            .flat_map(|index| std::iter::once(&index.hash).chain(&index.range))
                            .any(|key| key.value == name)
                });
                if let (AttributeValue::S(text), false) = (value, is_key) {
                    let address = format!("<read {request}: {name}>");
                    self.0.entry(text).or_insert(address);
                }
            }
        }
    }

    /// The body of a request, on one line. What the caller gave is shown as it is.
    pub(super) fn shown(&self, request: &Request, given: &str) -> String {
        let mut body = Vec::new();
        // Writing to memory cannot fail.
        let _ = request.write_json(&mut body);
        let mut json: Value = serde_json::from_slice(&body).unwrap_or_default();
        self.mark(&mut json, given);
        if let Some(token) = json.get_mut("ClientRequestToken") {
            *token = Value::String("<token>".to_owned());
        }
        json.to_string()
    }

    fn mark(&self, json: &mut Value, given: &str) {
        match json {
            Value::Object(map) => {
                if let (1, Some(Value::String(text))) = (map.len(), map.get_mut("S")) {
                    if let Some(address) = self.0.get(text.as_str())
                        && !given.contains(&format!("{text:?}"))
                    {
                        text.clone_from(address);
                    }
                    return;
                }
                map.values_mut().for_each(|value| self.mark(value, given));
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.mark(value, given)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

fn items(response: &Response) -> Vec<&EncodedItem> {
    match response {
        Response::GetItem(output) => output.item.iter().collect(),
        Response::Query(output) => output.items.iter().flatten().collect(),
        Response::BatchGetItem(output) => output.responses.values().flatten().collect(),
        _ => Vec::new(),
    }
}
