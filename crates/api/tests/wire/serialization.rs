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
fn an_unknown_operation_is_named_with_what_to_do() {
    let none = "The header X-Amz-Target, which names the operation, is missing: DynamoDB's are named \
                like DynamoDB_20120810.ListTables";
    let foreign = |target: &str| {
        format!(
            "The header X-Amz-Target names {target}, which is no operation of DynamoDB: DynamoDB's \
             are named like DynamoDB_20120810.ListTables"
        )
    };
    let names: Vec<_> = OperationName::ALL
        .iter()
        .map(|name| name.as_str())
        .collect();
    let absent = |name: &str| {
        format!(
            "Monotable does not have the operation {name}: its operations are {}",
            names.join(", ")
        )
    };
    for (target, message) in [
        ("", none.to_owned()),
        ("PutItem", foreign("PutItem")),
        (
            "DynamoDB_20111205.PutItem",
            foreign("DynamoDB_20111205.PutItem"),
        ),
        ("<script>", foreign("something else")),
        ("DynamoDB_20120810.Put", absent("Put")),
        (
            "DynamoDB_20120810.CreateGlobalTable",
            "Monotable does not have the operation CreateGlobalTable: tables are in one region; run \
             a server for each region, and copy with Scan and BatchWriteItem"
                .to_owned(),
        ),
        (
            "DynamoDB_20120810.ListStreams",
            "The header X-Amz-Target names DynamoDB_20120810.ListStreams; the operation is \
             DynamoDBStreams_20120810.ListStreams"
                .to_owned(),
        ),
        (
            &format!("DynamoDB_20120810.{}", "x".repeat(65)),
            absent("something else"),
        ),
    ] {
        assert_eq!(
            OperationName::from_target(target),
            Err(Error::UnknownOperationException { message }),
            "{target}"
        );
    }
    assert_eq!(
        OperationName::from_target("DynamoDB_20120810.PutItem"),
        Ok(OperationName::PutItem)
    );
    assert_eq!(OperationName::PutItem.target(), "DynamoDB_20120810.PutItem");
    for &operation in OperationName::ALL {
        assert_eq!(
            OperationName::from_target(&operation.target()),
            Ok(operation)
        );
    }
    let target = OperationName::GetRecords.target();
    assert_eq!(target, "DynamoDBStreams_20120810.GetRecords");
}
