//! `serve MODEL`: models on data that is kept, and the callers that `--auth` lets in.

use crate::http::send;
use crate::sandbox::{GUARD, Sandbox, Served};
use std::time::{Duration, Instant};

const JSON: &str = "Content-Type: application/json\r\n";

fn eventually(holds: impl Fn() -> bool) {
    let deadline = Instant::now() + GUARD;
    while !holds() {
        assert!(Instant::now() < deadline, "it never happens");
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// The SHA-256 of the keys that the tests use.
fn hash(key: &str) -> &'static str {
    match key {
        "first" => "a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e",
        "second" => "16367aacb67a4a017c8da8ab95682ccb390863780f7114dda0a0e0c55644c7c4",
        "fourth" => "dc81b1d371a4072be7fcfc3e1939f5bddae8bdc168846a50a78face975b9af63",
        _ => panic!("no hash of {key}"),
    }
}

/// A section of the file of `--auth`.
fn program_key(name: &str) -> String {
    let hash = hash(name);
    format!("[[key]]\nname = \"{name}\"\nsha256 = \"{hash}\"\nprogram = true\n\n")
}

/// The status of a request that is sent with a key.
fn list_notes(url: &str, key: &str) -> String {
    let line = "GET /v1/notes/patterns/notes_of_member?memberId=ada";
    let answer = send(url, line, &format!("X-Api-Key: {key}\r\n"), "");
    answer.split(' ').nth(1).unwrap().to_owned()
}

#[test]
fn a_model_that_would_not_find_its_rows_is_not_served() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let served = Served::start(&sandbox, &["model.toml"]);
    for (entity, row) in [
        (
            "Member",
            r#"{"memberId": "ada", "name": "Ada", "email": "ada@example.com"}"#,
        ),
        (
            "Note",
            r#"{"memberId": "ada", "topic": "engine", "text": "Cards can loop."}"#,
        ),
    ] {
        let line = format!("POST /v1/notes/entities/{entity}");
        let created = send(&served.url, &line, JSON, row);
        assert!(created.starts_with("HTTP/1.1 201"), "{created}");
    }
    served.stop();
    let model = std::fs::read_to_string(sandbox.path().join("model.toml")).unwrap();
    sandbox.write("model.toml", model.replace("NOTE#", "NT#"));
    let serve = ["serve", "model.toml", "--port", "0"];
    let outcome = sandbox.run(&serve);
    outcome.failed(254, "what is stored would not be found");
    // A pattern and a unique value more are no hindrance.
    let unique = "\n[entity.Member.unique.name]\nkey = \"NAME#{name:trim:lower}\"\n";
    sandbox.write("model.toml", format!("{model}{unique}"));
    Served::start(&sandbox, &["model.toml"]).stop();
}

#[test]
fn keys_of_callers_can_be_revoked_while_the_server_runs() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    sandbox.write("auth.toml", program_key("first") + &program_key("second"));
    let arguments = ["model.toml", "--in-memory", "--auth", "auth.toml"];
    let served = Served::start(&sandbox, &arguments);
    assert_eq!(list_notes(&served.url, "first"), "200");
    assert_eq!(list_notes(&served.url, "second"), "200");
    sandbox.write("auth.toml", program_key("second"));
    served.signal("HUP");
    eventually(|| list_notes(&served.url, "first") == "401");
    assert_eq!(list_notes(&served.url, "second"), "200");
    // A file that cannot be used changes nothing.
    sandbox.write("auth.toml", "[[key]]\nname = \"third\"\n");
    served.signal("HUP");
    sandbox.write("auth.toml", program_key("second") + &program_key("fourth"));
    // Signals that come close together may be one: the broken file has to be read before the next one is sent.
    std::thread::sleep(Duration::from_millis(300));
    served.signal("HUP");
    eventually(|| list_notes(&served.url, "fourth") == "200");
    assert_eq!(list_notes(&served.url, "first"), "401");
    served.stop();
}

#[test]
fn a_broken_file_of_callers_is_refused_and_the_old_one_stays() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    sandbox.write("auth.toml", program_key("first"));
    let arguments = ["model.toml", "--in-memory", "--auth", "auth.toml"];
    let served = Served::start(&sandbox, &arguments);
    sandbox.write("auth.toml", "[[key]]\nname = \"second\"\n");
    served.signal("HUP");
    for _ in 0..10 {
        std::thread::sleep(Duration::from_millis(30));
        assert_eq!(list_notes(&served.url, "first"), "200");
    }
    let outcome = served.stop();
    let words = "issuers, keys and limits stay as they were";
    assert!(outcome.stderr.contains(words), "{outcome:?}");
    assert!(outcome.stderr.contains("auth.toml"), "{outcome:?}");
}

#[test]
fn a_key_for_a_model_that_is_not_served_is_mentioned() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let key = program_key("first");
    let text = format!("{}models = [\"ntoes\"]\n", key.trim_end().to_owned() + "\n");
    sandbox.write("auth.toml", text);
    let arguments = ["model.toml", "--in-memory", "--auth", "auth.toml"];
    let outcome = Served::start(&sandbox, &arguments).stop();
    let words = "the key first is for the model `ntoes`, which is not served here";
    assert!(outcome.stderr.contains(words), "{outcome:?}");
}

#[test]
fn the_access_log_tells_who_called_what_and_why_it_was_refused() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init"]).succeeded();
    let reader = format!(
        "[[key]]\nname = \"second\"\nsha256 = \"{}\"\nmodels = [\"others\"]\nprogram = true\n",
        hash("second")
    );
    sandbox.write("auth.toml", program_key("first") + &reader);
    let arguments = [
        "model.toml",
        "--in-memory",
        "--auth",
        "auth.toml",
        "--access-log",
        "access.log",
    ];
    let served = Served::start(&sandbox, &arguments);
    let key = format!("{JSON}X-Api-Key: first\r\n");
    let member = r#"{"memberId": "hidden-id", "name": "Ada", "email": "ada@example.com"}"#;
    let create = "POST /v1/notes/entities/Member";
    let read = "GET /v1/notes/patterns/notes_of_member?memberId=hidden-id";
    let strange = r#"{"create": "hidden-entity", "values": {}}"#;
    send(&served.url, create, &key, member);
    send(&served.url, create, &key, member);
    send(&served.url, read, "X-Api-Key: first\r\n", "");
    send(&served.url, read, "X-Api-Key: hidden-key\r\n", "");
    send(&served.url, read, "X-Api-Key: second\r\n", "");
    send(&served.url, "POST /v1/notes/operations", &key, strange);
    served.stop();
    let log = std::fs::read_to_string(sandbox.path().join("access.log")).unwrap();
    assert!(!log.contains("hidden"), "{log}");
    let lines = log.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| line[name].as_str().unwrap_or("-").to_owned();
        let flags = (line["verified"] == true, line["refused"] == true);
        let status = line["status"].as_u64().unwrap();
        (status, text("operation"), text("key"), text("error"), flags)
    });
    let lines: Vec<_> = lines.collect();
    let wanted = [
        (201, "create Member", "key first", "-", (true, false)),
        (409, "create Member", "key first", "Conflict", (true, false)),
        (
            200,
            "query notes_of_member",
            "key first",
            "-",
            (true, false),
        ),
        (401, "/v1", "-", "Unauthorized", (false, true)),
        (403, "/v1", "-", "Forbidden", (false, true)),
        (400, "create", "key first", "Usage", (true, false)),
    ];
    for (line, wanted) in lines.iter().zip(wanted) {
        let (status, operation, key, error, flags) = line;
        let found = (*status, &**operation, &**key, &**error, *flags);
        assert_eq!(found, wanted);
    }
    assert_eq!(lines.len(), wanted.len());
}
