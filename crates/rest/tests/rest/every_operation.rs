//! Every operation of the store's public list is reached over HTTP, by an address of its own.

use crate::client::{Answer, call, open_store};
use monotable_rest::Rest;
use monotable_store::OPERATIONS;
use std::collections::BTreeSet;

/// A request, the status that it gets, and the operation that it is.
type Step = (&'static str, &'static str, &'static str, u16, &'static str);

const YGGDRASIL: &[Step] = &[
    (
        "POST",
        "entities/User",
        r#"{"UserId": "ann", "Email": "a@example.com", "PasswordHash": "horse"}"#,
        201,
        "create",
    ),
    (
        "POST",
        "entities/User",
        r#"{"UserId": "ben", "Email": "b@example.com", "PasswordHash": "horse"}"#,
        201,
        "create",
    ),
    (
        "POST",
        "entities/User/ann/secrets/PasswordHash",
        r#"{"text": "horse"}"#,
        200,
        "check_secret",
    ),
    (
        "PUT",
        "entities/Tree/ann/oak",
        r#"{"TreeName": "Oak"}"#,
        200,
        "put",
    ),
    ("GET", "entities/Tree/ann/oak", "", 200, "get"),
    (
        "PATCH",
        "entities/Tree/ann/oak",
        r#"{"set": {"TreeName": "Ash"}}"#,
        200,
        "update",
    ),
    (
        "POST",
        "transactions",
        r#"{"operations": [
            {"create": "Person", "values": {"UserId": "ann", "TreeId": "oak", "PersonId": "p", "FirstName": "a", "LastName": "b", "Gender": "Male"}},
            {"create": "Person", "values": {"UserId": "ann", "TreeId": "oak", "PersonId": "c", "FirstName": "a", "LastName": "b", "Gender": "Male"}}]}"#,
        200,
        "transact",
    ),
    (
        "POST",
        "relations/ParentChild",
        r#"{"UserId": "ann", "TreeId": "oak", "ParentId": "p", "ChildId": "c", "Type": "Biological"}"#,
        201,
        "attach",
    ),
    (
        "GET",
        "patterns/persons_of_tree?TreeId=oak",
        "",
        200,
        "query",
    ),
    ("DELETE", "relations/ParentChild/ann/p/c", "", 200, "detach"),
    (
        "POST",
        "moves/transfer_tree",
        r#"{"key": {"UserId": "ann", "TreeId": "oak"}, "set": {"UserId": "ben"}}"#,
        200,
        "move",
    ),
    ("DELETE", "entities/Tree/ben/oak", "", 200, "delete"),
];

const VALUES: &[Step] = &[
    (
        "POST",
        "repositories/values/u/commits",
        r#"{"values": {"message": "first", "source": "manual"}, "parent": null, "changes": []}"#,
        0,
        "commit",
    ),
    (
        "POST",
        "commits",
        r#"{"commits": [{"commit": "values", "key": {"userId": "w"}, "values": {"message": "m", "source": "manual"}}]}"#,
        0,
        "commit_all",
    ),
    ("GET", "repositories/values/u/log?limit=5", "", 0, "log"),
    ("GET", "repositories/values/u/rows", "", 0, "show"),
    ("GET", "repositories/values/u/diff?from=head", "", 0, "diff"),
    (
        "POST",
        "repositories/values/u/rollback",
        r#"{"to": "nothing"}"#,
        0,
        "rollback",
    ),
    (
        "POST",
        "repositories/values/u/revert",
        r#"{"to": "head", "values": {"message": "again", "source": "manual"}}"#,
        0,
        "revert",
    ),
    (
        "POST",
        "repositories/values/u/sweep",
        r#"{"older_than": 3600}"#,
        200,
        "sweep",
    ),
    (
        "POST",
        "carries/rollover",
        r#"{"key": {"userId": "u", "date": "2025-11-17"}}"#,
        0,
        "carry",
    ),
    (
        "POST",
        "purges",
        r#"{"owner": {"userId": "u"}}"#,
        200,
        "purge",
    ),
];

/// Whether the request was understood: an answer, or a refusal in words of the model.
fn is_understood(answer: &Answer) -> bool {
    let code = answer.json()["code"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    answer.status < 300 || ["NotFound", "Conflict", "Validation"].contains(&code.as_str())
}

#[tokio::test]
async fn every_operation_has_an_address() {
    let mut reached = BTreeSet::new();
    for (model, steps) in [("yggdrasil", YGGDRASIL), ("values", VALUES)] {
        let rest = Rest::new().with_store(open_store(model).await);
        for (method, path, body, status, operation) in steps {
            let answer = call(&rest, method, &format!("/v1/{model}/{path}"), body).await;
            if *status > 0 {
                assert_eq!(answer.status, *status, "{method} {path}: {}", answer.text);
            }
            assert!(is_understood(&answer), "{method} {path}: {}", answer.text);
            reached.insert(*operation);
        }
    }
    let all: BTreeSet<_> = OPERATIONS.iter().map(|entry| entry.name).collect();
    assert_eq!(reached, all);
}

#[tokio::test]
async fn every_operation_can_be_sent_as_its_json() {
    let rest = Rest::new().with_store(open_store("values").await);
    for entry in OPERATIONS {
        let key = r#""key": {"userId": "u"}"#;
        let body = match entry.name {
            "transact" => r#"{"transact": [{"create": "Nothing", "values": {}}]}"#.to_owned(),
            "commit_all" => format!(r#"{{"commit_all": [{{"commit": "values", {key}}}]}}"#),
            "purge" => r#"{"purge": {"userId": "u"}}"#.to_owned(),
            "create" | "put" | "attach" => {
                format!(r#"{{"{}": "Nothing", "values": {{}}}}"#, entry.name)
            }
            "query" => r#"{"query": "nothing"}"#.to_owned(),
            "check_secret" => {
                format!(r#"{{"check_secret": "Nothing", {key}, "attribute": "a", "text": "t"}}"#)
            }
            "diff" => format!(r#"{{"diff": "nothing", {key}, "from": "head"}}"#),
            "rollback" => format!(r#"{{"rollback": "nothing", {key}, "to": "x"}}"#),
            "revert" => format!(r#"{{"revert": "nothing", {key}, "to": "head"}}"#),
            "sweep" => format!(r#"{{"sweep": "nothing", {key}, "older_than": 1}}"#),
            name => format!(r#"{{"{name}": "nothing", {key}}}"#),
        };
        let answer = call(&rest, "POST", "/v1/values/operations", &body).await;
        let code = answer.json()["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(answer.status < 500, "{body}: {}", answer.text);
        assert_ne!(code, "BadRequest", "{body}: {}", answer.text);
    }
}
