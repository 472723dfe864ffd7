//! A small description that is right about `api` has no differences; each change to it is noticed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_shapes::{Description, Gap, compare, compare_with_gaps};
use serde_json::{Value, json};

/// Two operations as AWS describes them.
fn description() -> Value {
    json!({
        "operations": {
            "ListTables": {"input": {"shape": "ListTablesInput"}, "output": {"shape": "ListTablesOutput"},
                "errors": [{"shape": "InternalServerError"}]},
            "TransactWriteItems": {"input": {"shape": "TransactWriteItemsInput"},
                "output": {"shape": "TransactWriteItemsOutput"}},
        },
        "shapes": {
            "ListTablesInput": {"type": "structure", "members": {
                "ExclusiveStartTableName": {"shape": "TableName"}, "Limit": {"shape": "Limit"}}},
            "ListTablesOutput": {"type": "structure", "members": {
                "TableNames": {"shape": "TableNameList"}, "LastEvaluatedTableName": {"shape": "TableName"}}},
            "TableNameList": {"type": "list", "member": {"shape": "TableName"}},
            "TableName": {"type": "string", "min": 3, "max": 255, "pattern": "[a-zA-Z0-9_.-]+"},
            "Limit": {"type": "integer", "min": 1, "max": 100},
            "InternalServerError": {"type": "structure"},
            "TransactWriteItemsInput": {"type": "structure", "required": ["TransactItems"], "members": {
                "TransactItems": {"shape": "TransactWriteItemList"},
                "ReturnConsumedCapacity": {"shape": "ReturnConsumedCapacity"},
                "ClientRequestToken": {"shape": "ClientRequestToken"}}},
            "TransactWriteItemList": {"type": "list", "min": 1, "max": 100,
                "member": {"shape": "TransactWriteItem"}},
            "TransactWriteItem": {"type": "structure", "members": {"Put": {"shape": "Put"}}},
            "Put": {"type": "structure", "required": ["Item", "TableName"], "members": {
                "Item": {"shape": "Item"}, "TableName": {"shape": "TableName"},
                "ConditionExpression": {"shape": "String"}}},
            "Item": {"type": "map", "value": {"shape": "AttributeValue"}},
            "AttributeValue": {"type": "structure"},
            "String": {"type": "string"},
            "ReturnConsumedCapacity": {"type": "string", "enum": ["INDEXES", "TOTAL", "NONE"]},
            "ClientRequestToken": {"type": "string", "min": 1, "max": 36},
            "TransactWriteItemsOutput": {"type": "structure", "members": {
                "ConsumedCapacity": {"shape": "Consumed"}}},
            "Consumed": {"type": "list", "member": {"shape": "ConsumedCapacity"}},
            "ConsumedCapacity": {"type": "structure", "members": {"CapacityUnits": {"shape": "Units"}}},
            "Units": {"type": "double"},
        },
    })
}

fn parsed(description: &Value) -> Description {
    Description::parse(description.to_string().as_bytes()).unwrap()
}

/// What differs, without the operations that the small description leaves out.
fn differences(description: &Value) -> Vec<String> {
    compare(&[parsed(description)])
        .iter()
        .map(ToString::to_string)
        .filter(|text| !text.ends_with("is not described"))
        .collect()
}

fn after(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut changed = description();
    change(&mut changed["shapes"]);
    differences(&changed)
}

#[test]
fn the_right_description_has_no_differences() {
    assert_eq!(differences(&description()), [""; 0]);
}

#[test]
fn a_member_that_is_missing_here() {
    let found = after(|shapes| {
        shapes["ListTablesInput"]["members"]["Colour"] = json!({"shape": "String"});
        shapes["ConsumedCapacity"]["members"]["Colour"] = json!({"shape": "String"});
        shapes["Put"]["members"]["Colour"] = json!({"shape": "String"});
    });
    let expected = [
        "ConsumedCapacity.Colour: is lost from an answer",
        "ListTablesInput.Colour: is missing and ignored",
        "Put.Colour: is missing and ignored",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_word_more_and_a_word_less() {
    let found = after(|shapes| {
        shapes["ReturnConsumedCapacity"]["enum"] = json!(["INDEXES", "TOTAL", "SOME"]);
    });
    let expected = [
        "TransactWriteItemsInput.ReturnConsumedCapacity: has the word NONE, which AWS lacks",
        "TransactWriteItemsInput.ReturnConsumedCapacity: lacks the word SOME",
    ];
    assert_eq!(found, expected);
}

#[test]
fn limits_that_have_changed() {
    let found = after(|shapes| {
        shapes["Limit"]["max"] = json!(90);
        shapes["ClientRequestToken"]["max"] = json!(40);
        shapes["TransactWriteItemList"]["max"] = json!(101);
        shapes["Limit"]["min"] = json!(0);
    });
    let expected = [
        "ListTablesInput.Limit: has max 90, and allows 91",
        "ListTablesInput.Limit: has min 0, and refuses it",
        "TransactWriteItemsInput.ClientRequestToken: has max 40, and refuses it",
        "TransactWriteItemsInput.TransactItems: has max 101, and refuses it",
    ];
    for difference in expected {
        assert!(
            found.contains(&difference.to_owned()),
            "{difference} is not in {found:#?}"
        );
    }
}

#[test]
fn a_member_that_became_required_or_optional() {
    let found = after(|shapes| {
        shapes["ListTablesInput"]["required"] = json!(["Limit"]);
        shapes["Put"]["required"] = json!(["Item", "TableName", "ConditionExpression"]);
        shapes["TransactWriteItemsInput"]["required"] = json!([]);
    });
    let expected = [
        "ListTablesInput.Limit: is required, and not missed when absent",
        "Put.ConditionExpression: is required, and not missed when absent",
        "TransactWriteItemsInput.TransactItems: is not required, and missed when absent",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_member_of_another_type() {
    let found = after(|shapes| shapes["Limit"] = json!({"type": "string"}));
    assert!(found[0].starts_with("ListTablesInput.Limit: "), "{found:?}");
    let found = after(|shapes| shapes["Units"] = json!({"type": "string"}));
    assert!(
        found[0].starts_with("ConsumedCapacity.CapacityUnits: cannot be read"),
        "{found:?}"
    );
}

#[test]
fn a_pattern_that_nobody_checks() {
    let found = after(|shapes| shapes["ClientRequestToken"]["pattern"] = json!("[0-9a-f]+"));
    let expected =
        "TransactWriteItemsInput.ClientRequestToken: has pattern [0-9a-f]+, and allows '!!!'";
    assert_eq!(found, [expected]);
}

#[test]
fn operations_and_exceptions_that_we_lack() {
    let mut changed = description();
    changed["operations"]["PaintTable"] = json!({});
    changed["operations"]["ListTables"]["errors"] = json!([{"shape": "Limit"}]);
    let expected = [
        "Limit: is an exception we do not know",
        "PaintTable: is not among our operations",
    ];
    assert_eq!(differences(&changed), expected);
}

#[test]
fn a_known_gap_is_silent_and_an_unneeded_one_is_not() {
    let mut changed = description();
    changed["shapes"]["Put"]["members"]["Colour"] = json!({"shape": "String"});
    let gap = |place, what| Gap {
        place,
        what,
        reason: "planted",
    };
    let gaps = [
        gap("*.Colour", "is missing and ignored"),
        gap("Put.Weight", "is missing and ignored"),
    ];
    let found: Vec<_> = compare_with_gaps(&[parsed(&changed)], &gaps)
        .iter()
        .map(ToString::to_string)
        .filter(|text| !text.ends_with("is not described"))
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("Put.Weight: no longer differs"),
        "{found:?}"
    );
}

#[test]
fn a_description_with_a_hole_is_refused() {
    let mut changed = description();
    changed["shapes"].as_object_mut().unwrap().remove("Limit");
    let error = Description::parse(changed.to_string().as_bytes()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the shape Limit is not described")
    );
}
