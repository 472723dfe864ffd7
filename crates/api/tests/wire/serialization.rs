//! AWS's words for a body of the wrong shape.

use monotable_api::{Error, OperationName, Request};

#[track_caller]
fn refused(operation: OperationName, body: &str, message: &str) {
    let error = Request::decode(operation, body.as_bytes()).unwrap_err();
    assert_eq!(error, Error::serialization(message), "{body}");
}

#[test]
fn what_is_not_json_gets_no_message() {
    for body in ["", "{", "}", "{\"TableName\": }", "nonsense"] {
        refused(OperationName::PutItem, body, "");
    }
}

#[test]
fn text_is_expected() {
    for (value, message) in [
        ("true", "TRUE_VALUE cannot be converted to String"),
        ("false", "FALSE_VALUE cannot be converted to String"),
        ("23", "NUMBER_VALUE cannot be converted to String"),
        ("-2147483648", "NUMBER_VALUE cannot be converted to String"),
        ("34.56", "DECIMAL_VALUE cannot be converted to String"),
        ("[]", "Unrecognized collection type class java.lang.String"),
        ("{}", "Start of structure or map found where not expected"),
    ] {
        refused(
            OperationName::GetItem,
            &format!(r#"{{"TableName":{value}}}"#),
            message,
        );
        let chosen = format!(r#"{{"ReturnConsumedCapacity":{value}}}"#);
        refused(OperationName::GetItem, &chosen, message);
    }
}

#[test]
fn a_number_is_expected() {
    for (value, message) in [
        (r#""23""#, "STRING_VALUE cannot be converted to Long"),
        ("true", "TRUE_VALUE cannot be converted to Long"),
        ("[]", "Unrecognized collection type class java.lang.Long"),
        ("{}", "Start of structure or map found where not expected"),
    ] {
        let body = format!(r#"{{"ProvisionedThroughput":{{"ReadCapacityUnits":{value}}}}}"#);
        refused(OperationName::CreateTable, &body, message);
    }
}

#[test]
fn a_structure_is_expected() {
    for (value, message) in [
        ("23", "Unexpected field type"),
        (r#""23""#, "Unexpected field type"),
        (
            "[]",
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput",
        ),
    ] {
        let body = format!(r#"{{"ProvisionedThroughput":{value}}}"#);
        refused(OperationName::CreateTable, &body, message);
    }
}

#[test]
fn a_list_is_expected() {
    for (value, message) in [
        ("23", "Unexpected field type"),
        ("{}", "Start of structure or map found where not expected"),
    ] {
        refused(
            OperationName::CreateTable,
            &format!(r#"{{"KeySchema":{value}}}"#),
            message,
        );
    }
}

#[test]
fn a_map_of_values_is_expected() {
    for (value, message) in [
        ("23", "Unexpected field type"),
        (
            "[]",
            "Unrecognized collection type java.util.Map<java.lang.String, \
             com.amazonaws.dynamodb.v20120810.AttributeValue>",
        ),
    ] {
        refused(
            OperationName::PutItem,
            &format!(r#"{{"Item":{value}}}"#),
            message,
        );
        let values = format!(r#"{{"ExpressionAttributeValues":{value}}}"#);
        refused(OperationName::PutItem, &values, message);
    }
}

#[test]
fn a_value_is_expected() {
    for (value, message) in [
        ("23", "Unexpected value type in payload"),
        (r#""a""#, "Unexpected value type in payload"),
        (
            "[]",
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
        ),
        (r#"{"S":1}"#, "NUMBER_VALUE cannot be converted to String"),
        (
            r#"{"N":1.5}"#,
            "DECIMAL_VALUE cannot be converted to String",
        ),
        (r#"{"SS":1}"#, "Unexpected field type"),
        (
            r#"{"L":{}}"#,
            "Start of structure or map found where not expected",
        ),
        (
            r#"{"M":[]}"#,
            "Unrecognized collection type java.util.Map<java.lang.String, \
          com.amazonaws.dynamodb.v20120810.AttributeValue>",
        ),
    ] {
        refused(
            OperationName::PutItem,
            &format!(r#"{{"Item":{{"a":{value}}}}}"#),
            message,
        );
    }
}

#[test]
fn an_unknown_operation_gets_no_message() {
    let unknown = Error::UnknownOperationException {
        message: String::new(),
    };
    for target in [
        "",
        "PutItem",
        "DynamoDB_20120810.",
        "DynamoDB_20120810.Put",
        "DynamoDB_20111205.PutItem",
    ] {
        assert_eq!(
            OperationName::from_target(target),
            Err(unknown.clone()),
            "{target}"
        );
    }
    assert_eq!(
        OperationName::from_target("DynamoDB_20120810.PutItem"),
        Ok(OperationName::PutItem)
    );
    assert_eq!(OperationName::PutItem.target(), "DynamoDB_20120810.PutItem");
}
