//! Calls from their start to their end.

use super::recorder::Recorder;
use serde_json::{Value, json};

/// The id of a reader.
const READER: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

pub(crate) fn record_all() -> Vec<(&'static str, String)> {
    vec![
        ("rows", record_rows()),
        ("pages", record_pages()),
        ("hashes", record_hashes()),
        ("refusals", record_refusals()),
        ("faults", record_faults()),
        ("modes", record_modes()),
        ("mistakes", record_mistakes()),
    ]
}

fn reader(email: &str) -> Value {
    json!({ "create": "Reader", "values": { "email": email, "password": "correct horse" } })
}

fn note(id: &str, more: Value) -> Value {
    let mut values = json!({ "readerId": READER, "noteId": id, "title": format!("Note {id}") });
    for (name, value) in more.as_object().unwrap() {
        values[name] = value.clone();
    }
    json!({ "create": "Note", "values": values })
}

fn done(reply: &Value) -> &Value {
    reply.get("done").unwrap_or_else(|| panic!("{reply}"))
}

/// A store with one reader.
fn open_with_reader() -> Recorder {
    let mut recorder = Recorder::open(json!({}));
    let mut ann = reader("ann@example.com");
    ann["values"]["readerId"] = READER.into();
    done(&recorder.call(ann));
    recorder
}

fn record_rows() -> String {
    let mut recorder = Recorder::open(json!({}));
    let ann = recorder.call(reader("ann@example.com"));
    let key = json!({ "readerId": done(&ann)["readerId"] });
    assert_eq!(
        recorder.call(json!({ "get": "Reader", "key": key })),
        ann,
        "a row is read as it was made"
    );
    let secret = json!({ "check_secret": "Reader", "key": key, "attribute": "password", "text": "correct horse" });
    assert_eq!(done(&recorder.call(secret)), true);
    let values = json!({
        "readerId": key["readerId"], "price": "0.10", "tags": ["a", "b"], "picture": { "$bytes": "AAEC" }, "more": more(),
    });
    let made = recorder.call(note("n1", values));
    assert_eq!(done(&made)["more"], more());
    let at = json!({ "readerId": key["readerId"], "noteId": "n1" });
    let update = json!({ "update": "Note", "key": at, "set": { "state": "done" }, "unset": ["price"], "add": { "stars": 2 },
        "append": { "tags": ["c"] } });
    let changed = recorder.call_with(
        update,
        json!({ "options": { "expecting": { "stars": 0 } } }),
    );
    assert_eq!(done(&changed)["stars"], 2);
    let second = json!({ "create": "Note", "values": { "readerId": key["readerId"], "noteId": "n2", "title": "Two" } });
    let both = json!({ "transact": [second, { "delete": "Note", "key": at }] });
    assert_eq!(done(&recorder.call(both)).as_array().unwrap().len(), 2);
    recorder.finish()
}

/// Texts that the host is told to hash: it makes none, one that is not of the salt, and one that is.
fn record_hashes() -> String {
    let mut recorder = open_with_reader();
    let check = |text: &str| {
        let key = json!({ "readerId": READER });
        json!({ "check_secret": "Reader", "key": key, "attribute": "password", "text": text })
    };
    assert_eq!(done(&recorder.call(check("correct horse"))), true);
    recorder.hash("too short");
    assert_eq!(done(&recorder.call(check("correct horse"))), true);
    let forged = ".".repeat(31);
    recorder.hash(&forged);
    assert_eq!(done(&recorder.call(check("correct horse"))), false);
    let key = json!({ "readerId": READER });
    recorder.hash(&forged);
    let update = json!({ "update": "Reader", "key": key, "set": { "password": "another horse" } });
    done(&recorder.call(update));
    recorder.hash(&forged);
    assert_eq!(done(&recorder.call(check("anything"))), true);
    assert_eq!(done(&recorder.call(check("another horse"))), false);
    recorder.finish()
}

/// What JSON lacks, inside of an attribute of any kind.
fn more() -> Value {
    json!({
        "exact": { "$number": "123456789012345678901234567890" },
        "set": { "$set": ["x", "y"] },
        "like a mark": { "$map": { "$bytes": "not bytes" } },
        "nothing": null,
        "list": [1, true, { "deep": { "$bytes": "/w==" } }],
    })
}

fn record_pages() -> String {
    let mut recorder = open_with_reader();
    for id in ["n1", "n2", "n3"] {
        done(&recorder.call(note(id, json!({}))));
    }
    let query = |after: Option<&Value>| {
        let mut query =
            json!({ "query": "notes_of_reader", "parameters": { "readerId": READER }, "limit": 2 });
        if let Some(after) = after {
            query["after"] = after.clone();
        }
        query
    };
    let first = recorder.call(query(None));
    assert_eq!(done(&first)["rows"].as_array().unwrap().len(), 2);
    let last = recorder.call(query(Some(&done(&first)["cursor"])));
    assert_eq!(done(&last)["rows"].as_array().unwrap().len(), 1);
    let states = json!({ "query": "notes_by_state", "parameters": { "readerId": READER, "state": "draft" } });
    let drafts = recorder.call_with(states, json!({}));
    assert_eq!(done(&drafts)["rows"].as_array().unwrap().len(), 3);
    let found = json!({ "query": "reader_by_email", "parameters": { "email": "Ann@example.com" } });
    assert_eq!(done(&recorder.call(found))["rows"][0]["readerId"], READER);
    recorder.finish()
}

fn record_refusals() -> String {
    let mut recorder = open_with_reader();
    let mut refuse = |operation: Value, more: Value, kind: &str| {
        let reply = recorder.call_with(operation, more);
        assert_eq!(reply["failed"]["kind"], kind, "{reply}");
    };
    refuse(reader("ANN@example.com"), json!({}), "Conflict");
    refuse(reader(""), json!({}), "Validation");
    refuse(
        note("", json!({ "state": "gone" })),
        json!({}),
        "Validation",
    );
    let missing = json!({ "readerId": READER, "noteId": "none" });
    refuse(
        json!({ "get": "Note", "key": missing }),
        json!({}),
        "NotFound",
    );
    let change = json!({ "update": "Reader", "key": { "readerId": READER }, "set": { "email": "new@example.com" } });
    let expecting = json!({ "options": { "expecting": { "email": "old@example.com" } } });
    refuse(change, expecting, "Conflict");
    refuse(
        json!({ "query": "no_such_pattern", "parameters": {} }),
        json!({}),
        "Usage",
    );
    refuse(json!({ "get": "Note", "key": {} }), json!({}), "Validation");
    recorder.finish()
}

fn service_error(code: &str, status: u16) -> Value {
    json!({ "error": { "__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": "as the service says" }, "status": status })
}

fn record_faults() -> String {
    let mut recorder = open_with_reader();
    let get = json!({ "get": "Reader", "key": { "readerId": READER } });
    for fault in [
        service_error("ProvisionedThroughputExceededException", 400),
        service_error("ThrottlingException", 400),
        service_error("InternalServerError", 500),
        json!({ "lost": "the line went dead" }),
        json!({ "unsent": "no credentials yet" }),
        json!({ "again": true }),
    ] {
        recorder.fail(&[fault]);
        done(&recorder.call(get.clone()));
    }
    for fault in [
        service_error("AccessDeniedException", 400),
        service_error("ValidationException", 400),
        service_error("ResourceNotFoundException", 400),
        service_error("SomethingNew", 400),
    ] {
        recorder.fail(&[fault]);
        let reply = recorder.call(get.clone());
        assert_eq!(reply["failed"]["kind"], "Fatal", "{reply}");
    }
    // One lost answer of a write is asked again; when all are lost, the caller is told that it may have been carried out.
    recorder.fail(&[json!({ "lost": "the line went dead" })]);
    done(&recorder.call(reader("eve@example.com")));
    recorder.fail(&vec![json!({ "lost": "the line went dead" }); 40]);
    let reply = recorder.call(reader("bob@example.com"));
    assert_eq!(reply["failed"]["unsure"], true, "{reply}");
    recorder.finish()
}

fn record_modes() -> String {
    let mut recorder = open_with_reader();
    for mode in ["dryRun", "explain", "requests"] {
        let options = json!({ "options": { "mode": mode } });
        done(&recorder.call_with(note("n1", json!({})), options));
    }
    let query = json!({ "query": "notes_of_reader", "parameters": { "readerId": READER } });
    assert_eq!(
        done(&recorder.call(query))["rows"],
        json!([]),
        "nothing was written"
    );
    recorder.finish()
}

fn record_mistakes() -> String {
    let mut recorder = open_with_reader();
    let break_with = |reply: Value| assert!(reply["broken"].is_string(), "{reply}");
    break_with(recorder.start("[]"));
    break_with(recorder.start(r#"{"store": 99, "operation": {}}"#));
    break_with(recorder.start(r#"{"store": 1, "operation": {}, "unknown": 1}"#));
    break_with(recorder.step(99, "[]"));
    let begun =
        recorder.start(r#"{"store": 1, "operation": {"get": "Reader", "key": {"readerId": "x"}}}"#);
    let handle = begun["handle"].as_u64().unwrap();
    break_with(recorder.step(handle, r#"[{"id": 77}]"#));
    recorder.finish()
}
