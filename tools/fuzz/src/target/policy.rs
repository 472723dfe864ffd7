//! Access policies.

use crate::flaw::{Flaw, demand};
use monotable_api::{
    BatchGetItemInput, GetItemInput, KeyRole, KeySchemaElement, KeysAndAttributes, ListTablesInput,
    PutItemInput, QueryInput, Request, ScanInput, TableDescription,
};
use monotable_item::Item;
use monotable_policy::{Circumstances, Demand, Identity, Policy, Principal, Scope, TableKeys};

/// A policy that parses judges the same requests in the same way after it was printed as JSON and parsed again, whatever the
/// order of its members; and a Deny of everything beside it leaves nothing allowed.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    let Ok(policy) = Policy::parse("fuzzed", text) else {
        return Ok(());
    };
    let _ = policy.warnings(&Scope::default());
    let value: serde_json::Value = serde_json::from_str(text)?;
    let printed = serde_json::to_string_pretty(&value)?;
    let again = Policy::parse("fuzzed", &printed)
        .map_err(|error| Flaw::new(format!("{printed} was printed, and {error}")))?;
    let (first, second) = (judge(vec![policy.clone()])?, judge(vec![again])?);
    demand(first == second, || {
        format!("{text} decides {first:?}, and printed {second:?}")
    })?;
    let nothing = Policy::parse("nothing", NOTHING)?;
    let denied = judge(vec![policy, nothing])?;
    demand(denied.iter().flatten().all(Option::is_some), || {
        format!("{text} allows something beside a Deny of everything: {denied:?}")
    })
}

const NOTHING: &str =
    r#"{"Version": "2012-10-17", "Statement": {"Effect": "Deny", "Action": "*", "Resource": "*"}}"#;

/// Why each of some requests is refused; nothing if a variable of the policies has no value.
fn judge(policies: Vec<Policy>) -> Result<Option<Vec<Option<String>>>, Flaw> {
    let user = Principal::user("ada");
    let Ok(identity) = Identity::new(user, policies) else {
        return Ok(None);
    };
    let keys = TableKeys::from_description(&TableDescription {
        key_schema: Some(vec![KeySchemaElement::new("User", KeyRole::Hash)]),
        ..TableDescription::default()
    });
    let mut refusals = Vec::new();
    for request in list_requests() {
        let demand = Demand::new(&request)?;
        let accesses = demand.accesses(&Scope::default(), |_| Some(&keys));
        let judgement = identity.judge(&accesses, &Circumstances::default());
        refusals.push(judgement.refusal());
    }
    Ok(Some(refusals))
}

fn list_requests() -> [Request; 7] {
    let key = |user: &str| Item::new().with("User", user);
    let batch = KeysAndAttributes::new([key("ada"), key("eve")]);
    [
        GetItemInput::new("Games", key("ada")).into(),
        GetItemInput::new("Games", key("eve")).into(),
        PutItemInput::new("Games", key("ada").with("Secret", 1)).into(),
        QueryInput::new("Games", "#u = :u")
            .name("#u", "User")
            .value(":u", "ada")
            .into(),
        ScanInput::new("Games").into(),
        BatchGetItemInput::new("Games", batch).into(),
        ListTablesInput::default().into(),
    ]
}
