//! Any text is read or refused.

use monotable_policy::{Identity, Policy, Principal, Scope};
use proptest::prelude::*;
use serde_json::{Value, json};

/// JSON that has something of a policy.
fn policy_like() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(
        &[
            "Allow",
            "Deny",
            "*",
            "dynamodb:*",
            "arn:aws:dynamodb:*:*:table/${aws:username}",
            "${",
            "${*}",
            "${aws:username, 'x'}",
            "true",
            "2012-10-17",
            "10.0.0.0/8",
            "::/0",
            "2026-01-01",
            "é",
            "",
        ][..],
    );
    let names = prop::sample::select(
        &[
            "Version",
            "Statement",
            "Effect",
            "Action",
            "NotAction",
            "Resource",
            "NotResource",
            "Condition",
            "Sid",
            "StringLike",
            "ForAllValues:StringEquals",
            "Null",
            "Bool",
            "IpAddress",
            "DateEquals",
            "NumericLessThan",
            "ArnLike",
            "dynamodb:LeadingKeys",
            "aws:username",
            "aws:SourceIp",
        ][..],
    );
    let leaf = prop_oneof![
        words.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names.clone(), inner), 0..6).prop_map(|members| Value::Object(
                members
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect()
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = Policy::parse("p", &text);
    }

    #[test]
    fn any_json_is_read_or_refused(json in policy_like()) {
        let _ = Policy::parse("p", &json.to_string());
        let statement = json!({"Version": "2012-10-17", "Statement": json});
        let _ = Policy::parse("p", &statement.to_string());
        let condition = json!({"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": json});
        if let Ok(policy) = Policy::parse("p", &json!({"Version": "2012-10-17", "Statement": condition}).to_string()) {
            let _ = policy.warnings(&Scope::default());
            let _ = Identity::new(Principal::user("ada"), vec![policy]);
        }
    }
}

#[test]
fn deep_json_is_refused() {
    let text = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(Policy::parse("p", &text).is_err());
}
