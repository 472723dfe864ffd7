//! Exported policies of roles, as a server judges by them.
#![cfg(feature = "aws")]

use crate::sandbox::{Outcome, Sandbox, Served};
use std::fmt::Write;

/// A server with the sample data of the authorization model, whose keys have exported policies.
fn serve(sandbox: &Sandbox, roles: &[(&str, &[&str])]) -> Served {
    sandbox
        .run(&["seed", "-m", "authorization", "--store", "data"])
        .succeeded();
    let mut keys = String::new();
    for (name, words) in roles {
        let words = [&["export", "iam-policy", "authorization", "--role"], *words].concat();
        let policy = sandbox.run(&words).succeeded().stdout;
        sandbox.write(&format!("{name}.json"), policy);
        let key = name.to_uppercase();
        writeln!(
            keys,
            "[{name}]\naws_access_key_id = AKID{key}\naws_secret_access_key = hunter2\npolicy = {name}.json"
        )
        .unwrap();
    }
    sandbox.write("keys.ini", keys);
    Served::start(sandbox, &["--store", "data", "--credentials", "keys.ini"])
}

fn run(sandbox: &Sandbox, served: &Served, role: &str, words: &[&str]) -> Outcome {
    let mut command = sandbox.command();
    command.env("AWS_ACCESS_KEY_ID", format!("AKID{}", role.to_uppercase()));
    command
        .env("AWS_SECRET_ACCESS_KEY", "hunter2")
        .env("AWS_REGION", "us-east-1");
    let words = [words, &["--endpoint-url", &served.url]].concat();
    Outcome::of(command.args(words).output().unwrap())
}

#[test]
fn a_reader_asks_its_patterns_and_no_others() {
    let sandbox = Sandbox::new();
    let narrow = [
        "reader",
        "--pattern",
        "tenant_by_name",
        "--pattern",
        "role_by_id",
    ];
    let served = serve(&sandbox, &[("narrow", &narrow), ("wide", &["reader"])]);
    let query = |role: &str, pattern: &str, parameter: &str| {
        let words = ["query", "-m", "authorization", pattern, parameter];
        run(&sandbox, &served, role, &words)
    };
    for role in ["narrow", "wide"] {
        query(role, "tenant_by_name", "name=nobody").succeeded();
        query(role, "role_by_id", "roleId=01ARZ3NDEKTSV4RRFFQ69G5FAV").succeeded();
    }
    let user = "userId=01ARZ3NDEKTSV4RRFFQ69G5FAV";
    query("narrow", "user_by_id", user).failed(254, "AccessDenied");
    let allowed = query("wide", "user_by_id", user);
    assert!(!allowed.stderr.contains("AccessDenied"), "{allowed:?}");
    // Nobody who reads writes.
    let words = ["create", "-m", "authorization", "Tenant", "name=new"];
    run(&sandbox, &served, "wide", &words).failed(254, "AccessDenied");
    served.stop();
}

#[test]
fn a_program_writes_rows_and_changes_no_table() {
    let sandbox = Sandbox::new();
    let served = serve(
        &sandbox,
        &[("program", &["program"]), ("operator", &["operator"])],
    );
    let words = ["create", "-m", "authorization", "Tenant", "name=new"];
    run(&sandbox, &served, "program", &words).succeeded();
    let words = ["query", "-m", "authorization", "tenant_by_name", "name=new"];
    let found = run(&sandbox, &served, "program", &words).succeeded();
    assert!(found.stdout.contains("\"new\""), "{found:?}");
    let drop = ["table", "delete", "Authorization", "--yes"];
    for role in ["program", "operator"] {
        run(&sandbox, &served, role, &drop).failed(254, "AccessDenied");
    }
    run(
        &sandbox,
        &served,
        "operator",
        &["setup", "-m", "authorization"],
    )
    .succeeded();
    run(
        &sandbox,
        &served,
        "operator",
        &["verify", "-m", "authorization"],
    )
    .succeeded();
    run(
        &sandbox,
        &served,
        "operator",
        &["backup", "-m", "authorization", "saved"],
    )
    .succeeded();
    served.stop();
}
