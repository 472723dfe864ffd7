//! `If-Match` and `If-None-Match` on every method (RFC 9110, section 13).

use crate::client::{Answer, call, call_with, open_store};
use monotable_rest::Rest;

const TREES: &str = "/v1/yggdrasil/entities/Tree";
const OAK: &str = "/v1/yggdrasil/entities/Tree/ann/oak";
const NEW_OAK: &str = r#"{"UserId": "ann", "TreeId": "oak", "TreeName": "Oak"}"#;
const JSON: (&str, &str) = ("content-type", "application/json");
const PATCH: (&str, &str) = ("content-type", "application/merge-patch+json");

/// A store with the tree `oak` of `ann`.
async fn yggdrasil() -> Rest {
    let rest = Rest::new().with_store(open_store("yggdrasil").await);
    let user = r#"{"UserId": "ann", "Email": "ann@example.com", "PasswordHash": "correct horse"}"#;
    let made = call(&rest, "POST", "/v1/yggdrasil/entities/User", user).await;
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(call(&rest, "POST", TREES, NEW_OAK).await.status, 201);
    rest
}

async fn read_oak(rest: &Rest) -> Answer {
    call(rest, "GET", OAK, "").await
}

#[track_caller]
fn assert_failed(answer: &Answer) {
    let code = answer.json()["code"].as_str().map(str::to_owned);
    assert_eq!(
        (answer.status, code.as_deref()),
        (412, Some("PreconditionFailed")),
        "{}",
        answer.text
    );
}

#[tokio::test]
async fn a_write_of_a_row_that_the_header_names_is_refused() {
    let rest = yggdrasil().await;
    let before = read_oak(&rest).await;
    let tag = before.header("etag").to_owned();
    let weak = format!("W/{tag}");
    let listed = format!("\"other\", {tag}");
    let writes = [
        ("PATCH", OAK, PATCH, r#"{"TreeName": "Elm"}"#),
        ("PATCH", OAK, JSON, r#"{"set": {"TreeName": "Elm"}}"#),
        ("PUT", OAK, JSON, r#"{"TreeName": "Elm"}"#),
        ("POST", TREES, JSON, NEW_OAK),
        ("DELETE", OAK, ("accept", "*/*"), ""),
    ];
    for tags in ["*", &tag, &weak, &listed] {
        for (method, address, kind, body) in writes {
            let headers = [kind, ("if-none-match", tags)];
            let refused = call_with(&rest, method, address, &headers, body).await;
            assert_failed(&refused);
            assert_eq!(read_oak(&rest).await.text, before.text, "{method} {tags}");
        }
    }
}

#[tokio::test]
async fn a_write_of_a_row_with_another_tag_goes_on() {
    let rest = yggdrasil().await;
    let other = ("if-none-match", "\"other\", W/\"another\"");
    let patched = call_with(
        &rest,
        "PATCH",
        OAK,
        &[PATCH, other],
        r#"{"TreeName": "Elm"}"#,
    )
    .await;
    assert_eq!(patched.status, 200, "{}", patched.text);
    let put = call_with(&rest, "PUT", OAK, &[JSON, other], r#"{"TreeName": "Ash"}"#).await;
    assert_eq!(put.status, 200, "{}", put.text);
    // It is another row than the header names, and still in the way.
    let created = call_with(&rest, "POST", TREES, &[JSON, other], NEW_OAK).await;
    assert_eq!(created.status, 409, "{}", created.text);
    let deleted = call_with(&rest, "DELETE", OAK, &[other], "").await;
    assert_eq!(deleted.status, 200, "{}", deleted.text);
    // What is not there has no tag.
    let deleted = call_with(&rest, "DELETE", OAK, &[other], "").await;
    assert_eq!(deleted.status, 404, "{}", deleted.text);
    let any = ("if-none-match", "*");
    let deleted = call_with(&rest, "DELETE", OAK, &[any], "").await;
    assert_eq!(deleted.status, 404, "{}", deleted.text);
    let put = call_with(&rest, "PUT", OAK, &[JSON, other], r#"{"TreeName": "Ash"}"#).await;
    assert_eq!(put.status, 200, "{}", put.text);
    let unnamed = r#"{"UserId": "ann", "TreeName": "New"}"#;
    let created = call_with(&rest, "POST", TREES, &[JSON, other], unnamed).await;
    assert_eq!(created.status, 201, "{}", created.text);
}

#[tokio::test]
async fn both_headers_must_hold() {
    let rest = yggdrasil().await;
    let tag = read_oak(&rest).await.header("etag").to_owned();
    let body = r#"{"TreeName": "Elm"}"#;
    for (wanted, unwanted) in [
        (tag.as_str(), tag.as_str()),
        (&tag, "*"),
        ("\"x\"", "\"y\""),
    ] {
        let headers = [PATCH, ("if-match", wanted), ("if-none-match", unwanted)];
        assert_failed(&call_with(&rest, "PATCH", OAK, &headers, body).await);
        let headers = [JSON, ("if-match", wanted), ("if-none-match", unwanted)];
        assert_failed(&call_with(&rest, "PUT", OAK, &headers, body).await);
    }
    let headers = [PATCH, ("if-match", &tag), ("if-none-match", "\"y\"")];
    let patched = call_with(&rest, "PATCH", OAK, &headers, body).await;
    assert_eq!(patched.status, 200, "{}", patched.text);
}

#[tokio::test]
async fn a_call_about_no_row_refuses_the_header() {
    let rest = yggdrasil().await;
    let body = format!(r#"{{"operations": [{{"create": "Tree", "values": {NEW_OAK}}}]}}"#);
    for tags in ["*", "\"x\""] {
        let headers = [JSON, ("if-none-match", tags)];
        let address = "/v1/yggdrasil/transactions";
        let refused = call_with(&rest, "POST", address, &headers, &body).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        assert!(refused.text.contains("If-None-Match"), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_call_with_a_name_and_an_unwanted_tag_is_answered_again() {
    let rest = yggdrasil().await;
    let other = ("if-none-match", "\"other\"");
    let key = ("idempotency-key", "k-1");
    // The row that it makes is there when it comes again.
    let address = "/v1/yggdrasil/entities/Tree/ann/elm";
    let body = r#"{"TreeName": "Elm"}"#;
    let first = call_with(&rest, "PUT", address, &[JSON, other, key], body).await;
    assert_eq!(first.status, 200, "{}", first.text);
    let again = call_with(&rest, "PUT", address, &[JSON, other, key], body).await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    // Its own work has the tag that it names.
    let renamed = call(&rest, "PUT", OAK, r#"{"TreeName": "Renamed"}"#).await;
    let tag = renamed.header("etag").to_owned();
    call(&rest, "PUT", OAK, r#"{"TreeName": "Oak"}"#).await;
    let unwanted = ("if-none-match", tag.as_str());
    let headers = [PATCH, unwanted, ("idempotency-key", "k-2")];
    let body = r#"{"TreeName": "Renamed"}"#;
    let first = call_with(&rest, "PATCH", OAK, &headers, body).await;
    assert_eq!(first.status, 200, "{}", first.text);
    let again = call_with(&rest, "PATCH", OAK, &headers, body).await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    // Without the name it is another call, and with another tag, too.
    let unnamed = call_with(&rest, "PATCH", OAK, &[PATCH, unwanted], body).await;
    if first.header("etag") == tag {
        assert_failed(&unnamed);
    }
    let headers = [PATCH, other, ("idempotency-key", "k-2")];
    let mismatched = call_with(&rest, "PATCH", OAK, &headers, body).await;
    assert_eq!(
        (mismatched.status, mismatched.json()["clash"]["is"].as_str()),
        (409, Some("token_mismatch"))
    );
    // What it deletes is gone.
    let headers = [other, ("idempotency-key", "k-3")];
    let gone = call_with(&rest, "DELETE", OAK, &headers, "").await;
    assert_eq!(gone.status, 200, "{}", gone.text);
    let again = call_with(&rest, "DELETE", OAK, &headers, "").await;
    assert_eq!(again.status, 200, "{}", again.text);
}

#[tokio::test]
async fn a_traced_call_with_a_name_and_a_tag_is_answered_again() {
    let rest = yggdrasil().await;
    let tag = read_oak(&rest).await.header("etag").to_owned();
    let headers = |trace: bool| {
        let mut headers = vec![
            PATCH,
            ("if-match", tag.as_str()),
            ("idempotency-key", "k-1"),
        ];
        headers.extend(trace.then_some(("monotable-trace", "1")));
        headers
    };
    let body = r#"{"TreeName": "Elm"}"#;
    let first = call_with(&rest, "PATCH", OAK, &headers(true), body).await;
    assert_eq!(first.status, 200, "{}", first.text);
    let untraced = call_with(&rest, "PATCH", OAK, &headers(false), body).await;
    assert_eq!(untraced.status, 200, "{}", untraced.text);
    let again = call_with(&rest, "PATCH", OAK, &headers(true), body).await;
    assert_eq!(again.status, 200, "{}", again.text);
    assert_eq!(again.json()["answer"], first.json()["answer"]);
    assert_eq!(again.json()["answer"], untraced.json());
    assert_eq!(again.json()["trace"]["changes"], serde_json::json!([]));
    assert_eq!(again.json()["trace"]["units"]["write"], 0.0);
    // Another name is another call, which has not seen the row as it is now.
    let mut other = headers(true);
    other[2].1 = "k-2";
    assert_failed(&call_with(&rest, "PATCH", OAK, &other, body).await);
}
