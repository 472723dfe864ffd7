//! Calls that are said again under their token: nothing changes, and the answer is what the caller may see by then.

use super::answers::rows_of;
use super::evaluator::Evaluator;
use super::expectation::stored_row;
use super::moves::{self, MoveWay};
use super::plain;
use super::runner::Run;
use super::world::Change;
use monotable_store::{AnyOperation, AnyOutput, ErrorKind, Options};

/// Says a call again. It was made, and its changes are still there.
pub(crate) async fn judge(
    run: &Run<'_>,
    call: &AnyOperation,
    options: &Options,
    (answer, wanted): (&AnyOutput, &AnyOutput),
    changes: &[Change],
) -> Vec<String> {
    let mut said = Vec::new();
    let again = run.store().run(call.clone(), options.clone()).await;
    let rows = rows_of(wanted);
    // What was given away is not there any more; of what was deleted the key is.
    let is_hidden = !is_delete(run, call) && rows.iter().any(|row| !run.sees_answer(row, &rows));
    match (is_hidden, &again) {
        (true, Err(error)) if error.kind() == ErrorKind::NotFound => {}
        (false, Ok(again)) if rows_of(again).len() == rows_of(answer).len() => {}
        (_, other) => said.push(format!("said again: {other:?}")),
    }
    // What is refused may be noted; nothing else is written.
    for change in run.world.changes() {
        let is_known = changes
            .iter()
            .any(|known| known.place == change.place && known.new == change.new);
        if !is_known && !run.is_note(&change) {
            said.push(format!("said again, it changes {:?}", change.place));
        }
    }
    said
}

/// Whether the rows of the answer are gone afterwards.
fn is_delete(run: &Run<'_>, call: &AnyOperation) -> bool {
    match call {
        AnyOperation::Delete(_) | AnyOperation::Detach(_) => true,
        AnyOperation::MoveRow(known) => {
            let found = moves::find_move(run.world.model(), &known.name);
            found.is_some_and(|(_, way)| way == MoveWay::Purge)
        }
        _ => false,
    }
}

/// Says a call again after the program has taken rights away: the answer shows what a get would.
pub(crate) async fn judge_revoked(
    run: &Run<'_>,
    call: &AnyOperation,
    options: &Options,
    answer: &AnyOutput,
) -> Vec<String> {
    let Some(revocation) = run.revocation else {
        return Vec::new();
    };
    let mut program = run.world.store.clone();
    if let Some(tenant) = &run.evaluator.caller.tenant {
        program = program.tenant(tenant);
    }
    let revocation = AnyOperation::from_json(revocation).unwrap();
    if program.run(revocation, Options::default()).await.is_err() {
        // The call itself has deleted what the revocation changes.
        return Vec::new();
    }
    let state = run.state.with_changes(&run.world.changes());
    let evaluator = Evaluator {
        state: &state,
        caller: run.evaluator.caller,
        settings: run.evaluator.settings,
        written: Vec::new(),
        is_alone: false,
    };
    let is_hidden = rows_of(answer).iter().any(|shown| {
        let row = stored_row(&evaluator, shown);
        !row.place.0.is_empty() && !evaluator.sees(&row)
    });
    let again = run.store().run(call.clone(), options.clone()).await;
    match (is_hidden, again) {
        (true, Err(error)) if error.kind() == ErrorKind::NotFound => Vec::new(),
        (true, other) => vec![format!("said again without rights: {other:?}")],
        (false, Ok(again)) => {
            // Of a row that is gone by then only the key is told.
            let mut said = Vec::new();
            for shown in rows_of(&again) {
                let is_gone = stored_row(&evaluator, &shown).place.0.is_empty();
                let (_, entity) = state.model.entity_named(&shown.entity).unwrap();
                let key = entity.key_attributes();
                let values = plain::read_item(&shown.values);
                if is_gone && values.keys().any(|name| !key.contains(&name.as_str())) {
                    said.push(format!("said again, a row that is gone shows {values:?}"));
                }
            }
            said
        }
        (false, Err(error)) => vec![format!("said again: {error}")],
    }
}
