//! What patterns send, held against their plans: every request that is sent is one that the plan lists, field by field.

use super::recorder::{Recorder, Sent};
use super::{samples, table};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Access, AccessId};
use monotable_model::plan::{
    Listing, Operation, Piece, PlannedRequest, PlannedValue, Plans, Repeat, list_requests,
};
use monotable_store::{AnyOperation, ErrorKind, Options, Query, Store};
use serde_json::Value;

/// How much was compared.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    pub(crate) patterns: usize,
    pub(crate) requests: usize,
    /// Requests that the plan does not list, and requests of the plan that are not sent.
    pub(crate) differences: Vec<String>,
}

/// Asks every pattern of some models, also without what can be left out.
pub(crate) async fn compare(models: &[&str]) -> Compared {
    let mut compared = Compared::default();
    for name in models {
        let recorder = Recorder::new();
        let store = samples::store_on(name, recorder.clone()).await;
        let all = samples::parameters(name, &store).await;
        let plans = Plans::new(store.model());
        for (id, access) in store.model().patterns() {
            let whole = table::given_to(name, &store, access, &all).await;
            let asked = Asked {
                model: name,
                store: &store,
                recorder: &recorder,
                plans: &plans,
            };
            asked.compare(id, access, &whole, &mut compared).await;
        }
    }
    compared
}

/// A store whose patterns are asked.
pub(crate) struct Asked<'a> {
    pub(crate) model: &'a str,
    pub(crate) store: &'a Store,
    pub(crate) recorder: &'a Recorder,
    pub(crate) plans: &'a Plans,
}

impl Asked<'_> {
    /// Asks one pattern with these parameters, and with fewer.
    pub(crate) async fn compare(
        &self,
        id: AccessId,
        access: &Access,
        whole: &Item,
        compared: &mut Compared,
    ) {
        let pattern = &access.name.value;
        let name = self.model;
        let listing = list_requests(self.plans, self.plans.pattern(id));
        for (position, given) in choices(whole).into_iter().enumerate() {
            let operation = AnyOperation::Query(Query {
                pattern: pattern.clone(),
                parameters: given.clone(),
                ..Query::default()
            });
            self.recorder.take();
            match self.store.run(operation, Options::default()).await {
                Ok(_) => {}
                // What cannot be left out.
                Err(error) if position > 0 && error.kind() == ErrorKind::Validation => continue,
                Err(error) => panic!("{name} {pattern} {given:?}: {error}"),
            }
            let reads = self.recorder.take();
            let reads: Vec<_> = reads.into_iter().filter(is_read).collect();
            let case = Case {
                name: format!("{name} {pattern} {given:?}"),
                listing: &listing,
                given: &given,
            };
            compared.differences.extend(case.differences(&reads));
            compared.patterns += 1;
            compared.requests += reads.len();
        }
    }
}

/// What is given, and the same without one, and without both ends of a range.
fn choices(whole: &Item) -> Vec<Item> {
    let mut choices = vec![whole.clone()];
    for (name, _) in whole.iter() {
        let mut fewer = whole.clone();
        fewer.remove(name);
        choices.push(fewer.clone());
        if let Some(range) = name.strip_suffix(".from") {
            fewer.remove(&format!("{range}.to"));
            choices.push(fewer);
        }
    }
    choices
}

/// Reads of rows: not of the store's own item, and not notes about reads.
fn is_read(sent: &Sent) -> bool {
    let reads = ["GetItem", "BatchGetItem", "Query"];
    reads.contains(&sent.operation.as_str()) && !sent.body.to_string().contains("monotable#")
}

/// One call of a pattern.
struct Case<'c> {
    name: String,
    listing: &'c Listing,
    given: &'c Item,
}

impl Case<'_> {
    fn differences(&self, sent: &[Sent]) -> Vec<String> {
        let planned = &self.listing.requests;
        let shown = |planned: &PlannedRequest| serde_json::to_string(planned).unwrap();
        let all: Vec<_> = planned.iter().map(shown).collect();
        let unplanned = sent
            .iter()
            .filter(|one| !planned.iter().any(|planned| self.is_planned(planned, one)));
        let unplanned = unplanned.map(|one| {
            let (name, operation, body) = (&self.name, &one.operation, &one.body);
            format!(
                "{name}\nsends {operation} {body}\nand plans {}\n",
                all.join("\n")
            )
        });
        let once = planned.iter().filter(|one| one.repeat == Repeat::Once);
        let unsent = once.filter(|planned| !sent.iter().any(|one| self.is_planned(planned, one)));
        let unsent = unsent.map(|planned| {
            let sent: Vec<_> = sent.iter().map(|one| one.body.to_string()).collect();
            let (name, planned) = (&self.name, shown(planned));
            format!("{name}\nplans {planned}\nand sends {}\n", sent.join("\n"))
        });
        unplanned.chain(unsent).collect()
    }

    fn is_planned(&self, planned: &PlannedRequest, sent: &Sent) -> bool {
        match (planned.operation, sent.operation.as_str()) {
            (Operation::Query, "Query") => self.is_query(planned, &sent.body),
            (Operation::GetItem | Operation::BatchGetItem, "GetItem") => {
                self.is_get(planned, &sent.body)
            }
            (Operation::BatchGetItem, "BatchGetItem") => self.is_batch(planned, &sent.body),
            _ => false,
        }
    }

    fn is_get(&self, planned: &PlannedRequest, body: &Value) -> bool {
        let key = &body["Key"];
        body["TableName"] == planned.table.as_str()
            && is_set(body, "ConsistentRead", planned.consistent)
            && has_projection(planned, body)
            && planned.keys.iter().any(|keys| self.has_values(keys, key))
    }

    fn is_batch(&self, planned: &PlannedRequest, body: &Value) -> bool {
        let tables = body["RequestItems"].as_object().unwrap();
        tables.iter().all(|(table, asked)| {
            let mut keys = asked["Keys"].as_array().unwrap().iter();
            *table == planned.table
                && is_set(asked, "ConsistentRead", planned.consistent)
                && keys.all(|key| planned.keys.iter().any(|keys| self.has_values(keys, key)))
        })
    }

    fn is_query(&self, planned: &PlannedRequest, body: &Value) -> bool {
        let values = &body["ExpressionAttributeValues"];
        let is_asked = |condition: &str, planned: &[PlannedValue]| {
            body["KeyConditionExpression"] == condition && self.has_values(planned, values)
        };
        let own = planned.key_condition.as_deref().unwrap();
        let mut variants = planned.variants.iter();
        body["TableName"] == planned.table.as_str()
            && body["IndexName"].as_str() == planned.index.as_deref()
            && body.get("FilterExpression").is_none()
            && body["Limit"].as_u64() == planned.limit.map(|limit| limit as u64)
            && (body["ScanIndexForward"] == false) == planned.backwards
            && is_set(body, "ConsistentRead", planned.consistent)
            && has_projection(planned, body)
            && has_names(planned, body)
            && (is_asked(own, &planned.values)
                || variants.any(|variant| is_asked(&variant.key_condition, &variant.values)))
    }

    /// Whether these values, and no others, are sent.
    fn has_values(&self, planned: &[PlannedValue], sent: &Value) -> bool {
        let sent = sent.as_object().unwrap();
        sent.len() == planned.len()
            && planned.iter().all(|value| {
                let text = sent
                    .get(&value.name)
                    .and_then(|sent| sent[value.kind.name()].as_str());
                text.is_some_and(|text| self.shows(&value.text.0, text))
            })
    }

    /// Whether a text has these pieces. A parameter that is shown as it is must be what was given.
    fn shows(&self, pieces: &[Piece], text: &str) -> bool {
        let Some((first, rest)) = pieces.split_first() else {
            return text.is_empty();
        };
        let known = match first {
            Piece::Text(known) => Some(known.clone()),
            Piece::Parameter { name, tail } if tail.is_empty() => self.given(name),
            _ => None,
        };
        if let Some(known) = known {
            let behind = text.strip_prefix(known.as_str());
            return behind.is_some_and(|behind| self.shows(rest, behind));
        }
        let ends = (0..=text.len()).filter(|end| text.is_char_boundary(*end));
        ends.into_iter().any(|end| self.shows(rest, &text[end..]))
    }

    fn given(&self, name: &str) -> Option<String> {
        match self.given.get(name) {
            Some(AttributeValue::S(text)) => Some(text.clone()),
            Some(AttributeValue::N(number)) => Some(number.to_string()),
            _ => None,
        }
    }
}

fn is_set(body: &Value, name: &str, wanted: bool) -> bool {
    (body[name] == true) == wanted
}

fn has_projection(planned: &PlannedRequest, body: &Value) -> bool {
    let text = body["ProjectionExpression"].as_str().unwrap_or_default();
    let names = &body["ExpressionAttributeNames"];
    let placeholders = text.split(", ").filter(|text| !text.is_empty());
    let sent: Vec<_> = placeholders
        .map(|name| names[name].as_str().unwrap())
        .collect();
    sent == planned.projection
}

/// Whether the placeholders of the key condition stand for these attributes.
fn has_names(planned: &PlannedRequest, body: &Value) -> bool {
    let names = &body["ExpressionAttributeNames"];
    let condition = body["KeyConditionExpression"].as_str().unwrap();
    let used = |name: &&(String, String)| condition.contains(&name.0);
    let mut planned = planned.names.iter().filter(used);
    planned.all(|(name, attribute)| names[name] == attribute.as_str())
}
