//! Other principals' and other tenants' data over the whole REST API, as its OpenAPI document lists it.
//!
//! A script fills a store. Then a stranger, with a token of its own, calls every operation of the document with values that
//! are stored: keys, parameters, cursors, entity tags and idempotency keys of others. No answer may have a text of theirs that
//! the stranger did not send itself, and afterwards every item of theirs is as it was.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use futures_util::{FutureExt, StreamExt};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_item::{AttributeValue, Item};
use monotable_rest::openapi::{Security, describe};
use monotable_rest::percent::encode;
use monotable_rest::{Authentication, AuthenticationFile, Body, Request, Rest};
use monotable_scenarios::{Target, play_file};
use monotable_store::Store;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// How many stored items each operation is tried with.
const TRIES: usize = 3;

/// The key of the program, which sees everything, and that of the stranger.
const FILE: &str = r#"
[[key]]
name    = "program"
sha256  = "{program}"
program = true

[[key]]
name      = "stranger"
sha256    = "{stranger}"
principal = {principal}
tenant    = "elsewhere"
"#;

struct Surroundings {
    rest: Rest,
    model: String,
    /// Whether the model has tenants.
    has_tenants: bool,
}

impl Surroundings {
    fn new(store: &Store, principal: &str) -> Self {
        let hash = |key: &str| {
            let digest = <sha2::Sha256 as sha2::Digest>::digest(key.as_bytes());
            digest
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        let text = FILE
            .replace("{program}", &hash("program"))
            .replace("{stranger}", &hash("stranger"))
            .replace("{principal}", principal);
        let file = AuthenticationFile::parse(&text).unwrap();
        let nothing = |_: &_| -> monotable_rest::FetchKeys {
            Arc::new(|| std::future::ready(Err("no keys".to_owned())).boxed())
        };
        let authentication = Authentication::new(file, &nothing);
        Self {
            rest: Rest::new()
                .with_store(store.clone())
                .with_authentication(authentication),
            model: store.model().name.clone(),
            has_tenants: store.model().tenant.is_some(),
        }
    }

    async fn send(&self, who: &str, call: &Call) -> Answer {
        let mut headers = HeaderMap::new();
        let own = [("x-api-key", who)];
        let headers_of_call = call
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in own.into_iter().chain(headers_of_call) {
            let Ok(value) = HeaderValue::from_str(value) else {
                continue;
            };
            headers.insert(HeaderName::from_bytes(name.as_bytes()).unwrap(), value);
        }
        if let Some(media_type) = &call.media_type {
            headers.insert("content-type", HeaderValue::from_str(media_type).unwrap());
        }
        let words: Vec<_> = call
            .query
            .iter()
            .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
            .collect();
        let response = self
            .rest
            .answer(Request {
                method: call.method.clone(),
                path: format!("/v1/{}{}", self.model, call.path),
                query: words.join("&"),
                headers,
                body: call.body.clone().into(),
                client: IpAddr::from([10, 0, 0, 9]),
            })
            .await;
        let mut text: String = response
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {}\n", String::from_utf8_lossy(value.as_bytes())))
            .collect();
        let tag = response
            .headers
            .get("etag")
            .map(|tag| tag.to_str().unwrap().to_owned());
        let body = match response.body {
            Body::Whole(bytes) => bytes.to_vec(),
            Body::Lines(lines) => lines.collect::<Vec<_>>().await.concat(),
            Body::Events(_) => panic!("the REST API has no events"),
        };
        let body = String::from_utf8(body).unwrap();
        text.push_str(&body);
        Answer {
            status: response.status.as_u16(),
            text,
            body,
            tag,
        }
    }
}

#[derive(Debug)]
struct Answer {
    status: u16,
    text: String,
    body: String,
    tag: Option<String>,
}

#[derive(Clone, Debug)]
struct Call {
    method: Method,
    path: String,
    query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
    media_type: Option<String>,
    body: String,
}

impl Call {
    /// Everything that the caller says itself.
    fn words(&self) -> String {
        format!("{self:?} {} {}", decode(&self.path), self.body)
    }
}

/// A path with its percent signs undone.
fn decode(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            let digits = std::str::from_utf8(&digits).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// All items of the store's tables.
async fn scan(store: &Store, dynamo: &Arc<dyn Dynamo>) -> BTreeMap<String, Vec<Item>> {
    let mut all = BTreeMap::new();
    for table in &store.model().tables {
        let input = ScanInput {
            table_name: Some(table.physical.clone()),
            ..ScanInput::default()
        };
        let Ok(page) = dynamo.scan(input).await else {
            continue;
        };
        let items = page.items.unwrap_or_default();
        all.insert(
            table.physical.clone(),
            items.iter().map(|item| item.to_item()).collect(),
        );
    }
    all
}

fn texts(item: &Item, found: &mut BTreeMap<String, BTreeSet<String>>) {
    fn add(name: &str, value: &AttributeValue, found: &mut BTreeMap<String, BTreeSet<String>>) {
        match value {
            AttributeValue::S(text) => {
                found
                    .entry(name.to_owned())
                    .or_default()
                    .insert(text.clone());
            }
            AttributeValue::N(number) => {
                found
                    .entry(name.to_owned())
                    .or_default()
                    .insert(number.to_string());
            }
            AttributeValue::L(values) => values.iter().for_each(|value| add(name, value, found)),
            AttributeValue::M(item) => item
                .iter()
                .for_each(|(inner, value)| add(inner, value, found)),
            _ => {}
        }
    }
    for (name, value) in item.iter() {
        add(name, value, found);
    }
}

/// Follows a reference of the document.
fn follow<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(path) => document.pointer(path.strip_prefix('#').unwrap()).unwrap(),
        None => value,
    }
}

/// A stored value of a name: that of the item, or one of another.
fn find_value(
    name: &str,
    item: &Item,
    pool: &BTreeMap<String, BTreeSet<String>>,
) -> Option<String> {
    let base = name
        .strip_suffix(".from")
        .or_else(|| name.strip_suffix(".to"))
        .unwrap_or(name);
    match item.get(base) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        Some(AttributeValue::N(number)) => Some(number.to_string()),
        Some(AttributeValue::Bool(flag)) => Some(flag.to_string()),
        _ => pool.get(base)?.iter().next().cloned(),
    }
}

/// A body of a schema with values that are stored.
fn fill(
    document: &Value,
    schema: &Value,
    item: &Item,
    pool: &BTreeMap<String, BTreeSet<String>>,
) -> Value {
    let schema = follow(document, schema);
    for choice in ["anyOf", "oneOf"] {
        if let Some(first) = schema.get(choice).and_then(|list| list.get(0)) {
            return fill(document, first, item, pool);
        }
    }
    let mut object = Map::new();
    for (name, property) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let property = follow(document, property);
        let kind = property
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let value = match (name.as_str(), kind) {
            ("$entity", _) => None,
            ("parent", _) => None,
            (_, "object") if property.get("properties").is_some() => {
                Some(fill(document, property, item, pool))
            }
            (name, "object") if ["owner", "key"].contains(&name) => {
                let known = ["userId", "UserId", "username"];
                let known = known.into_iter().filter_map(|name| {
                    Some((name.to_owned(), json!(find_value(name, item, pool)?)))
                });
                Some(Value::Object(known.take(1).collect()))
            }
            (name, "string" | "") => find_value(name, item, pool).map(Value::String),
            (name, "integer" | "number") => find_value(name, item, pool)
                .and_then(|text| serde_json::from_str(&text).ok())
                .or(Some(json!(1))),
            (_, "boolean") => Some(json!(true)),
            (_, "array") => property
                .get("items")
                .map(|items| fill(document, items, item, pool))
                .filter(Value::is_object)
                .map(|one| json!([one])),
            _ => None,
        };
        if let Some(value) = value {
            object.insert(name.clone(), value);
        }
    }
    Value::Object(object)
}

/// The calls of an operation with what an item has.
fn list_calls(
    document: &Value,
    (path, method, operation): (&str, &str, &Value),
    item: &Item,
    pool: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<Call> {
    let mut concrete = path.to_owned();
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let parameter = follow(document, parameter);
        let name = parameter["name"].as_str().unwrap();
        let Some(value) = find_value(name, item, pool) else {
            if parameter["in"] == "path" {
                return Vec::new();
            }
            continue;
        };
        match parameter["in"].as_str().unwrap() {
            "path" => concrete = concrete.replace(&format!("{{{name}}}"), &encode(&value)),
            "query" if !["limit", "cursor"].contains(&name) => query.push((name.to_owned(), value)),
            _ => {}
        }
    }
    let call = Call {
        method: Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(),
        path: concrete,
        query,
        headers: Vec::new(),
        media_type: None,
        body: String::new(),
    };
    let content = operation
        .pointer("/requestBody/content")
        .and_then(Value::as_object);
    let Some(content) = content else {
        return vec![call];
    };
    let bodies = content.iter().map(|(media_type, body)| Call {
        media_type: Some(media_type.clone()),
        body: fill(document, &body["schema"], item, pool).to_string(),
        ..call.clone()
    });
    bodies.collect()
}

/// Texts that must not come back: values of others that are long enough to be told from words of the model. Keys are left out:
/// they are made of the model's literals and of values, which are looked for themselves.
fn list_secrets(
    store: &Store,
    items: &BTreeMap<String, Vec<Item>>,
    model_words: &str,
) -> BTreeSet<String> {
    let tables = &store.model().tables;
    let is_key = |name: &str| {
        tables.iter().any(|table| {
            let mut indexed = table.index_attributes();
            table.is_key(name) || indexed.any(|attribute| attribute.value == name)
        })
    };
    let mut found = BTreeMap::new();
    for item in items.values().flatten() {
        texts(item, &mut found);
    }
    let values = found.into_iter().filter(|(name, _)| !is_key(name));
    // A text with a # is the copy of a key, and is made of texts like one.
    let all = values.flat_map(|(_, texts)| texts);
    let all = all.flat_map(|text| text.split('#').map(str::to_owned).collect::<Vec<_>>());
    all.filter(|text| text.len() >= 5 && !model_words.contains(text.as_str()))
        .collect()
}

async fn attack(script: &str, principal: &str) {
    let path = Path::new(ROOT).join("scenarios").join(script);
    let models = Path::new(ROOT).join("models");
    let played = play_file(&path, &models, Target::Memory)
        .await
        .unwrap_or_else(|failure| panic!("{script}: {failure}"));
    let store = played.store.clone().unwrap();
    let before = scan(&store, &played.dynamo).await;
    let surroundings = Surroundings::new(&store, principal);
    let document = describe(store.model(), Security::Verified);
    let text = models.join(&store.model().name).join("model.toml");
    let words = std::fs::read_to_string(text).unwrap() + &document.to_string();
    let secrets = list_secrets(&store, &before, &words);
    assert!(secrets.len() > 3, "{script}: {secrets:?}");
    let mut pool = BTreeMap::new();
    for item in before.values().flatten() {
        texts(item, &mut pool);
    }
    let items: Vec<&Item> = before.values().flatten().collect();
    let step = (items.len() / TRIES).max(1);
    let mut sent = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            for item in items.iter().step_by(step).take(TRIES) {
                for call in list_calls(&document, (path, method, operation), item, &pool) {
                    sent += surroundings.try_call(&call, &secrets).await;
                }
            }
        }
    }
    assert!(sent > 200, "{script}: only {sent} calls");
    let after = scan(&store, &played.dynamo).await;
    for (table, items) in &before {
        for item in items {
            assert!(
                after[table].contains(item),
                "{script}: a stranger has changed {item:?}"
            );
        }
    }
}

impl Surroundings {
    /// A call as the stranger makes it: plainly, and with what the owner knows of the row.
    async fn try_call(&self, call: &Call, secrets: &BTreeSet<String>) -> usize {
        let mut calls = vec![call.clone()];
        for (name, value) in [("explain", "true"), ("dry-run", "true")] {
            let mut other = call.clone();
            other.query.push((name.to_owned(), value.to_owned()));
            calls.push(other);
        }
        if call.method == Method::GET {
            let mut lines = call.clone();
            lines
                .headers
                .push(("accept".to_owned(), "application/jsonl".to_owned()));
            calls.push(lines);
            let mut owners = call.clone();
            if self.has_tenants {
                owners
                    .headers
                    .push(("monotable-tenant".to_owned(), "default".to_owned()));
            }
            let seen = self.send("program", &owners).await;
            if let Some(tag) = seen.tag {
                for name in ["if-match", "if-none-match"] {
                    let mut tagged = call.clone();
                    tagged.headers.push((name.to_owned(), tag.clone()));
                    calls.push(tagged);
                }
            }
            let page: Value = serde_json::from_str(&seen.body).unwrap_or_default();
            if let Some(cursor) = page["cursor"].as_str() {
                let mut next = call.clone();
                next.query.push(("cursor".to_owned(), cursor.to_owned()));
                calls.push(next);
            }
        } else {
            let mut named = call.clone();
            named
                .headers
                .push(("idempotency-key".to_owned(), "the-same-name".to_owned()));
            calls.push(named);
        }
        for call in &calls {
            let answer = self.send("stranger", call).await;
            let own = call.words();
            assert_ne!(answer.status, 304, "{call:?}");
            assert!(answer.status < 500, "{call:?}: {}", answer.text);
            let told = leave_own_out(&answer.text);
            for secret in secrets {
                let is_told = told.contains(secret.as_str()) && !own.contains(secret.as_str());
                assert!(!is_told, "{secret:?} is told by {call:?}: {}", answer.text);
            }
        }
        calls.len()
    }
}

/// An answer without the rows that the stranger wrote itself: an audit of its attempts repeats what it has asked for.
fn leave_own_out(text: &str) -> String {
    let lines = text.lines().map(|line| match serde_json::from_str(line) {
        Ok(json) => {
            // A line may be a row itself.
            let mut lines = Value::Array(vec![json]);
            remove_own(&mut lines);
            lines.to_string()
        }
        Err(_) => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn remove_own(json: &mut Value) {
    match json {
        Value::Array(elements) => {
            elements.retain(|element| element["userId"] != "stranger");
            elements.iter_mut().for_each(remove_own);
        }
        Value::Object(members) => members.values_mut().for_each(remove_own),
        _ => {}
    }
}

macro_rules! attacked {
    ($($name:ident: $script:literal, $principal:literal;)+) => {
        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                attack($script, $principal).await;
            }
        )+
    };
}

attacked! {
    trees_of_others: "yggdrasil/yg_t07.txt", "{ UserId = \"stranger\" }";
    trees_and_their_moves: "yggdrasil/yg_transfer.txt", "{ UserId = \"stranger\" }";
    repositories_of_others: "values/vt_rollover.txt", "{ userId = \"stranger\" }";
    revisions_of_others: "values/vt_t05.txt", "{ userId = \"stranger\" }";
    documents_of_another_tenant: "formkiq/fk_t01.txt", "{ username = \"stranger\", groups = [\"Admins\"] }";
    bins_of_another_tenant: "formkiq/fk_moves.txt", "{ username = \"stranger\", groups = [\"Admins\"] }";
}
