//! The JSON of an answer, written within the memory that was set aside for it.

use crate::memory::Share;
use crate::refusal::Refusal;
use monotable_api::{Error, JsonText, OperationName, Response};

/// Most answers fit without growing.
const USUAL: usize = 2048;

/// Writes the answer. JSON can be several times as long as the items in it are by DynamoDB's count. If it is longer than was set
/// aside, and the rest is not there, a read is refused, to be tried again later; the answer of a write, which is
/// done, takes the rest all the same.
pub(crate) fn encode(
    output: &Response,
    operation: OperationName,
    share: &mut Option<Share>,
) -> Result<Vec<u8>, Refusal> {
    let limit = share.as_ref().map_or(usize::MAX, Share::bytes);
    let mut text = JsonText::bounded(Vec::with_capacity(USUAL), limit);
    match (output.write_json(&mut text), share) {
        (Ok(()), _) => Ok(text.into_bytes()),
        (Err(_), Some(share)) => {
            drop(text);
            write_longer(output, operation, share)
        }
        (Err(error), None) => Err(Error::internal(error).into()),
    }
}

/// Finds out how long the answer is, and writes it if there is memory for it.
fn write_longer(
    output: &Response,
    operation: OperationName,
    share: &mut Share,
) -> Result<Vec<u8>, Refusal> {
    let mut counted = JsonText::counted();
    output.write_json(&mut counted).map_err(Error::internal)?;
    let length = counted.length();
    if !share.try_grow(length) {
        if is_read(operation) {
            return Err(Refusal::Busy);
        }
        share.resize(length);
    }
    let mut text = JsonText::unbounded(Vec::with_capacity(length));
    output.write_json(&mut text).map_err(Error::internal)?;
    Ok(text.into_bytes())
}

/// Whether nothing has changed, so that the request can be refused after it was carried out.
pub(crate) const fn is_read(operation: OperationName) -> bool {
    matches!(
        operation,
        OperationName::GetItem
            | OperationName::BatchGetItem
            | OperationName::TransactGetItems
            | OperationName::Query
            | OperationName::Scan
            | OperationName::SearchVectors
            | OperationName::GetRecords
    )
}
