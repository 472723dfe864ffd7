//! Four starting points, made from what is in the tables.

use crate::census::Mix;
use crate::context::OpenModel;
use crate::part::key::{self, Side};
use crate::part::mark;
use crate::screen::patterns::{find_sample_link, sample_parameters};
use crate::value::{counted, write_item};
use maud::{Markup, html};
use monotable_model::model::{KeyPlace, OnDelete};

/// The starting points, each on the model that has most to show.
pub(super) fn show(models: &[OpenModel]) -> Markup {
    let largest = |find: fn(&OpenModel) -> Option<(usize, Markup)>| {
        let found = models.iter().filter_map(find);
        found.max_by_key(|(size, _)| *size)
    };
    let starts = [
        largest(run_a_pattern),
        largest(look_into_a_partition),
        largest(delete_without_fear),
        largest(travel_in_time),
    ];
    html! {
        div class="starts" {
            @for (_, start) in starts.into_iter().flatten() { (start) }
        }
    }
}

/// The pattern that returns most entities, of those that can be run with values that exist.
fn run_a_pattern(open: &OpenModel) -> Option<(usize, Markup)> {
    let patterns = open.model().patterns().map(|(_, access)| access);
    let runnable = patterns.filter(|access| sample_parameters(open, access).is_some());
    let access = runnable.max_by_key(|access| access.returns.len())?;
    let entities: Vec<&str> = access
        .returns
        .iter()
        .map(|id| open.model().entity(*id).name.value.as_str())
        .collect();
    let markup = html! {
        a class="start" href=(find_sample_link(open, access)) {
            span class="viz" {
                svg width="160" height="20" viewBox="0 0 160 20" aria-hidden="true" {
                    @for (position, name) in entities.iter().take(6).enumerate() {
                        rect class={ "fill " (open.hues.class(name)) } x=(position * 27) y="2" width="24" height="16" rx="2" {}
                    }
                }
            }
            b { "Run a pattern" }
            code { (access.name.value) }
            span class="mute sm" { (counted(entities.len(), "entity")) " of " (open.name) ", with its exact requests" }
        }
    };
    Some((entities.len(), markup))
}

fn look_into_a_partition(open: &OpenModel) -> Option<(usize, Markup)> {
    if !open.is_program {
        return None;
    }
    let (table, partition, mix) = open.census.largest_partition()?;
    let name = &open.model().table(table).name.value;
    let to = open
        .link(&["items", name, "table"])
        .with("partition", partition);
    let entity = mix.parts().iter().find_map(|(_, entity, _)| *entity);
    let entity = entity
        .and_then(|entity| open.model().entity_named(entity))
        .map(|(id, _)| id);
    let markup = html! {
        a class="start" href=(to) {
            span class="viz" { (dots(open, mix)) }
            b { "Look into a partition" }
            (key::text(open, entity, KeyPlace::Primary, Side::Partition, partition))
            span class="mute sm" { (counted(mix.total(), "item")) " of " (open.name) ", the largest one" }
        }
    };
    Some((mix.total(), markup))
}

/// The items of a partition as small marks, in proportion.
fn dots(open: &OpenModel, mix: &Mix) -> Markup {
    let total = mix.total().max(1);
    let mut classes: Vec<&str> = Vec::new();
    for (_, entity, count) in mix.parts() {
        let share = (count * 40 / total).max(1);
        let class = entity.map_or("e unknown", |entity| open.hues.class(entity));
        classes.extend(std::iter::repeat_n(class, share));
    }
    html! {
        svg width="150" height="30" viewBox="0 0 150 30" aria-hidden="true" {
            @for (position, class) in classes.iter().take(40).enumerate() {
                rect class={ "fill " (class) } x=(position % 10 * 15) y=(position / 10 * 8) width="12" height="5" rx="1.5" {}
            }
        }
    }
}

/// A row whose delete takes rows of most other entities along.
fn delete_without_fear(open: &OpenModel) -> Option<(usize, Markup)> {
    let model = open.model();
    let candidates = model.stored().filter(|(id, entity)| {
        entity.writes.delete
            && model.repository_of(*id).is_none()
            && !open.census.samples(&entity.name.value).is_empty()
    });
    let referrers = |target| {
        let all = model.stored().flat_map(|(_, entity)| {
            entity
                .attributes
                .iter()
                .map(move |attribute| (entity, attribute))
        });
        let cascades = all.filter(move |(_, attribute)| {
            let reference = attribute.reference.as_ref();
            reference.is_some_and(|reference| {
                reference.target == target && reference.on_delete == OnDelete::Cascade
            })
        });
        let mut names: Vec<&str> = cascades
            .map(|(entity, _)| entity.name.value.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let (id, entity) = candidates.max_by_key(|(id, _)| referrers(*id).len())?;
    let names = referrers(id);
    if names.is_empty() || !open.is_program {
        return None;
    }
    let row = open.census.samples(&entity.name.value).first()?;
    let row_key = crate::part::grid::find_key(entity, row);
    let to = open
        .link(&["entities", &entity.name.value])
        .with("delete", &write_item(&row_key));
    let markup = html! {
        a class="start" href=(to) {
            span class="viz" {
                svg width="150" height="30" viewBox="0 0 150 30" aria-hidden="true" {
                    rect class={ "fill " (open.hues.class(&entity.name.value)) } x="0" y="11" width="18" height="8" rx="2" {}
                    @for (position, name) in names.iter().take(4).enumerate() {
                        path class="wire" d={ "M18 15 C 40 15, 36 " (4 + position * 7) ", 58 " (4 + position * 7) } {}
                        rect class={ "fill " (open.hues.class(name)) } x="60" y=(1 + position * 7) width="44" height="5" rx="1.5" {}
                    }
                }
            }
            b { "Delete without fear" }
            span { (mark::entity(&open.hues, &entity.name.value)) }
            span class="mute sm" { "See the whole cascade first, in a dry run" }
        }
    };
    Some((names.len(), markup))
}

fn travel_in_time(open: &OpenModel) -> Option<(usize, Markup)> {
    let repository = open.model().repositories.first()?;
    let revisions = open
        .census
        .rows
        .get(&open.model().entity(repository.log).name.value)
        .copied()?;
    let markup = html! {
        a class="start" href=(open.link(&["repositories", &repository.name.value])) {
            span class="viz" {
                svg width="150" height="30" viewBox="0 0 150 30" aria-hidden="true" {
                    path class="wire" d="M4 20H134 M76 20 C 92 20, 88 8, 104 8" {}
                    @for x in [4, 28, 52, 76, 108] { circle class="dot-open" cx=(x) cy="20" r="4" {} }
                    circle class="dot-open" cx="106" cy="8" r="4" {}
                    circle class="dot-full" cx="136" cy="20" r="5" {}
                }
            }
            b { "Travel in time" }
            code { (repository.name.value) }
            span class="mute sm" { (counted(revisions, "revision")) " of " (open.name) ", each can be compared" }
        }
    };
    Some((revisions, markup))
}
