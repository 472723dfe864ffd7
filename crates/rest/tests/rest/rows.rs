//! Rows over HTTP: what a client of any language relies on.

use crate::client::{Answer, call, call_with, open_store, request, send};
use monotable_rest::Rest;
use std::net::IpAddr;

const USER: &str =
    r#"{"UserId": "ann", "Email": "ann@example.com", "PasswordHash": "correct horse"}"#;
const TREE: &str = r#"{"UserId": "ann", "TreeId": "oak", "TreeName": "Oak"}"#;
const OAK: &str = "/v1/yggdrasil/entities/Tree/ann/oak";

async fn yggdrasil() -> Rest {
    let rest = Rest::new().with_store(open_store("yggdrasil").await);
    assert_eq!(create(&rest, "User", USER).await.status, 201);
    assert_eq!(create(&rest, "Tree", TREE).await.status, 201);
    rest
}

async fn create(rest: &Rest, entity: &str, body: &str) -> Answer {
    call(
        rest,
        "POST",
        &format!("/v1/yggdrasil/entities/{entity}"),
        body,
    )
    .await
}

#[tokio::test]
async fn a_new_row_says_where_it_is() {
    let rest = yggdrasil().await;
    let made = create(
        &rest,
        "Tree",
        r#"{"UserId": "ann", "TreeId": "a-1", "TreeName": "x"}"#,
    )
    .await;
    assert_eq!(
        made.header("location"),
        "/v1/yggdrasil/entities/Tree/ann/a-1"
    );
    let read = call(&rest, "GET", made.header("location"), "").await;
    assert_eq!((read.status, &read.text), (200, &made.text));
    assert_eq!(read.header("etag"), made.header("etag"));
    assert_eq!(read.json()["$entity"], "Tree");
    assert_eq!(read.header("cache-control"), "no-store");
}

#[tokio::test]
async fn the_tag_of_a_row_guards_it() {
    let rest = yggdrasil().await;
    let read = call(&rest, "GET", OAK, "").await;
    let tag = read.header("etag").to_owned();
    let known = call_with(&rest, "GET", OAK, &[("if-none-match", &tag)], "").await;
    assert_eq!((known.status, known.text.as_str()), (304, ""));
    let patch = |tag: String, name: &str| {
        let headers = [
            (
                "content-type".to_owned(),
                "application/merge-patch+json".to_owned(),
            ),
            ("if-match".to_owned(), tag),
        ];
        let body = format!(r#"{{"TreeName": "{name}"}}"#);
        (headers, body)
    };
    let change = |tag: String, name: &'static str| {
        let rest = &rest;
        async move {
            let (headers, body) = patch(tag, name);
            let headers: Vec<_> = headers
                .iter()
                .map(|(n, v)| (n.as_str(), v.as_str()))
                .collect();
            call_with(rest, "PATCH", OAK, &headers, &body).await
        }
    };
    let first = change(tag.clone(), "First").await;
    assert_eq!(first.status, 200, "{}", first.text);
    assert_ne!(first.header("etag"), tag);
    let second = change(tag.clone(), "Second").await;
    assert_eq!(
        (second.status, second.json()["code"].as_str()),
        (412, Some("PreconditionFailed"))
    );
    let weak = change(format!("W/{}", first.header("etag")), "Weak").await;
    assert_eq!(weak.status, 412);
    let third = change(format!("\"zzz\", {}", first.header("etag")), "Third").await;
    assert_eq!(third.status, 200, "{}", third.text);
    let gone = call_with(&rest, "DELETE", OAK, &[("if-match", &tag)], "").await;
    assert_eq!(gone.status, 412);
    let gone = call_with(
        &rest,
        "DELETE",
        OAK,
        &[("if-match", third.header("etag"))],
        "",
    )
    .await;
    assert_eq!(
        (gone.status, gone.json()["TreeName"].as_str()),
        (200, Some("Third"))
    );
}

#[tokio::test]
async fn a_put_can_demand_that_there_is_no_row() {
    let rest = yggdrasil().await;
    let headers = [("content-type", "application/json"), ("if-none-match", "*")];
    let body = r#"{"TreeName": "Elm"}"#;
    let elm = "/v1/yggdrasil/entities/Tree/ann/elm";
    assert_eq!(
        call_with(&rest, "PUT", elm, &headers, body).await.status,
        200
    );
    let again = call_with(&rest, "PUT", elm, &headers, body).await;
    assert_eq!(
        (again.status, again.json()["code"].as_str()),
        (412, Some("PreconditionFailed"))
    );
    let other = r#"{"TreeId": "ash", "TreeName": "Elm"}"#;
    let refused = call(&rest, "PUT", elm, other).await;
    assert_eq!(refused.status, 400);
    assert!(
        refused.json()["detail"]
            .as_str()
            .unwrap()
            .contains("TreeId")
    );
}

#[tokio::test]
async fn a_merge_patch_removes_by_null_and_merges_objects() {
    let rest = Rest::new().with_store(open_store("formkiq").await);
    let made = call(
        &rest,
        "POST",
        "/v1/formkiq/entities/Document",
        r#"{"documentId": "d", "path": "a", "contentType": "text/plain", "userId": "ann"}"#,
    )
    .await;
    assert_eq!(made.status, 201, "{}", made.text);
    let patch = [("content-type", "application/merge-patch+json")];
    let address = made.header("location").to_owned();
    let send = |body: &'static str| call_with(&rest, "PATCH", &address, &patch, body);
    let merged = send(r#"{"extra": {"a": {"b": 1, "c": 2}}}"#).await;
    assert_eq!(merged.status, 200, "{}", merged.text);
    let merged = send(r#"{"extra": {"a": {"c": null, "d": 3}}, "contentType": null}"#).await;
    assert_eq!(
        merged.json()["extra"],
        serde_json::json!({"a": {"b": 1, "d": 3}})
    );
    assert_eq!(merged.json().get("contentType"), None);
}

#[tokio::test]
async fn every_wrong_value_is_told_with_its_declaration() {
    let rest = yggdrasil().await;
    let body =
        r#"{"UserId": "ann", "TreeId": 5, "TreeName": "", "IsPublic": "yes", "Nonsense": 1}"#;
    let refused = create(&rest, "Tree", body).await;
    assert_eq!(
        (refused.status, refused.header("content-type")),
        (400, "application/problem+json")
    );
    let problem = refused.json();
    assert_eq!(problem["code"], "Validation");
    let fields: Vec<(&str, &str, &str)> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| {
            let text = |name: &str| field[name].as_str().unwrap_or_default();
            (text("attribute"), text("problem"), text("declaration"))
        })
        .collect();
    assert_eq!(
        fields,
        [
            ("IsPublic", "wrong", "entity.Tree.attributes.IsPublic"),
            ("Nonsense", "unknown", "entity.Tree.attributes"),
            ("TreeId", "wrong", "entity.Tree.attributes.TreeId"),
            ("TreeName", "empty", "entity.Tree.attributes.TreeName"),
        ]
    );
    assert_eq!(problem["errors"][0]["given"], "yes");
    assert_eq!(problem["errors"][0]["wanted"], "boolean");
    let taken = create(&rest, "User", &USER.replace("\"ann\"", "\"ben\"")).await;
    assert_eq!(taken.status, 409);
    assert_eq!(taken.json()["declaration"], "entity.User.unique.Email");
    let message = "Another user has this e-mail address.";
    assert_eq!(taken.json()["message"], message);
    assert_eq!(taken.json()["clash"]["is"], "unique");
    let secret = create(
        &rest,
        "User",
        r#"{"UserId": "eve", "Email": "e@example.com", "PasswordHash": 12345}"#,
    )
    .await;
    assert_eq!(secret.status, 400);
    assert!(!secret.text.contains("12345"), "{}", secret.text);
}

#[tokio::test]
async fn a_call_with_a_name_happens_once() {
    let rest = yggdrasil().await;
    let headers = [
        ("content-type", "application/json"),
        ("idempotency-key", "k-1"),
    ];
    let body = r#"{"UserId": "ann", "TreeName": "Generated"}"#;
    let address = "/v1/yggdrasil/entities/Tree";
    let first = call_with(&rest, "POST", address, &headers, body).await;
    let second = call_with(&rest, "POST", address, &headers, body).await;
    assert_eq!(first.status, 201, "{}", first.text);
    assert_eq!(first.json()["TreeId"], second.json()["TreeId"]);
    let other = call_with(
        &rest,
        "POST",
        address,
        &headers,
        &body.replace("Generated", "Other"),
    )
    .await;
    assert_eq!(
        (other.status, other.json()["clash"]["is"].as_str()),
        (409, Some("token_mismatch"))
    );
}

#[tokio::test]
async fn a_call_with_a_name_and_a_tag_is_answered_again() {
    let rest = yggdrasil().await;
    let tag = call(&rest, "GET", OAK, "").await.header("etag").to_owned();
    let patch = async |key: &str, name: &str| {
        let headers = [
            ("content-type", "application/merge-patch+json"),
            ("if-match", tag.as_str()),
            ("idempotency-key", key),
        ];
        let body = format!(r#"{{"TreeName": "{name}"}}"#);
        call_with(&rest, "PATCH", OAK, &headers, &body).await
    };
    let first = patch("k-1", "Renamed").await;
    assert_eq!(first.status, 200, "{}", first.text);
    let again = patch("k-1", "Renamed").await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(again.header("etag"), first.header("etag"));
    // Another call cannot have the name, and another name is another call.
    let other = patch("k-1", "Other").await;
    assert_eq!(
        (other.status, other.json()["clash"]["is"].as_str()),
        (409, Some("token_mismatch"))
    );
    assert_eq!(patch("k-2", "Renamed").await.status, 412);
    let other_tag = [
        ("content-type", "application/merge-patch+json"),
        ("if-match", first.header("etag")),
        ("idempotency-key", "k-1"),
    ];
    let other_tag = call_with(
        &rest,
        "PATCH",
        OAK,
        &other_tag,
        r#"{"TreeName": "Renamed"}"#,
    )
    .await;
    assert_eq!(other_tag.status, 409, "{}", other_tag.text);

    let headers = [
        ("if-match", first.header("etag")),
        ("idempotency-key", "k-3"),
    ];
    let gone = call_with(&rest, "DELETE", OAK, &headers, "").await;
    assert_eq!(gone.status, 200, "{}", gone.text);
    let again = call_with(&rest, "DELETE", OAK, &headers, "").await;
    assert_eq!(again.status, 200, "{}", again.text);
    assert_eq!(again.json()["TreeId"], "oak");
    // The row of the change is gone by now: the answer has its key.
    let late = patch("k-1", "Renamed").await;
    assert_eq!(
        (late.status, late.json()["TreeId"].as_str()),
        (200, Some("oak"))
    );
}

#[tokio::test]
async fn a_merged_object_with_a_name_is_merged_once() {
    let rest = Rest::new().with_store(open_store("formkiq").await);
    let body = r#"{"documentId": "d", "path": "a", "contentType": "text/plain", "userId": "ann"}"#;
    let made = call(&rest, "POST", "/v1/formkiq/entities/Document", body).await;
    let address = made.header("location");
    let patch = async |key: &str, body: &str| {
        let headers = [
            ("content-type", "application/merge-patch+json"),
            ("idempotency-key", key),
        ];
        call_with(&rest, "PATCH", address, &headers, body).await
    };
    let first = patch("k-1", r#"{"extra": {"a": 1, "b": {"c": 2}}}"#).await;
    assert_eq!(first.status, 200, "{}", first.text);
    let second = patch("k-2", r#"{"extra": {"a": 3}}"#).await;
    assert_eq!(second.status, 200, "{}", second.text);
    let again = patch("k-1", r#"{"extra": {"a": 1, "b": {"c": 2}}}"#).await;
    assert_eq!((again.status, again.text), (200, second.text));
}

#[tokio::test]
async fn a_change_says_once_what_becomes_of_an_attribute() {
    let rest = yggdrasil().await;
    let headers = [("content-type", "application/json")];
    let body = r#"{"set": {"TreeName": "x"}, "unset": ["TreeName"]}"#;
    let answer = call_with(&rest, "PATCH", OAK, &headers, body).await;
    assert_eq!(answer.status, 400, "{}", answer.text);
    assert!(answer.text.contains("`TreeName` twice"), "{}", answer.text);
    // A wrong member is told which members there are, without those that the address says already.
    let wrong = call_with(&rest, "PATCH", OAK, &headers, r#"{"colour": 1}"#).await;
    assert_eq!(wrong.status, 400, "{}", wrong.text);
    assert!(wrong.text.contains("`unset`"), "{}", wrong.text);
    for said in ["`update`", "`key`"] {
        assert!(!wrong.text.contains(said), "{}", wrong.text);
    }
}

#[tokio::test]
async fn a_row_that_is_too_large_names_its_largest_value() {
    let rest = Rest::new().with_store(open_store("formkiq").await);
    let long = "x".repeat(450_000);
    let body = format!(
        r#"{{"documentId": "d", "path": "a", "contentType": "text/plain", "userId": "ann", "extra": {{"a": "{long}"}}}}"#
    );
    let answer = call(&rest, "POST", "/v1/formkiq/entities/Document", &body).await;
    assert_eq!(answer.status, 400, "{}", answer.text);
    assert_eq!(answer.json()["code"], "Validation");
    assert!(answer.text.contains("`extra`"), "{}", answer.text);
}

#[tokio::test]
async fn words_that_cannot_be_used_have_a_title_that_is_true_of_them() {
    let rest = yggdrasil().await;
    let pattern = "/v1/yggdrasil/patterns/trees_of_user?UserId=ann";
    for words in ["&limit=0", "&cursor=nonsense"] {
        let answer = call(&rest, "GET", &format!("{pattern}{words}"), "").await;
        assert_eq!(answer.status, 400, "{words}: {}", answer.text);
        let title = answer.json()["title"].as_str().unwrap().to_owned();
        assert!(!title.contains("no such"), "{words}: {title}");
    }
    let unknown = call(&rest, "GET", &format!("{pattern}&Colour=1"), "").await;
    let said = "`Colour` is no parameter of the access pattern";
    assert!(unknown.text.contains(said), "{}", unknown.text);
    let wrong = create(&rest, "Tree", r#"{"UserId": 5, "TreeName": "x"}"#).await;
    assert!(wrong.text.contains("given is 5)"), "{}", wrong.text);
    let wrong = r#"{"UserId": "ann", "TreeName": "x", "SharedWith": [1, {"a": 2}]}"#;
    let wrong = create(&rest, "Tree", wrong).await.json();
    let told = wrong["detail"].as_str().unwrap();
    assert!(told.contains(r#"given is [1,{"a":2}])"#), "{told}");
}

#[tokio::test]
async fn a_tag_is_refused_where_there_is_no_row_to_compare() {
    let rest = yggdrasil().await;
    let headers = [("content-type", "application/json"), ("if-match", "\"x\"")];
    let body = r#"{"UserId": "ann", "TreeName": "New"}"#;
    let answer = call_with(&rest, "POST", "/v1/yggdrasil/entities/Tree", &headers, body).await;
    assert_eq!(answer.status, 400, "{}", answer.text);
    assert!(answer.text.contains("If-Match"), "{}", answer.text);
}

#[tokio::test]
async fn pages_go_on_and_lines_need_no_pages() {
    let rest = yggdrasil().await;
    for number in 0..25 {
        let body = format!(
            r#"{{"UserId": "ann", "TreeId": "oak", "PersonId": "p{number:02}", "FirstName": "a", "LastName": "b", "Gender": "Male"}}"#
        );
        let made = create(&rest, "Person", &body).await;
        assert_eq!(made.status, 201, "{}", made.text);
    }
    let address = "/v1/yggdrasil/patterns/persons_of_tree?TreeId=oak";
    let page = call(&rest, "GET", &format!("{address}&limit=10"), "")
        .await
        .json();
    assert_eq!(page["rows"].as_array().unwrap().len(), 10);
    let cursor = monotable_rest::percent::encode(page["cursor"].as_str().unwrap());
    let next = call(
        &rest,
        "GET",
        &format!("{address}&limit=10&cursor={cursor}"),
        "",
    )
    .await
    .json();
    assert_eq!(next["rows"][0]["PersonId"], "p10");
    let lines = [("accept", "application/jsonl")];
    let all = call_with(&rest, "GET", address, &lines, "").await;
    assert_eq!(all.header("content-type"), "application/jsonl");
    let ids = all.text.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["PersonId"].as_str().unwrap().to_owned()
    });
    let ids = ids.collect::<Vec<_>>();
    assert_eq!(
        (
            ids.len(),
            ids.first().map(String::as_str),
            ids.last().map(String::as_str)
        ),
        (25, Some("p00"), Some("p24"))
    );
    let some = call_with(&rest, "GET", &format!("{address}&limit=7"), &lines, "").await;
    let last = some.text.lines().last().unwrap();
    assert_eq!(some.text.lines().count(), 8);
    assert!(last.starts_with("{\"$cursor\":"), "{last}");
    let refused = call_with(
        &rest,
        "GET",
        "/v1/yggdrasil/patterns/persons_of_tree",
        &lines,
        "",
    )
    .await;
    assert_eq!(
        (refused.status, refused.header("content-type")),
        (400, "application/problem+json")
    );
}

#[tokio::test]
async fn numbers_keep_all_of_their_digits() {
    let rest = Rest::new().with_store(open_store("formkiq").await);
    let digits = "0.12345678901234567890123456789012345678";
    let body = format!(
        r#"{{"documentId": "d", "path": "a", "userId": "ann", "exact": {digits}, "nested": {{"n": [9007199254740993]}}}}"#
    );
    let made = call(&rest, "POST", "/v1/formkiq/entities/Document", &body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let read = call(&rest, "GET", made.header("location"), "").await;
    assert!(
        read.text.contains(&format!("\"exact\":{digits}")),
        "{}",
        read.text
    );
    assert!(read.text.contains("[9007199254740993]"), "{}", read.text);
}

#[tokio::test]
async fn explanations_and_dry_runs_write_nothing() {
    let rest = yggdrasil().await;
    let body = r#"{"UserId": "ann", "TreeId": "elm", "TreeName": "Elm"}"#;
    let address = "/v1/yggdrasil/entities/Tree";
    let explained = call(&rest, "POST", &format!("{address}?explain=true"), body).await;
    assert_eq!(
        explained.header("content-type"),
        "application/vnd.monotable.explanation+json"
    );
    let json = explained.json();
    let operations: Vec<_> = json["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["operation"].as_str().unwrap().to_owned())
        .collect();
    assert!(
        operations.contains(&"TransactWriteItems".to_owned()),
        "{operations:?}"
    );
    assert!(json["units"]["write"].as_f64().unwrap() > 0.0);
    let tried = call(&rest, "POST", &format!("{address}?dry-run=true"), body).await;
    assert_eq!(
        (tried.status, tried.json()["TreeId"].as_str()),
        (200, Some("elm"))
    );
    let read = call(&rest, "GET", "/v1/yggdrasil/entities/Tree/ann/elm", "").await;
    assert_eq!(
        (read.status, read.json()["code"].as_str()),
        (404, Some("NotFound"))
    );
    let refused = call(
        &rest,
        "DELETE",
        "/v1/yggdrasil/entities/Tree/ann/elm?explain=true",
        "",
    )
    .await;
    assert_eq!(refused.json()["problem"]["code"], "NotFound");
}

#[tokio::test]
async fn requests_that_make_no_sense_are_refused() {
    let rest = yggdrasil().await;
    let cases = [
        ("GET", "/v1/nothing/entities/Tree", "", 404),
        ("GET", "/v1/yggdrasil/nothing", "", 404),
        ("GET", "/v1/yggdrasil/entities/Nothing/a", "", 404),
        ("GET", "/v1/yggdrasil/entities/Tree/ann", "", 404),
        ("GET", "/v1/yggdrasil/entities/Tree/ann/oak/x", "", 404),
        ("GET", "/v1/yggdrasil/entities/Tree/%zz/oak", "", 400),
        (
            "GET",
            "/v1/yggdrasil/entities/Tree/ann/oak?nonsense=1",
            "",
            400,
        ),
        (
            "GET",
            "/v1/yggdrasil/entities/Tree/ann/oak?explain=1",
            "",
            400,
        ),
        (
            "GET",
            "/v1/yggdrasil/entities/Tree/ann/oak?explain=true&explain=true",
            "",
            400,
        ),
        ("GET", "/v1/yggdrasil/patterns/nothing", "", 404),
        (
            "GET",
            "/v1/yggdrasil/patterns/persons_of_tree?TreeId=oak&Nonsense=1",
            "",
            400,
        ),
        (
            "GET",
            "/v1/yggdrasil/patterns/persons_of_tree?TreeId=oak&cursor=zzz",
            "",
            400,
        ),
        ("POST", "/v1/yggdrasil/entities/Tree", "{", 400),
        ("POST", "/v1/yggdrasil/entities/Tree", "[]", 400),
        ("POST", "/v1/yggdrasil/operations", "{}", 400),
        (
            "POST",
            "/v1/yggdrasil/operations",
            r#"{"create": "Tree", "delete": "Tree"}"#,
            400,
        ),
        (
            "POST",
            "/v1/yggdrasil/transactions",
            r#"{"operations": [], "x": 1}"#,
            400,
        ),
        ("PUT", "/v1/yggdrasil/transactions", "{}", 405),
        ("BREW", "/v1/yggdrasil/entities/Tree/ann/oak", "", 405),
    ];
    for (method, address, body, status) in cases {
        let answer = call(&rest, method, address, body).await;
        assert_eq!(
            answer.status, status,
            "{method} {address} {body}: {}",
            answer.text
        );
        assert_eq!(answer.header("content-type"), "application/problem+json");
        assert_eq!(answer.json()["status"], status);
    }
    let allowed = call(&rest, "PUT", "/v1/yggdrasil/transactions", "{}").await;
    assert_eq!(allowed.header("allow"), "POST, OPTIONS");
    let text = call_with(
        &rest,
        "POST",
        "/v1/yggdrasil/entities/Tree",
        &[("content-type", "text/plain")],
        TREE,
    )
    .await;
    assert_eq!(text.status, 415);
    let twice = [("idempotency-key", "a"), ("idempotency-key", "b")];
    assert_eq!(call_with(&rest, "GET", OAK, &twice, "").await.status, 400);
}

#[tokio::test]
async fn without_a_proof_only_this_machine_is_served() {
    let rest = yggdrasil().await;
    for (address, status) in [
        ("127.0.0.1", 200),
        ("::1", 200),
        ("::ffff:127.0.0.1", 200),
        ("10.0.0.1", 403),
        ("2001:db8::1", 403),
    ] {
        let mut asked = request("GET", OAK, &[], "");
        asked.client = address.parse::<IpAddr>().unwrap();
        assert_eq!(send(&rest, asked).await.status, status, "{address}");
    }
}

#[tokio::test]
async fn a_program_may_say_for_whom_it_calls() {
    let rest = yggdrasil().await;
    let stranger = [("monotable-principal", r#"{"UserId": "eve"}"#)];
    let hidden = call_with(&rest, "GET", OAK, &stranger, "").await;
    let absent = call_with(
        &rest,
        "GET",
        "/v1/yggdrasil/entities/Tree/ann/no",
        &stranger,
        "",
    )
    .await;
    assert_eq!((hidden.status, absent.status), (404, 404));
    let owner = [("monotable-principal", r#"{"UserId": "ann"}"#)];
    assert_eq!(call_with(&rest, "GET", OAK, &owner, "").await.status, 200);
}

#[tokio::test]
async fn a_traced_call_tells_what_it_sent_and_changed() {
    let rest = yggdrasil().await;
    let headers = [
        ("content-type", "application/merge-patch+json"),
        ("monotable-trace", "requests, changes"),
    ];
    let user = "/v1/yggdrasil/entities/User/ann";
    let traced = call_with(
        &rest,
        "PATCH",
        user,
        &headers,
        r#"{"Email": "ada@example.com"}"#,
    )
    .await;
    assert_eq!(
        traced.header("content-type"),
        "application/vnd.monotable.trace+json"
    );
    let json = traced.json();
    assert_eq!(json["answer"]["Email"], "ada@example.com");
    let trace = &json["trace"];
    assert!(trace["units"]["write"].as_f64().unwrap() > 0.0);
    let sent: Vec<_> = trace["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["operation"].clone())
        .collect();
    assert!(
        sent.contains(&serde_json::json!("TransactWriteItems")),
        "{sent:?}"
    );
    let changes: Vec<(String, String, String)> = trace["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            let text = |name: &str| change[name].as_str().unwrap_or_default().to_owned();
            (text("is"), text("cause"), text("declaration"))
        })
        .collect();
    let has = |is: &str, cause: &str, declaration: &str| {
        changes.contains(&(is.to_owned(), cause.to_owned(), declaration.to_owned()))
    };
    assert!(has("changed", "caller", ""), "{changes:?}");
    assert!(
        has("deleted", "guard", "entity.User.unique.Email"),
        "{changes:?}"
    );
    assert!(
        has("created", "guard", "entity.User.unique.Email"),
        "{changes:?}"
    );
    assert!(
        !traced.text.contains("horse") && !traced.text.contains("$2b$"),
        "{}",
        traced.text
    );
    // The call was carried out.
    assert_eq!(
        call(&rest, "GET", user, "").await.json()["Email"],
        "ada@example.com"
    );
    let refused = call_with(
        &rest,
        "PATCH",
        "/v1/yggdrasil/entities/User/nobody",
        &headers,
        r#"{"DisplayName": "x"}"#,
    )
    .await;
    assert_eq!(refused.status, 404);
    assert!(
        !refused.json()["trace"]["requests"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let owner = [
        ("monotable-trace", "1"),
        ("monotable-principal", r#"{"UserId": "ann"}"#),
    ];
    let own = call_with(&rest, "DELETE", OAK, &owner, "").await;
    assert_eq!(
        own.json()["trace"]["changes"],
        serde_json::json!([]),
        "{}",
        own.text
    );
}

#[tokio::test]
async fn a_member_that_is_there_twice_is_refused() {
    let rest = yggdrasil().await;
    for body in [
        r#"{"UserId": "ann", "TreeId": "a-1", "TreeName": "x", "TreeName": "y"}"#,
        r#"{"UserId": "ann", "TreeId": "a-1", "TreeName": "x", "Description": {"a": 1, "a": 2}}"#,
    ] {
        let refused = call(&rest, "POST", "/v1/yggdrasil/entities/Tree", body).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        assert!(refused.text.contains("more than once"), "{}", refused.text);
    }
    let transaction = r#"{"writes": [], "writes": []}"#;
    let refused = call(&rest, "POST", "/v1/yggdrasil/transactions", transaction).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    assert!(
        refused.text.contains("`writes` is there more than once"),
        "{}",
        refused.text
    );
}

#[tokio::test]
async fn a_counter_that_is_given_hides_no_other_mistake() {
    let rest = yggdrasil().await;
    let body = r#"{"UserId": "ann", "TreeName": "", "PersonCount": 3, "Nonsense": 1}"#;
    let refused = create(&rest, "Tree", body).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    let problem = refused.json();
    let fields: Vec<(&str, &str)> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| {
            let text = |name: &str| field[name].as_str().unwrap_or_default();
            (text("attribute"), text("problem"))
        })
        .collect();
    assert_eq!(
        fields,
        [
            ("PersonCount", "not_given"),
            ("Nonsense", "unknown"),
            ("TreeName", "empty"),
        ]
    );
}

#[tokio::test]
async fn expected_values_are_refused_where_nothing_looks_at_them() {
    let rest = yggdrasil().await;
    let expecting = "?expecting=%7B%22TreeName%22%3A%22Elm%22%7D";
    let transaction = r#"{"operations": [{"create": "Tree", "values": {"UserId": "ann", "TreeId": "elm", "TreeName": "x"}}]}"#;
    let elm = r#"{"UserId": "ann", "TreeId": "elm", "TreeName": "x"}"#;
    for (method, address, body) in [
        ("POST", "/v1/yggdrasil/entities/Tree", elm),
        ("POST", "/v1/yggdrasil/transactions", transaction),
        ("GET", OAK, ""),
    ] {
        let address = format!("{address}{expecting}");
        let refused = call(&rest, method, &address, body).await;
        assert_eq!(refused.status, 400, "{address}: {}", refused.text);
        assert!(refused.text.contains("expected values"), "{}", refused.text);
    }
    let made = call(&rest, "GET", "/v1/yggdrasil/entities/Tree/ann/elm", "").await;
    assert_eq!(made.status, 404);
    // Writes of a row at an address look at them, also together with a tag.
    let delete = format!("{OAK}{expecting}");
    assert_eq!(call(&rest, "DELETE", &delete, "").await.status, 409);
    let headers = [("content-type", "application/json"), ("if-none-match", "*")];
    let put = format!("/v1/yggdrasil/entities/Tree/ann/elm{expecting}");
    let put = call_with(&rest, "PUT", &put, &headers, r#"{"TreeName": "x"}"#).await;
    assert_eq!(put.status, 404, "{}", put.text);
    // A read may demand a tag.
    let tag = call(&rest, "GET", OAK, "").await;
    let tag = [("if-match", tag.header("etag"))];
    assert_eq!(call_with(&rest, "GET", OAK, &tag, "").await.status, 200);
}

#[tokio::test]
async fn a_key_that_is_no_path_has_no_location() {
    let text = r##"
monotable = 1
model     = "files"

[table.Files]
key = ["PK", "SK"]

[entity.File]
key = ["FILE", "FILE#{name}"]

[entity.File.attributes]
name = "text(0..)"

[access.files]
key     = ["FILE", "FILE#*"]
returns = ["File"]
"##;
    let model = monotable_model::read(text).model.unwrap();
    let engine = monotable_engine::Engine::in_memory().unwrap();
    let store = monotable_store::Store::new(model, engine);
    store.setup().await.unwrap();
    let rest = Rest::new().with_store(store);
    for name in ["", ".", ".."] {
        let body = format!(r#"{{"name": "{name}"}}"#);
        let made = call(&rest, "POST", "/v1/files/entities/File", &body).await;
        assert_eq!(made.status, 201, "{name}: {}", made.text);
        assert_eq!(made.header("location"), "", "{name}");
    }
    let body = r#"{"name": "..a"}"#;
    let made = call(&rest, "POST", "/v1/files/entities/File", body).await;
    assert_eq!(made.header("location"), "/v1/files/entities/File/..a");
}
