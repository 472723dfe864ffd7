//! A body takes about as much memory as it is long: one that stands for much more is refused while it is read.

use monotable_api::{OperationName, Request};

/// Two megabytes of elements between what stands before and behind them.
fn fill(before: &str, element: impl Fn(usize) -> String, behind: &str) -> String {
    let mut body = before.to_owned();
    let mut number = 0;
    while body.len() < 2 << 20 {
        if number > 0 {
            body.push(',');
        }
        body.push_str(&element(number));
        number += 1;
    }
    body + behind
}

fn decode(operation: OperationName, body: &str) -> Result<(), (String, String)> {
    let decoded = Request::decode(operation, body.as_bytes());
    let checked = decoded.and_then(Request::check);
    checked.map_err(|error| (error.code().to_owned(), error.message().into_owned()))
}

#[test]
fn many_empty_elements_are_refused_while_they_are_read() {
    let structure = |_| "{}".to_owned();
    let text = |_| r#""""#.to_owned();
    let numbers = |_| r#"{"N":"1"}"#.to_owned();
    let names = |number| format!(r##""#{number}":"a""##);
    let tables = |number| format!(r#""T{number}":[]"#);
    let key = r#"{"TableName":"Tab","Key":{"p":{"S":"x"}},"#;
    let bodies = [
        (
            OperationName::TransactWriteItems,
            fill(r#"{"TransactItems":["#, structure, "]}"),
        ),
        (
            OperationName::TransactGetItems,
            fill(r#"{"TransactItems":["#, structure, "]}"),
        ),
        (
            OperationName::BatchWriteItem,
            fill(r#"{"RequestItems":{"Tab":["#, structure, "]}}"),
        ),
        (
            OperationName::BatchWriteItem,
            fill(r#"{"RequestItems":{"#, tables, "}}"),
        ),
        (
            OperationName::BatchGetItem,
            fill(r#"{"RequestItems":{"Tab":{"Keys":["#, structure, "]}}}"),
        ),
        (
            OperationName::BatchExecuteStatement,
            fill(r#"{"Statements":["#, structure, "]}"),
        ),
        (
            OperationName::ExecuteTransaction,
            fill(r#"{"TransactStatements":["#, structure, "]}"),
        ),
        (
            OperationName::ExecuteStatement,
            fill(r#"{"Statement":"S","Parameters":["#, numbers, "]}"),
        ),
        (
            OperationName::SearchVectors,
            fill(r#"{"TableName":"Tab","SearchVector":["#, numbers, "]}"),
        ),
        (
            OperationName::CreateTable,
            fill(r#"{"GlobalSecondaryIndexes":["#, structure, "]}"),
        ),
        (
            OperationName::CreateTable,
            fill(r#"{"AttributeDefinitions":["#, structure, "]}"),
        ),
        (
            OperationName::UpdateTable,
            fill(r#"{"GlobalSecondaryIndexUpdates":["#, structure, "]}"),
        ),
        (
            OperationName::TagResource,
            fill(r#"{"Tags":["#, structure, "]}"),
        ),
        (
            OperationName::UntagResource,
            fill(r#"{"TagKeys":["#, text, "]}"),
        ),
        (
            OperationName::GetItem,
            fill(&format!(r#"{key}"AttributesToGet":["#), text, "]}"),
        ),
        (
            OperationName::GetItem,
            fill(
                &format!(r#"{key}"ExpressionAttributeNames":{{"#),
                names,
                "}}",
            ),
        ),
        (
            OperationName::DeleteItem,
            fill(
                &format!(r#"{key}"Expected":{{"#),
                |n| format!(r#""a{n}":{{}}"#),
                "}}",
            ),
        ),
    ];
    for (operation, body) in bodies {
        let refused = decode(operation, &body).unwrap_err();
        let expected = (
            "SerializationException".to_owned(),
            "The request has too many elements".to_owned(),
        );
        assert!(
            refused == expected,
            "{operation:?} {body:.60}: {:.60}",
            refused.1
        );
    }
}

#[test]
fn a_set_with_more_elements_than_an_item_has_bytes_is_refused_while_it_is_read() {
    let elements: Vec<_> = (0..=400 * 1024)
        .map(|number| format!(r#""{number}""#))
        .collect();
    for kind in ["NS", "SS"] {
        let body = format!(
            r#"{{"TableName":"Tab","Item":{{"s":{{"{kind}":[{}]}}}}}}"#,
            elements.join(",")
        );
        let (code, message) = decode(OperationName::PutItem, &body).unwrap_err();
        assert_eq!(code, "SerializationException");
        assert_eq!(message, "A set has more than 409600 elements");
    }
}

#[test]
fn the_largest_requests_that_dynamodb_takes_are_read() {
    let value = r##"{"Update":{"TableName":"Tab","Key":{"p":{"S":"x"}},"UpdateExpression":"SET #a = :a",
        "ExpressionAttributeNames":{"#a":"a"},"ExpressionAttributeValues":{":a":{"S":"b"}}}}"##;
    let actions = vec![value; 100].join(",");
    let body = format!(r#"{{"TransactItems":[{actions}]}}"#);
    assert_eq!(decode(OperationName::TransactWriteItems, &body), Ok(()));
    let vector = vec![r#"{"N":"1"}"#; 4096].join(",");
    let body =
        format!(r#"{{"TableName":"Tab","IndexName":"Ind","TopK":1,"SearchVector":[{vector}]}}"#);
    assert_eq!(decode(OperationName::SearchVectors, &body), Ok(()));
    let list = vec![r#"{"NULL":true}"#; 150_000].join(",");
    let body = format!(r#"{{"TableName":"Tab","Item":{{"p":{{"S":"x"}},"l":{{"L":[{list}]}}}}}}"#);
    assert_eq!(decode(OperationName::PutItem, &body), Ok(()));
}
