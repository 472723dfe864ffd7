//! A request sent, and its answer as one line.

use monotable_api::{Dynamo, Error, OperationName, Request};

/// The answer: its JSON, or the exception's name and message, with its further members.
pub(crate) fn of(target: &dyn Dynamo, operation: &str, body: &str) -> String {
    match call(target, operation, body) {
        Ok(json) => json,
        Err(error) => describe(&error),
    }
}

fn call(target: &dyn Dynamo, operation: &str, body: &str) -> Result<String, Error> {
    let operation: OperationName = operation.parse()?;
    let request = Request::decode(operation, body.as_bytes())?;
    let response = pollster::block_on(target.call(request))?;
    let json = response.encode()?;
    Ok(String::from_utf8_lossy(&json).into_owned())
}

fn describe(error: &Error) -> String {
    let text = format!("{}: {}", error.code(), error.message());
    let further = match error {
        Error::ConditionalCheckFailedException {
            item: Some(item), ..
        } => serde_json::to_string(item),
        Error::TransactionCanceledException { reasons } => serde_json::to_string(reasons),
        _ => return text,
    };
    format!("{text} {}", further.unwrap_or_default())
}
