//! What an item is, which patterns find it, where it also stands, and what it refers to.

use super::window::StoredItem;
use super::{Collection, TABLE, address};
use crate::context::{Context, OpenModel};
use crate::part::key::{self, Side};
use crate::part::{json, mark};
use crate::recognition::{Role, find_key_text, find_mechanism, find_text};
use crate::screen::patterns::name_way;
use crate::value::{draw_item, shorten, show_size, show_value, write_item};
use maud::{Markup, html};
use monotable_item::{EncodedItem, Item};
use monotable_model::model::{Access, EntityId, KeyPlace, Mode, Way};
use monotable_store::Row;

/// A row is called by so many characters at most.
const LONGEST_NAME: usize = 80;

/// The right side of the screen.
pub(super) fn show(
    open: &OpenModel,
    collection: &Collection<'_>,
    item: &StoredItem,
    context: &Context<'_>,
) -> Markup {
    let entity = item.entity(open);
    let table = collection.table;
    let back = context
        .words
        .filled("partition")
        .map(|partition| address(open, collection, partition));
    html! {
        section class="sec" aria-label="Item" {
            @if let Some(back) = back { a class="btn s only-m" href=(back) { "All items" } }
            div class="row" { (mark::role(open, &item.role)) span class="grow" {} span class="mute sm" { (show_size(item.size)) } }
            h2 class="title" { (name_row(open, item)) }
            p class="wrapkey" {
                (key::text(open, entity, KeyPlace::Primary, Side::Partition, find_text(&item.item, &table.hash.value)))
                @if let Some(range) = &table.range {
                    span class="faint" { " / " }
                    (key::text(open, entity, KeyPlace::Primary, Side::Sort, &item.item.get(&range.value).map(show_value).unwrap_or_default()))
                }
            }
            (say_role(open, item, entity))
        }
        @if let (Role::Row(row), Some(id)) = (&item.role, entity) {
            (found_by(open, row, id))
            (also_stands_in(open, collection, item, id))
            (relations(open, row, id))
        }
        section class="sec choices" aria-label="Stored" data-choices="stored" {
            h2 {
                "Stored" span class="grow" {}
                span class="seg" role="group" aria-label="Form" {
                    button type="button" aria-pressed="true" data-choice="plain" { "Plain" }
                    button type="button" aria-pressed="false" data-choice="dynamodb" { "DynamoDB" }
                }
            }
            div class="code" data-chosen="plain" { pre class="js" tabindex="0" { (json::coloured(&draw_item(&item.item))) } }
            div class="code" data-chosen="dynamodb" hidden { pre class="js" tabindex="0" { (json::coloured(&draw_stored(&item.item))) } }
        }
    }
}

/// Attributes that people call a row by, as far as its model has such: the first texts that are no ids.
fn name_row(open: &OpenModel, item: &StoredItem) -> String {
    let Role::Row(row) = &item.role else {
        return item.role.name();
    };
    name(open, row)
}

/// What a row is called, in few words: it stands in headings.
pub(crate) fn name(open: &OpenModel, row: &Row) -> String {
    shorten(&find_name(open, row), LONGEST_NAME)
}

fn find_name(open: &OpenModel, row: &Row) -> String {
    let Some((id, entity)) = open.model().entity_named(&row.entity) else {
        return row.entity.clone();
    };
    let words = ["name", "title", "label", "email"];
    let texts = entity.attributes.iter().filter(|attribute| {
        let name = attribute.name.value.to_lowercase();
        attribute.secret.is_none()
            && words.iter().any(|word| name.contains(word))
            && open.named_entity(id, &attribute.name.value).is_none()
    });
    let texts: Vec<String> = texts
        .filter_map(|attribute| row.get(&attribute.name.value))
        .map(show_value)
        .take(2)
        .collect();
    if texts.is_empty() {
        let key = entity.key_attributes().into_iter();
        let parts: Vec<String> = key
            .filter_map(|name| row.get(name))
            .map(show_value)
            .collect();
        return format!("{} {}", row.entity, parts.join(", "));
    }
    texts.join(" ")
}

fn say_role(open: &OpenModel, item: &StoredItem, entity: Option<EntityId>) -> Markup {
    html! {
        @match &item.role {
            Role::Row(row) => {
                @if let Some((word, declaration)) = entity.and_then(|id| find_mechanism(open.model(), id)) {
                    p class="mute" { "Written by a mechanism: " (word) ", " code { (declaration) } "." }
                }
                @if let Some((_, declared)) = open.model().entity_named(&row.entity) {
                    p { a class="under" href=(open.link(&["entities", &row.entity]).with("row", &write_item(&crate::part::grid::find_key(declared, row)))) { "Open as " (row.entity) } }
                }
            }
            Role::Guard { entity, claim } => p class="mute" {
                "Holds a value for one row of " (mark::entity_link(open, entity)) ", as " code { "entity." (entity) ".unique." (claim) } " asks. It comes and goes with that row."
            },
            Role::Own => p class="mute" { "An item of the store itself: secrets of cursors, templates of keys, or calls that have a name." },
            Role::Unknown => p class="mute" { "No entity of the model has such a key. Something other than this model wrote it." },
        }
    }
}

fn found_by(open: &OpenModel, row: &Row, id: EntityId) -> Markup {
    let patterns: Vec<(&Access, Vec<(String, String)>)> = open
        .model()
        .patterns()
        .filter(|(_, access)| access.returns.contains(&id))
        .filter_map(|(_, access)| Some((access, fill(access, row)?)))
        .collect();
    html! {
        section class="sec" aria-label="Found by" {
            h2 { "Found by" span class="grow mute" { (crate::value::counted(patterns.len(), "pattern")) } }
            @for (access, values) in patterns.iter().take(12) {
                @let link = open.link(&["patterns", &access.name.value]);
                @let link = values.iter().fold(link, |link, (name, value)| link.with(&format!("p.{name}"), value));
                a class="line" href=(link) {
                    span class="cut" { code { (access.name.value) } " " span class="mute" { (values.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>().join(", ")) } }
                    span class="faint sm" { (name_way(open.model(), access)) }
                }
            }
            @if patterns.len() > 12 { p class="faint sm" { "and " (patterns.len() - 12) " more" } }
        }
    }
}

/// The parameters with which a pattern finds a row: those that it has no way without. Of a pattern that goes from row to row, the
/// parameters are those of the first one, and what it finds is not known without reading.
fn fill(access: &Access, row: &Row) -> Option<Vec<(String, String)>> {
    let is_direct = matches!(
        access.way,
        Way::Get { .. } | Way::Query { .. } | Way::Through { .. } | Way::Union(_)
    );
    if !is_direct {
        return None;
    }
    let required = access
        .parameters
        .iter()
        .filter(|parameter| parameter.mode == Mode::Plain);
    required
        .map(|parameter| {
            Some((
                parameter.name.clone(),
                show_value(row.get(&parameter.name)?),
            ))
        })
        .collect()
}

fn also_stands_in(
    open: &OpenModel,
    collection: &Collection<'_>,
    item: &StoredItem,
    id: EntityId,
) -> Markup {
    let table = collection.table;
    let places = std::iter::once((KeyPlace::Primary, TABLE)).chain(
        table
            .indexes
            .iter()
            .enumerate()
            .map(|(position, index)| (KeyPlace::Index(position), index.name.value.as_str())),
    );
    let others = places.filter(|(place, _)| *place != collection.place);
    let stands = others.filter_map(|(place, name)| {
        let partition: Vec<_> = table
            .partition_attributes(place)
            .map(|name| find_key_text(&item.item, &name.value))
            .collect();
        let sort: Vec<String> = table
            .sort_attributes(place)
            .filter_map(|name| item.item.get(&name.value))
            .map(show_value)
            .collect();
        let is_there = partition.iter().all(|text| !text.is_empty())
            && sort.len() == table.sort_attributes(place).count();
        is_there.then(|| {
            (
                place,
                name,
                partition.join(crate::census::KEY_SEPARATOR),
                sort.join(" / "),
            )
        })
    });
    let stands: Vec<_> = stands.collect();
    html! {
        @if !stands.is_empty() {
            section class="sec" aria-label="Also stands in" {
                h2 { "Also stands in" }
                @for (place, name, partition, sort) in &stands {
                    @let there = Collection { id: collection.id, table, place: *place, name };
                    a class="line" href=(address(open, &there, partition).with("item", &item.name(table))) {
                        span class="faint place" { (name) }
                        span class="cut grow" {
                            (key::text(open, Some(id), *place, Side::Partition, &partition.replace(crate::census::KEY_SEPARATOR, " / "))) span class="faint" { " / " }
                            (key::text(open, Some(id), *place, Side::Sort, sort))
                        }
                    }
                }
            }
        }
    }
}

/// What a row refers to, and which entities can refer to it.
pub(crate) fn relations(open: &OpenModel, row: &Row, id: EntityId) -> Markup {
    let model = open.model();
    let entity = model.entity(id);
    let references: Vec<_> = entity
        .attributes
        .iter()
        .filter_map(|attribute| {
            Some((
                attribute.name.value.as_str(),
                attribute.reference.as_ref()?,
                row.get(&attribute.name.value)?,
            ))
        })
        .collect();
    let mut referrers: Vec<&str> = model
        .stored()
        .filter(|(_, other)| {
            other.attributes.iter().any(|attribute| {
                attribute
                    .reference
                    .as_ref()
                    .is_some_and(|reference| reference.target == id)
            })
        })
        .map(|(_, other)| other.name.value.as_str())
        .collect();
    referrers.dedup();
    html! {
        @if !references.is_empty() || !referrers.is_empty() {
            section class="sec" aria-label="Relations" {
                h2 { "Relations" }
                @for (name, reference, value) in references {
                    div class="line" {
                        span class="faint place" { (name) }
                        span class="cut grow" { (mark::entity_link(open, &model.entity(reference.target).name.value)) " " code { (show_value(value)) } }
                    }
                }
                @if !referrers.is_empty() {
                    div class="line" {
                        span class="faint place" { "referred to by" }
                        span class="row wrap grow" { @for name in referrers { (mark::entity_link(open, name)) } }
                    }
                }
            }
        }
    }
}

fn draw_stored(item: &Item) -> String {
    let encoded = EncodedItem::from(item);
    serde_json::to_string_pretty(&encoded).unwrap_or_default()
}
