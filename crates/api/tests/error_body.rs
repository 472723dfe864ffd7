//! Exceptions as HTTP answers, and back.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{CancellationCode, CancellationReason, Error};
use monotable_item::{EncodedItem, Item};
use serde_json::{Value, json};

fn body(error: &Error) -> Value {
    serde_json::from_slice(&error.to_body()).unwrap()
}

fn item() -> EncodedItem {
    EncodedItem::from(Item::new().with("pk", "a"))
}

#[test]
fn a_message_in_the_namespace_of_the_service_that_raised_it() {
    assert_eq!(
        body(&Error::not_found("Requested resource not found")),
        json!({"__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
               "message": "Requested resource not found"}),
    );
    assert_eq!(
        body(&Error::validation("no")),
        json!({"__type": "com.amazon.coral.validate#ValidationException", "message": "no"}),
    );
    assert_eq!(
        body(&Error::serialization(
            "NUMBER_VALUE cannot be converted to String"
        )),
        json!({"__type": "com.amazon.coral.service#SerializationException",
               "Message": "NUMBER_VALUE cannot be converted to String"}),
    );
}

#[test]
fn no_message_when_there_is_nothing_to_say() {
    assert_eq!(
        body(&Error::UnknownOperationException {
            message: String::new()
        }),
        json!({"__type": "com.amazon.coral.service#UnknownOperationException"}),
    );
}

#[test]
fn a_failed_condition_can_show_the_item() {
    assert_eq!(
        body(&Error::condition_failed(Some(item()))),
        json!({"__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
               "message": "The conditional request failed", "Item": {"pk": {"S": "a"}}}),
    );
}

#[test]
fn a_cancelled_transaction_has_a_reason_per_action() {
    let error = Error::TransactionCanceledException {
        reasons: vec![
            CancellationReason::none(),
            CancellationReason::condition_failed(Some(item())),
            CancellationReason::conflict(),
        ],
    };
    assert_eq!(
        body(&error),
        json!({
            "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
            "Message": "Transaction cancelled, please refer cancellation reasons for specific \
                reasons [None, ConditionalCheckFailed, TransactionConflict]",
            "CancellationReasons": [
                {"Code": "None"},
                {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed",
                 "Item": {"pk": {"S": "a"}}},
                {"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"},
            ],
        }),
    );
}

#[test]
fn every_exception_comes_back_from_its_body() {
    let errors = [
        Error::condition_failed(None),
        Error::condition_failed(Some(item())),
        Error::TransactionCanceledException {
            reasons: vec![CancellationReason::validation("x")],
        },
        Error::validation("x"),
        Error::serialization(""),
        Error::internal("x"),
        Error::ServiceUnavailable {
            message: "x".to_owned(),
        },
        Error::RequestLimitExceeded {
            message: "x".to_owned(),
        },
        Error::IdempotentParameterMismatchException {
            message: "x".to_owned(),
        },
        Error::AccessDeniedException {
            message: "x".to_owned(),
        },
    ];
    for error in errors {
        assert_eq!(Error::from_body(error.status(), &error.to_body()), error);
    }
}

#[test]
fn what_is_not_a_dynamodb_answer_becomes_what_its_status_says() {
    let page = b"<html>Bad Gateway</html>";
    let message = "<html>Bad Gateway</html>".to_owned();
    assert_eq!(
        Error::from_body(502, page),
        Error::InternalServerError { message }
    );
    let odd = br#"{"__type": "x#Odd", "message": "m"}"#;
    let message = "Odd: m".to_owned();
    assert_eq!(
        Error::from_body(429, odd),
        Error::ThrottlingException { message }
    );
}

#[test]
fn status_and_retries() {
    assert_eq!(
        (
            Error::internal("").status(),
            Error::internal("").retryable()
        ),
        (500, true)
    );
    assert_eq!(
        (
            Error::validation("").status(),
            Error::validation("").retryable()
        ),
        (400, false)
    );
    let unavailable = Error::ServiceUnavailable {
        message: String::new(),
    };
    assert_eq!((unavailable.status(), unavailable.retryable()), (503, true));
}

#[test]
fn a_cancelled_transaction_is_worth_a_retry_when_no_reason_is_final() {
    let cancelled = |codes: &[CancellationCode]| Error::TransactionCanceledException {
        reasons: codes
            .iter()
            .map(|code| CancellationReason::of(*code, ""))
            .collect(),
    };
    use CancellationCode::{ConditionalCheckFailed, None, TransactionConflict};
    assert!(cancelled(&[None, TransactionConflict]).retryable());
    assert!(!cancelled(&[ConditionalCheckFailed, TransactionConflict]).retryable());
    assert!(!cancelled(&[None]).retryable());
}
