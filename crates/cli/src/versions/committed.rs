//! New revisions.

use super::answer::Answer;
use super::snapshot::{ENTITY, named};
use crate::exit::{Failure, done, warn};
use crate::output::visible;
use crate::rows::key_names;
use monotable_item::EncodedItem;
use monotable_store::Committed;

/// Prints the rows of new revisions. Several say of which log they are.
pub(super) fn print(answer: &Answer<'_>, made: &Committed) -> Result<(), Failure> {
    let printer = |leading| answer.output.printer(answer.notation, leading);
    match made.revisions.as_slice() {
        [] => done("there is nothing to carry; no revision was made"),
        [row] => {
            printer(key_names(answer.model, &row.entity)).one(&EncodedItem::from(&row.values))?
        }
        rows => {
            let rows: Vec<_> = rows.iter().map(named).collect();
            let mut printer = printer(vec![ENTITY.to_owned()]);
            printer.page(&rows)?;
            printer.finish()?;
        }
    }
    for warning in &made.warnings {
        warn(visible(warning));
    }
    Ok(())
}
