//! Rows created, read, changed, related, moved and deleted.

use super::{Rows, words};
use crate::check::GOOD;
use serde_json::json;

#[test]
fn a_row_lives() {
    let rows = Rows::new();
    let user = rows.json("create User UserId=ada Email=ada@example.com PasswordHash=x");
    assert_eq!(user["UserId"], "ada");
    assert!(user["CreatedAt"].is_string(), "{user}");
    assert!(user.get("PasswordHash").is_none(), "{user}");
    let tree =
        r#"{"UserId": "ada", "TreeId": "byron", "TreeName": "Byron", "SharedWith": ["mary"]}"#;
    let created = rows
        .sandbox
        .feed(&words("create Tree"), tree.as_bytes())
        .succeeded();
    let created: serde_json::Value = serde_json::from_str(&created.stdout).unwrap();
    assert_eq!(created["SharedWith"], json!(["mary"]));
    assert_eq!(rows.json("get Tree UserId=ada TreeId=byron"), created);

    let line = "update Tree UserId=ada TreeId=byron --set IsPublic=true --set Description= --append SharedWith=bob";
    // An empty text is none where the model wants one character at least.
    rows.run(line).failed(2, "`Description` must not be empty");
    let line = "update Tree UserId=ada TreeId=byron --set IsPublic=true --append SharedWith=bob --append SharedWith=eve";
    let updated = rows.json(line);
    assert_eq!(updated["IsPublic"], true);
    assert_eq!(updated["SharedWith"], json!(["mary", "bob", "eve"]));
    let cleared = rows.json("update Tree UserId=ada TreeId=byron --unset SharedWith");
    assert!(cleared.get("SharedWith").is_none(), "{cleared}");

    let put = "put User UserId=ada Email=ada@example.com PasswordHash=x";
    assert_eq!(
        rows.json(&format!("{put} DisplayName=Ada"))["DisplayName"],
        "Ada"
    );
    let put = rows.json(put);
    assert!(put.get("DisplayName").is_none(), "{put}");
    let deleted = rows.json("delete Tree UserId=ada TreeId=byron");
    assert_eq!(deleted["TreeName"], "Byron");
    rows.run("get Tree UserId=ada TreeId=byron")
        .failed(254, "NotFound: there is no Tree");
}

#[test]
fn attributes_come_as_words_or_as_json() {
    let rows = Rows::new();
    let user =
        |id: &str| format!(r#"{{"UserId":"{id}","Email":"{id}@example.com","PasswordHash":"x"}}"#);
    rows.sandbox.write("user.json", user("ada"));
    rows.run("create User --json user.json").succeeded();
    let fed = rows
        .sandbox
        .feed(&words("create User --json -"), user("bob").as_bytes());
    fed.succeeded();
    rows.sandbox
        .run(&["create", "-m", "model.toml", "User", &user("eve")])
        .succeeded();
    let typed =
        r#"{"UserId":{"S":"kim"},"Email":{"S":"kim@example.com"},"PasswordHash":{"S":"x"}}"#;
    let fed = rows
        .sandbox
        .feed(&words("put User --ddb-json"), typed.as_bytes());
    assert!(fed.succeeded().stdout.contains(r#""S": "kim""#));
    for id in ["ada", "bob", "eve", "kim"] {
        rows.run(&format!("get User UserId={id}")).succeeded();
    }
    let fed = rows.sandbox.feed(&words("create User"), b"[1]");
    fed.failed(255, "stdin: not a JSON object");
    // Nothing on stdin is no attributes.
    rows.run("create User").failed(2, "`Email` is required");
    rows.run("create User --json nowhere")
        .failed(255, "cannot read nowhere");
}

#[test]
fn rows_are_related_and_move() {
    let rows = Rows::with_persons(2);
    let attach = "attach ParentChild UserId=ada TreeId=byron Type=Biological";
    rows.json(&format!("{attach} ParentId=p0 ChildId=p1"));
    rows.run(&format!("{attach} ParentId=p1 ChildId=p0"))
        .failed(254, "Conflict: A person cannot be their own ancestor.");
    let page = rows.json("query children_of_person UserId=ada ParentId=p0");
    assert_eq!(page["rows"][0]["ChildId"], "p1");
    assert_eq!(page["followed"][0]["PersonId"], "p1");
    assert_eq!(page["followed"][0]["@entity"], "Person");
    assert_eq!(page["dangling"], json!([]));
    let lines = rows
        .run("query children_of_person UserId=ada ParentId=p0 --output jsonl")
        .succeeded();
    let lines: Vec<&str> = lines.stdout.lines().collect();
    assert!(lines[0].starts_with(r#"{"ChildId":"p1""#), "{lines:?}");
    assert!(
        lines[1].starts_with(r#"{"@followed":{"@entity":"Person""#),
        "{lines:?}"
    );
    let table = rows
        .run("query whole_tree TreeId=byron --output table")
        .succeeded()
        .stdout;
    assert!(table.starts_with("@entity"), "{table}");

    rows.run("create User UserId=mary Email=mary@example.com PasswordHash=x")
        .succeeded();
    let moved = rows.json("move transfer_tree UserId=ada TreeId=byron --set UserId=mary");
    assert_eq!(moved["UserId"], "mary");
    let persons = rows.json("query persons_of_tree TreeId=byron");
    assert_eq!(persons["rows"][0]["UserId"], "mary");
    rows.run("detach ParentChild UserId=mary ParentId=p0 ChildId=p1")
        .succeeded();
    rows.run("verify").succeeded();
}

#[test]
fn a_caller_sees_what_it_may() {
    let rows = Rows::with_persons(0);
    rows.run("update Tree UserId=ada TreeId=byron --append SharedWith=mary")
        .succeeded();
    let get = |caller: &str| {
        rows.run(&format!(
            "get Tree UserId=ada TreeId=byron --as UserId={caller}"
        ))
    };
    get("ada").succeeded();
    get("mary").succeeded();
    get("eve").failed(254, "NotFound");
    let query = |caller: &str| {
        let page = rows.json(&format!(
            "query trees_of_user UserId=ada --as UserId={caller}"
        ));
        page["rows"].as_array().unwrap().len()
    };
    assert_eq!([query("ada"), query("mary"), query("eve")], [1, 1, 0]);
    let line = "update Tree UserId=ada TreeId=byron --set TreeName=Mine --as UserId=mary";
    rows.run(line).failed(254, "Forbidden");
}

#[test]
fn a_dry_run_writes_nothing() {
    let rows = Rows::new();
    let create = "create User UserId=ada Email=ada@example.com PasswordHash=x";
    let dry = rows.run(&format!("{create} --dry-run")).succeeded();
    assert!(dry.stderr.contains("nothing was written"), "{dry:?}");
    assert!(!rows.sandbox.path().join("data").exists());
    rows.run(create).succeeded();
    // What is read is held against the model all the same.
    rows.run("delete User UserId=bob --dry-run")
        .failed(254, "NotFound");
    rows.run("delete User UserId=ada --dry-run").succeeded();
    rows.run("get User UserId=ada").succeeded();
}

#[test]
fn a_token_names_a_call() {
    let rows = Rows::new();
    let create = "create User Email=ada@example.com PasswordHash=x --token once";
    let first = rows.json(create);
    let again = rows.json(create);
    assert_eq!(first["UserId"], again["UserId"]);
}

#[test]
fn settings_are_heard() {
    let rows = Rows::new();
    rows.run("create User UserId=ada Email=ada@example.com --setting auth=aws")
        .failed(2, "`CognitoUsername` is required");
    rows.run("create User UserId=ada Email=ada@example.com CognitoUsername=ada --setting auth=aws")
        .succeeded();
    rows.run("get User UserId=ada --setting other=1")
        .failed(2, "tree_shares");
    rows.run("get User UserId=ada --setting auth=other")
        .failed(2, "--setting: auth must be local | aws");
    rows.run("get User UserId=ada --as UserId=")
        .failed(2, "--as: UserId must be");
}

#[test]
fn tenants_are_kept_apart() {
    let rows = Rows::new();
    let tenants =
        "[tenant]\nname = \"site\"\ntype = \"text, matches = /[a-z]+/\"\nprefix = \"{site}/\"\n";
    let model = GOOD.replace("[table.Small]", &format!("{tenants}\n[table.Small]"));
    rows.sandbox.write("model.toml", model);
    let user = rows.json("create User name=Ada --tenant a");
    let id = user["userId"].as_str().unwrap();
    rows.run(&format!("get User userId={id} --tenant a"))
        .succeeded();
    rows.run(&format!("get User userId={id} --tenant b"))
        .failed(254, "NotFound");
    rows.run(&format!("get User userId={id}"))
        .failed(2, "add --tenant");
    rows.run(&format!("get User userId={id} --tenant a/b"))
        .failed(2, "--tenant must be");
}
