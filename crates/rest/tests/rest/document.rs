//! The OpenAPI documents of the five models, and that they say what is so.

use crate::client::{MODELS, call, open_store, read_model};
use monotable_rest::Rest;
use monotable_rest::openapi::{Security, describe};
use serde_json::Value;
use std::collections::BTreeSet;

/// Calls `visit` with every object of a document.
fn walk(value: &Value, visit: &mut dyn FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            members.values().for_each(|value| walk(value, visit));
        }
        Value::Array(values) => values.iter().for_each(|value| walk(value, visit)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_id_is_one() {
    for name in MODELS {
        let document = describe(&read_model(name), Security::Verified);
        let mut references = 0;
        let mut ids = BTreeSet::new();
        walk(&document, &mut |members| {
            if let Some(Value::String(reference)) = members.get("$ref") {
                let pointer = reference.strip_prefix('#').unwrap();
                assert!(document.pointer(pointer).is_some(), "{name}: {reference}");
                references += 1;
            }
            if let Some(Value::String(id)) = members.get("operationId") {
                assert!(ids.insert(id.clone()), "{name}: {id} twice");
            }
        });
        assert!(references > 100, "{name} has {references}");
    }
}

/// The document and the routes are made of the same, and this would find out if they were not.
#[tokio::test]
async fn every_path_of_a_document_has_the_methods_that_it_says() {
    for name in MODELS {
        let rest = Rest::new().with_store(open_store(name).await);
        let document = describe(&read_model(name), Security::Verified);
        let base = document["servers"][0]["url"].as_str().unwrap().to_owned();
        for (path, item) in document["paths"].as_object().unwrap() {
            let concrete = path.split('/').map(|segment| {
                if segment.starts_with('{') {
                    "x".to_owned()
                } else {
                    segment.to_owned()
                }
            });
            let concrete = concrete.collect::<Vec<_>>().join("/");
            let answer = call(&rest, "OPTIONS", &format!("{base}{concrete}"), "").await;
            assert_eq!(answer.status, 204, "{name} {path}: {}", answer.text);
            let allowed: BTreeSet<_> = answer
                .header("allow")
                .split(", ")
                .map(str::to_lowercase)
                .collect();
            let mut said: BTreeSet<_> = item.as_object().unwrap().keys().cloned().collect();
            if said.contains("get") {
                said.insert("head".to_owned());
            }
            said.insert("options".to_owned());
            assert_eq!(allowed, said, "{name} {path}");
        }
    }
}

#[tokio::test]
async fn a_model_is_described_for_people_without_a_network() {
    let rest = Rest::new().with_store(open_store("yggdrasil").await);
    let page = call(&rest, "GET", "/v1/yggdrasil/", "").await;
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, "text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    assert!(page.text.contains("/entities/Tree/{UserId}/{TreeId}"));
    for outside in ["<script", "http://", "src="] {
        assert!(!page.text.contains(outside), "{outside}");
    }
    // The page is also there without the slash at the end, where a relative link would lead elsewhere.
    assert!(page.text.contains("href=\"/v1/yggdrasil/openapi.json\""));
    let document = call(&rest, "GET", "/v1/yggdrasil/openapi.json", "").await;
    assert_eq!(document.json()["openapi"], "3.1.0");
    let models = call(&rest, "GET", "/v1", "").await;
    assert_eq!(models.json()["models"][0]["model"], "yggdrasil");
}

#[test]
fn types_enums_and_requirements_are_those_of_the_model() {
    let document = describe(&read_model("yggdrasil"), Security::Verified);
    let schema = |name: &str| document["components"]["schemas"][name].clone();
    let person = schema("Person");
    assert_eq!(
        person["properties"]["Gender"]["enum"],
        serde_json::json!(["Male", "Female", "Other", "Unknown"])
    );
    assert_eq!(person["additionalProperties"], false);
    assert_eq!(schema("User")["properties"]["Email"]["maxLength"], 250);
    assert_eq!(schema("Tree")["properties"]["SharedWith"]["maxItems"], 90);
    assert_eq!(
        schema("Tree")["properties"]["TreeId"]["pattern"],
        "^(?:(?:[\\x2d0-9A-Z_a-z]){1,64})$"
    );
    assert_eq!(schema("Tree")["properties"].get("RelVersion"), None);
    let required = |name: &str| -> BTreeSet<String> {
        let list = schema(name)["required"].clone();
        list.as_array()
            .unwrap()
            .iter()
            .map(|one| one.as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        required("Tree.New"),
        ["TreeName", "UserId"].map(str::to_owned).into()
    );
    assert!(required("Tree").contains("CreatedAt"));
    assert!(!required("User").contains("PasswordHash"));
    assert_eq!(schema("Tree.New")["properties"].get("CreatedAt"), None);
}

#[test]
fn headers_about_others_are_typed_by_the_model_and_absent_without_need() {
    let parameters = |name: &str| {
        let document = describe(&read_model(name), Security::Verified);
        document["components"]["parameters"].clone()
    };
    let formkiq = parameters("formkiq");
    assert_eq!(
        formkiq["Tenant"]["schema"]["pattern"],
        "^(?:(?:[\\x2d0-9A-Z_a-z]){1,64})$"
    );
    let principal = &formkiq["Principal"]["schema"];
    assert_eq!(principal["type"], "string");
    let held = &principal["contentSchema"];
    assert_eq!(held["required"], serde_json::json!(["username"]));
    assert_eq!(held["properties"]["groups"]["type"], "array");
    assert_eq!(held["additionalProperties"], false);
    let values = parameters("values");
    assert_eq!(values.get("Tenant"), None);
    assert!(values.get("Principal").is_some());
    let processproof = parameters("processproof");
    assert_eq!(
        (processproof.get("Tenant"), processproof.get("Principal")),
        (None, None)
    );
}
