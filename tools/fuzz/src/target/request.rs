//! Requests: the name of an operation, a line break, and a body.

use crate::flaw::{Flaw, demand};
use monotable_api::{OperationName, Request};

/// A request that can be decoded is the same after it was encoded and decoded; checking it does not panic.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    let mut parts = input.splitn(2, |byte| *byte == b'\n');
    let name = parts.next().and_then(|name| std::str::from_utf8(name).ok());
    let body = parts.next().unwrap_or_default();
    let Some(operation) = name.and_then(|name| name.parse::<OperationName>().ok()) else {
        return Ok(());
    };
    let Ok(request) = Request::decode(operation, body) else {
        return Ok(());
    };
    let _ = request.clone().check();
    // A value that no DynamoDB takes is kept until the request is checked, and has no JSON.
    let Ok(encoded) = request.encode() else {
        return Ok(());
    };
    let again = Request::decode(operation, &encoded).map_err(|error| {
        let text = String::from_utf8_lossy(&encoded);
        Flaw::new(format!(
            "what was encoded cannot be decoded: {error}: {text}"
        ))
    })?;
    demand(again == request, || format!("{request:?} became {again:?}"))?;
    demand(again.encode().ok().as_ref() == Some(&encoded), || {
        format!("{again:?} is encoded in two ways")
    })
}
