//! Values: what a row that is written may hold, where its maker has not asked that already.

pub(crate) mod verify;

use crate::change::{Cause, ItemChange, WriteKind};
use crate::error::Error;
use crate::field_error::FieldError;
use crate::record::{self, Record};
use crate::scope::Scope;

/// Refuses values that callers may not give, and rows whose new key is against the model's rules.
pub(crate) fn complete(scope: &Scope, change: &ItemChange) -> Result<(), Error> {
    for change_of_row in &change.rows {
        let Some(row) = &change_of_row.new else {
            continue;
        };
        let errors = match &change.cause {
            Cause::Caller(WriteKind::Create) => {
                record::find_forged(scope.model(), row, &scope.circumstances)
            }
            Cause::Caller(WriteKind::Update | WriteKind::Delete) => Vec::new(),
            _ => {
                // What old rows hold is not this change's doing.
                let old = change_of_row.old.as_ref().map(|old| &old.record);
                let known = old.map(|old| problems(scope, old)).unwrap_or_default();
                let mut errors = problems(scope, row);
                errors.retain(|error| !known.iter().any(|old| old.attribute == error.attribute));
                errors
            }
        };
        if !errors.is_empty() {
            return Err(scope.refused(row.entity, errors));
        }
    }
    Ok(())
}

fn problems(scope: &Scope, row: &Record) -> Vec<FieldError> {
    record::problems(scope.compiled(), row, &scope.circumstances)
}
