//! Bodies of requests.

use crate::problem::Problem;
use crate::request::Request;
use crate::response::JSON;
use monotable_item::Item;
use monotable_store::AnyOperation;
use monotable_store::wire::{self, Members, PlainItem};
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;

/// The attributes of a row. `$entity`, which every answer has, is ignored, so that a row can be sent back as it was read.
pub(super) fn read_row(request: &Request) -> Result<Item, Problem> {
    demand_json(request)?;
    read_values(request)
}

/// The attributes in a body, whatever its media type is.
pub(super) fn read_values(request: &Request) -> Result<Item, Problem> {
    let mut values = wire::read_item(request.text()?)
        .map_err(|error| Problem::bad_request(format!("the body: {error}")))?;
    values.remove("$entity");
    Ok(values)
}

/// The text that is held against a secret.
pub(super) fn read_secret(request: &Request) -> Result<String, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Secret {
        text: String,
    }
    demand_json(request)?;
    let secret: Secret = serde_json::from_str(request.text()?)
        // The message of a parser may show what was given, which is a secret.
        .map_err(|_| Problem::bad_request("the body is {\"text\": \"..\"}, and nothing else"))?;
    Ok(secret.text)
}

/// Adds the key attributes of the address to the attributes of a row. The body may repeat them.
pub(super) fn add_key(mut values: Item, key: &Item) -> Result<Item, Problem> {
    for (name, value) in key.iter() {
        match values.get(name) {
            None => {
                values.insert(name.clone(), value.clone());
            }
            Some(given) if given == value => {}
            Some(_) => {
                return Err(Problem::bad_request(format!(
                    "the address and the body say different values of `{name}`; leave it out of the body"
                )));
            }
        }
    }
    Ok(values)
}

fn demand_json(request: &Request) -> Result<(), Problem> {
    let media_type = request.content_type()?;
    match media_type.as_deref() {
        Some(JSON) => Ok(()),
        given => Err(Problem::unsupported_media_type(given, JSON)),
    }
}

/// The JSON of an operation, put together from the address and the body.
pub(super) struct Assembly {
    members: BTreeMap<String, Box<RawValue>>,
    /// Members that come from the address.
    said: Vec<(&'static str, Option<Box<RawValue>>)>,
}

impl Assembly {
    /// Begins with the members of the body.
    pub(super) fn new(request: &Request) -> Result<Self, Problem> {
        demand_json(request)?;
        let Members(members) = serde_json::from_str(request.text()?).map_err(|error| {
            Problem::bad_request(format!(
                "the body is no JSON object that can be read: {error}"
            ))
        })?;
        Ok(Self {
            members,
            said: Vec::new(),
        })
    }

    /// With the member that names the operation.
    pub(super) fn name(mut self, operation: &'static str, subject: &str) -> Self {
        self.said.push((operation, to_raw_value(subject).ok()));
        self
    }

    /// With the key that the address says.
    pub(super) fn key(mut self, key: &Item) -> Self {
        self.said.push(("key", to_raw_value(&PlainItem(key)).ok()));
        self
    }

    /// Renames the only member of the body to the name that operations have for it.
    pub(super) fn rename(mut self, member: &str, operation: &'static str) -> Result<Self, Problem> {
        let value = self.members.remove(member).ok_or_else(|| {
            Problem::bad_request(format!(
                "the body lacks the member `{member}`, which is wanted here"
            ))
        })?;
        if let Some(other) = self.members.keys().next() {
            return Err(Problem::bad_request(format!(
                "the body has the member `{member}` and no other, such as `{other}`"
            )));
        }
        self.said.push((operation, Some(value)));
        Ok(self)
    }

    /// The operation.
    pub(super) fn finish(mut self) -> Result<AnyOperation, Problem> {
        let said: Vec<&str> = self.said.iter().map(|(name, _)| *name).collect();
        for (name, value) in self.said {
            let Some(value) = value else { continue };
            if self.members.insert(name.to_owned(), value).is_some() {
                return Err(Problem::bad_request(format!(
                    "the address says `{name}`; leave it out of the body"
                )));
            }
        }
        let text = serde_json::to_string(&self.members)
            .map_err(|error| Problem::bad_request(error.to_string()))?;
        AnyOperation::from_json(&text).map_err(|error| {
            let told = strip_said(strip_place(&error), &said);
            Problem::bad_request(format!("the body: {told}"))
        })
    }
}

/// The message of a parser without the members that the address says: in the body they would be refused.
fn strip_said(message: String, said: &[&str]) -> String {
    let listed = said.iter().map(|name| format!("`{name}`, "));
    listed.fold(message, |message, name| message.replacen(&name, "", 1))
}

/// The message of a parser without line and column, because the parsed text is not the caller's own body.
fn strip_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
