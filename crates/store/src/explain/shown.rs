//! Requests as text, with what was read marked.

use super::read_items;
use crate::sending::Answer;
use crate::sent::encode_request;
use monotable_api::Request;
use monotable_item::AttributeValue;
use monotable_model::model::Model;
use serde_json::Value;
use std::collections::BTreeMap;

/// Texts that were read, and where: `<read 1: Email>`.
#[derive(Debug, Default)]
pub(crate) struct ReadValues {
    places: BTreeMap<String, String>,
    /// What the program gave.
    given: String,
}

impl ReadValues {
    pub(super) const fn new(given: String) -> Self {
        let places = BTreeMap::new();
        Self { places, given }
    }

    /// Notes what a request has read. Keys stay as they are: they are what a reader knows the rows by.
    pub(super) fn note(&mut self, model: &Model, request: usize, answer: &Answer) {
        let Ok(response) = &answer.result else { return };
        for item in read_items(response) {
            for (name, value) in item.to_item() {
                let is_key = model.tables.iter().any(|table| {
                    let mut indexed = table.index_attributes();
                    table.is_key(&name) || indexed.any(|key| key.value == name)
                });
                if let (AttributeValue::S(text), false) = (value, is_key) {
                    let place = format!("<read {request}: {name}>");
                    self.places.entry(text).or_insert(place);
                }
            }
        }
    }

    /// The body of a request, on one line. What the program gave is shown as it is.
    pub(super) fn show(&self, request: &Request) -> String {
        // A request that has no JSON is refused when it is sent.
        let body = encode_request(request).unwrap_or_default();
        let mut json: Value = serde_json::from_slice(&body).unwrap_or_default();
        self.mark(&mut json);
        if let Some(token) = json.get_mut("ClientRequestToken") {
            *token = Value::String("<token>".to_owned());
        }
        json.to_string()
    }

    fn mark(&self, json: &mut Value) {
        match json {
            Value::Object(map) => {
                if let (1, Some(Value::String(text))) = (map.len(), map.get_mut("S")) {
                    if let Some(place) = self.places.get(text.as_str())
                        && !self.given.contains(&format!("{text:?}"))
                    {
                        text.clone_from(place);
                    }
                    return;
                }
                map.values_mut().for_each(|value| self.mark(value));
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.mark(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}
