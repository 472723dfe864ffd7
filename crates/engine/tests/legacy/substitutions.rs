//! What stands for names and values in an expression.

use serde_json::{Map, Value, json};

#[derive(Default)]
pub(crate) struct Substitutions {
    names: Map<String, Value>,
    values: Map<String, Value>,
}

impl Substitutions {
    pub(crate) fn name(&mut self, attribute: &str) -> String {
        let key = format!("#n{}", self.names.len());
        self.names.insert(key.clone(), json!(attribute));
        key
    }

    pub(crate) fn value(&mut self, value: &Value) -> String {
        let key = format!(":v{}", self.values.len());
        self.values.insert(key.clone(), value.clone());
        key
    }

    /// Puts them into a request.
    pub(crate) fn add_to(self, request: &mut Value) {
        if !self.names.is_empty() {
            request["ExpressionAttributeNames"] = Value::Object(self.names);
        }
        if !self.values.is_empty() {
            request["ExpressionAttributeValues"] = Value::Object(self.values);
        }
    }
}
