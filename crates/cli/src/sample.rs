//! Sample data: operations, one on each line, that fill a store.
//!
//! A line is the public JSON of an operation with up to four members more: `as`, the caller in whose name it is done;
//! `tenant`, whose rows it is about; `at`, the time at which it is done; `label`, a name for the revision that it makes, for
//! which later lines write `$` and the name (`labels.rs`). Empty lines and lines that begin with `#` are for readers.
//! Everything goes through the model, so sample data obeys every rule of it.

mod file;
mod labels;

pub(crate) use file::{find_sample, has_sample, read_sample};

use crate::exit::Failure;
use jiff::Timestamp;
use labels::Labels;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use monotable_store::{AnyOperation, AnyOutput, Error, Options, Store, wire};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// One operation of sample data.
#[derive(Debug)]
struct SampleLine {
    /// Counted from 1.
    number: usize,
    /// The JSON of the operation, which may name revisions by their labels.
    operation: String,
    caller: Option<Item>,
    tenant: Option<String>,
    at: Option<Timestamp>,
    label: Option<String>,
}

/// Sample data of one model.
#[derive(Debug)]
pub(crate) struct Sample {
    /// As messages call it.
    name: String,
    lines: Vec<SampleLine>,
}

impl Sample {
    /// Reads all lines before anything is written.
    pub(crate) fn parse(name: impl Into<String>, text: &str) -> Result<Self, Failure> {
        let name = name.into();
        let mut lines = Vec::new();
        for (number, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let line = SampleLine::parse(number, text);
            lines.push(line.map_err(|problem| refuse(&name, number, &problem))?);
        }
        Ok(Self { name, lines })
    }

    /// Carries the operations out, in order; how many there were. The first that is refused ends it.
    pub(crate) async fn apply(self, store: &Store) -> Result<usize, Failure> {
        let mut labels = Labels::default();
        let count = self.lines.len();
        for line in self.lines {
            let number = line.number;
            let read = labels.fill_in(&line.operation);
            let operation = read.and_then(|json| AnyOperation::from_json(&json));
            let operation =
                operation.map_err(|error| refuse(&self.name, number, &error.to_string()))?;
            let label = line.label.clone();
            let output = line.run(operation, store).await.map_err(|error| {
                Failure::from(error).because(format_args!("at {}, line {number}", self.name))
            })?;
            if let (Some(label), Some(revision)) = (label, revision(store.model(), &output)) {
                labels.add(label, revision);
            }
        }
        Ok(count)
    }
}

fn refuse(name: &str, number: usize, problem: &str) -> Failure {
    let what = format_args!("{name}, line {number}: {problem}");
    Failure::configuration(what).help(
        "a line is an operation as `monotable export operations` describes it, with `as`, `tenant`, `at` and `label` beside it",
    )
}

/// The first revision that an operation has made.
fn revision(model: &Model, output: &AnyOutput) -> Option<String> {
    let AnyOutput::Committed(committed) = output else {
        return None;
    };
    let row = committed.revisions.first()?;
    let (log, _) = model.entity_named(&row.entity)?;
    let attribute = &model.repository_of(log)?.revision.value;
    match row.values.get(attribute) {
        Some(AttributeValue::S(revision)) => Some(revision.clone()),
        _ => None,
    }
}

impl SampleLine {
    fn parse(number: usize, text: &str) -> Result<Self, String> {
        let mut members: BTreeMap<String, Box<RawValue>> = parse_json(text)?;
        let mut take = |name: &str| members.remove(name);
        let (caller, tenant, at, label) = (take("as"), take("tenant"), take("at"), take("label"));
        let operation = serde_json::to_string(&members).map_err(|error| error.to_string())?;
        AnyOperation::from_json(&operation).map_err(|error| error.to_string())?;
        let caller = caller.map(|text| wire::read_item(text.get())).transpose();
        Ok(Self {
            number,
            operation,
            caller: caller.map_err(|error| format!("`as`: {error}"))?,
            tenant: tenant.map(|text| parse_json(text.get())).transpose()?,
            at: at.map(|text| parse_time(text.get())).transpose()?,
            label: label.map(|text| parse_json(text.get())).transpose()?,
        })
    }

    async fn run(self, operation: AnyOperation, store: &Store) -> Result<AnyOutput, Error> {
        let mut store = store.clone();
        if let Some(tenant) = self.tenant {
            store = store.tenant(tenant);
        }
        if let Some(caller) = self.caller {
            store = store.as_principal(caller);
        }
        if let Some(at) = self.at {
            let now = at.as_microsecond();
            store = store.with_clock(move || now);
        }
        store.run(operation, Options::default()).await
    }
}

fn parse_time(json: &str) -> Result<Timestamp, String> {
    let text: String = parse_json(json)?;
    let parsed = text.parse();
    parsed.map_err(|error| format!("`at` must be a time such as 2026-03-02T08:00:00Z: {error}"))
}

fn parse_json<'t, T: serde::Deserialize<'t>>(text: &'t str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_its_caller_tenant_and_time() {
        let line = r#"{"as": {"UserId": "ada"}, "tenant": "t1", "at": "2026-03-02T08:00:00Z", "create": "Tree", "values": {"TreeId": "oak"}}"#;
        let line = SampleLine::parse(7, line).unwrap();
        assert_eq!(line.number, 7);
        assert_eq!(line.caller, Some(Item::new().with("UserId", "ada")));
        assert_eq!(line.tenant.as_deref(), Some("t1"));
        assert_eq!(line.at.unwrap().as_second(), 1_772_438_400);
        assert_eq!(
            line.operation,
            r#"{"create":"Tree","values":{"TreeId": "oak"}}"#
        );
    }

    #[test]
    fn readers_are_told_which_line_is_wrong() {
        let text = "# trees\n\n{\"create\": \"Tree\", \"values\": {}}\n{\"craete\": \"Tree\"}\n";
        let failure = Sample::parse("sample.jsonl", text).unwrap_err().to_string();
        assert!(failure.starts_with("sample.jsonl, line 4: "), "{failure}");
    }
}
