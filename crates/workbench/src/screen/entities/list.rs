//! The entities of a model, its guards and its moves.

use super::Chosen;
use crate::context::OpenModel;
use crate::part::mark;
use crate::value::show_count;
use maud::{Markup, html};
use monotable_model::model::Guard;

/// The list at the left.
pub(super) fn show(open: &OpenModel, chosen: &Chosen<'_>) -> Markup {
    let model = open.model();
    let count = model.stored().count();
    html! {
        nav class="side" aria-label="Entities" data-list {
            div class="side-head" {
                input class="in hide-m" type="search" data-filter placeholder={ "Filter " (count) " entities" } aria-label="Filter entities" autocomplete="off";
                select class="in only-m" data-go-to aria-label="Entity" {
                    @for (id, entity) in model.stored() {
                        option value=(open.link(&["entities", &entity.name.value])) selected[id == chosen.id] { (entity.name.value) }
                    }
                }
            }
            div class="side-scroll" {
                div class="grp" { "Entities" span class="n" { "rows" } }
                @for (id, entity) in model.stored() {
                    @let name = &entity.name.value;
                    a class="li" href=(open.link(&["entities", name])) aria-current=[(id == chosen.id).then_some("true")] data-words=(name) {
                        (mark::entity(&open.hues, name))
                        @if open.is_program && open.census.is_taken { span class="r" { (show_count(open.census.rows.get(name).copied().unwrap_or_default() as u64)) } }
                    }
                }
                (guards(open))
                (moves(open))
            }
        }
    }
}

fn guards(open: &OpenModel) -> Markup {
    let claims = open
        .model()
        .stored()
        .flat_map(|(_, entity)| entity.claims.iter().map(move |claim| (entity, claim)));
    let claims: Vec<_> = claims
        .filter(|(_, claim)| !matches!(claim.guard, Guard::Snapshot))
        .collect();
    html! {
        @if !claims.is_empty() {
            div class="grp" { "Guards" }
            @for (entity, claim) in claims {
                a class="li" href=(open.link(&["entities", &entity.name.value])) data-words=(claim.name.value) {
                    span class={ "ent " (open.hues.class(&entity.name.value)) } { span class="sw hollow" {} (entity.name.value) "." (claim.name.value) }
                }
            }
        }
    }
}

fn moves(open: &OpenModel) -> Markup {
    let model = open.model();
    html! {
        @if !model.moves.is_empty() {
            div class="grp" { "Moves" }
            @for declared in &model.moves {
                @let of = &model.entity(declared.of).name.value;
                a class="li" href=(open.link(&["entities", of])) data-words=(declared.name.value) {
                    span class="mono" { (declared.name.value) } span class="r" { "of " (of) }
                }
            }
        }
    }
}
