//! The partitions of a table or an index, with what they hold.

use super::{Collection, TABLE, address};
use crate::census::{KEY_SEPARATOR, Mix, Partitions};
use crate::context::OpenModel;
use crate::key_owner::{KeyOwner, KeyReader, find_guard_template};
use crate::part::key::{self, Side};
use crate::part::mark;
use maud::{Markup, html};
use monotable_model::model::EntityId;

/// So many partitions are listed; the filter finds others.
const MOST_LISTED: usize = 500;

/// The first partition of a collection.
pub(super) fn first(open: &OpenModel, collection: &Collection<'_>) -> Option<String> {
    let known = open.census.partitions(collection.id, collection.place)?;
    let largest = known.iter().max_by_key(|(_, mix)| mix.total())?;
    Some(largest.0.clone())
}

/// The list at the left.
pub(super) fn show(open: &OpenModel, collection: &Collection<'_>, chosen: Option<&str>) -> Markup {
    let model = open.model();
    let known = open.census.partitions(collection.id, collection.place);
    let count = known.map_or(0, std::collections::BTreeMap::len);
    let tables = model.stored_tables();
    let reader = KeyReader::new(model);
    let largest = known.into_iter().flatten().map(|(_, mix)| mix.total());
    let largest = largest.max().unwrap_or_default();
    html! {
        nav class="side" aria-label="Partitions" data-list {
            div class="side-head" {
                @if tables.len() > 1 {
                    select class="in" data-go-to aria-label="Table" {
                        @for id in &tables {
                            @let name = &model.table(*id).name.value;
                            option value=(open.link(&["items", name, TABLE])) selected[*id == collection.id] { (name) }
                        }
                    }
                }
                div class="seg scrolls" role="group" aria-label="Table or index" {
                    a href=(open.link(&["items", &collection.table.name.value, TABLE])) aria-current=[(collection.name == TABLE).then_some("true")] { "Table" }
                    @for index in &collection.table.indexes {
                        @let name = &index.name.value;
                        a href=(open.link(&["items", &collection.table.name.value, name])) aria-current=[(collection.name == name).then_some("true")] { (name) }
                    }
                }
                (picker(open, collection, chosen, known))
                form method="get" action=(open.link(&["items", &collection.table.name.value, collection.name])) {
                    @for (name, value) in open.carried() { input type="hidden" name=(name) value=(value); }
                    input class="in mono" name="partition" type="search" data-filter placeholder="Filter, or go to a key" aria-label="Filter partitions, or go to a key" autocomplete="off" spellcheck="false";
                }
            }
            div class="side-scroll" {
                @if !open.census.is_taken { p class="faint sm pad" { "Partitions are not listed: that would read the whole table. Go to a key above." } }
                @else { div class="grp" { (count) " partitions" @if !open.census.complete { " of the first items" } span class="n" { "items" } } }
                @for (partition, mix) in sort(known) {
                    @let entity = mix.parts().iter().find_map(|(name, entity, _)| entity.filter(|entity| entity == name));
                    @let entity = entity.and_then(|entity| model.entity_named(entity)).map(|(id, _)| id);
                    a class="part" href=(address(open, collection, partition)) aria-current=[(chosen == Some(partition.as_str())).then_some("true")] data-words=(partition) {
                        span class="row" { span class="cut grow" { (name(open, collection, entity, &reader, partition)) } span class="faint sm" { (mix.total()) } }
                        (mark::mix(&open.hues, mix, "thin", largest))
                    }
                }
                @if count > MOST_LISTED { p class="faint sm pad" { "and " (count - MOST_LISTED) " more: type a key" } }
            }
        }
    }
}

/// The list as a choice, for narrow windows.
fn picker(
    open: &OpenModel,
    collection: &Collection<'_>,
    chosen: Option<&str>,
    known: Option<&Partitions>,
) -> Markup {
    let partitions = sort(known);
    let is_listed = partitions
        .iter()
        .any(|(key, _)| chosen == Some(key.as_str()));
    html! {
        @if !partitions.is_empty() {
            select class="in mono only-m" data-go-to aria-label="Partition" {
                @if !is_listed { option { (chosen.map(show_key).unwrap_or_default()) } }
                @for (key, mix) in partitions {
                    option value=(address(open, collection, key)) selected[chosen == Some(key.as_str())] { (show_key(key)) " (" (mix.total()) ")" }
                }
            }
        }
    }
}

/// The key of a partition as people read it.
fn show_key(partition: &str) -> String {
    partition.replace(KEY_SEPARATOR, " / ")
}

/// The key of a partition in its colours: as a row's, or as the guard's that it holds.
fn name(
    open: &OpenModel,
    collection: &Collection<'_>,
    entity: Option<EntityId>,
    reader: &KeyReader<'_>,
    partition: &str,
) -> Markup {
    let text = show_key(partition);
    if entity.is_some() {
        return key::text(open, entity, collection.place, Side::Partition, &text);
    }
    match reader.read(Some(collection.id), partition, None) {
        KeyOwner::Guard { entity, claim } => {
            let template = find_guard_template(open.model(), entity, &claim);
            key::written(open, Some(entity), template, &text)
        }
        _ => key::text(open, None, collection.place, Side::Partition, &text),
    }
}

/// Partitions with rows first, then those that hold nothing but guards and items of the store; large ones first.
fn sort(known: Option<&Partitions>) -> Vec<(&String, &Mix)> {
    let mut partitions: Vec<(&String, &Mix)> = known.into_iter().flatten().collect();
    partitions.sort_by_key(|(key, mix)| {
        let has_rows = mix
            .parts()
            .iter()
            .any(|(name, entity, _)| *entity == Some(*name));
        (!has_rows, std::cmp::Reverse(mix.total()), *key)
    });
    partitions.truncate(MOST_LISTED);
    partitions
}
