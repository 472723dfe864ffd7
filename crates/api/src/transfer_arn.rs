//! ARNs of exports, imports and bulk operations, once they are known to be ones.

use crate::backup_arn::{ARN_CHARS, resource_of_table};
use crate::constraint::{Constraints, Path};
use crate::{Error, wording};

/// What goes to a bucket or comes from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    Export,
    Import,
    BulkOperation,
}

/// The ARN of an export, an import or a bulk operation: `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/export/ID`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferArn {
    given: Box<str>,
    table: Box<str>,
    id: Box<str>,
}

impl TransferArn {
    /// The ARN as the request gave it.
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// The name of the table.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// What tells the exports, imports or bulk operations of a table apart.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Checks a member that must be there.
    pub(crate) fn require(given: &Option<String>, kind: Transfer) -> Result<Self, Error> {
        let (member, part, words) = match kind {
            Transfer::Export => ("exportArn", "export", wording::INVALID_EXPORT_ARN),
            Transfer::Import => ("importArn", "import", wording::INVALID_IMPORT_ARN),
            Transfer::BulkOperation => (
                "bulkOperationArn",
                "bulk-operation",
                wording::INVALID_BULK_OPERATION_ARN,
            ),
        };
        let mut constraints = Constraints::default();
        let path = Path::Root(member);
        let given = constraints.required(path, given);
        if let Some(given) = given {
            constraints.text_length(path, given, ARN_CHARS);
        }
        let given = constraints.finish(given)?;
        let parsed = resource_of_table(given, part).map(|(table, id)| Self {
            given: given.as_str().into(),
            table: table.into(),
            id: id.into(),
        });
        parsed.ok_or_else(|| Error::validation(words))
    }
}
