//! Operations: one table names them all.

mod decode;
mod table;

pub use table::*;

use crate::TableReferences;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// One operation of DynamoDB.
pub trait Operation {
    /// Its name, as in the header `X-Amz-Target: DynamoDB_20120810.PutItem`.
    const NAME: OperationName;
    /// Its request.
    type Input: Serialize + DeserializeOwned + TableReferences;
    /// Its answer.
    type Output: Serialize + DeserializeOwned;
}
