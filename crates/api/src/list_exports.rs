//! ListExports: the exports of one table or of all.

use crate::constraint::{Constraints, Path};
use crate::structure::{map_only, structure};
use crate::{Error, ExportSummary, TableName, wording};
use monotable_item::limits;
use serde::{Deserialize, Serialize};

structure! {
    /// A ListExports request.
    pub struct ListExportsInput {
        /// The table whose exports are wanted, by ARN; of all tables without.
        table_arn: String,
        /// How many to return at most.
        max_results: i64,
        /// Where the page before ended.
        next_token: String,
    }
}

/// A ListExports answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct ListExportsOutput {
    /// The exports.
    #[serde(default)]
    pub export_summaries: Vec<ExportSummary>,
    /// Where this page ended; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_token: Option<String>,
}

map_only!(ListExportsOutput);

/// A ListExports request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidListExports {
    /// The table whose exports are wanted.
    pub table: Option<TableName>,
    /// How many to return at most.
    pub limit: usize,
    /// Where the page before ended.
    pub start: Option<String>,
}

impl ListExportsInput {
    /// Checks everything that can be judged without the exports.
    pub fn validate(self) -> Result<ValidListExports, Error> {
        let mut constraints = Constraints::default();
        let limit = transfer_limit(&mut constraints, "maxResults", self.max_results);
        constrain_table_arn(&mut constraints, &self.table_arn);
        constraints.finish(Some(()))?;
        Ok(ValidListExports {
            table: table_of_arn(self.table_arn)?,
            limit,
            start: self.next_token,
        })
    }
}

/// How many exports or imports are wanted.
pub(crate) fn transfer_limit(
    constraints: &mut Constraints,
    member: &'static str,
    given: Option<i64>,
) -> usize {
    let most = limits::MAX_LIST_TRANSFERS;
    let Some(given) = given else { return most };
    constraints.range(Path::Root(member), given, 1..=most as i64);
    usize::try_from(given).unwrap_or(most)
}

pub(crate) fn constrain_table_arn(constraints: &mut Constraints, given: &Option<String>) {
    if let Some(arn) = given {
        constraints.text_length(Path::Root("tableArn"), arn, 1..=1024);
    }
}

pub(crate) fn table_of_arn(given: Option<String>) -> Result<Option<TableName>, Error> {
    let parse = |arn: String| {
        let not_an_arn = || Error::validation(wording::INVALID_TABLE_ARN);
        TableName::parse_arn(&arn).ok_or_else(not_an_arn)
    };
    given.map(parse).transpose()
}
