//! The generated IAM policy, as IAM would decide by it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod evaluator;

use evaluator::{Request, is_allowed};
use monotable_describe::{PolicyScope, iam_policy};

const VALUES: &str = include_str!("../../../../models/values/model.toml");
const TABLE: &str = "arn:aws:dynamodb:eu-west-1:123456789012:table/App";
/// What callers do with items.
const ITEM_ACTIONS: [&str; 8] = [
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "ConditionCheckItem",
];

fn policy_of(text: &str) -> Option<String> {
    let reading = monotable_check::check(text);
    let problems = reading.diagnostics;
    let model = reading.model.unwrap_or_else(|| panic!("{problems:?}"));
    iam_policy(&model, PolicyScope::default())
}

fn values() -> String {
    policy_of(VALUES).expect("the model has [isolation]")
}

/// Whether the user `abc` may do this on the table.
fn may(policy: &str, action: &str, keys: &[&str]) -> bool {
    may_on(policy, TABLE, action, keys)
}

fn may_on(policy: &str, resource: &str, action: &str, keys: &[&str]) -> bool {
    let request = Request {
        sub: "abc",
        action: &format!("dynamodb:{action}"),
        resource,
        keys,
    };
    is_allowed(policy, request)
}

#[test]
fn vt_r19_a_user_works_in_all_partitions_of_their_own() {
    let policy = values();
    for action in ITEM_ACTIONS {
        for keys in [
            &["U#abc"][..],
            &["U#abc#VALUES#r"],
            &["U#abc#PLAN#2025-11-18"],
            &["U#abc", "U#abc#VALUES#r", "U#abc#VALUES#s"],
        ] {
            assert!(may(&policy, action, keys), "{action} {keys:?}");
        }
    }
}

#[test]
fn vt_x7_no_user_reaches_another() {
    let policy = values();
    for action in ITEM_ACTIONS {
        for keys in [
            &["U#abcd"][..],
            &["U#abcd#VALUES#r"],
            &["U#xyz"],
            &["U#ab"],
            &["U#"],
            &["U#ABC"],
            &["xU#abc"],
            &["U#abc", "U#xyz"],
            &["U#abc", "U#abc#VALUES#r", "U#abcd#VALUES#r"],
        ] {
            assert!(!may(&policy, action, keys), "{action} {keys:?}");
        }
    }
}

#[test]
fn a_user_reads_the_stores_own_item_and_never_writes_it() {
    let policy = values();
    let store = "monotable#store";
    assert!(may(&policy, "GetItem", &[store]));
    for action in ITEM_ACTIONS.iter().filter(|action| **action != "GetItem") {
        assert!(!may(&policy, action, &[store]), "{action}");
    }
    assert!(!may_on(
        &policy,
        &format!("{TABLE}/index/GSI1"),
        "GetItem",
        &[store]
    ));
    for keys in [
        &["monotable#stor"][..],
        &["monotable#store#"],
        &["monotable#token#0"],
        &["monotable#*"],
        &[store, "U#xyz"],
    ] {
        assert!(!may(&policy, "GetItem", keys), "{keys:?}");
    }
    // The rows of its tokens stand in its own partitions.
    for action in ITEM_ACTIONS {
        assert!(
            may(&policy, action, &["U#abc#monotable#token#0"]),
            "{action}"
        );
        assert!(
            !may(&policy, action, &["U#xyz#monotable#token#0"]),
            "{action}"
        );
    }
}

#[test]
fn a_request_without_keys_is_forbidden() {
    let policy = values();
    let others = ["Scan", "PartiQLSelect", "PartiQLInsert"];
    for action in ITEM_ACTIONS.iter().chain(&others) {
        assert!(!may(&policy, action, &[]), "{action}");
    }
}

#[test]
fn other_actions_are_forbidden_whatever_the_keys() {
    let policy = values();
    for action in [
        "Scan",
        "PartiQLSelect",
        "PartiQLUpdate",
        "DeleteTable",
        "UpdateTable",
        "DescribeTable",
        "GetRecords",
    ] {
        assert!(!may(&policy, action, &["U#abc"]), "{action}");
        assert!(!may(&policy, action, &[]), "{action}");
    }
}

#[test]
fn other_tables_are_forbidden() {
    let policy = values();
    for resource in [
        "arn:aws:dynamodb:eu-west-1:123456789012:table/Other",
        "arn:aws:dynamodb:eu-west-1:123456789012:table/App2",
        "arn:aws:dynamodb:eu-west-1:123456789012:table/App/index/GSI1",
        "arn:aws:s3:::App",
    ] {
        assert!(
            !may_on(&policy, resource, "GetItem", &["U#abc"]),
            "{resource}"
        );
    }
}

#[test]
fn a_region_and_an_account_bind_the_policy_to_them() {
    let model = monotable_check::check(VALUES).model.unwrap();
    let scope = PolicyScope {
        region: "eu-west-1",
        account: "123456789012",
    };
    let policy = iam_policy(&model, scope).unwrap();
    assert!(may(&policy, "GetItem", &["U#abc"]));
    for elsewhere in [
        "arn:aws:dynamodb:eu-west-2:123456789012:table/App",
        "arn:aws:dynamodb:eu-west-1:210987654321:table/App",
    ] {
        assert!(!may_on(&policy, elsewhere, "GetItem", &["U#abc"]));
    }
}

#[test]
fn an_identity_that_looks_like_a_wildcard_is_text() {
    let policy = values();
    let may = |key: &str| {
        let request = Request {
            sub: "*",
            action: "dynamodb:GetItem",
            resource: TABLE,
            keys: &[key],
        };
        is_allowed(&policy, request)
    };
    assert!(may("U#*") && may("U#*#VALUES#r"));
    assert!(!may("U#abc") && !may("U#abc#VALUES#r"));
}

/// A model of one entity whose partitions are these.
fn diary(partition: &str, isolation: &str) -> String {
    format!(
        r##"
monotable = 1
model     = "diary"

[principal]
userId = "text, matches = /[a-z]{{1,8}}/"
{isolation}

[table.App]
key = ["PK", "SK"]

[entity.Day]
key = ["{partition}", "DAY#{{date}}"]

[entity.Day.attributes]
userId = "text, matches = /[a-z]{{1,8}}/"
date   = "date"

[access.days]
key     = ["{partition}", "DAY#*"]
returns = ["Day"]
"##
    )
}

#[test]
fn wildcards_in_a_partition_are_escaped() {
    let iam = "iam = \"${cognito-identity.amazonaws.com:sub}\"";
    for (open, keys) in [
        (
            "",
            [
                ("S*T?$#abc", true),
                ("SxT?$#abc", false),
                ("S*Tx$#abc", false),
            ],
        ),
        (
            "#*",
            [
                ("S*T?$#abc#x", true),
                ("SxT?$#abc#x", false),
                ("S*T?$#abcd#x", false),
            ],
        ),
    ] {
        let whole = open.trim_end_matches('*');
        let isolation =
            format!("[isolation]\npartitions = [\"S*T?$#{{principal.userId}}{open}\"]\n{iam}");
        let policy = policy_of(&diary(&format!("S*T?$#{{userId}}{whole}"), &isolation)).unwrap();
        for (key, allowed) in keys {
            assert_eq!(may(&policy, "GetItem", &[key]), allowed, "{key} {policy}");
        }
    }
}

#[test]
fn without_isolation_there_is_no_policy() {
    assert_eq!(policy_of(&diary("U#{userId}", "")), None);
}

/// What one would write first: a prefix, and no word about requests without keys.
const NAIVE: &str = r#"{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": "dynamodb:*",
      "Resource": "arn:aws:dynamodb:*:*:table/App",
      "Condition": {
        "ForAllValues:StringLike": {
          "dynamodb:LeadingKeys": "U#${cognito-identity.amazonaws.com:sub}*"
        }
      }
    }
  ]
}"#;

/// The evaluator can say both: it finds the holes of the naive policy.
#[test]
fn the_naive_policy_has_the_holes_that_ours_closes() {
    assert!(may(NAIVE, "GetItem", &["U#abc"]));
    assert!(may(NAIVE, "GetItem", &["U#abcd"]));
    assert!(may(NAIVE, "GetItem", &["U#abcd#VALUES#r"]));
    assert!(may(NAIVE, "Query", &[]));
    assert!(may(NAIVE, "Scan", &[]));
    assert!(may(NAIVE, "DeleteTable", &[]));
    assert!(!may(NAIVE, "GetItem", &["U#xyz"]));
    assert!(!may(NAIVE, "GetItem", &["U#abc", "U#xyz"]));
    // The Null condition alone closes the second hole, also for every action.
    let with_null = NAIVE.replace(
        "\"ForAllValues:",
        "\"Null\": { \"dynamodb:LeadingKeys\": \"false\" }, \"ForAllValues:",
    );
    assert!(may(&with_null, "GetItem", &["U#abcd"]));
    assert!(!may(&with_null, "Query", &[]));
    assert!(!may(&with_null, "Scan", &[]));
    assert!(!may(&with_null, "DeleteTable", &[]));
}
