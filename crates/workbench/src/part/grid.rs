//! Rows of one entity as a grid with one tab stop: arrows move inside of it.

use crate::address::Link;
use crate::context::OpenModel;
use crate::part::icon::icon;
use crate::value::{is_short, shorten_text, show_value, write_item, write_value};
use maud::{Markup, html};
use monotable_item::Item;
use monotable_model::model::{Attribute, Entity};
use monotable_store::Row;

/// Whether cells can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Editing {
    Offered,
    Absent,
}

/// What a grid is to its screen.
pub(crate) struct Setting<'g> {
    pub(crate) editing: Editing,
    /// The key of the chosen row.
    pub(crate) selected: Option<&'g Item>,
    /// The address at which one of these rows is chosen, or deleted.
    pub(crate) here: Link,
}

impl Setting<'_> {
    /// Rows of an entity that are only shown. Each leads to the screen of its entity.
    pub(crate) fn shown(open: &OpenModel, entity: &str) -> Self {
        Self {
            editing: Editing::Absent,
            selected: None,
            here: open.link(&["entities", entity]),
        }
    }
}

/// The rows of an entity, one column for each attribute that some row has.
pub(crate) fn rows(open: &OpenModel, entity: &str, rows: &[&Row], setting: &Setting<'_>) -> Markup {
    rows_with(open, entity, rows, setting, &[])
}

/// A column beside those of the rows' own attributes.
pub(crate) struct Beside {
    pub(crate) title: String,
    /// One for each row.
    pub(crate) cells: Vec<Markup>,
}

/// The rows of an entity, with columns beside their own.
pub(crate) fn rows_with(
    open: &OpenModel,
    entity: &str,
    rows: &[&Row],
    setting: &Setting<'_>,
    beside: &[Beside],
) -> Markup {
    let editing = setting.editing;
    let is_required = |name: &str| {
        let declared = open.model().entity_named(entity).map(|(_, entity)| entity);
        let attribute = declared.and_then(|declared| declared.attribute(name));
        editing == Editing::Offered && attribute.is_some_and(Attribute::must_be_given)
    };
    let declared = open.model().entity_named(entity).map(|(_, entity)| entity);
    let columns = list_columns(declared, rows);
    let telling = count_telling(declared, rows, &columns);
    let may_delete = declared.is_some_and(|entity| entity.writes.delete);
    html! {
        table class="grid" role="grid" aria-label={ "Rows of " (entity) } data-grid data-entity=(entity) {
            thead {
                tr {
                    @for (place, column) in columns.iter().enumerate() {
                        @if place == telling { @for beside in beside { th scope="col" { (beside.title) } } }
                        th scope="col" { (column) @if is_required(column) { span class="faint" title="required" { " *" } } }
                    }
                    @if telling >= columns.len() { @for beside in beside { th scope="col" { (beside.title) } } }
                    @if editing == Editing::Offered && may_delete { th scope="col" class="row-act" { span class="vh" { "Delete" } } }
                }
            }
            tbody {
                @for (position, row) in rows.iter().enumerate() {
                    @let key = declared.map(|declared| find_key(declared, row)).unwrap_or_default();
                    @let address = setting.here.clone().with("row", &write_item(&key));
                    tr class={ "tick " (open.hues.class(entity)) } data-key=(write_item(&key)) aria-current=[(setting.selected == Some(&key)).then_some("true")] {
                        @for (place, column) in columns.iter().enumerate() {
                            @if place == telling { (beside_cells(beside, position)) }
                            (cell(open, declared, row, column, editing, address.to_string()))
                        }
                        @if telling >= columns.len() { (beside_cells(beside, position)) }
                        @if editing == Editing::Offered && may_delete {
                            td class="row-act" {
                                a class="icon" tabindex="-1" href=(setting.here.clone().with("delete", &write_item(&key)))
                                    aria-label={ "Delete this " (entity) } { (icon("trash")) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn beside_cells(beside: &[Beside], position: usize) -> Markup {
    html! {
        @for beside in beside { td tabindex="-1" { @if let Some(cell) = beside.cells.get(position) { (cell) } } }
    }
}

fn cell(
    open: &OpenModel,
    declared: Option<&Entity>,
    row: &Row,
    column: &str,
    editing: Editing,
    address: String,
) -> Markup {
    let attribute = declared.and_then(|declared| declared.attribute(column));
    let value = row.get(column);
    let text = value.map(show_value).unwrap_or_default();
    let is_key = declared.is_some_and(|declared| declared.key_attributes().contains(&column));
    let may_change = editing == Editing::Offered
        && !is_key
        && declared.is_some_and(|declared| declared.writes.update)
        && attribute.is_some_and(may_edit)
        && is_short(&text);
    let text = shorten_text(&text);
    let id = declared.and_then(|declared| {
        let (id, _) = open.model().entity_named(&declared.name.value)?;
        open.named_entity(id, column)
    });
    let to = match id {
        Some(_) if is_key && attribute.is_none_or(|attribute| attribute.reference.is_none()) => {
            Some(address)
        }
        Some(target) => declared.and_then(|_| find_reference(open, target, row, column)),
        None => is_key.then_some(address),
    };
    let class = id.map(|name| format!("id {}", open.hues.class(name)));
    html! {
        td tabindex="-1" class=[class] data-attribute=[may_change.then_some(column)]
            data-was=[may_change.then(|| value.map(write_value).unwrap_or_default())] title=[(text.chars().count() > 24).then_some(&text)] {
            @match (value, to) {
                (None, _) => span class="nul" { "–" },
                (Some(_), Some(to)) => a class="ref" tabindex="-1" href=(to) { (text) },
                (Some(_), None) => (text),
            }
        }
    }
}

/// Whether a caller may give this attribute another value.
pub(crate) fn may_edit(attribute: &Attribute) -> bool {
    attribute.may_change()
        && !attribute.is_set_by_the_store()
        && attribute.secret.is_none()
        && attribute.hashed.is_none()
}

/// The address of the row that an attribute names, if the row says its whole key.
fn find_reference(open: &OpenModel, target: &str, row: &Row, column: &str) -> Option<String> {
    let (_, entity) = open.model().entity_named(target)?;
    let id = entity.id.as_deref();
    let mut key = Item::new();
    let names = entity.key_attributes();
    for name in &names {
        let value = if id == Some(*name) || names.len() == 1 {
            row.get(column)?
        } else {
            row.get(name)?
        };
        key.insert((*name).to_owned(), value.clone());
    }
    Some(
        open.link(&["entities", target])
            .with("row", &write_item(&key))
            .to_string(),
    )
}

/// The attributes of a row's key.
pub(crate) fn find_key(entity: &Entity, row: &Row) -> Item {
    let names = entity.key_attributes().into_iter();
    names
        .filter_map(|name| Some((name.to_owned(), row.get(name)?.clone())))
        .collect()
}

/// The attributes that some row has: those of the key first, then in the order of the model, and unknown ones last.
pub(crate) fn list_columns(declared: Option<&Entity>, rows: &[&Row]) -> Vec<String> {
    let has = |name: &str| rows.iter().any(|row| row.get(name).is_some());
    let mut columns: Vec<String> = Vec::new();
    if let Some(declared) = declared {
        let attributes = declared
            .attributes
            .iter()
            .filter(|attribute| !attribute.internal);
        let named = attributes.map(|attribute| attribute.name.value.as_str());
        let is_own = |name: &&str| {
            declared
                .attribute(name)
                .is_none_or(|known| known.reference.is_none())
        };
        let own = declared.id.as_deref().into_iter().filter(is_own);
        for name in own.chain(declared.key_attributes()).chain(named) {
            if has(name) && !columns.iter().any(|known| known == name) {
                columns.push(name.to_owned());
            }
        }
        columns.sort_by_key(|name| (is_stamp(declared, name), is_shared(declared, rows, name)));
    }
    let others = rows.iter().flat_map(|row| row.values.iter());
    for (name, _) in others {
        if !columns.contains(name)
            && declared.is_none_or(|declared| declared.attribute(name).is_none())
        {
            columns.push(name.clone());
        }
    }
    columns
}

/// Times that the store writes itself tell least, so they stand last.
fn is_stamp(declared: &Entity, name: &str) -> bool {
    let attribute = declared.attribute(name);
    attribute.is_some_and(|known| known.role.is_some())
}

/// What all rows share tells them apart least: the partition they stand in, the tree they belong to.
fn is_shared(declared: &Entity, rows: &[&Row], name: &str) -> bool {
    let is_id = declared.id.as_deref() == Some(name);
    let attribute = declared.attribute(name);
    let is_pointer = declared.key_attributes().contains(&name)
        || attribute.is_some_and(|known| known.reference.is_some());
    let mut values = rows.iter().map(|row| row.get(name));
    let first = values.next();
    !is_id && is_pointer && rows.len() > 1 && values.all(|value| Some(value) == first)
}

/// How many of the columns come before those that tell least.
fn count_telling(declared: Option<&Entity>, rows: &[&Row], columns: &[String]) -> usize {
    let tells_little = |name: &String| {
        declared.is_some_and(|declared| is_stamp(declared, name) || is_shared(declared, rows, name))
    };
    let first = columns.iter().position(tells_little);
    first.unwrap_or(columns.len())
}
