//! The functions under the exports of the modules, with a host of the test's own: what goes in and out as JSON.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_engine::{ManualClock, SeededEntropy};
use monotable_model::compiled::CompiledModel;
use monotable_store::{Host, NoEntropy, Pause};
use monotable_wasm::data::Calls;
use monotable_wasm::memory::Memory;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// A clock that stands, and chance that counts.
struct Still(AtomicU8);

impl Host for Still {
    fn now_micros(&self) -> i64 {
        1_763_467_200_000_000
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        bytes.fill_with(|| self.0.fetch_add(1, Ordering::Relaxed));
        Ok(())
    }

    fn sleep(&self, _: Duration) -> Pause<'_> {
        panic!("the host of a module makes the pauses")
    }
}

fn compile(model: &str) -> String {
    let path = format!(
        "{}/../../models/{model}/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let checked = monotable_check::check(&std::fs::read_to_string(path).unwrap());
    CompiledModel::new(checked.model.unwrap())
        .to_text()
        .unwrap()
}

/// A program with a core and a DynamoDB in memory.
struct Program {
    calls: Calls,
    memory: Memory,
    store: u32,
    /// The next writes whose answers are lost.
    lost: usize,
}

fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

impl Program {
    fn open(model: &str, body: Value) -> Self {
        let mut calls = Calls::new(Arc::new(Still(AtomicU8::new(0))));
        let mut body = body;
        body["model"] = compile(model).into();
        let reply = parse(&calls.open(body.to_string().as_bytes()));
        let store = reply["handle"].as_u64().expect("a handle") as u32;
        assert_eq!(reply["model"], model);
        let clock = ManualClock::at(Duration::from_secs(1_763_467_200));
        let memory = Memory::new(Arc::new(clock), Arc::new(SeededEntropy::new(7)));
        let mut program = Self {
            calls,
            memory,
            store,
            lost: 0,
        };
        let made = program.call(json!({ "setup": {} }), json!({}));
        assert_eq!(made["done"][0]["new"], true, "{made}");
        program
    }

    /// Makes a call to its end.
    fn call(&mut self, operation: Value, more: Value) -> Value {
        let mut body = json!({ "store": self.store, "operation": operation });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let mut reply = parse(&self.calls.start(body.to_string().as_bytes()));
        while let Some(errands) = reply["do"].as_array() {
            let answers: Vec<Value> = errands.iter().map(|errand| self.answer(errand)).collect();
            let handle = reply["handle"].as_u64().unwrap() as u32;
            let answers = Value::Array(answers).to_string();
            reply = parse(&self.calls.step(handle, answers.as_bytes()));
        }
        reply
    }

    fn answer(&mut self, errand: &Value) -> Value {
        let mut answer = json!({});
        if errand.get("send").is_some() {
            let body = json!({ "operation": errand["send"], "input": errand["input"] });
            answer = parse(&self.memory.call(body.to_string().as_bytes()));
            if errand["write"] == true && self.lost > 0 {
                self.lost -= 1;
                answer = json!({ "lost": "the line went dead" });
            }
        }
        answer["id"] = errand["id"].clone();
        answer
    }
}

fn user(email: &str) -> Value {
    json!({ "create": "User", "values": { "Email": email, "PasswordHash": "correct horse" } })
}

#[test]
fn rows_are_made_read_and_listed() {
    let mut program = Program::open("yggdrasil", json!({}));
    let ann = program.call(user("ann@example.com"), json!({}));
    let id = &ann["done"]["UserId"];
    assert_eq!(ann["done"]["$entity"], "User", "{ann}");
    assert!(ann["done"].get("PasswordHash").is_none());
    let read = program.call(json!({ "get": "User", "key": { "UserId": id } }), json!({}));
    assert_eq!(read, ann);
    let page = program.call(
        json!({ "query": "user_by_email", "parameters": { "Email": "ann@example.com" } }),
        json!({}),
    );
    assert_eq!(page["done"]["rows"], json!([ann["done"]]));
    assert!(page["done"].get("cursor").is_none());
}

#[test]
fn a_refusal_names_its_declaration_and_what_clashes() {
    let mut program = Program::open("yggdrasil", json!({}));
    program.call(user("ann@example.com"), json!({}));
    let failed = &program.call(user("ann@example.com"), json!({}))["failed"];
    assert_eq!(failed["kind"], "Conflict");
    assert_eq!(failed["declaration"], "entity.User.unique.Email");
    assert_eq!(
        failed["clash"],
        json!({ "is": "unique", "claim": "User.Email" })
    );
    assert_eq!(failed["unsure"], false);
    let failed = &program.call(user(""), json!({}))["failed"];
    assert_eq!(failed["problems"][0]["attribute"], "Email", "{failed}");
}

#[test]
fn a_lost_answer_is_asked_again_and_ends_as_if_nothing_had_happened() {
    let mut program = Program::open("yggdrasil", json!({}));
    program.call(user("ann@example.com"), json!({}));
    program.lost = 1;
    let eve = program.call(user("eve@example.com"), json!({}));
    assert_eq!(eve["done"]["Email"], "eve@example.com", "{eve}");
    program.lost = 100;
    let failed = &program.call(user("bob@example.com"), json!({}))["failed"];
    assert_eq!(failed["kind"], "Retryable", "{failed}");
    assert_eq!(failed["unsure"], true);
}

#[test]
fn followed_rows_are_told_by_whom() {
    let mut program = Program::open("yggdrasil", json!({}));
    let owner = program.call(user("ann@example.com"), json!({}))["done"]["UserId"].clone();
    let tree = json!({ "create": "Tree", "values": { "UserId": owner, "TreeId": "oak", "TreeName": "Oak" } });
    program.call(tree, json!({}));
    for (id, name) in [("a", "Ann"), ("b", "Bea"), ("c", "Cid")] {
        let values = json!({ "UserId": owner, "TreeId": "oak", "PersonId": id, "FirstName": name, "LastName": "Oak", "Gender": "Unknown" });
        program.call(json!({ "create": "Person", "values": values }), json!({}));
    }
    for child in ["b", "c"] {
        let values = json!({ "UserId": owner, "TreeId": "oak", "ParentId": "a", "ChildId": child, "Type": "Biological" });
        let attached = program.call(
            json!({ "attach": "ParentChild", "values": values }),
            json!({}),
        );
        assert!(attached.get("done").is_some(), "{attached}");
    }
    let children = json!({ "query": "children_of_person", "parameters": { "UserId": owner, "ParentId": "a" } });
    let page = &program.call(children, json!({}))["done"];
    for follow in page["follows"].as_array().expect("follows") {
        let row = &page["rows"][follow["row"].as_u64().unwrap() as usize];
        let to = &page["followed"][follow["to"].as_u64().unwrap() as usize];
        assert_eq!(follow["by"], "ChildId");
        assert_eq!(row["ChildId"], to["PersonId"]);
    }
    assert_eq!(page["follows"].as_array().unwrap().len(), 2, "{page}");
}

#[test]
fn explanations_price_requests_and_requests_show_every_value() {
    let mut program = Program::open("yggdrasil", json!({}));
    let mode = |mode: &str| json!({ "options": { "mode": mode } });
    let told = &program.call(user("ann@example.com"), mode("explain"))["done"];
    assert_eq!(
        told["requests"][0]["operation"], "TransactWriteItems",
        "{told}"
    );
    assert!(told["write"].as_f64().unwrap() >= 4.0, "{told}");
    assert!(told["text"].as_str().unwrap().contains("write units"));
    let planned = &program.call(user("ann@example.com"), mode("requests"))["done"];
    let token = &planned[0]["input"]["ClientRequestToken"];
    assert_ne!(token, "<token>", "{planned}");
    let read = json!({ "query": "user_by_email", "parameters": { "Email": "ann@example.com" } });
    let page = program.call(read, json!({}));
    assert_eq!(page["done"]["rows"], json!([]), "nothing was written");
}

#[test]
fn images_of_streams_are_rows_of_their_tenants() {
    let mut program = Program::open("formkiq", json!({}));
    let queue = json!({ "create": "Queue", "values": { "queueId": "q", "name": "Mail" } });
    let made = program.call(queue, json!({ "context": { "tenant": "acme" } }));
    assert!(made.get("done").is_some(), "{made}");
    let ask = |operation: &str, input: Value| {
        let body = json!({ "operation": operation, "input": input }).to_string();
        parse(&program.memory.call(body.as_bytes()))["ok"].clone()
    };
    let tables = ask("ListTables", json!({}));
    let mut images = Vec::new();
    for table in tables["TableNames"].as_array().unwrap() {
        let items = ask("Scan", json!({ "TableName": table }))["Items"].clone();
        let items = items.as_array().unwrap().iter();
        images.extend(items.map(|item| json!({ "table": table, "item": item })));
    }
    let parsed = program.call(json!({ "parse": images }), json!({}))["done"].clone();
    let rows: Vec<&Value> = parsed
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["row"]["$entity"] == "Queue")
        .collect();
    assert_eq!(rows.len(), 1, "{parsed}");
    assert_eq!(rows[0]["tenant"], "acme");
}

#[test]
fn mistakes_of_hosts_are_told_as_such() {
    let mut program = Program::open("yggdrasil", json!({}));
    let broken = |reply: Vec<u8>| parse(&reply)["broken"].as_str().map(str::to_owned);
    assert!(broken(program.calls.start(b"[]")).is_some());
    assert!(
        broken(program.calls.start(br#"{"store": 99, "operation": {}}"#))
            .unwrap()
            .contains("99")
    );
    assert!(
        broken(program.calls.step(99, b"[]"))
            .unwrap()
            .contains("99")
    );
    let body =
        json!({ "store": program.store, "operation": { "get": "User", "key": { "UserId": "x" } } });
    let reply = parse(&program.calls.start(body.to_string().as_bytes()));
    let handle = reply["handle"].as_u64().unwrap() as u32;
    assert!(
        broken(program.calls.step(handle, br#"[{"id": 77}]"#))
            .unwrap()
            .contains("77")
    );
}

#[test]
fn names_of_tables_and_keys_of_cursors_are_checked() {
    let mut calls = Calls::new(Arc::new(Still(AtomicU8::new(0))));
    let model = compile("yggdrasil");
    let mut open = |more: Value| {
        let mut body = json!({ "model": model });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        let reply = parse(&calls.open(body.to_string().as_bytes()));
        reply["failed"]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(open(json!({ "tables": { "Yggdrasil": "trees-prod" } })), "");
    assert!(open(json!({ "tables": { "Igdrasil": "trees" } })).contains("Igdrasil"));
    assert!(open(json!({ "tables": { "Yggdrasil": "a b" } })).contains("a b"));
    assert!(open(json!({ "cursorKey": "short" })).contains("32"));
    assert!(open(json!({ "model": "abcd" })).contains("model"));
}
