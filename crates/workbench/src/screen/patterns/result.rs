//! The rows that a pattern found: by entity, as they are stored, or as JSON.

use super::{Run, parameters};
use crate::address::Link;
use crate::context::{Context, OpenModel};
use crate::part::grid::{self, Beside, Setting};
use crate::part::requests::show_took;
use crate::part::{json, mark, note};
use crate::screen::items;
use crate::value::{counted, draw_item, shorten_text, show_size, write_value_for_reading};
use maud::{Markup, html};
use monotable_item::AttributeValue;
use monotable_model::model::{Access, EntityId};

use monotable_store::{Page, Row};

/// Grids of a mixed result are cut after so many rows, unless their entity is asked for.
const MOST_IN_GROUP: usize = 50;
/// A page of DynamoDB can have thousands of rows; a page for people ends here.
const MOST_SHOWN: usize = 1000;

/// The result of a run.
pub(super) fn show(context: &Context<'_>, open: &OpenModel, access: &Access, run: &Run) -> Markup {
    let page = match (&run.trace.outcome, run.page()) {
        (Err(error), _) => return html! { div class="pad" { (note::refusal(error)) } },
        (Ok(_), Some(page)) => page,
        (Ok(_), None) => return html! {},
    };
    let view = context.words.filled("view").unwrap_or("entities");
    let only = context.words.filled("only");
    let groups = group(page, only);
    html! {
        div class="bar" {
            span { b { (counted(page.rows.len(), "row")) } @if !page.followed.is_empty() { " and " (page.followed.len()) " followed" } }
            @let all = group(page, None);
            @if all.len() > 1 {
                @for (entity, rows) in &all {
                    @let is_shown = only.is_none_or(|only| only == *entity);
                    @let to = if only == Some(*entity) { address(context, open, access, &[]) } else { address(context, open, access, &[("only", entity)]) };
                    a class="chip" href=(to) aria-current=[(only == Some(*entity)).then_some("true")] data-shown=(is_shown) {
                        (mark::entity(&open.hues, entity)) span class="n" { (rows.len()) }
                    }
                }
            }
            @if page.hidden > 0 { span class="badge" { (page.hidden) " hidden by rights" } }
            @if !page.dangling.is_empty() { span class="badge warn" { (counted(page.dangling.len(), "reference")) " to nothing" } }
            span class="grow" {}
            div class="seg" role="group" aria-label="View" {
                @for (name, word) in [("entities", "By entity"), ("stored", "Values"), ("json", "JSON")] {
                    a href=(address(context, open, access, &[("view", name)])) aria-current=[(view == name).then_some("true")] { (word) }
                }
            }
        }
        div class="scroll" tabindex="-1" data-scroll="result" {
            @if page.rows.is_empty() { (nothing(context, access, open)) }
            @match view {
                "json" => pre class="js pad" { (json::coloured(&write_rows(page))) },
                "stored" => (plain(open, page)),
                _ => {
                    @for (entity, rows) in &groups { (one_group(context, open, access, page, entity, rows, groups.len())) }
                    @if !page.followed.is_empty() && !are_beside(open, access, page) { (followed(open, page)) }
                }
            }
            @if !page.unknown.is_empty() {
                h3 class="sub pad" { (counted(page.unknown.len(), "item")) " that the model does not know" }
                @for item in &page.unknown { pre class="js pad" { (json::coloured(&draw_item(item))) } }
            }
        }
        (foot(context, open, access, run, page))
    }
}

fn group<'p>(page: &'p Page, only: Option<&str>) -> Vec<(&'p str, Vec<&'p Row>)> {
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in &page.rows {
        if only.is_some_and(|only| only != row.entity) {
            continue;
        }
        match groups.iter_mut().find(|(name, _)| *name == row.entity) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((&row.entity, vec![row])),
        }
    }
    groups
}

fn one_group(
    context: &Context<'_>,
    open: &OpenModel,
    access: &Access,
    page: &Page,
    entity: &str,
    rows: &[&Row],
    groups: usize,
) -> Markup {
    let is_cut = groups > 1 && rows.len() > MOST_IN_GROUP;
    let most = if is_cut { MOST_IN_GROUP } else { MOST_SHOWN };
    let shown = rows.get(..most).unwrap_or(rows);
    html! {
        @if groups > 1 {
            h2 class="group-title" { (mark::entity_link(open, entity)) span class="faint" { (counted(rows.len(), "row")) } }
        }
        (grid::rows_with(open, entity, shown, &Setting::shown(open, entity), &stand_beside(open, access, page, entity, shown)))
        @if !is_cut && rows.len() > MOST_SHOWN {
            p class="gmore mute" { "The first " (MOST_SHOWN) " of " (rows.len()) " rows. Give a limit to see them page by page." }
        }
        @if is_cut {
            p class="gmore" { a class="under" href=(address(context, open, access, &[("only", entity)])) { "Show all " (rows.len()) } }
        }
    }
}

/// The rows that came along, each beside the row that names it; a reference to nothing is marked.
fn stand_beside(
    open: &OpenModel,
    access: &Access,
    page: &Page,
    entity: &str,
    rows: &[&Row],
) -> Vec<Beside> {
    let Some((_, declared)) = open.model().entity_named(entity) else {
        return Vec::new();
    };
    let references = access.follow.iter().filter_map(|name| {
        let attribute = declared.attribute(&name.value)?;
        Some((name.value.as_str(), attribute.reference.as_ref()?.target))
    });
    let columns = references.map(|(name, target)| {
        let cells = rows.iter().map(|row| {
            let Some(value) = row.get(name) else {
                return html! { span class="nul" { "–" } };
            };
            match find_followed(open, page, target, value) {
                Some(found) => html! { (mark::entity_link(open, &found.entity)) " " (items::name_row(open, found)) },
                None => html! { span class="badge warn" { "not there" } },
            }
        });
        Beside {
            title: format!("Followed by {name}"),
            cells: cells.collect(),
        }
    });
    columns.collect()
}

/// Whether every row that came along stands beside one that names it.
fn are_beside(open: &OpenModel, access: &Access, page: &Page) -> bool {
    let named = page.rows.iter().flat_map(|row| {
        let declared = open.model().entity_named(&row.entity);
        access.follow.iter().filter_map(move |name| {
            let attribute = declared?.1.attribute(&name.value)?;
            let target = attribute.reference.as_ref()?.target;
            find_followed(open, page, target, row.get(&name.value)?)
        })
    });
    let named: Vec<&Row> = named.collect();
    page.followed
        .iter()
        .all(|row| named.iter().any(|known| std::ptr::eq(*known, row)))
}

fn find_followed<'p>(
    open: &OpenModel,
    page: &'p Page,
    target: EntityId,
    value: &AttributeValue,
) -> Option<&'p Row> {
    let kinds = open.model().kinds_of(target);
    page.followed.iter().find(|row| {
        let Some((id, entity)) = open.model().entity_named(&row.entity) else {
            return false;
        };
        let name = entity
            .id
            .as_deref()
            .or(entity.key_attributes().last().copied());
        kinds.contains(&id) && name.and_then(|name| row.get(name)) == Some(value)
    })
}

/// Rows that came along because a row names them.
fn followed(open: &OpenModel, page: &Page) -> Markup {
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in &page.followed {
        match groups.iter_mut().find(|(name, _)| *name == row.entity) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((&row.entity, vec![row])),
        }
    }
    html! {
        @for (entity, rows) in &groups {
            h2 class="group-title" { "Followed: " (mark::entity_link(open, entity)) span class="faint" { (counted(rows.len(), "row")) } }
            (grid::rows(open, entity, rows, &Setting::shown(open, entity)))
        }
    }
}

/// Every row with its values, in the order in which the pattern returns them.
fn plain(open: &OpenModel, page: &Page) -> Markup {
    html! {
        @for row in &page.rows {
            div class={ "irow flow " (open.hues.class(&row.entity)) } {
                span class="k" { (mark::entity_link(open, &row.entity)) }
                @for (name, value) in row.values.iter() {
                    span class="cell" { b { (name) } span { (shorten_text(&crate::value::show_value(value))) } }
                }
            }
        }
    }
}

fn nothing(context: &Context<'_>, access: &Access, open: &OpenModel) -> Markup {
    let given: Vec<String> = parameters::list_given(access, &context.words)
        .into_iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let title = format!("No rows for {}.", given.join(", "));
    let actions = html! {
        @if parameters::sample_parameters(open, access).is_some() {
            a class="btn" href=(parameters::find_sample_link(open, access)) { "Use values that exist" }
        }
    };
    note::blank(
        &title,
        "The request was sent. Nothing is stored under this key that this caller may see.",
        &actions,
    )
}

/// The rows as JSON. Long values are cut, as in lists: a page of large rows would take their size several times over.
fn write_rows(page: &Page) -> String {
    let mut text = String::from("[");
    for (position, row) in page.rows.iter().enumerate() {
        let entity = serde_json::to_string(&row.entity).unwrap_or_default();
        text.push_str(if position == 0 { "{" } else { ",{" });
        text.push_str("\"$entity\":");
        text.push_str(&entity);
        for (name, value) in row.values.iter() {
            text.push(',');
            text.push_str(&serde_json::to_string(name).unwrap_or_default());
            text.push(':');
            text.push_str(&write_value_for_reading(value));
        }
        text.push('}');
    }
    text.push(']');
    json::spread(&text)
}

fn foot(
    context: &Context<'_>,
    open: &OpenModel,
    access: &Access,
    run: &Run,
    page: &Page,
) -> Markup {
    let size: usize = page
        .rows
        .iter()
        .map(|row| serde_json::to_string(row).map_or(0, |text| text.len()))
        .sum();
    html! {
        div class="foot" {
            @match &page.cursor {
                None => span { "All rows shown." },
                Some(cursor) => {
                    span { "There are more rows." }
                    a class="btn s" rel="next" href=(address(context, open, access, &[("cursor", cursor)])) { "Next page" }
                }
            }
            @if context.words.filled("cursor").is_some() {
                a class="btn s ghost" href=(address(context, open, access, &[("cursor", "")])) { "First page" }
            }
            span class="grow" {}
            span { (show_size(size)) " in " (show_took(run.took)) }
        }
    }
}

/// The address of this result with some words changed. A word that is empty is left out.
pub(super) fn address(
    context: &Context<'_>,
    open: &OpenModel,
    access: &Access,
    changed: &[(&str, &str)],
) -> Link {
    let mut link = open.link(&["patterns", &access.name.value]);
    for (name, value) in parameters::list_given(access, &context.words) {
        link = parameters::with_parameter(link, &name, &value);
    }
    link = link.with("run", "1");
    for name in ["limit", "order", "view", "cursor"] {
        if !changed.iter().any(|(known, _)| *known == name) {
            link = link.with_some(name, context.words.filled(name));
        }
    }
    let changed = changed.iter().filter(|(_, value)| !value.is_empty());
    changed.fold(link, |link, (name, value)| link.with(name, value))
}
