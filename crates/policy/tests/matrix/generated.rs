//! Random policies on all requests, with other users in them: the crate and the naive evaluator agree.

use crate::table::requests;
use crate::{facts, judge, naive};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

const ACTIONS: &[&str] = &[
    "*",
    "dynamodb:*",
    "dynamodb:Get*",
    "dynamodb:*Item",
    "dynamodb:Query",
    "dynamodb:scan",
    "dynamodb:PartiQL*",
    "dynamodb:PartiQLSelect",
    "dynamodb:Batch*",
    "dynamodb:?etItem",
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:Describe*",
    "dynamodb:*Table*",
    "dynamodb:*Backup*",
    "dynamodb:GetRecords",
];
const RESOURCES: &[&str] = &[
    "*",
    "arn:aws:dynamodb:*:*:table/*",
    "arn:aws:dynamodb:*:*:table/Games",
    "arn:aws:dynamodb:*:*:table/Games/index/*",
    "arn:aws:dynamodb:local:000000000000:table/*/index/ByTitle",
    "arn:aws:dynamodb:*:*:table/Games*",
    "arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/Table}",
    "arn:aws:dynamodb:us-east-1:*:table/*",
    "arn:aws:dynamodb:*:*:table/?ames/*",
    "arn:aws:dynamodb:*:*:*",
];
const USERS: &[&str] = &[
    "ada",
    "eve",
    "ada#2",
    "a*",
    "*",
    "?",
    "",
    "ad?",
    "Ada",
    "adaada",
    "${aws:username}",
];

fn texts(key: &str) -> &'static [&'static str] {
    match key {
        "dynamodb:LeadingKeys"
        | "dynamodb:FirstPartitionKeyValues"
        | "dynamodb:SecondPartitionKeyValues" => &[
            "ada",
            "eve",
            "a*",
            "*",
            "${aws:username}",
            "${aws:username}#*",
            "a?a",
            "${*}",
            "Go",
            "UK",
            "ADA",
        ],
        "dynamodb:Attributes" => &[
            "UserId",
            "GameTitle",
            "TopScore",
            "Secret",
            "*",
            "Id",
            "?d",
            "T*",
        ],
        "dynamodb:Select" => &[
            "ALL_ATTRIBUTES",
            "SPECIFIC_ATTRIBUTES",
            "COUNT",
            "ALL_*",
            "ALL_PROJECTED_ATTRIBUTES",
        ],
        "dynamodb:ReturnValues" => &["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_NEW", "*_OLD"],
        "dynamodb:ReturnConsumedCapacity" => &["NONE", "TOTAL", "INDEXES"],
        "dynamodb:EnclosingOperation" => &[
            "TransactWriteItems",
            "TransactGetItems",
            "ExecuteTransaction",
            "Transact*",
        ],
        _ => &["ada", "eve", "eu:1", "Notes", "${aws:username}", "*"],
    }
}

const SETS: &[&str] = &[
    "dynamodb:LeadingKeys",
    "dynamodb:Attributes",
    "dynamodb:FirstPartitionKeyValues",
    "dynamodb:SecondPartitionKeyValues",
];
const SINGLE: &[&str] = &[
    "dynamodb:Select",
    "dynamodb:ReturnValues",
    "dynamodb:ReturnConsumedCapacity",
    "dynamodb:EnclosingOperation",
    "aws:username",
    "cognito-identity.amazonaws.com:sub",
    "www.amazon.com:user_id",
    "aws:PrincipalTag/Table",
];
const TEXT_OPERATORS: &[&str] = &[
    "StringEquals",
    "StringNotEquals",
    "StringEqualsIgnoreCase",
    "StringNotEqualsIgnoreCase",
    "StringLike",
    "StringNotLike",
];

fn text_condition() -> impl Strategy<Value = (String, String, Value)> {
    let set = (select(&["ForAllValues:", "ForAnyValue:"][..]), select(SETS));
    let single = (
        select(&["", "", "ForAllValues:", "ForAnyValue:"][..]),
        select(SINGLE),
    );
    let name = (
        prop_oneof![3 => set, 2 => single],
        select(TEXT_OPERATORS),
        any::<bool>(),
    );
    name.prop_flat_map(|((qualifier, key), operator, if_exists)| {
        let suffix = if if_exists { "IfExists" } else { "" };
        let operator = format!("{qualifier}{operator}{suffix}");
        let values = prop::collection::vec(select(texts(key)), 1..4);
        values.prop_map(move |values| (operator.clone(), key.to_owned(), json!(values)))
    })
}

fn other_condition() -> impl Strategy<Value = (String, String, Value)> {
    let null =
        (select(SETS), any::<bool>()).prop_map(|(key, is)| ("Null", key, json!(is.to_string())));
    let single = (select(SINGLE), any::<bool>()).prop_map(|(key, is)| ("Null", key, json!(is)));
    let bool = (select(&["Bool", "BoolIfExists"][..]), any::<bool>())
        .prop_map(|(operator, is)| (operator, "dynamodb:FullTableScan", json!([is.to_string()])));
    prop_oneof![null, single, bool]
        .prop_map(|(operator, key, value)| (operator.to_owned(), key.to_owned(), value))
}

fn statement() -> impl Strategy<Value = Value> {
    let conditions = prop::collection::vec(
        prop_oneof![4 => text_condition(), 1 => other_condition()],
        0..3,
    );
    let patterns = |pool: &'static [&'static str]| prop::collection::vec(select(pool), 1..4);
    (
        any::<bool>(),
        any::<[bool; 2]>(),
        patterns(ACTIONS),
        patterns(RESOURCES),
        conditions,
    )
        .prop_map(
            |(is_deny, [not_action, not_resource], actions, resources, conditions)| {
                let mut condition = serde_json::Map::new();
                for (operator, key, values) in conditions {
                    let keys = condition.entry(operator).or_insert_with(|| json!({}));
                    keys.as_object_mut().unwrap().insert(key, values);
                }
                json!({
                    "Effect": if is_deny { "Deny" } else { "Allow" },
                    if not_action { "NotAction" } else { "Action" }: actions,
                    if not_resource { "NotResource" } else { "Resource" }: resources,
                    "Condition": condition,
                })
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_policies_are_judged_as_documented(
        statements in prop::collection::vec(statement(), 1..4),
        user in select(USERS),
    ) {
        let policy = json!({"Version": "2012-10-17", "Statement": statements}).to_string();
        let identity = judge::identity(&policy);
        for (name, case) in requests() {
            let body = case.body.replace("\"ada\"", &json!(user).to_string()).replace("'ada'", &format!("'{user}'"));
            let found = judge::outcome(&identity, &judge::accesses(case.operation, &body));
            let expected = naive::outcome(&policy, &facts::facts(case.operation, &body));
            prop_assert_eq!(found, expected, "{}: {}\n{}", name, body, policy);
        }
    }
}

fn cases() -> u32 {
    let given = std::env::var("MONOTABLE_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(100)
}
