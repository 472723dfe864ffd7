//! A delete with everything that goes with it, as a dry run first.

use super::Chosen;
use crate::context::OpenModel;
use crate::part::{changes, note, requests};
use crate::screen::items;
use crate::value::{counted, write_item};
use maud::{Markup, html};
use monotable_item::Item;
use monotable_store::{AnyOperation, Delete, Options, Row, TracedChange};

/// The dialog, with what the delete would change.
pub(super) async fn dialog(open: &OpenModel, chosen: &Chosen<'_>, key: Item) -> Markup {
    let delete = Delete {
        entity: chosen.name().to_owned(),
        key: key.clone(),
    };
    let options = Options {
        dry_run: true,
        ..Options::default()
    };
    let trace = open
        .store
        .trace(AnyOperation::Delete(delete), options)
        .await;
    let deleted = trace
        .changes
        .iter()
        .filter(|change| change.is == "deleted" && change.cause != "guard")
        .count();
    let called = name_row(open, chosen, &trace.changes, &key);
    html! {
        dialog class="dialog" id="open-dialog" data-open aria-label={ "Delete " (chosen.name()) } {
            form data-write-form=(open.link(&["write"])) data-dialog-form {
                input type="hidden" name="do" value="delete";
                input type="hidden" name="of" value=(chosen.name());
                input type="hidden" name="key" value=(write_item(&key));
                div class="dh" {
                    h1 { "Delete " (called) "?" }
                    p class="mute" { (changes::summarise(&trace.changes)) ". This is a dry run: nothing is written yet." }
                }
                div class="body" tabindex="0" role="group" aria-label="Content" {
                    @match &trace.outcome {
                        Err(error) => (note::refusal(error)),
                        Ok(_) => { h2 class="vh" { "What changes" } (changes::entity_counts(open, &trace.changes)) (changes::list(open, &trace.changes)) }
                    }
                }
                div class="df" {
                    span class="mute" { (requests::summary(&trace.requests)) }
                    span class="grow" {}
                    button type="button" class="btn" data-close { "Cancel" }
                    @if trace.outcome.is_ok() {
                        button type="submit" class="btn danger" { "Delete " (counted(deleted.max(1), "row")) }
                    }
                }
            }
        }
    }
}

/// What the row is called that goes.
fn name_row(open: &OpenModel, chosen: &Chosen<'_>, changes: &[TracedChange], key: &Item) -> String {
    let own = changes.iter().find(|change| change.cause == "caller");
    let values = own.and_then(|change| change.before.clone());
    let values = values.unwrap_or_else(|| key.clone());
    let row = Row {
        entity: chosen.name().to_owned(),
        values,
    };
    items::name_row(open, &row)
}
