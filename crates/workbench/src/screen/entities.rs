//! The entity browser: rows of an entity, changed through the model.

mod create;
mod delete;
mod list;
mod row;
mod source;

use crate::context::{Context, OpenModel};
use crate::mode::Mode;
use crate::part::frame::{self, Tab};
use crate::part::grid::{self, Editing, Setting};
use crate::part::icon::icon;
use crate::part::{key, mark, note, requests};
use crate::value::{counted, parse_item};
use maud::{Markup, html};
use monotable_model::model::{Entity, EntityId};
use monotable_rest::Response;
use monotable_store::Row;

pub(crate) use create::form as create_form;
use source::Source;

/// An entity that is looked at.
pub(super) struct Chosen<'m> {
    pub(super) id: EntityId,
    pub(super) entity: &'m Entity,
}

impl Chosen<'_> {
    pub(super) fn name(&self) -> &str {
        &self.entity.name.value
    }
}

/// Whether this page may change rows of an entity. Rows of a repository change by commits only.
pub(crate) fn may_write(context: &Context<'_>, open: &OpenModel, id: EntityId) -> bool {
    context.bench.mode() == Mode::On && open.model().repository_of(id).is_none()
}

/// The screen.
pub(crate) async fn show(context: &Context<'_>, open: &OpenModel, name: Option<&str>) -> Response {
    let model = open.model();
    let chosen = match name {
        Some(name) => match model
            .entity_named(name)
            .filter(|(_, entity)| entity.is_stored())
        {
            Some((id, entity)) => Chosen { id, entity },
            None => return super::missing::show(context, "There is no such entity"),
        },
        None => match model.stored().next() {
            Some((id, entity)) => Chosen { id, entity },
            None => return super::missing::show(context, "This model has no entities"),
        },
    };
    let source = Source::find(context, open, &chosen).await;
    let wanted = context
        .words
        .filled("row")
        .or(context.words.filled("delete"))
        .and_then(parse_item);
    let selected = row::select(open, &chosen, &source, wanted.as_ref()).await;
    let selected_key = selected
        .as_ref()
        .map(|row| grid::find_key(chosen.entity, row));
    let dialog = dialog(context, open, &chosen).await;
    let title = chosen.name().to_owned();
    let body = html! {
        div class="three" data-live="rows" {
            (list::show(open, &chosen))
            div class="mid" {
                (head(context, open, &chosen, &source))
                div class="scroll" data-scroll="rows" tabindex="-1" { (rows(context, open, &chosen, &source, selected_key.as_ref())) }
                div id="changes-bar" class="bottombar" hidden data-write=(open.link(&["write"])) data-entity=(chosen.name()) {
                    b data-count {} span data-verdict role="status" {} span class="grow" {}
                    button type="button" class="btn ghost" data-discard { "Discard" }
                    button type="button" class="btn pri" data-apply { "Apply " kbd { "Ctrl S" } }
                }
                (foot(context, open, &chosen, &source))
            }
            aside class="panel" aria-label="Evidence" id="evidence" {
                @if selected.is_none() && context.words.has("row") { (say_gone(&chosen)) }
                (evidence(context, open, &chosen, &source, selected.as_ref()))
             }
        }
        @if let Some(dialog) = dialog { (dialog) }
    };
    frame::page(context, Tab::Entities, &title, &body)
}

/// What stands in place of a row that the address names and nobody finds.
fn say_gone(chosen: &Chosen<'_>) -> Markup {
    html! {
        section class="sec" aria-label="Row" {
            p class="mute" { "There is no such " (chosen.name()) " any more, or none that this caller may see." }
        }
    }
}

async fn dialog(context: &Context<'_>, open: &OpenModel, chosen: &Chosen<'_>) -> Option<Markup> {
    if !may_write(context, open, chosen.id) {
        return None;
    }
    if context.words.has("new") && chosen.entity.writes.create {
        return Some(create::dialog(open, chosen));
    }
    let key = context.words.filled("delete").and_then(parse_item)?;
    Some(delete::dialog(open, chosen, key).await)
}

fn head(context: &Context<'_>, open: &OpenModel, chosen: &Chosen<'_>, source: &Source) -> Markup {
    html! {
        div class="head" {
            div class="row wrap" {
                h1 { (mark::entity(&open.hues, chosen.name())) }
                @if let Some(declared) = chosen.entity.primary() { (key::templates(open, Some(chosen.id), declared)) }
                span class="grow" {}
                @if may_write(context, open, chosen.id) && chosen.entity.writes.create {
                    a class="btn" href=(source.here(open, chosen).with("new", "1")) { (icon("plus")) "New " (chosen.name()) }
                }
            }
            @if let Some(about) = &chosen.entity.notes.about { p class="mute" { (about) } }
            @if let Some((word, declaration)) = crate::recognition::find_mechanism(open.model(), chosen.id) {
                p class="mute" { "Written by a mechanism: " (word) ", " code { (declaration) } "." }
            }
            (source.show(context, open, chosen))
        }
    }
}

fn rows(
    context: &Context<'_>,
    open: &OpenModel,
    chosen: &Chosen<'_>,
    source: &Source,
    selected: Option<&monotable_item::Item>,
) -> Markup {
    if let Some(error) = source.error() {
        return html! { div class="pad" { (note::refusal(error)) } };
    }
    let rows: Vec<&Row> = source
        .rows()
        .iter()
        .filter(|row| row.entity == chosen.name())
        .collect();
    if rows.is_empty() {
        return if source.is_asked() {
            let text = "The request was sent. Nothing is there that this caller may see.";
            note::blank(&format!("No {} rows.", chosen.name()), text, &html! {})
        } else {
            let text =
                "Give the values that the request needs, or choose where else the rows come from.";
            note::blank("Nothing was read yet.", text, &html! {})
        };
    }
    let editing = if may_write(context, open, chosen.id) {
        Editing::Offered
    } else {
        Editing::Absent
    };
    let setting = Setting {
        editing,
        selected,
        here: source.here(open, chosen),
    };
    grid::rows(open, chosen.name(), &rows, &setting)
}

fn foot(context: &Context<'_>, open: &OpenModel, chosen: &Chosen<'_>, source: &Source) -> Markup {
    let shown = source
        .rows()
        .iter()
        .filter(|row| row.entity == chosen.name())
        .count();
    html! {
        div class="foot" {
            span { (counted(shown, "row")) "." @if shown > 0 && may_write(context, open, chosen.id) { " Press Enter in a cell to change it." } }
            @if let Some(next) = source.next(open, chosen) { a class="btn s" rel="next" href=(next) { "Next page" } }
        }
    }
}

fn evidence(
    context: &Context<'_>,
    open: &OpenModel,
    chosen: &Chosen<'_>,
    source: &Source,
    selected: Option<&Row>,
) -> Markup {
    html! {
        @if let Some(row) = selected { (row::inspect(context, open, chosen, source, row)) }
        (requests::panel(source.requests()))
    }
}
