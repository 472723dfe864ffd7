//! Tables, their indexes and their settings.

use super::{Comparison, Found, is_same};
use crate::difference::{DifferenceKind, Finding, RowExample, Work};
use crate::example::{Examples, fails};
use monotable_model::model::{Index, Model, Table, TableId};

/// Adds what differs between tables.
pub(super) fn compare(comparison: &Comparison<'_>, found: &mut Found) {
    let (old, new) = (comparison.old, comparison.new);
    for (id, table) in new.tables() {
        match old
            .tables()
            .find(|(_, known)| known.name.value == table.name.value)
        {
            Some((old_id, known)) => compare_table(comparison, (old_id, known), (id, table), found),
            None => found.add(
                DifferenceKind::Table,
                &table.name.value,
                format!("the table `{}` is new", table.physical),
                Finding::backfill(Work::Tables, "", "it is made, and has no rows"),
                Finding::works("programs of the old version do not know it"),
            ),
        }
    }
    for (id, table) in old.tables() {
        if !new
            .tables()
            .any(|(_, other)| other.name.value == table.name.value)
        {
            let row = any_row(old, id);
            let what = "no program of the new version looks there";
            found.add(
                DifferenceKind::Table,
                &table.name.value,
                format!("the table `{}` is gone", table.physical),
                Finding::breaks(
                    fails(row, "any read of the new version", what),
                    "keep the table in the model as long as it has rows; say where they go by a layout with `table`",
                ),
                Finding::works("the table stays as it is"),
            );
        }
    }
}

/// A row of some entity of a table.
fn any_row(model: &Model, table: TableId) -> RowExample {
    let entity = model.stored().find(|(_, entity)| entity.table == table);
    entity.map_or_else(RowExample::default, |(id, _)| Examples::new(model).row(id))
}

fn compare_table(
    comparison: &Comparison<'_>,
    (old_id, old): (TableId, &Table),
    (_, new): (TableId, &Table),
    found: &mut Found,
) {
    let name = &new.name.value;
    if old.physical != new.physical
        || !is_same(&old.hash, &new.hash)
        || !is_same(&old.range, &new.range)
    {
        let row = any_row(comparison.old, old_id);
        let what = format!(
            "it is in the table `{}` with the key of that table",
            old.physical
        );
        found.add(
            DifferenceKind::Table,
            name,
            "the table has another name in DynamoDB, or another key",
            Finding::breaks(
                fails(row, "any read of the new version", what),
                "a table keeps its name and its key: copy it to a new one with `monotable copy`, or use a layout with `table`",
            ),
            Finding::works("the table stays as it is"),
        );
    }
    if !is_same(&old.ttl, &new.ttl) {
        let row = any_row(comparison.old, old_id);
        found.add(
            DifferenceKind::Table,
            name,
            "rows expire by another attribute",
            Finding::unproven(
                "rows that have the attribute expire from now on, and those that expired before stay",
                "look at the rows that have it before the switch",
            ),
            Finding::breaks(
                fails(row, "any read of the old version", "it expires by an attribute that programs of the old version do not look at"),
                "end programs of the old version first",
            ),
        );
    }
    let settings = |table: &Table| {
        serde_json::json!([
            table.pitr,
            table.stream,
            table.deletion_protection,
            table.billing,
            table.tags
        ])
    };
    if settings(old) != settings(new) {
        found.add(
            DifferenceKind::Table,
            name,
            "the table has other settings (stream, recovery, protection, billing or tags)",
            Finding::backfill(Work::Tables, "", "`setup` changes them; no row does"),
            Finding::works("no operation on rows depends on them"),
        );
    }
    for index in &new.indexes {
        match old.indexes.iter().find(|known| known.name.value == index.name.value) {
            Some(known) => compare_index(comparison, (old_id, known), index, name, found),
            None => found.add(
                DifferenceKind::Index,
                format!("{name}.{}", index.name.value),
                format!("the index `{}` is new", index.physical),
                Finding::backfill(Work::Tables, "", "it is made; DynamoDB fills it from the attributes that rows have"),
                Finding::works("programs of the old version do not read it, and DynamoDB keeps it for their writes, too"),
            ),
        }
    }
    for index in &old.indexes {
        if !new
            .indexes
            .iter()
            .any(|other| other.name.value == index.name.value)
        {
            found.add(
                DifferenceKind::Index,
                format!("{name}.{}", index.name.value),
                format!("the index `{}` is gone", index.physical),
                Finding::backfill(Work::Deletion, "", "it is dropped at the end, when no program of the old version reads it any more"),
                Finding::works("it stays until then; what becomes of the keys in it is said of each entity"),
            );
        }
    }
}

fn compare_index(
    comparison: &Comparison<'_>,
    (old_id, old): (TableId, &Index),
    new: &Index,
    table: &str,
    found: &mut Found,
) {
    if is_same(old, new) {
        return;
    }
    let row = any_row(comparison.old, old_id);
    let what = "the index is dropped and made anew, and answers nothing meanwhile";
    let counterexample = || {
        fails(
            row.clone(),
            format!("any pattern on `{}`", new.name.value),
            what,
        )
    };
    let remedy = "give the changed index a new name, move the patterns to it, and drop the old one in a later version";
    found.add(
        DifferenceKind::Index,
        format!("{table}.{}", new.name.value),
        "the index has other keys, another projection or another name in DynamoDB, which DynamoDB cannot change",
        Finding::breaks(counterexample(), remedy),
        Finding::breaks(counterexample(), remedy),
    );
}
