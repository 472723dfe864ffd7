//! Unique values in a store that is not adopted: rows may have them without a guard.

use super::blame_unique;
use crate::change::{ItemChange, Run};
use crate::find::unguarded::{Holder, has_value, holders};
use crate::guard::GuardRow;
use crate::interrupt::Interrupt;
use crate::record::Record;
use crate::store_item::refuse_unadopted;
use monotable_model::model::Claim;

/// Refuses a value that another row has, although nothing guards it, and one of which that cannot be told.
pub(super) async fn refuse_holders(
    run: &Run<'_>,
    change: &ItemChange,
    guard: &GuardRow,
) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    for row in change.new_rows() {
        let mut claims = scope.entity(row.entity).claims.iter();
        let Some(claim) = claims.find(|claim| claim.name.value == guard.claim) else {
            continue;
        };
        if !has_value(scope, row, claim, guard)? {
            continue;
        }
        let found = holders(&run.reader, row.entity, claim, &row.values).await?;
        let Some(found) = found else {
            let (name, claim) = (scope.name(row.entity), &guard.claim);
            let undecided = format!(
                "whether another row of {name} has the same `{claim}`, which is unique, cannot be told: nothing guards the \
                 value, and no key leads to it"
            );
            return Err(refuse_unadopted(&run.reader, &undecided).await);
        };
        for holder in found {
            if is_another(run, change, &holder) && keeps_value(run, (claim, guard), &holder)? {
                return Err(blame_unique(scope, row.entity, &guard.claim).into());
            }
        }
    }
    Ok(())
}

/// Whether a row is none of those that change.
fn is_another(run: &Run<'_>, change: &ItemChange, holder: &Holder) -> bool {
    let place = |row: &Record| run.reader.row_address(row).ok();
    let mut stored = change.rows.iter().filter_map(|row| row.old.as_ref());
    let mut new = change.new_rows();
    stored.all(|old| old.address != holder.address)
        && new.all(|new| place(new).as_ref() != Some(&holder.address))
}

/// Whether a row still has its value when the draft is written.
fn keeps_value(
    run: &Run<'_>,
    (claim, guard): (&Claim, &GuardRow),
    holder: &Holder,
) -> Result<bool, Interrupt> {
    let item = match run.draft.after(&holder.address, Some(&holder.item)) {
        Some(after) => after,
        None => return Ok(true),
    };
    let record = item.and_then(|item| run.reader.decode(holder.address.table(), &item));
    match record {
        Some(record) => has_value(run.reader.scope, &record, claim, guard),
        None => Ok(false),
    }
}
