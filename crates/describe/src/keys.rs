//! The key table: which entity stands where.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::sentence;
use monotable_model::model::{Entity, EntityId, Key, KeyPlace, Model, Table, Template};

/// Entities by keys, one table of the page for each table of the model.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let mut blocks = vec![
        Block::heading(2, "keys", "Keys of the entities"),
        Block::paragraph(
            "Each cell has the partition key above the sort key. An entity without a cell is not in that index.",
        ),
    ];
    for (position, table) in model.tables.iter().enumerate() {
        let of_table = |entity: &Entity| entity.table.index() == position;
        let rows: Vec<_> = model
            .stored()
            .filter(|(_, entity)| of_table(entity))
            .map(|(id, entity)| row(model, table, id, entity))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let name = &table.name.value;
        if model.tables.len() > 1 {
            blocks.push(Block::Caption(
                Inline::new()
                    .text("Table ")
                    .link(anchor(Place::Table, name), name),
            ));
        }
        let mut head = vec!["Entity", "Table key"];
        head.extend(table.indexes.iter().map(|index| index.name.value.as_str()));
        blocks.push(Block::table(format!("Keys in {name}"), &head, rows));
    }
    let layouts = layouts(model);
    if !layouts.is_empty() {
        blocks.push(Block::caption("Other layouts"));
        blocks.push(Block::paragraph(layout_sentence(model)));
        blocks.push(Block::table(
            "Other layouts",
            &["Entity", "Layout", "Where", "Partition key", "Sort key"],
            layouts,
        ));
    }
    blocks
}

fn layout_sentence(model: &Model) -> String {
    let chosen: Vec<_> = model
        .layout
        .iter()
        .map(|name| format!("`{}`", name.value))
        .collect();
    let read = "Rows are read under these keys too; new rows are written under the keys above";
    if chosen.is_empty() {
        format!("{read}.")
    } else {
        format!("{read}, those of layout {}.", chosen.join(", "))
    }
}

fn row(model: &Model, table: &Table, id: EntityId, entity: &Entity) -> Vec<Inline> {
    let places =
        std::iter::once(KeyPlace::Primary).chain((0..table.indexes.len()).map(KeyPlace::Index));
    let mut row = vec![sentence::entity(model, id)];
    row.extend(places.map(|place| {
        entity
            .key(place)
            .map_or_else(Inline::new, |key| cell(model, key))
    }));
    row
}

/// The templates of a key, and when they hold.
pub(crate) fn cell(model: &Model, key: &Key) -> Inline {
    let sides = [partition(key), sort(key)];
    let mut cell = Inline::lines(sides.into_iter().flatten());
    if let Some(when) = &key.when {
        cell = cell.line().then(sentence::condition("when", when));
    }
    if key.global && model.tenant.is_some() {
        cell = cell.line().text("global: without the tenant's prefix");
    }
    if key.implied {
        cell = cell.line().text("follows from the attributes");
    }
    cell
}

/// The templates of a partition key, side by side.
fn partition(key: &Key) -> Option<Inline> {
    side(key.partition_templates())
}

/// The templates of a sort key, side by side.
fn sort(key: &Key) -> Option<Inline> {
    side(key.sort_templates())
}

fn side<'t>(templates: impl Iterator<Item = &'t Template>) -> Option<Inline> {
    let templates: Vec<_> = templates
        .map(|template| Inline::of_code(&template.text))
        .collect();
    (!templates.is_empty()).then(|| Inline::join(templates, ", "))
}

fn layouts(model: &Model) -> Vec<Vec<Inline>> {
    let mut rows = Vec::new();
    for (id, entity) in model.stored() {
        for layout in &entity.layouts {
            let table = model.table(layout.table);
            let other = layout.keys.iter().filter(|key| {
                let written = entity.key(key.place);
                layout.table != entity.table || !written.is_some_and(|written| same(written, key))
            });
            rows.extend(other.map(|key| {
                vec![
                    sentence::entity(model, id),
                    Inline::of_code(&layout.name.value),
                    place(model, table, entity, key),
                    partition(key).unwrap_or_default(),
                    sort(key).unwrap_or_default(),
                ]
            }));
        }
    }
    rows
}

fn same(one: &Key, other: &Key) -> bool {
    let texts = |key: &Key| -> Vec<String> {
        key.templates()
            .map(|template| template.text.clone())
            .collect()
    };
    texts(one) == texts(other) && one.global == other.global
}

fn place(model: &Model, table: &Table, entity: &Entity, key: &Key) -> Inline {
    let place = match key.place {
        KeyPlace::Primary => Inline::prose("table key"),
        KeyPlace::Index(position) => table
            .indexes
            .get(position)
            .map_or_else(Inline::new, |index| Inline::of_code(&index.name.value)),
    };
    let elsewhere = model.table(entity.table).name.value != table.name.value;
    let place = if elsewhere {
        place.text(" of table ").code(&table.name.value)
    } else {
        place
    };
    if key.global && model.tenant.is_some() {
        place.text(", global")
    } else {
        place
    }
}
