//! What is probably not meant is warned about.

use crate::with_statement;
use monotable_policy::{Policy, Scope};

fn warnings(statement: &str) -> Vec<String> {
    let policy = Policy::parse("p", &with_statement(statement)).unwrap();
    policy
        .warnings(&Scope::default())
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn traps_are_warned_about() {
    let with = |effect: &str, action: &str, condition: &str| {
        warnings(&format!(
            r#"{{"Effect": "{effect}", "Action": "{action}", "Resource": "*", "Condition": {condition}}}"#
        ))
    };
    let all = r#"{"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "a"}}"#;
    let found = with("Allow", "dynamodb:*", all);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0],
        "policy p, Statement[0].Condition.ForAllValues:StringEquals.dynamodb:LeadingKeys: it also holds of requests without \
         dynamodb:LeadingKeys, as those of Scan, PartiQLSelect, DeleteTable, so these are allowed: add \"Null\": \
         {\"dynamodb:LeadingKeys\": \"false\"}"
    );
    assert_eq!(with("Allow", "dynamodb:Scan", all).len(), 1);
    // No request of these is without keys, and a Deny that also holds of others denies too much and not too little.
    assert!(with("Allow", "dynamodb:GetItem", all).is_empty());
    assert!(with("Allow", "dynamodb:Describe*", all)[0].contains("DescribeBackup"));
    assert!(with("Deny", "dynamodb:*", all).is_empty());
    let guarded = r#"{"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "a"}, "Null": {"dynamodb:LeadingKeys": false}}"#;
    assert!(with("Allow", "dynamodb:*", guarded).is_empty());
    let any = r#"{"ForAnyValue:StringEquals": {"dynamodb:LeadingKeys": "a"}}"#;
    let found = with("Allow", "dynamodb:*", any);
    assert_eq!(
        found,
        [
            "policy p, Statement[0].Condition.ForAnyValue:StringEquals.dynamodb:LeadingKeys: it also holds of requests that have \
             other dynamodb:LeadingKeys beside one of these, as those of BatchGetItem, BatchWriteItem, PartiQLSelect, so they reach \
             all of them: write ForAllValues, and \"Null\": {\"dynamodb:LeadingKeys\": \"false\"}"
        ]
    );
    // A request of these has one key, and a Deny is meant to hold as soon as one key is among others.
    assert!(with("Allow", "dynamodb:GetItem", any).is_empty());
    assert!(with("Deny", "dynamodb:*", any).is_empty());
    assert_eq!(
        with(
            "Allow",
            "dynamodb:*",
            &any.replace("Equals\"", "EqualsIfExists\"")
        )
        .len(),
        2
    );
    assert_eq!(
        with("Allow", "dynamodb:*", &guarded.replace("false", "true")).len(),
        1
    );
    let single =
        r#"{"ForAllValues:StringEquals": {"dynamodb:EnclosingOperation": "TransactWriteItems"}}"#;
    assert_eq!(with("Allow", "dynamodb:PutItem", single).len(), 1);

    let attributes = r#"{"ForAllValues:StringEquals": {"dynamodb:Attributes": "a"}}"#;
    let found = with("Allow", "dynamodb:GetItem", attributes);
    assert!(found[0].contains("SPECIFIC_ATTRIBUTES"), "{found:?}");
    // A write can return the whole old item.
    for action in ["dynamodb:PutItem", "dynamodb:DeleteItem"] {
        let found = with("Allow", action, attributes);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("dynamodb:ReturnValues"), "{found:?}");
    }
    let kept = r#"{"ForAllValues:StringEquals": {"dynamodb:Attributes": "a"}, "StringEqualsIfExists": {"dynamodb:ReturnValues": "NONE"}}"#;
    assert!(with("Allow", "dynamodb:PutItem", kept).is_empty());
    // Requests on whole tables name no attributes.
    let found = with("Allow", "dynamodb:*", attributes);
    assert!(
        found
            .iter()
            .any(|found| found.contains("as those of DeleteTable")),
        "{found:?}"
    );
    let named = r#"{"ForAllValues:StringEquals": {"dynamodb:Attributes": "a"}, "Null": {"dynamodb:Attributes": "false"}}"#;
    let found = with("Allow", "dynamodb:*", named);
    assert!(
        !found.iter().any(|found| found.contains("DeleteTable")),
        "{found:?}"
    );

    // A Scan has no keys, so this does not deny it.
    let foreign = r#"{"ForAnyValue:StringNotEquals": {"dynamodb:LeadingKeys": "a"}}"#;
    let found = with("Deny", "dynamodb:*", foreign);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("Scan") && found[0].contains("not denied"),
        "{found:?}"
    );
    assert!(with("Deny", "dynamodb:GetItem", foreign).is_empty());
    assert!(with("Deny", "dynamodb:*", any).is_empty());

    for (resource, words) in [
        (
            "arn:aws:dynamodb:us-west-2:*:table/A",
            "region is \"local\"",
        ),
        (
            "arn:aws:dynamodb:*:123456789012:table/A",
            "account is \"000000000000\"",
        ),
        ("arn:aws-cn:dynamodb:*:*:table/A", "partition"),
        ("arn:aws:s3:::bucket", "service"),
    ] {
        let found = warnings(&format!(
            r#"{{"Effect": "Deny", "Action": "*", "Resource": "{resource}"}}"#
        ));
        assert!(found[0].contains(words), "{found:?}");
    }
    assert!(
        warnings(
            r#"{"Effect": "Deny", "Action": "*", "Resource": "arn:aws:dynamodb:*:*:table/A"}"#
        )
        .is_empty()
    );
}
