//! What the crate says.

use crate::table::Outcome;
use monotable_api::{OperationName, Request, TableDescription};
use monotable_policy::{
    Access, Circumstances, Demand, Identity, Policy, Principal, Scope, TableKeys, Verdict,
};
use std::time::{Duration, SystemTime};

/// 2026-11-17T12:00:00Z
pub(crate) const NOW: u64 = 1_794_916_800;
pub(crate) const SOURCE: &str = "203.0.113.7";

pub(crate) const CONTEXT: &[(&str, &str)] = &[
    ("aws:PrincipalTag/Table", "Notes"),
    ("cognito-identity.amazonaws.com:sub", "eu:1"),
];

pub(crate) fn principal() -> Principal {
    CONTEXT
        .iter()
        .fold(Principal::user("ada"), |principal, (key, value)| {
            principal.with(key, value).unwrap()
        })
}

/// The tables that exist.
fn keys(table: &str) -> Option<TableKeys> {
    let text = match table {
        "Games" => {
            r#"{"KeySchema": [{"AttributeName": "UserId", "KeyType": "HASH"}, {"AttributeName": "GameTitle", "KeyType": "RANGE"}],
                "GlobalSecondaryIndexes": [
                    {"IndexName": "ByTitle", "KeySchema": [
                        {"AttributeName": "GameTitle", "KeyType": "HASH"}, {"AttributeName": "TopScore", "KeyType": "RANGE"}]},
                    {"IndexName": "ByPlace", "KeySchema": [
                        {"AttributeName": "Country", "KeyType": "HASH"}, {"AttributeName": "City", "KeyType": "HASH"},
                        {"AttributeName": "Street", "KeyType": "RANGE"}]}],
                "LocalSecondaryIndexes": [
                    {"IndexName": "ByScore", "KeySchema": [
                        {"AttributeName": "UserId", "KeyType": "HASH"}, {"AttributeName": "Score", "KeyType": "RANGE"}]}]}"#
        }
        "Notes" => r#"{"KeySchema": [{"AttributeName": "Id", "KeyType": "HASH"}]}"#,
        _ => return None,
    };
    let description: TableDescription = serde_json::from_str(text).unwrap();
    Some(TableKeys::from_description(&description))
}

/// What a request asks for, as the crate sees it.
pub(crate) fn accesses(operation: &str, body: &str) -> Vec<Access> {
    let operation: OperationName = operation.parse().unwrap();
    let request = Request::decode(operation, body.as_bytes()).unwrap();
    let demand = Demand::new(&request).unwrap_or_else(|error| panic!("{body}: {error}"));
    let (games, notes) = (keys("Games"), keys("Notes"));
    demand.accesses(&Scope::default(), |table| match table {
        "Games" => games.as_ref(),
        "Notes" => notes.as_ref(),
        _ => None,
    })
}

pub(crate) fn identity(policy: &str) -> Identity {
    let policy = Policy::parse("test", policy).unwrap_or_else(|error| panic!("{error}"));
    Identity::new(principal(), vec![policy]).unwrap()
}

/// What becomes of accesses.
pub(crate) fn outcome(identity: &Identity, accesses: &[Access]) -> Outcome {
    let circumstances = Circumstances {
        time: SystemTime::UNIX_EPOCH + Duration::from_secs(NOW),
        source: Some(SOURCE.parse().unwrap()),
        ..Circumstances::default()
    };
    let judgement = identity.judge(accesses, &circumstances);
    let refused = judgement
        .decisions
        .iter()
        .find(|found| !found.verdict.is_allowed());
    let outcome = match refused.map(|decision| &decision.verdict) {
        None => Outcome::Allowed,
        Some(Verdict::Denied(_)) => Outcome::Denied,
        Some(_) => Outcome::NotAllowed,
    };
    let words = judgement.refusal().unwrap_or_default();
    let is_worded = match outcome {
        Outcome::Allowed => words.is_empty() && judgement.is_allowed(),
        Outcome::Denied => words.ends_with("with an explicit deny in an identity-based policy"),
        Outcome::NotAllowed => {
            words.contains("because no identity-based policy allows the dynamodb:")
        }
    };
    assert!(is_worded, "{outcome:?}: {words}");
    outcome
}
