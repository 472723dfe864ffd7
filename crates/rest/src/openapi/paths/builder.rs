//! One operation of the document.

use super::super::schema::refer;
use crate::carry_out::{EXPLANATION, TRACE};
use crate::response::{JSON, JSON_LINES};
use serde_json::{Map, Value, json};

/// Refusals that every request may meet.
const USUAL: &[&str] = &["400", "401", "403", "404", "429", "500", "502", "503"];
/// Refusals that only writes meet.
const OF_WRITES: &[&str] = &["409", "412"];
/// Refusals that only requests with a body meet.
const OF_BODIES: &[&str] = &["413", "415"];

/// An operation while it is put together.
pub(super) struct OperationBuilder {
    members: Map<String, Value>,
    parameters: Vec<Value>,
    responses: Map<String, Value>,
}

impl OperationBuilder {
    pub(super) fn new(id: &str, tag: &str, summary: &str) -> Self {
        let mut members = Map::new();
        members.insert("operationId".to_owned(), json!(id));
        members.insert("tags".to_owned(), json!([tag]));
        members.insert("summary".to_owned(), json!(summary));
        let mut builder = Self {
            members,
            parameters: Vec::new(),
            responses: Map::new(),
        };
        builder.refuse(USUAL);
        builder.share(&["Explain", "Trace"])
    }

    fn refuse(&mut self, statuses: &[&str]) {
        for status in statuses {
            let response = json!({ "$ref": format!("#/components/responses/Problem{status}") });
            self.responses.insert((*status).to_owned(), response);
        }
    }

    pub(super) fn describe(mut self, text: &str) -> Self {
        self.members.insert("description".to_owned(), json!(text));
        self
    }

    /// With parameters that operations share.
    pub(super) fn share(mut self, names: &[&str]) -> Self {
        for name in names {
            self.parameters
                .push(json!({ "$ref": format!("#/components/parameters/{name}") }));
        }
        self
    }

    pub(super) fn parameter(mut self, parameter: Value) -> Self {
        self.parameters.push(parameter);
        self
    }

    pub(super) fn parameters(mut self, parameters: &[Value]) -> Self {
        self.parameters.extend_from_slice(parameters);
        self
    }

    /// A write: it can be a dry run, have an idempotency key, and be refused because of other rows.
    pub(super) fn writes(mut self) -> Self {
        self.refuse(OF_WRITES);
        self.share(&["DryRun", "IdempotencyKey"])
    }

    /// A write of an existing row: it can have conditions.
    pub(super) fn with_conditions(self) -> Self {
        self.share(&["Expecting", "IfMatch", "IfNoneMatch"])
    }

    /// With a body, in any of these media types.
    pub(super) fn body(mut self, content: &[(&str, Value)]) -> Self {
        let content = content
            .iter()
            .map(|(media_type, schema)| ((*media_type).to_owned(), json!({ "schema": schema })));
        let content: Map<String, Value> = content.collect();
        let body = json!({ "required": true, "content": content });
        self.members.insert("requestBody".to_owned(), body);
        self.refuse(OF_BODIES);
        self
    }

    /// With an answer of a status, and the headers that it has.
    pub(super) fn answer(mut self, status: &str, schema: Value, headers: &[&str]) -> Self {
        let meaning = if status == "201" {
            "The new row."
        } else {
            "The answer."
        };
        let mut content = Map::new();
        content.insert(JSON.to_owned(), json!({ "schema": schema }));
        if status == "200" {
            content.insert(
                EXPLANATION.to_owned(),
                json!({ "schema": refer("Explanation") }),
            );
            content.insert(TRACE.to_owned(), json!({ "schema": refer("TracedAnswer") }));
        }
        let headers = headers.iter().map(|name| {
            let header = json!({ "$ref": format!("#/components/headers/{name}") });
            ((*name).to_owned(), header)
        });
        let headers: Map<String, Value> = headers.collect();
        let response = json!({ "description": meaning, "headers": headers, "content": content });
        self.responses.insert(status.to_owned(), response);
        self
    }

    /// With an answer that can also be read line by line.
    pub(super) fn has_lines(mut self) -> Self {
        let content = self
            .responses
            .get_mut("200")
            .and_then(|answer| answer.get_mut("content"));
        if let Some(Value::Object(content)) = content {
            let schema = json!({
                "type": "string",
                "description": "One row on each line. The last line may be {\"$cursor\": text} or {\"$problem\": ..}.",
            });
            content.insert(JSON_LINES.to_owned(), json!({ "schema": schema }));
        }
        self
    }

    /// With the answer to readers that have the row already.
    pub(super) fn with_cache(mut self) -> Self {
        let response = json!({ "description": "The row has the tag that the reader knows." });
        self.responses.insert("304".to_owned(), response);
        self.refuse(&["412"]);
        self.share(&["IfNoneMatch", "IfMatch"])
    }

    pub(super) fn finish(mut self) -> Value {
        self.members
            .insert("parameters".to_owned(), Value::Array(self.parameters));
        self.members
            .insert("responses".to_owned(), Value::Object(self.responses));
        Value::Object(self.members)
    }
}
