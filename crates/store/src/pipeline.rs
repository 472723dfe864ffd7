//! Every change of a row takes this way: what the matrix does not skip is completed and then applied, mechanism by
//! mechanism, and then the changes that follow from it, until nothing is left.

mod note;

use crate::boxed_future::box_future;
use crate::change::matrix::{MechanismId, Treatment, treatment};
use crate::change::{ItemChange, Run};
use crate::draft::Draft;
use crate::error::ErrorKind;
use crate::interrupt::Interrupt;
use crate::mechanism::{
    archive, audit, checks, claims, collections, counters, derived, keys, numbers, paths,
    references, relations, times, values,
};
use crate::reader::Reader;
use crate::writer;
use std::collections::BTreeSet;

/// Adds a change to the draft of a run, with everything that follows from it, and gives it back as it was completed.
pub(crate) async fn apply(
    run: &mut Run<'_>,
    mut change: ItemChange,
) -> Result<ItemChange, Interrupt> {
    complete(run, &mut change).await?;
    note::note_change(run.reader.scope, &change);
    apply_mechanisms(run, &change).await?;
    if run.count_waiting() > 0 {
        Box::pin(apply_waiting(run)).await?;
    }
    Ok(change)
}

/// Adds the changes that wait in a run.
pub(crate) async fn apply_waiting(run: &mut Run<'_>) -> Result<(), Interrupt> {
    loop {
        if let Some(change) = run.next_before() {
            Box::pin(commit_before(run, change)).await?;
        } else if let Some(mut change) = run.next() {
            complete(run, &mut change).await?;
            note::note_change(run.reader.scope, &change);
            apply_mechanisms(run, &change).await?;
        } else {
            return Ok(());
        }
    }
}

/// Writes a change in a transaction of its own. Whoever was first with the same is right: the operation begins anew.
async fn commit_before(run: &mut Run<'_>, change: ItemChange) -> Result<(), Interrupt> {
    let reader = run.reader;
    let mut draft = Draft::default();
    draft.assume(run.draft);
    apply(&mut Run::new(reader, &mut draft), change).await?;
    draft.add_late_claims()?;
    run.draft.assume(&draft);
    match writer::commit(&reader, &mut draft).await {
        Err(Interrupt::Fail(error)) if error.kind() == ErrorKind::Conflict => {
            Err(Interrupt::Restart)
        }
        outcome => outcome,
    }
}

/// Asks what forbids that an item is deleted, before anything is written, and gives back the attributes that decided it.
pub(crate) async fn judge_removal(
    reader: &Reader<'_>,
    change: &ItemChange,
) -> Result<BTreeSet<String>, Interrupt> {
    match (
        treatment(MechanismId::Checks, change.kind()),
        change.before(),
    ) {
        (Treatment::Applied, Some(row)) => checks::judge_removal(reader, row).await,
        _ => Ok(BTreeSet::new()),
    }
}

/// The mechanisms that a change goes through.
fn mechanisms(change: &ItemChange) -> impl Iterator<Item = MechanismId> + use<> {
    let cause = change.kind();
    MechanismId::ALL
        .into_iter()
        .filter(move |mechanism| treatment(*mechanism, cause) == Treatment::Applied)
}

async fn complete(run: &mut Run<'_>, change: &mut ItemChange) -> Result<(), Interrupt> {
    for mechanism in mechanisms(change) {
        let scope = run.reader.scope;
        match mechanism {
            MechanismId::Numbers if numbers::concern(scope, change) => {
                box_future(|| numbers::complete(run, change)).await?;
            }
            MechanismId::Times => times::complete(run, change)?,
            MechanismId::Values => values::complete(scope, change)?,
            MechanismId::Collections => collections::complete(scope, change),
            MechanismId::Checks => checks::complete(scope, change),
            MechanismId::Archive => archive::complete(scope, change),
            MechanismId::Audit => audit::complete(scope, change),
            MechanismId::Numbers
            | MechanismId::Keys
            | MechanismId::Claims
            | MechanismId::Relations
            | MechanismId::References
            | MechanismId::Counters
            | MechanismId::Derived
            | MechanismId::Paths => {}
        }
    }
    Ok(())
}

/// What only some entities declare has a box of its own: other writes need no room for it.
async fn apply_mechanisms(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    for mechanism in mechanisms(change) {
        match mechanism {
            MechanismId::Keys => keys::apply(run, change)?,
            MechanismId::Claims => claims::apply(run, change).await?,
            MechanismId::Relations if relations::concern(run.reader.scope, change) => {
                box_future(|| relations::apply(run, change)).await?;
            }
            MechanismId::References if references::concern(run.reader.scope, change) => {
                box_future(|| references::apply(run, change)).await?;
            }
            MechanismId::Checks if !run.reader.model().checks.is_empty() => {
                box_future(|| checks::apply(run, change)).await?;
            }
            MechanismId::Counters if counters::concern(run.reader.scope, change) => {
                box_future(|| counters::apply(run, change)).await?;
            }
            MechanismId::Derived if !run.reader.model().derives.is_empty() => {
                box_future(|| derived::apply(run, change)).await?;
            }
            MechanismId::Paths if !run.reader.model().paths.is_empty() => {
                box_future(|| paths::apply(run, change)).await?;
            }
            MechanismId::Archive => archive::apply(run, change)?,
            MechanismId::Audit => audit::apply(run, change)?,
            MechanismId::Numbers
            | MechanismId::Times
            | MechanismId::Values
            | MechanismId::Collections
            | MechanismId::Relations
            | MechanismId::References
            | MechanismId::Counters
            | MechanismId::Checks
            | MechanismId::Derived
            | MechanismId::Paths => {}
        }
    }
    Ok(())
}
