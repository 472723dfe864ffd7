//! Item collections: a partition of a table or an index as DynamoDB stores it.

mod inspector;
mod partitions;
mod window;

use crate::context::{Context, OpenModel};
use crate::part::frame::{self, Tab};
use crate::part::requests::say_units;
use crate::part::{mark, note};
use crate::reply;
use crate::value::{counted, parse_item, shorten_text, show_size};
use http::StatusCode;
pub(crate) use inspector::{name as name_row, relations};
use maud::{Markup, html};
use monotable_model::model::{KeyPlace, Model, Table, TableId};
use monotable_rest::Response;
use window::{StoredItem, Window};

/// How addresses call the table itself, beside its indexes.
const TABLE: &str = "table";

/// Which collection of items is looked at.
pub(super) struct Collection<'m> {
    pub(super) id: TableId,
    pub(super) table: &'m Table,
    pub(super) place: KeyPlace,
    /// How addresses call the place.
    pub(super) name: &'m str,
}

/// The screen: `/items/{table}/{table or index}?partition=..&item=..&only=..`.
pub(crate) async fn show(context: &Context<'_>, open: &OpenModel, at: &[&str]) -> Response {
    if !open.is_program {
        let text = "Stored items hold rows of everybody. They are shown to the program itself, and not to a caller with rights of its own.";
        let body = note::blank(
            "Stored items are not shown to this caller.",
            text,
            &html! {},
        );
        return frame::page(context, Tab::Items, "Items", &body);
    }
    let Some(collection) = find_collection(open.model(), at) else {
        return super::missing::show(context, "There is no such table or index");
    };
    let partition = context.words.get("partition").map(str::to_owned);
    let partition = partition.or_else(|| partitions::first(open, &collection));
    let window = match &partition {
        Some(partition) => Some(Window::read(context, open, &collection, partition).await),
        None => None,
    };
    if let (true, Some(Ok(window)), Some(partition)) =
        (context.words.has("part"), &window, &partition)
    {
        return reply::html(
            StatusCode::OK,
            rows(open, &collection, partition, window, context),
        );
    }
    let title = partition
        .clone()
        .unwrap_or_else(|| collection.table.name.value.clone());
    let chosen = match &window {
        Some(Ok(window)) => choose(context, open, &collection, window).await,
        _ => ChosenItem::None,
    };
    let body = html! {
        div class={ "three " (if context.words.has("item") { "picked" } else { "unpicked" }) } {
            (partitions::show(open, &collection, partition.as_deref()))
            div class="mid" {
                @match (&window, &partition) {
                    (Some(Ok(window)), Some(partition)) => (work(context, open, &collection, partition, window)),
                    (Some(Err(error)), _) => div class="pad" { div class="note err" role="alert" { b { "The table refuses this." } p { (error) } } },
                    _ if !open.census.is_taken => (note::blank("Give a partition key.", "One Query then reads its first items. Nothing was read yet.", &html! {})),
                    _ => (note::blank("No items yet.", "The table exists and is empty.", &html! {})),
                }
            }
            aside class="panel" aria-label="Item" {
                @match &chosen {
                    ChosenItem::Shown(item) => (inspector::show(open, &collection, item, context)),
                    ChosenItem::Apart(item) => (inspector::show(open, &collection, item, context)),
                    ChosenItem::Gone => section class="sec" { p class="mute" { "There is no such item any more, or there never was." } },
                    ChosenItem::None => section class="sec" { p class="mute" { "Choose an item to see which patterns find it and where it also stands." } },
                }
            }
        }
    };
    frame::page(context, Tab::Items, &title, &body)
}

fn find_collection<'m>(model: &'m Model, at: &[&str]) -> Option<Collection<'m>> {
    let (id, table) = match at.first() {
        None => {
            let id = model.stored_tables().into_iter().next()?;
            (id, model.table(id))
        }
        Some(name) => model
            .tables()
            .find(|(_, table)| table.name.value == *name)?,
    };
    let (place, name) = match at.get(1) {
        None => (KeyPlace::Primary, TABLE),
        Some(name) if *name == TABLE => (KeyPlace::Primary, TABLE),
        Some(name) => {
            let position = table
                .indexes
                .iter()
                .position(|index| index.name.value == *name)?;
            let index = table.indexes.get(position)?;
            (KeyPlace::Index(position), index.name.value.as_str())
        }
    };
    Some(Collection {
        id,
        table,
        place,
        name,
    })
}

/// The item that is shown beside the list.
enum ChosenItem<'w> {
    /// One of the list.
    Shown(&'w StoredItem),
    /// One that the list does not show: links lead to items wherever they stand in their partition.
    Apart(StoredItem),
    /// The address names one that is not there.
    Gone,
    None,
}

/// The item that the address names, else the first one.
async fn choose<'w>(
    context: &Context<'_>,
    open: &OpenModel,
    collection: &Collection<'_>,
    window: &'w Window,
) -> ChosenItem<'w> {
    let first = || {
        window
            .items
            .first()
            .map_or(ChosenItem::None, ChosenItem::Shown)
    };
    let Some(wanted) = context.words.filled("item") else {
        return first();
    };
    let mut items = window.items.iter();
    if let Some(item) = items.find(|item| item.name(collection.table) == wanted) {
        return ChosenItem::Shown(item);
    }
    let Some(key) = parse_item(wanted) else {
        return first();
    };
    let found = window::read_item(context, open, collection, key).await;
    found.map_or(ChosenItem::Gone, ChosenItem::Apart)
}

fn work(
    context: &Context<'_>,
    open: &OpenModel,
    collection: &Collection<'_>,
    partition: &str,
    window: &Window,
) -> Markup {
    let mix = open
        .census
        .partitions(collection.id, collection.place)
        .and_then(|known| known.get(partition));
    let entity = window.items.iter().find_map(|item| item.entity(open));
    let only = context.words.filled("only");
    let size: usize = window.items.iter().map(|item| item.size).sum();
    html! {
        div class="head" {
            div class="row wrap" {
                h1 class="key big" { (crate::part::key::text(open, entity, collection.place, crate::part::key::Side::Partition, &partition.replace(crate::census::KEY_SEPARATOR, " / "))) }
                span class="mute" {
                    @match mix { Some(mix) => (counted(mix.total(), "item")), None => (counted(window.items.len(), "item")) }
                    @if window.next.is_none() && !context.words.has("after") { ", " (show_size(size)) }
                    " in " code { (collection.table.physical) @if collection.name != TABLE { "/" (collection.name) } }
                }
            }
            @if let Some(mix) = mix {
                div class="row wrap" {
                    @for (name, entity, count) in mix.parts() {
                        @let is_only = only == Some(name);
                        @let link = address(open, collection, partition);
                        @let link = if is_only { link } else { link.with("only", name) };
                        a class="chip" href=(link) aria-current=[is_only.then_some("true")] data-shown=(only.is_none_or(|only| only == name)) {
                            span class={ "ent " (entity.map_or("e unknown dashed", |entity| open.hues.class(entity))) } {
                                span class={ "sw" @if entity.is_some_and(|entity| entity != name) { " hollow" } } {} (name)
                            }
                            span class="n" { (count) }
                        }
                    }
                }
            }
        }
        div class="scroll" data-windows data-scroll="items" tabindex="-1" {
            @if window.items.is_empty() { (note::blank("No items under this key.", "The request was sent. Nothing is stored there.", &html! {})) }
            (rows(open, collection, partition, window, context))
        }
        div class="foot" {
            span {
                @if window.next.is_some() { "More items follow." } @else { "All items shown" @if let Some(range) = collection.table.sort_attributes(collection.place).next() { ", sorted by " code { (range.value) } } "." }
            }
            @let is_descending = window::is_descending(context);
            @let turned = address(open, collection, partition).with_some("only", only).with_some("order", (!is_descending).then_some(window::DESCENDING));
            @if window.next.is_some() || context.words.has("after") || is_descending { a class="btn s ghost" href=(turned) { (if is_descending { "First items first" } else { "Last items first" }) } }
            span class="grow" {}
            span { "Read by 1 Query, " (say_units(window.units, 0.0)) }
        }
    }
}

/// The items of a window, and the address of the next one.
fn rows(
    open: &OpenModel,
    collection: &Collection<'_>,
    partition: &str,
    window: &Window,
    context: &Context<'_>,
) -> Markup {
    let only = context.words.filled("only");
    let order = window::is_descending(context).then_some(window::DESCENDING);
    let here = address(open, collection, partition)
        .with_some("order", order)
        .with_some("only", only)
        .with_some("after", context.words.filled("after"));
    let shown = window
        .items
        .iter()
        .filter(|item| only.is_none_or(|only| item.role.name() == only));
    let chosen = context.words.filled("item").map(str::to_owned);
    let again = here.clone().with("part", "window");
    let again = again.with_some("first", window::is_first(context).then_some("1"));
    html! {
        div class="window" data-window=(again) {
            @for item in shown { (one(open, collection, item, &here, chosen.as_deref())) }
            @if let Some(next) = &window.next {
                @let next = address(open, collection, partition).with_some("order", order).with_some("only", only).with("after", next);
                a class="more-rows" rel="next" href=(next) data-next=(next.clone().with("part", "window")) { "Next items" }
            }
        }
    }
}

fn one(
    open: &OpenModel,
    collection: &Collection<'_>,
    item: &StoredItem,
    here: &crate::address::Link,
    chosen: Option<&str>,
) -> Markup {
    let name = item.name(collection.table);
    let to = here.clone().with("item", &name);
    let entity = item.entity(open);
    html! {
        a class={ "irow " (mark::edge_class(open, &item.role)) } href=(to) data-row aria-current=[(chosen == Some(name.as_str())).then_some("true")] {
            span class="k" {
                (crate::part::key::text(open, entity, collection.place, crate::part::key::Side::Sort, &item.sort_text(collection)))
                (mark::role(open, &item.role))
            }
            @for (name, value) in item.own_values(open, collection).into_iter().take(4) {
                span class="cell" { b { (name) } span { (shorten_text(&value)) } }
            }
        }
    }
}

/// The address of a partition.
pub(super) fn address(
    open: &OpenModel,
    collection: &Collection<'_>,
    partition: &str,
) -> crate::address::Link {
    open.link(&["items", &collection.table.name.value, collection.name])
        .with("partition", partition)
}
