//! The patterns of a model, grouped by the entity that they return.

use super::find_sample_link;
use crate::context::OpenModel;
use crate::part::mark;
use maud::{Markup, html};
use monotable_model::model::{Access, KeyPlace, Model, Way};

/// The list at the left.
pub(super) fn show(open: &OpenModel, chosen: Option<&Access>) -> Markup {
    let model = open.model();
    let groups = group(model);
    let count = model.patterns().count();
    html! {
        nav class="side" aria-label="Patterns" data-list {
            div class="side-head" {
                input class="in hide-m" type="search" data-filter placeholder={ "Filter " (count) " patterns" } aria-label="Filter patterns" autocomplete="off";
                (picker(open, model, chosen))
            }
            div class="side-scroll" {
                @for (entity, patterns) in &groups {
                    div class="grp" data-group {
                        @match entity {
                            Some(name) => (mark::entity(&open.hues, name)),
                            None => "Several entities",
                        }
                        span class="n" { (patterns.len()) }
                    }
                    @for access in patterns {
                        @let is_chosen = chosen.is_some_and(|chosen| chosen.name.value == access.name.value);
                        a class="li" href=(find_sample_link(open, access)) aria-current=[is_chosen.then_some("true")]
                            data-words=(access.name.value) {
                            span class="mono cut" { (access.name.value) }
                            span class="r" { (name_way(model, access)) }
                        }
                    }
                }
            }
        }
    }
}

/// The list as a choice, for narrow windows.
fn picker(open: &OpenModel, model: &Model, chosen: Option<&Access>) -> Markup {
    html! {
        select class="in only-m" data-go-to aria-label="Pattern" {
            @if chosen.is_none() { option { "Choose a pattern" } }
            @for (_, access) in model.patterns() {
                option value=(find_sample_link(open, access))
                    selected[chosen.is_some_and(|chosen| chosen.name.value == access.name.value)] { (access.name.value) }
            }
        }
    }
}

fn group(model: &Model) -> Vec<(Option<&str>, Vec<&Access>)> {
    let mut groups: Vec<(Option<&str>, Vec<&Access>)> = Vec::new();
    let mut several = Vec::new();
    for (_, access) in model.patterns() {
        let [one] = access.returns.as_slice() else {
            several.push(access);
            continue;
        };
        let name = Some(model.entity(*one).name.value.as_str());
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, patterns)) => patterns.push(access),
            None => groups.push((name, vec![access])),
        }
    }
    if !several.is_empty() {
        groups.push((None, several));
    }
    groups
}

/// How a pattern reaches its rows, in a word.
pub(crate) fn name_way<'m>(model: &'m Model, access: &'m Access) -> &'m str {
    match &access.way {
        Way::Get { .. } => "get",
        Way::Query { table, key } => match key.place {
            KeyPlace::Primary => "table",
            place => {
                let index = model.table(*table).index_at(place);
                index.map_or("index", |index| index.name.value.as_str())
            }
        },
        Way::Through { .. } => "guard",
        Way::Union(_) => "union",
        Way::Steps(_) => "steps",
        Way::Walk(_) => "walk",
        Way::Resolve(_) => "path",
        Way::Diff(_) => "diff",
        Way::Pointer { .. } => "pointer",
    }
}
