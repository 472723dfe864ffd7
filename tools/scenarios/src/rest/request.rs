//! Operations as requests.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Access, Kind, Mode, Model};
use monotable_rest::Request;
use monotable_rest::percent::encode;
use monotable_store::wire::PlainItem;
use monotable_store::{
    AnyOperation, At, Commit, CommitAll, Diff, Log, Options, Query, Show, Update,
};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};

/// The request that takes any operation.
pub(super) fn generic(model: &Model, operation: &AnyOperation) -> Request {
    let body = serde_json::to_string(operation).unwrap_or_default();
    build(
        model,
        Method::POST,
        "operations",
        &[],
        Some(("application/json", body)),
    )
}

/// The request by the address that an operation has of its own; none if it has none, or if an address cannot say what the
/// operation says: a key with too few attributes, a number where a text belongs.
pub(super) fn address(model: &Model, operation: &AnyOperation) -> Option<Request> {
    let send = |method, path: &str, body: Option<String>| {
        let body = body.map(|body| ("application/json", body));
        Some(build(model, method, path, &[], body))
    };
    match operation {
        AnyOperation::Create(create) => {
            let path = format!("entities/{}", stored(model, &create.entity)?);
            send(Method::POST, &path, Some(plain(&create.values)))
        }
        AnyOperation::Attach(attach) => {
            stored(model, &attach.entity)?;
            let path = format!("relations/{}", attach.entity);
            let request = send(Method::POST, &path, Some(plain(&attach.values)));
            request.filter(|_| is_relation(model, &attach.entity))
        }
        AnyOperation::Get(get) => send(Method::GET, &row(model, &get.entity, &get.key)?, None),
        AnyOperation::Delete(delete) => send(
            Method::DELETE,
            &row(model, &delete.entity, &delete.key)?,
            None,
        ),
        AnyOperation::Detach(detach) if is_relation(model, &detach.entity) => {
            let path = row(model, &detach.entity, &detach.key)?;
            let path = path.replacen("entities", "relations", 1);
            send(Method::DELETE, &path, None)
        }
        AnyOperation::Put(put) => {
            let (_, entity) = model.entity_named(&put.entity)?;
            let mut key = Item::new();
            let mut rest = put.values.clone();
            for name in entity.key_attributes() {
                key.insert(name, rest.remove(name)?);
            }
            let path = row(model, &put.entity, &key)?;
            send(Method::PUT, &path, Some(plain(&rest)))
        }
        AnyOperation::Update(update) => change(model, update),
        AnyOperation::Query(query) => pattern(model, query),
        AnyOperation::CheckSecret(check) => {
            let (_, entity) = model.entity_named(&check.entity)?;
            entity.attribute(&check.attribute)?.hashed?;
            let path = row(model, &check.entity, &check.key)?;
            let path = format!("{path}/secrets/{}", encode(&check.attribute));
            let body = json!({ "text": check.text }).to_string();
            send(Method::POST, &path, Some(body))
        }
        AnyOperation::Transact(transact) => {
            let operations = serde_json::to_string(&transact.operations).ok()?;
            let body = format!("{{\"operations\":{operations}}}");
            send(Method::POST, "transactions", Some(body))
        }
        AnyOperation::MoveRow(moving) => {
            let declared = model.moves.iter();
            let mut declared = declared.filter(|known| known.name.value == moving.name);
            declared.next()?;
            let (key, set) = (plain(&moving.key), plain(&moving.set));
            let body = format!("{{\"key\":{key},\"set\":{set}}}");
            send(Method::POST, &format!("moves/{}", moving.name), Some(body))
        }
        AnyOperation::CommitAll(CommitAll { commits }) => match commits.as_slice() {
            [commit] => commit_one(model, commit),
            commits => {
                let commits = serde_json::to_string(commits).ok()?;
                let body = format!("{{\"commits\":{commits}}}");
                send(Method::POST, "commits", Some(body))
            }
        },
        AnyOperation::Commit(commit) => commit_one(model, commit),
        AnyOperation::Log(log) => read_log(model, log),
        AnyOperation::Show(show) => read_rows(model, show),
        AnyOperation::Diff(diff) => read_difference(model, diff),
        AnyOperation::Rollback(rollback) => {
            let body = json!({ "to": rollback.to, "from": rollback.from });
            let path = repository(model, &rollback.repository, &rollback.key, "rollback")?;
            send(Method::POST, &path, Some(body.to_string()))
        }
        AnyOperation::Revert(revert) => {
            let path = repository(model, &revert.repository, &revert.key, "revert")?;
            let body = without(operation, &["revert", "key"])?;
            send(Method::POST, &path, Some(body))
        }
        AnyOperation::Sweep(sweep) => {
            let path = repository(model, &sweep.repository, &sweep.key, "sweep")?;
            let body = json!({ "older_than": sweep.older_than.as_secs() });
            send(Method::POST, &path, Some(body.to_string()))
        }
        AnyOperation::Carry(carry) => {
            let mut known = model.carries.iter();
            known.find(|known| known.name.value == carry.name)?;
            let body = without(operation, &["carry"])?;
            send(Method::POST, &format!("carries/{}", carry.name), Some(body))
        }
        AnyOperation::Purge(purge) => {
            let body = format!("{{\"owner\":{}}}", plain(&purge.owner));
            send(Method::POST, "purges", Some(body))
        }
        AnyOperation::Detach(_) => None,
    }
}

fn build(
    model: &Model,
    method: Method,
    path: &str,
    words: &[(String, String)],
    body: Option<(&'static str, String)>,
) -> Request {
    let words: Vec<_> = words
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
        .collect();
    let mut headers = HeaderMap::new();
    let mut text = String::new();
    if let Some((media_type, body)) = body {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        text = body;
    }
    Request {
        method,
        path: format!("/v1/{}/{path}", model.name),
        query: words.join("&"),
        headers,
        body: text.into(),
        client: IpAddr::V4(Ipv4Addr::LOCALHOST),
    }
}

fn plain(item: &Item) -> String {
    serde_json::to_string(&PlainItem(item)).unwrap_or_default()
}

/// The JSON of an operation without what its address says.
fn without(operation: &AnyOperation, members: &[&str]) -> Option<String> {
    let mut json: std::collections::BTreeMap<String, Box<serde_json::value::RawValue>> =
        serde_json::from_str(&serde_json::to_string(operation).ok()?).ok()?;
    for member in members {
        json.remove(*member);
    }
    serde_json::to_string(&json).ok()
}

fn stored<'a>(model: &Model, name: &'a str) -> Option<&'a str> {
    let (_, entity) = model.entity_named(name)?;
    entity.is_stored().then_some(name)
}

fn is_relation(model: &Model, name: &str) -> bool {
    let Some((_, entity)) = model.entity_named(name) else {
        return false;
    };
    let key = entity.key_attributes();
    let ends = entity.attributes.iter().filter(|attribute| {
        attribute.reference.is_some() && key.contains(&attribute.name.value.as_str())
    });
    entity.relation.is_some() || ends.count() > 1
}

/// The address of a row, if the key has exactly the attributes that the address has.
fn row(model: &Model, entity: &str, key: &Item) -> Option<String> {
    stored(model, entity)?;
    let segments = segments(model, entity, key)?;
    Some(format!("entities/{entity}{segments}"))
}

fn segments(model: &Model, entity: &str, key: &Item) -> Option<String> {
    let (_, entity) = model.entity_named(entity)?;
    let names = entity.key_attributes();
    if names.len() != key.len() {
        return None;
    }
    let mut path = String::new();
    for name in names {
        let kind = entity.attribute(name).map(|attribute| &attribute.kind);
        let word = word(kind, key.get(name)?)?;
        // No client of HTTP sends these as they are, and a parser of addresses may take them for something else.
        if word.is_empty() || word == "." || word == ".." {
            return None;
        }
        path.push('/');
        path.push_str(&encode(&word));
    }
    Some(path)
}

/// A value as a text that is read as that very value.
fn word(kind: Option<&Kind>, value: &AttributeValue) -> Option<String> {
    match (kind, value) {
        (
            Some(
                Kind::Integer(_)
                | Kind::Number(_)
                | Kind::Epoch
                | Kind::Boolean
                | Kind::List { .. }
                | Kind::Map
                | Kind::Binary,
            ),
            AttributeValue::S(_),
        ) => None,
        (_, AttributeValue::S(text)) => Some(text.clone()),
        (Some(kind), AttributeValue::N(number)) if kind.is_number() => Some(number.to_string()),
        (Some(Kind::Boolean), AttributeValue::Bool(flag)) => Some(flag.to_string()),
        (Some(Kind::List { .. }), AttributeValue::L(_)) => {
            let value = monotable_store::wire::PlainValue(value);
            serde_json::to_string(&value).ok()
        }
        _ => None,
    }
}

fn change(model: &Model, update: &Update) -> Option<Request> {
    let path = row(model, &update.entity, &update.key)?;
    let change = &update.change;
    let has_map = change
        .set
        .iter()
        .any(|(_, value)| matches!(value, AttributeValue::M(_)));
    let is_patch = change.unset.is_empty() && change.add.is_empty() && change.append.is_empty();
    let body = if is_patch && !has_map {
        ("application/merge-patch+json", plain(&change.set))
    } else {
        let operation = AnyOperation::Update(update.clone());
        ("application/json", without(&operation, &["update", "key"])?)
    };
    Some(build(model, Method::PATCH, &path, &[], Some(body)))
}

fn pattern(model: &Model, query: &Query) -> Option<Request> {
    let (_, access) = model.pattern_named(&query.pattern)?;
    let mut words = Vec::new();
    for (name, value) in query.parameters.iter() {
        let word = word(find_kind(access, name), value)?;
        words.push((name.clone(), word));
    }
    add_page(&mut words, query.limit, query.after.as_deref());
    if let Some(descending) = query.descending {
        words.push(("descending".to_owned(), descending.to_string()));
    }
    let path = format!("patterns/{}", query.pattern);
    Some(build(model, Method::GET, &path, &words, None))
}

fn add_page(words: &mut Vec<(String, String)>, limit: Option<usize>, cursor: Option<&str>) {
    if let Some(limit) = limit {
        words.push(("limit".to_owned(), limit.to_string()));
    }
    if let Some(cursor) = cursor {
        words.push(("cursor".to_owned(), cursor.to_owned()));
    }
}

fn find_kind<'m>(access: &'m Access, name: &str) -> Option<&'m Kind> {
    let base = name
        .strip_suffix(".from")
        .or_else(|| name.strip_suffix(".to"));
    let mut parameters = access.parameters.iter();
    let found = parameters.find(|parameter| {
        parameter.name == name || parameter.mode == Mode::Range && base == Some(&parameter.name)
    })?;
    (found.mode != Mode::Open).then_some(&found.kind)
}

fn repository(model: &Model, name: &str, key: &Item, part: &str) -> Option<String> {
    let mut known = model.repositories.iter();
    let declared = known.find(|known| known.name.value == name)?;
    let head = &model.entity(declared.head).name.value;
    let segments = segments(model, head, key)?;
    Some(format!("repositories/{name}{segments}/{part}"))
}

fn commit_one(model: &Model, commit: &Commit) -> Option<Request> {
    let path = repository(model, &commit.repository, &commit.key, "commits")?;
    let operation = AnyOperation::Commit(commit.clone());
    let body = without(&operation, &["commit", "key"])?;
    Some(build(
        model,
        Method::POST,
        &path,
        &[],
        Some(("application/json", body)),
    ))
}

fn read_log(model: &Model, log: &Log) -> Option<Request> {
    let path = repository(model, &log.repository, &log.key, "log")?;
    let mut words = Vec::new();
    add_page(&mut words, log.limit, log.after.as_deref());
    if log.oldest_first {
        words.push(("oldest-first".to_owned(), "true".to_owned()));
    }
    Some(build(model, Method::GET, &path, &words, None))
}

fn read_rows(model: &Model, show: &Show) -> Option<Request> {
    let path = repository(model, &show.repository, &show.key, "rows")?;
    let mut words = Vec::new();
    add_revision(&mut words, &show.at, "revision", "time");
    if show.with_tombstones {
        words.push(("with-tombstones".to_owned(), "true".to_owned()));
    }
    if let Some(id) = &show.under {
        words.push(("under".to_owned(), id.clone()));
    }
    Some(build(model, Method::GET, &path, &words, None))
}

fn read_difference(model: &Model, diff: &Diff) -> Option<Request> {
    let path = repository(model, &diff.repository, &diff.key, "diff")?;
    let mut words = Vec::new();
    add_revision(&mut words, &diff.from, "from", "from-time");
    add_revision(&mut words, &diff.to, "to", "to-time");
    Some(build(model, Method::GET, &path, &words, None))
}

fn add_revision(words: &mut Vec<(String, String)>, at: &At, revision: &str, time: &str) {
    let (name, value) = match at {
        At::Head => (revision, "head"),
        At::Revision(id) => (revision, id.as_str()),
        At::Time(text) => (time, text.as_str()),
    };
    words.push((name.to_owned(), value.to_owned()));
}

/// Who calls, as a program of this machine says it.
pub(super) fn add_caller(request: &mut Request, principal: Option<&Item>, tenant: Option<&str>) {
    if let Some(principal) = principal {
        add_header(request, "monotable-principal", &escape(&plain(principal)));
    }
    if let Some(tenant) = tenant {
        add_header(request, "monotable-tenant", tenant);
    }
}

pub(super) fn add_options(request: &mut Request, options: &Options) {
    let mut words = Vec::new();
    if !options.expected.is_empty() {
        words.push(format!("expecting={}", encode(&plain(&options.expected))));
    }
    if options.consistent {
        words.push("consistent=true".to_owned());
    }
    if options.dry_run {
        words.push("dry-run=true".to_owned());
    }
    for word in words {
        if !request.query.is_empty() {
            request.query.push('&');
        }
        request.query.push_str(&word);
    }
    let headers = [
        ("idempotency-key", &options.token),
        ("monotable-source", &options.request.source),
        ("x-forwarded-for", &options.request.ip),
    ];
    for (name, value) in headers {
        if let Some(value) = value {
            add_header(request, name, value);
        }
    }
}

fn add_header(request: &mut Request, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        request.headers.insert(HeaderName::from_static(name), value);
    }
}

/// JSON in the characters that a header can have.
fn escape(json: &str) -> String {
    let mut text = String::new();
    for unit in json.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\u{unit:04x}")),
        }
    }
    text
}
