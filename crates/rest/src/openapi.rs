//! The OpenAPI 3.1 document of a model.
//!
//! It is made of what the routes are made of (`surface.rs`), so that it has every address and no other. `schema/` says what
//! values, rows and answers are; `paths/` says which operations there are.

mod example;
mod paths;
mod portable_regex;
mod schema;

use monotable_model::model::Model;
use schema::Components;
use serde_json::{Value, json};

/// How callers are known, for the document to say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// Programs of this machine need no proof.
    Loopback,
    /// A token or a key is needed.
    Verified,
}

/// The OpenAPI document of a model that is served below `/v1`.
#[must_use]
pub fn describe(model: &Model, security: Security) -> Value {
    let mut components = Components::new(model);
    let paths = paths::list_paths(model, &mut components);
    let about = model.about.clone().unwrap_or_default();
    let mut document = json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": {
            "title": format!("{} over HTTP", model.name),
            "summary": about,
            "version": monotable_store::CONTRACT_VERSION.to_string(),
            "description": DESCRIPTION,
        },
        "servers": [{ "url": format!("{}/{}", crate::rest::ROOT, model.name) }],
        "paths": paths,
        "components": {
            "schemas": components.into_schemas(),
            "responses": schema::list_responses(),
            "headers": schema::list_headers(),
            "parameters": paths::list_parameters(model),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "JWT",
                    "description": "A token that the server's issuers have signed. Its claims say who calls, and for which tenant.",
                },
                "key": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-Api-Key",
                    "description": "A key that the server knows.",
                },
            },
        },
        "tags": paths::list_tags(model),
    });
    let mut security_list = vec![json!({ "token": [] }), json!({ "key": [] })];
    if security == Security::Loopback {
        security_list.insert(0, json!({}));
    }
    if let Value::Object(members) = &mut document {
        members.insert("security".to_owned(), Value::Array(security_list));
    }
    document
}

const DESCRIPTION: &str = "Every operation of the model as REST and JSON. \
Rows are plain JSON with the name of their entity as `$entity`; numbers have all of their digits. \
Bytes are `{\"$bytes\": base64}` and sets `{\"$set\": [..]}`. \
A key is written as segments of the path, in the order that the path shows. \
`explain=true` answers with the requests that the call would send, and `dry-run=true` carries it out without writing. \
Errors are problem details (RFC 9457) with the declaration of the model that refuses.";
