//! What is sent.

use crate::scripted::{Answer, Scripted, Seen};
use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use monotable_api::{
    DynamoExt, GetItemInput, ListTablesInput, PutItemInput, TransactWriteItemsInput,
};
use monotable_item::Item;
use std::time::{Duration, SystemTime};

/// The signature that the request should have, from what arrived of it.
fn expected_authorization(seen: &Seen, url: &str, credentials: Credentials) -> String {
    let authorization = &seen.headers["authorization"];
    let signed = authorization.split("SignedHeaders=").nth(1).unwrap();
    let signed = signed.split(',').next().unwrap().split(';');
    let headers = signed.filter(|name| !["x-amz-date", "x-amz-security-token"].contains(name));
    let identity = credentials.into();
    let parameters = v4::SigningParams::builder()
        .identity(&identity)
        .region("eu-central-1")
        .name("dynamodb")
        .time(amz_date(&seen.headers["x-amz-date"]))
        .settings(SigningSettings::default())
        .build()
        .unwrap();
    let url = format!("{url}/");
    let request = SignableRequest::new(
        "POST",
        &url,
        headers.map(|name| (name, seen.headers[name].as_str())),
        SignableBody::Bytes(&seen.body),
    );
    let (signature, _) = sign(request.unwrap(), &parameters.into())
        .unwrap()
        .into_parts();
    let mut headers = signature.headers();
    headers
        .find(|(name, _)| *name == "authorization")
        .unwrap()
        .1
        .to_owned()
}

/// `20261115T233000Z`, by way of the format that HTTP has.
pub(crate) fn amz_date(text: &str) -> SystemTime {
    let part = |range: std::ops::Range<usize>| text[range].parse::<u64>().unwrap();
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let month = months[usize::try_from(part(4..6)).unwrap() - 1];
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    days.iter()
        .find_map(|day| {
            let date = format!(
                "{day}, {:02} {month} {} {:02}:{:02}:{:02} GMT",
                part(6..8),
                part(0..4),
                part(9..11),
                part(11..13),
                part(13..15)
            );
            httpdate::parse_http_date(&date).ok()
        })
        .unwrap()
}

#[tokio::test]
async fn a_request_is_dynamodbs_and_its_signature_fits_what_arrives() {
    let server = Scripted::start([Answer::ok("{}")]).await;
    let token = "TOKEN/+=".to_owned();
    let options = server
        .options()
        .credentials("AKID", "SECRET", Some(token.clone()));
    let remote = options.connect().await.unwrap();
    let put = PutItemInput::new("Music", Item::new().with("pk", "ü").with("n", 1));
    remote.put_item(put).await.unwrap();

    let seen = &server.seen()[0];
    assert!(seen.head.starts_with("POST / HTTP/1.1"));
    assert_eq!(seen.headers["x-amz-target"], "DynamoDB_20120810.PutItem");
    assert_eq!(seen.headers["content-type"], "application/x-amz-json-1.0");
    assert_eq!(seen.headers["x-amz-security-token"], token);
    assert_eq!(
        seen.headers["host"],
        server.url.trim_start_matches("http://")
    );
    let agent = concat!("monotable/", env!("CARGO_PKG_VERSION"));
    assert_eq!(seen.headers["user-agent"], agent);
    let body = r#"{"TableName":"Music","Item":{"n":{"N":"1"},"pk":{"S":"ü"}}}"#;
    assert_eq!(String::from_utf8_lossy(&seen.body), body);

    let credentials = Credentials::new("AKID", "SECRET", Some(token), None, "test");
    let expected = expected_authorization(seen, &server.url, credentials);
    assert_eq!(seen.headers["authorization"], expected);
    let wrong = Credentials::new("AKID", "secret", None, None, "test");
    assert_ne!(expected_authorization(seen, &server.url, wrong), expected);

    let signed_at = amz_date(&seen.headers["x-amz-date"]);
    let age = SystemTime::now().duration_since(signed_at).unwrap();
    assert!(age < Duration::from_secs(3600));
}

#[tokio::test]
async fn connections_are_used_again() {
    let server = Scripted::start([]).await;
    let remote = server.client().await;
    for _ in 0..5 {
        remote
            .clone()
            .list_tables(ListTablesInput::default())
            .await
            .unwrap();
    }
    let connections: Vec<_> = server.seen().iter().map(|seen| seen.connection).collect();
    assert_eq!(connections, [0; 5]);
}

#[tokio::test]
async fn a_transaction_keeps_one_token_over_all_attempts() {
    let script = [
        Answer::exception(500, "InternalServerError"),
        Answer::Hang,
        Answer::ok("{}"),
        Answer::ok("{}"),
    ];
    let server = Scripted::start(script).await;
    let remote = server.client().await;
    for _ in 0..2 {
        remote
            .transact_write_items(TransactWriteItemsInput::default())
            .await
            .unwrap();
    }
    let tokens: Vec<_> = server
        .seen()
        .iter()
        .map(|seen| String::from_utf8_lossy(&seen.body).into_owned())
        .collect();
    assert_eq!(tokens.len(), 4);
    assert!(tokens[0].contains("ClientRequestToken"));
    assert_eq!(tokens[0], tokens[1]);
    assert_eq!(tokens[0], tokens[2]);
    assert_ne!(tokens[0], tokens[3]);
}

#[tokio::test]
async fn the_path_of_an_endpoint_is_kept() {
    let server = Scripted::start([]).await;
    let key = Item::new().with("pk", "a");
    let path = server
        .options()
        .endpoint_url(format!("{}/below/", server.url));
    let remote = path.connect().await.unwrap();
    remote
        .get_item(GetItemInput::new("Music", key))
        .await
        .unwrap();
    assert!(server.seen()[0].head.starts_with("POST /below/ HTTP/1.1"));
    assert_eq!(remote.endpoint(), format!("{}/below", server.url));
    assert_eq!(remote.region(), "eu-central-1");
}
