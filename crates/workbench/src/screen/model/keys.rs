//! Entities by keys, and what refers to what.

use crate::context::OpenModel;
use crate::part::{key, mark};
use maud::{Markup, html};
use monotable_model::model::{KeyPlace, TableId};

/// A table for each table of the model, and the relations.
pub(super) fn show(open: &OpenModel) -> Markup {
    let model = open.model();
    html! {
        p class="pad mute" { "Ids have the colour of the entity that they name. Entities that can stand in one partition never share a colour." }
        @for (id, table) in model.tables() {
            @if model.stored().any(|(_, entity)| entity.table == id) {
                @if model.tables.len() > 1 { h2 class="group-title" { "Table " (table.name.value) } }
                (keys_of(open, id))
            }
        }
        h2 class="group-title" { "Relations" }
        div class="drawing" {
            a href=(open.link(&["model", "relations.svg"])) data-outside {
                img class="relations" src=(open.link(&["model", "relations.svg"])) alt={ "What refers to what in " (open.name) };
            }
        }
        (relations(open))
    }
}

fn keys_of(open: &OpenModel, id: TableId) -> Markup {
    let table = open.model().table(id);
    let entities: Vec<_> = open
        .model()
        .stored()
        .filter(|(_, entity)| entity.table == id)
        .collect();
    html! {
        div class="scrolls-x" tabindex="0" role="region" aria-label={ "Keys of " (table.name.value) } {
            table class="grid keys" {
                thead { tr {
                    th scope="col" { "Entity" } th scope="col" { "Table key" }
                    @for index in &table.indexes { th scope="col" { b { (index.name.value) } } }
                } }
                tbody {
                    @for (entity_id, entity) in entities {
                        tr class={ "tick " (open.hues.class(&entity.name.value)) } {
                            td { (mark::entity_link(open, &entity.name.value)) }
                            @for place in std::iter::once(KeyPlace::Primary).chain((0..table.indexes.len()).map(KeyPlace::Index)) {
                                td {
                                    @match entity.key(place) {
                                        None => span class="faint" { "–" },
                                        Some(known) => @for template in known.templates() {
                                            span class="key" { (key::template(open, Some(entity_id), template)) }
                                        },
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The references as a list, which readers of every kind can use.
fn relations(open: &OpenModel) -> Markup {
    let model = open.model();
    html! {
        div class="scrolls-x" tabindex="0" role="region" aria-label="References" {
            table class="grid" {
                thead { tr { th scope="col" { "Of" } th scope="col" { "Attribute" } th scope="col" { "Refers to" } th scope="col" { "When that is deleted" } th scope="col" { "Counted in" } } }
                tbody {
                    @for (_, entity) in model.stored() {
                        @for attribute in &entity.attributes {
                            @if let Some(reference) = &attribute.reference {
                                tr {
                                    td { (mark::entity_link(open, &entity.name.value)) }
                                    td { code { (attribute.name.value) } }
                                    td { (mark::entity(&open.hues, &model.entity(reference.target).name.value)) }
                                    td { (format!("{:?}", reference.on_delete).to_lowercase()) }
                                    td { @if let Some(counted) = &reference.counted { code { (counted.value) } } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
