//! Requests as a caller may see them.
//!
//! An explanation sends the reads of an operation, and they find rows that the caller may not see. So nothing is shown
//! because it looks harmless: a text is shown if the caller gave it or the model says it, and everything else is the
//! place that it comes from, such as `<read 2: PersonId>`, or `<made>` if the operation has made it. Keys are taken apart
//! by the model's templates: their literals are the model's, and each value in them is treated by itself.

use super::given::GivenValues;
use super::key_pattern::{Fragment, KeyPattern};
use super::read_items;
use crate::scope::Scope;
use crate::sending::Answer;
use crate::sent::encode_request;
use monotable_api::Request;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Guard, Model, Way};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What stands for a value that was not read.
const MADE: &str = "<made>";

/// What a caller knows, and where everything else comes from.
#[derive(Debug)]
pub(crate) struct CallerView {
    given: GivenValues,
    /// What tells entities apart.
    constants: BTreeSet<String>,
    patterns: Vec<KeyPattern>,
    keys: BTreeSet<String>,
    /// Before keys of the caller's own tenant.
    prefix: String,
    /// Where texts and numbers were read first.
    read: BTreeMap<String, String>,
}

impl CallerView {
    pub(super) fn new(scope: &Scope, given: GivenValues) -> Self {
        let model = scope.model();
        Self {
            given,
            constants: constants(model),
            patterns: patterns(model),
            keys: key_names(model),
            prefix: scope.addressing().prefix().to_owned(),
            read: BTreeMap::new(),
        }
    }

    /// Notes where a request has read what.
    pub(super) fn note(&mut self, request: usize, answer: &Answer) {
        let Ok(response) = &answer.result else { return };
        for item in read_items(response) {
            let item = item.to_item();
            // A value is called by its attribute; the keys of other entities may show it under other names.
            let is_key = |name: &&String| self.keys.contains(*name);
            let names: Vec<&String> = item.iter().map(|(name, _)| name).collect();
            let (keys, own): (Vec<_>, Vec<_>) = names.into_iter().partition(is_key);
            for name in own.into_iter().chain(keys) {
                if let Some(value) = item.get(name) {
                    self.note_value(request, name, value);
                }
            }
        }
    }

    fn note_value(&mut self, request: usize, name: &str, value: &AttributeValue) {
        match value {
            AttributeValue::S(text) => {
                if self.keys.contains(name) {
                    for fragment in self.take_apart(text).unwrap_or_default() {
                        if let Fragment::Value { field, text } = fragment {
                            self.note_text(request, &field, text);
                        }
                    }
                }
                self.note_text(request, name, text.clone());
            }
            AttributeValue::N(number) => self.note_text(request, name, number.to_string()),
            AttributeValue::L(values) => {
                for value in values {
                    self.note_value(request, name, value);
                }
            }
            AttributeValue::M(values) => {
                for (_, value) in values.iter() {
                    self.note_value(request, name, value);
                }
            }
            AttributeValue::Ss(texts) => {
                for text in texts {
                    self.note_text(request, name, text.clone());
                }
            }
            _ => {}
        }
    }

    fn note_text(&mut self, request: usize, name: &str, text: String) {
        let address = format!("<read {request}: {name}>");
        self.read.entry(text).or_insert(address);
    }

    /// The body of a request, on one line.
    pub(super) fn show(&self, request: &Request) -> String {
        // A request that has no JSON is refused when it is sent.
        let body = encode_request(request).unwrap_or_default();
        let mut json: Value = serde_json::from_slice(&body).unwrap_or_default();
        self.hide(&mut json);
        if let Some(token) = json.get_mut("ClientRequestToken") {
            *token = Value::String("<token>".to_owned());
        }
        json.to_string()
    }

    /// Hides every attribute value that the caller does not know. What is not an attribute value is names, expressions
    /// and numbers that the model and the operation decide.
    fn hide(&self, json: &mut Value) {
        match json {
            Value::Object(map) if map.len() == 1 => {
                for (kind, value) in map.iter_mut() {
                    match (kind.as_str(), value) {
                        ("S", Value::String(text)) => *text = self.show_text(text),
                        ("N" | "B", Value::String(text)) => *text = self.show_value(text),
                        ("BOOL", value @ Value::Bool(_)) => {
                            if !self.given.has_flag(value.as_bool()) {
                                *value = Value::String(MADE.to_owned());
                            }
                        }
                        ("SS" | "NS" | "BS", Value::Array(texts)) => {
                            for text in texts {
                                if let Value::String(text) = text {
                                    *text = self.show_value(text);
                                }
                            }
                        }
                        (_, value) => self.hide(value),
                    }
                }
            }
            Value::Object(map) => map.values_mut().for_each(|value| self.hide(value)),
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// A text that may be a key.
    fn show_text(&self, text: &str) -> String {
        if self.given.has_text(text) || self.constants.contains(text) {
            return text.to_owned();
        }
        let Some(fragments) = self.take_apart(text) else {
            return self.show_value(text);
        };
        let shown = fragments.iter().map(|fragment| match fragment {
            Fragment::Literal(literal) => literal.clone(),
            Fragment::Value { text, .. } => self.show_value(text),
        });
        shown.collect()
    }

    /// One value.
    fn show_value(&self, text: &str) -> String {
        if text.is_empty() || self.given.has_text(text) {
            return text.to_owned();
        }
        let address = self.read.get(text);
        address.map_or_else(|| MADE.to_owned(), Clone::clone)
    }

    /// The literals and values of a key; none if it is no key of the model. Of several templates it is the one with the
    /// longest literals.
    fn take_apart(&self, text: &str) -> Option<Vec<Fragment>> {
        let own = text.strip_prefix(self.prefix.as_str());
        let prefix = own.map_or("", |_| self.prefix.as_str());
        let rest = own.unwrap_or(text);
        let matches = self
            .patterns
            .iter()
            .filter_map(|pattern| pattern.split(rest));
        let mut fragments = matches.max_by_key(|fragments| {
            let literals = fragments.iter().map(|fragment| match fragment {
                Fragment::Literal(literal) => literal.len(),
                Fragment::Value { .. } => 0,
            });
            literals.sum::<usize>()
        })?;
        if !prefix.is_empty() {
            fragments.insert(0, Fragment::Literal(prefix.to_owned()));
        }
        Some(fragments)
    }
}

/// What the model writes to tell entities apart.
fn constants(model: &Model) -> BTreeSet<String> {
    let mut constants = BTreeSet::new();
    for (_, entity) in model.stored() {
        for discriminator in &entity.is {
            constants.extend(discriminator.read.iter().cloned());
            constants.insert(discriminator.written.clone());
        }
        for claim in &entity.claims {
            if let Guard::Row { kind, .. } = &claim.guard {
                constants.insert(kind.clone());
            }
        }
    }
    constants
}

/// The templates of all keys.
fn patterns(model: &Model) -> Vec<KeyPattern> {
    let mut keys = Vec::new();
    for (_, entity) in model.stored() {
        keys.extend(&entity.keys);
        keys.extend(entity.layouts.iter().flat_map(|layout| &layout.keys));
        for claim in &entity.claims {
            if let Guard::Row { key, .. } = &claim.guard {
                keys.push(key);
            }
        }
    }
    for access in &model.access {
        if let Way::Get { key, .. } | Way::Query { key, .. } = &access.way {
            keys.push(key);
        }
    }
    let templates = keys.into_iter().flat_map(|key| key.templates());
    templates.filter_map(KeyPattern::new).collect()
}

/// The names of key attributes, of tables and indexes.
fn key_names(model: &Model) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for table in &model.tables {
        let own = std::iter::once(&table.hash).chain(&table.range);
        names.extend(
            own.chain(table.index_attributes())
                .map(|name| name.value.clone()),
        );
    }
    names
}

/// What the caller knows beside what it gives: who it is, and for which tenant it asks.
pub(super) fn known_of_caller(scope: &Scope) -> Vec<Item> {
    let circumstances = &scope.circumstances;
    let mut tenant = Item::new();
    if let Some(id) = &circumstances.tenant {
        tenant.insert("tenant", id.as_str());
    }
    vec![
        circumstances.principal.clone(),
        circumstances.settings.clone(),
        tenant,
    ]
}
