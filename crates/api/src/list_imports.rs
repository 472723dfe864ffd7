//! ListImports: the imports of one table or of all.

use crate::constraint::{Constraints, Path, Quoted};
use crate::list_exports::{constrain_table_arn, table_of_arn, transfer_limit};
use crate::structure::{map_only, structure};
use crate::{Error, ImportSummary, TableName};
use serde::{Deserialize, Serialize};

/// How long a token may be, in characters.
const TOKEN_CHARS: std::ops::RangeInclusive<usize> = 112..=1024;

structure! {
    /// A ListImports request.
    pub struct ListImportsInput {
        /// The table whose imports are wanted, by ARN; of all tables without.
        table_arn: String,
        /// How many to return at most.
        page_size: i64,
        /// Where the page before ended.
        next_token: String,
    }
}

/// A ListImports answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct ListImportsOutput {
    /// The imports.
    #[serde(default)]
    pub import_summary_list: Vec<ImportSummary>,
    /// Where this page ended; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_token: Option<String>,
}

map_only!(ListImportsOutput);

/// A ListImports request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidListImports {
    /// The table whose imports are wanted.
    pub table: Option<TableName>,
    /// How many to return at most.
    pub limit: usize,
    /// Where the page before ended.
    pub start: Option<String>,
}

impl ListImportsInput {
    /// Checks everything that can be judged without the imports.
    pub fn validate(self) -> Result<ValidListImports, Error> {
        let mut constraints = Constraints::default();
        let limit = transfer_limit(&mut constraints, "pageSize", self.page_size);
        constrain_table_arn(&mut constraints, &self.table_arn);
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
        Ok(ValidListImports {
            table: table_of_arn(self.table_arn)?,
            limit,
            start: self.next_token,
        })
    }
}
