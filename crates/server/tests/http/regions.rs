//! Requests that are signed for one region or another.

use crate::client::Reply;
use crate::running::Running;
use crate::signed::{ALICE, KEYS, Signed, now};
use monotable_api::{Dynamo, Error};
use monotable_engine::{EngineOptions, RegionError, RegionName, Regions};
use monotable_server::{Credentials, FindRegion, ServerOptions};
use std::sync::Arc;

const CREATE: &str = r#"{"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"Id","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"Id","KeyType":"HASH"}]}"#;

/// A server with three regions at most: `local` and two more.
fn server(options: ServerOptions) -> Running {
    let regions = Arc::new(Regions::in_memory(EngineOptions::new(), 3).unwrap());
    let find: FindRegion = Arc::new(move |name| {
        let found = find(&regions, name);
        Box::pin(async move { found })
    });
    Running::start_regions(options, find)
}

fn find(regions: &Regions, name: &str) -> Result<Arc<dyn Dynamo>, Error> {
    let given = || name.to_owned();
    let region = RegionName::parse(name).ok_or_else(|| RegionError::Name { given: given() })?;
    Ok(Arc::new(regions.find_or_make(&region)?))
}

fn strict() -> ServerOptions {
    let credentials = Credentials::parse(KEYS).unwrap();
    ServerOptions::new().credentials(credentials).clock(now)
}

fn signed(region: &'static str, operation: &str, body: &'static str) -> Signed {
    let mut signed = Signed {
        region,
        body,
        ..Signed::by(ALICE)
    };
    for (name, value) in &mut signed.headers {
        match *name {
            "x-amz-target" => *value = format!("DynamoDB_20120810.{operation}"),
            // A server without credentials answers for itself only.
            "host" => *value = "127.0.0.1:8000".to_owned(),
            _ => {}
        }
    }
    signed
}

fn send(server: &Running, region: &'static str, operation: &str, body: &'static str) -> Reply {
    signed(region, operation, body).sign().send(server)
}

fn check_regions(server: &Running) {
    let created = send(server, "eu-central-1", "CreateTable", CREATE);
    assert_eq!(created.status, 200, "{}", created.text());
    assert_eq!(
        created.json()["TableDescription"]["TableArn"],
        "arn:aws:dynamodb:eu-central-1:000000000000:table/Music"
    );
    for (region, tables) in [
        ("us-east-1", r#"{"TableNames":[]}"#),
        ("eu-central-1", r#"{"TableNames":["Music"]}"#),
        ("local", r#"{"TableNames":[]}"#),
    ] {
        assert_eq!(send(server, region, "ListTables", "{}").text(), tables);
    }
    // A presigned address says its region in the query.
    let presigned = Signed {
        presigned: Some(std::time::Duration::from_secs(60)),
        ..signed("eu-central-1", "ListTables", "{}")
    };
    let reply = presigned.sign().send(server);
    assert_eq!(reply.text(), r#"{"TableNames":["Music"]}"#);
}

#[test]
fn a_request_reaches_the_data_of_its_region() {
    check_regions(&server(strict()));
    check_regions(&server(ServerOptions::new()));
}

#[test]
fn a_region_that_is_none_or_one_too_many_is_refused() {
    let server = server(strict());
    for name in ["fakeRegion", "..", "eu_west"] {
        let reply = send(&server, name, "ListTables", "{}");
        let told = (reply.status, reply.exception());
        assert_eq!(told, (400, "InvalidSignatureException".to_owned()));
        let words = format!("Credential should be scoped to a valid region, not '{name}'.");
        assert!(reply.text().contains(&words), "{}", reply.text());
    }
    for name in ["eu-west-1", "eu-west-2"] {
        assert_eq!(send(&server, name, "ListTables", "{}").status, 200);
    }
    let reply = send(&server, "eu-west-3", "ListTables", "{}");
    assert_eq!(reply.exception(), "ValidationException");
    assert!(reply.text().contains("--regions=MOST"), "{}", reply.text());
}

/// Nobody makes a region who cannot sign, nor with a request that is none.
#[test]
fn only_a_verified_request_makes_a_region() {
    let server = server(strict());
    for name in ["r1", "r2", "r3", "r4"] {
        let mut message = signed(name, "ListTables", "{}").sign();
        message.body = r#"{"Limit":1}"#.to_owned();
        let refused = message.send(&server);
        assert_eq!(refused.exception(), "InvalidSignatureException");
        assert_eq!(send(&server, name, "ListTables", "[]").status, 400);
    }
    check_regions(&server);
}
