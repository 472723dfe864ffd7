use super::*;

/// What is expected of attribute `a` is refused in these words.
#[track_caller]
fn refuses(expected: Value, message: &str) {
    for operation in [PutItem, UpdateItem, DeleteItem] {
        refused(
            operation,
            request(operation, json!({"Expected": {"a": expected}})),
            &format!("One or more parameter values were invalid: {message}"),
        );
    }
}

#[track_caller]
fn accepts(expected: Value) {
    for operation in [PutItem, UpdateItem, DeleteItem] {
        accepted(
            operation,
            request(operation, json!({"Expected": {"a": expected}})),
        );
    }
}

#[test]
fn a_value_is_expected_unless_nothing_is() {
    refuses(
        json!({}),
        "Value must be provided when Exists is null for Attribute: a",
    );
    refuses(
        json!({"Exists": true}),
        "Value must be provided when Exists is true for Attribute: a",
    );
    refuses(
        json!({"Exists": false, "Value": {"S": "x"}}),
        "Value cannot be used when Exists is false for Attribute: a",
    );
    accepts(json!({"Value": {"S": "x"}}));
    accepts(json!({"Value": {"M": {"b": {"L": []}}}}));
    accepts(json!({"Exists": true, "Value": {"S": "x"}}));
    accepts(json!({"Exists": false}));
}

#[test]
fn values_come_in_one_way() {
    refuses(
        json!({"Value": {"S": "x"}, "AttributeValueList": [{"S": "x"}], "ComparisonOperator": "EQ"}),
        "Value and AttributeValueList cannot be used together for Attribute: a",
    );
    refuses(
        json!({"Exists": false, "ComparisonOperator": "EQ", "AttributeValueList": [{"S": "x"}]}),
        "Exists and ComparisonOperator cannot be used together for Attribute: a",
    );
    refuses(
        json!({"ComparisonOperator": "LT"}),
        "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a",
    );
    // That comes before the rules about `Exists`.
    for exists in [Value::Null, json!(true), json!(false)] {
        refuses(
            json!({"AttributeValueList": [{"S": "x"}], "Exists": exists}),
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
        );
    }
    accepts(json!({"ComparisonOperator": "LT", "Value": {"S": "x"}}));
    accepts(json!({"ComparisonOperator": "NULL"}));
    refuses(
        json!({"ComparisonOperator": "BETWEEN", "Value": {"S": "x"}}),
        "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
    );
    refuses(
        json!({"ComparisonOperator": "NOT_NULL", "Value": {"S": "x"}}),
        "Invalid number of argument(s) for the NOT_NULL ComparisonOperator",
    );
}

#[test]
fn items_keys_and_updates_are_checked_before() {
    let expected = json!({"a": {}});
    refused(
        PutItem,
        json!({"TableName": "abc", "Item": {"a": {}}, "Expected": expected}),
        crate::NO_TYPE,
    );
    refused(
        PutItem,
        request(
            PutItem,
            json!({"ReturnValues": "ALL_NEW", "Expected": expected}),
        ),
        "ReturnValues can only be ALL_OLD or NONE",
    );
    refused(
        DeleteItem,
        json!({"TableName": "abc", "Key": {"a": {}}, "Expected": expected}),
        crate::NO_TYPE,
    );
    refused(
        UpdateItem,
        request(
            UpdateItem,
            json!({"AttributeUpdates": {"a": {}}, "Expected": expected}),
        ),
        "One or more parameter values were invalid: Only DELETE action is allowed when no \
         attribute value is specified",
    );
}

#[test]
fn nothing_may_be_expected() {
    for operation in [PutItem, UpdateItem, DeleteItem] {
        accepted(operation, request(operation, json!({"Expected": {}})));
    }
}
