//! ListBulkOperations: the bulk operations of the last 90 days.

use crate::Error;
use crate::bulk_operation::BulkOperationSummary;
use crate::constraint::{Constraints, Path, Quoted};
use crate::structure::{map_only, structure};
use serde::{Deserialize, Serialize};

/// How long a token may be, in characters.
const TOKEN_CHARS: std::ops::RangeInclusive<usize> = 1..=1024;
/// How many operations a page can have, and how many it has without a limit.
const PAGE: std::ops::RangeInclusive<i64> = 1..=25;
const USUAL_PAGE: usize = 10;

structure! {
    /// A ListBulkOperations request.
    pub struct ListBulkOperationsInput {
        /// How many to return at most.
        max_results: i64,
        /// Where the page before ended.
        next_token: String,
    }
}

/// A ListBulkOperations answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct ListBulkOperationsOutput {
    /// The operations, the youngest first.
    #[serde(default)]
    pub bulk_operations_summary_list: Vec<BulkOperationSummary>,
    /// Where this page ended; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_token: Option<String>,
}

map_only!(ListBulkOperationsOutput);

/// A ListBulkOperations request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidListBulkOperations {
    /// How many to return at most.
    pub limit: usize,
    /// Where the page before ended.
    pub start: Option<String>,
}

impl ListBulkOperationsInput {
    /// Checks everything that can be judged without the operations.
    pub fn validate(self) -> Result<ValidListBulkOperations, Error> {
        let mut constraints = Constraints::default();
        if let Some(limit) = self.max_results {
            constraints.range(Path::Root("maxResults"), limit, PAGE);
        }
        if let Some(token) = &self.next_token {
            let path = Path::Root("nextToken");
            let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            if token.is_empty() || token.len() % 16 != 0 || !token.bytes().all(is_hex) {
                let rule = "Member must satisfy regular expression pattern: ([0-9a-f]{16})+";
                constraints.report(Quoted(token), path, rule);
            }
            constraints.text_length(path, token, TOKEN_CHARS);
        }
        constraints.finish(Some(()))?;
        let limit = self
            .max_results
            .and_then(|limit| usize::try_from(limit).ok());
        Ok(ValidListBulkOperations {
            limit: limit.unwrap_or(USUAL_PAGE),
            start: self.next_token,
        })
    }
}
