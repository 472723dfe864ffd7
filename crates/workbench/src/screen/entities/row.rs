//! One row: what it is called, where it stands, what it refers to.

use super::source::Source;
use super::{Chosen, may_write};
use crate::context::{Context, OpenModel};
use crate::part::grid::find_key;
use crate::part::json;
use crate::screen::items;
use crate::value::{draw_item, write_item};
use maud::{Markup, html};
use monotable_item::Item;
use monotable_model::model::{Attribute, MoveKind};
use monotable_store::{AnyOperation, AnyOutput, Get, Options, Row};

/// The row that the address names: one of those that are shown, or read by its key.
pub(super) async fn select(
    open: &OpenModel,
    chosen: &Chosen<'_>,
    source: &Source,
    wanted: Option<&Item>,
) -> Option<Row> {
    let wanted = wanted?;
    let known = source
        .rows()
        .iter()
        .find(|row| row.entity == chosen.name() && find_key(chosen.entity, row) == *wanted);
    if let Some(row) = known {
        return Some(row.clone());
    }
    let get = Get {
        entity: chosen.name().to_owned(),
        key: wanted.clone(),
    };
    match open
        .store
        .run(AnyOperation::Get(get), Options::default())
        .await
    {
        Ok(AnyOutput::Row(row)) => Some(row),
        _ => None,
    }
}

/// What is known of a row.
pub(super) fn inspect(
    context: &Context<'_>,
    open: &OpenModel,
    chosen: &Chosen<'_>,
    source: &Source,
    row: &Row,
) -> Markup {
    let key = find_key(chosen.entity, row);
    html! {
        section class="sec" aria-label="Row" {
            div class="row" { (crate::part::mark::entity(&open.hues, chosen.name())) }
            h2 class="title" { (items::name_row(open, row)) }
            @if may_write(context, open, chosen.id) {
                div class="row wrap" {
                    @if chosen.entity.writes.delete {
                        a class="btn s" href=(source.here(open, chosen).with("delete", &write_item(&key))) { "Delete" }
                    }
                    (moves(open, chosen, &key))
                }
            }
        }
        (items::relations(open, row, chosen.id))
        section class="sec" aria-label="Values" {
            h2 { "Values" }
            div class="code" { pre class="js" tabindex="0" { (json::coloured(&draw_item(&row.values))) } }
        }
    }
}

/// The moves of the model that this row can make, each with the values that it asks for.
fn moves(open: &OpenModel, chosen: &Chosen<'_>, key: &Item) -> Markup {
    let model = open.model();
    html! {
        @for declared in &model.moves {
            @if declared.of == chosen.id {
                details class="menu" {
                    summary class="btn s" { (declared.name.value) }
                    form class="menu-list pad" data-write-form=(open.link(&["write"])) {
                        input type="hidden" name="do" value="move";
                        input type="hidden" name="of" value=(declared.name.value);
                        input type="hidden" name="key" value=(write_item(key));
                        @for attribute in list_asked(chosen, &declared.kind) {
                            label class="field" { span class="lab" { (attribute.name.value) " " span class="faint" { (attribute.kind) } } input class="in mono" name={ "set." (attribute.name.value) } autocomplete="off"; }
                        }
                        div class="row" {
                            button class="btn s" type="submit" name="dry" value="1" { "Dry run" }
                            button class="btn s pri" type="submit" { "Move" }
                        }
                    }
                }
            }
        }
    }
}

/// The attributes that a move changes.
fn list_asked<'m>(chosen: &Chosen<'m>, kind: &MoveKind) -> Vec<&'m Attribute> {
    match kind {
        MoveKind::To { .. } => Vec::new(),
        MoveKind::Changes { changes, .. } => changes
            .iter()
            .filter_map(|name| chosen.entity.attribute(&name.value))
            .collect(),
    }
}
