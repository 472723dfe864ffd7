//! A client without a network.

use bytes::Bytes;
use futures_util::StreamExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use monotable_engine::Engine;
use monotable_rest::{Body, Request, Rest};
use monotable_store::Store;
use serde_json::Value;
use std::net::IpAddr;

pub(crate) const MODELS: [&str; 5] = [
    "authorization",
    "formkiq",
    "processproof",
    "values",
    "yggdrasil",
];

pub(crate) fn read_model(name: &str) -> monotable_model::model::Model {
    let path = format!(
        "{}/../../models/{name}/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    monotable_model::read(&text).model.unwrap()
}

/// The store of a model in memory, with its tables.
pub(crate) async fn open_store(name: &str) -> Store {
    let store = Store::new(read_model(name), Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    store
}

/// An answer that was read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

/// A request, with `name: value` headers.
pub(crate) fn request(
    method: &str,
    address: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Request {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        map.append(name, HeaderValue::from_str(value).unwrap());
    }
    Request {
        method: Method::from_bytes(method.as_bytes()).unwrap(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: map,
        body: Bytes::from(body.to_owned()),
        client: IpAddr::from([127, 0, 0, 1]),
    }
}

pub(crate) async fn send(rest: &Rest, request: Request) -> Answer {
    let response = rest.answer(request).await;
    let body = match response.body {
        Body::Whole(bytes) => bytes.to_vec(),
        Body::Lines(lines) | Body::Events(lines) => {
            let pieces: Vec<Bytes> = lines.collect().await;
            pieces.concat()
        }
    };
    Answer {
        status: response.status.as_u16(),
        headers: response.headers,
        text: String::from_utf8(body).unwrap(),
    }
}

/// A request with a JSON body, or none.
pub(crate) async fn call(rest: &Rest, method: &str, address: &str, body: &str) -> Answer {
    let json = [("content-type", "application/json")];
    let headers: &[_] = if body.is_empty() { &[] } else { &json };
    send(rest, request(method, address, headers, body)).await
}

/// A request with more headers.
pub(crate) async fn call_with(
    rest: &Rest,
    method: &str,
    address: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    send(rest, request(method, address, headers, body)).await
}
