//! The keys of an entity, in the table and in its indexes.

use super::moves::{find_lost_attribute, shows_same_texts};
use super::patterns::{Meeting, find_meeting_at, readers};
use super::{Found, PairComparison};
use crate::difference::{DifferenceKind, Finding, Work};
use crate::example::fails;
use monotable_model::model::{Entity, Key, KeyPlace, Layout, Model, TableId};
use std::collections::BTreeSet;

/// Adds what differs between the keys of two entities.
pub(super) fn compare(pair: &PairComparison<'_, '_>, found: &mut Found) {
    let names = |model: &Model, entity: &Entity| -> Vec<String> {
        let written = entity.keys.iter().filter(|key| !key.implied);
        written
            .map(|key| index_name(model, entity.table, key.place))
            .collect()
    };
    let (old, new) = (pair.whole.old, pair.whole.new);
    let mut places: BTreeSet<String> = names(old, pair.pair.old).into_iter().collect();
    places.extend(names(new, pair.pair.new));
    for place in places {
        let was = key_at(old, pair.pair.old, &place);
        let is = key_at(new, pair.pair.new, &place);
        match (was, is) {
            (Some(was), Some(is)) => compare_key(pair, &place, was, is, found),
            (None, Some(is)) => compare_added(pair, &place, is, found),
            (Some(was), None) => compare_removed(pair, &place, was, found),
            (None, None) => {}
        }
    }
}

/// The name of the index of a key; empty for the table's own.
pub(super) fn index_name(model: &Model, table: TableId, place: KeyPlace) -> String {
    let index = model.table(table).index_at(place);
    index
        .map(|index| index.name.value.clone())
        .unwrap_or_default()
}

pub(super) fn key_at<'e>(model: &Model, entity: &'e Entity, place: &str) -> Option<&'e Key> {
    let mut keys = entity.keys.iter();
    keys.find(|key| !key.implied && index_name(model, entity.table, key.place) == place)
}

/// A key as the store remembers it.
pub(super) fn stored_text(model: &Model, table: TableId, key: &Key) -> String {
    let texts: Vec<_> = key
        .templates()
        .map(|template| template.text.as_str())
        .collect();
    let global = if key.global { " (global)" } else { "" };
    format!(
        "{}: {}{global}",
        model.table(table).name.value,
        texts.join(" / ")
    )
}

fn subject(pair: &PairComparison<'_, '_>, place: &str) -> String {
    if place.is_empty() {
        pair.name().to_owned()
    } else {
        format!("{}.{place}", pair.name())
    }
}

fn compare_key(pair: &PairComparison<'_, '_>, place: &str, was: &Key, is: &Key, found: &mut Found) {
    let (old, new) = (pair.whole.old, pair.whole.new);
    let was_text = stored_text(old, pair.pair.old.table, was);
    let is_text = stored_text(new, pair.pair.new.table, is);
    if was_text == is_text {
        return compare_when(pair, place, was, is, found);
    }
    let what = format!("the key was `{was_text}` and is `{is_text}`");
    let subject = subject(pair, place);
    let is_same_place = old.table(pair.pair.old.table).name.value
        == new.table(pair.pair.new.table).name.value
        && was.global == is.global;
    if is_same_place && shows_same_texts(pair, was, is) {
        if pair.pair.old.name.value == pair.pair.new.name.value {
            return compare_renamed(pair, subject, what, found);
        }
        let proof = "both show the same texts, for every row that the new entity has";
        return found.add(
            DifferenceKind::Key,
            subject,
            what,
            Finding::works(proof),
            Finding::works(proof),
        );
    }
    let layout = find_layout(new, pair.pair.new, place, &was_text);
    let stored = match layout {
        Some(layout) => find_clash(pair, was, is).unwrap_or_else(|| {
            Finding::backfill(
                Work::Rows,
                pair.name(),
                format!(
                    "rows are written under the new key; the layout `{}` reads those under the old one until then",
                    layout.name.value
                ),
            )
        }),
        None => Finding::breaks(
            fails(
                pair.old_rows.row_at(pair.pair.old_id, was),
                "any write of the new version",
                "the store remembers the old key template, and refuses a model that would not find such rows",
            ),
            declare_layout(pair, place, was),
        ),
    };
    let old_programs = if find_layout(old, pair.pair.old, place, &is_text).is_some() {
        Finding::works("the old version has the new key as a layout, and reads it")
    } else {
        let row = pair.new_rows.row_at(pair.pair.new_id, is);
        let used_by = used_by(
            readers(old, pair.pair.old_id, pair.pair.old.table, was.place),
            "the old version",
        );
        let remedy = match layout {
            Some(layout) => format!(
                "run programs of the new version with `layout = \"{}\"` before its first section beside the old ones: they read both keys and write the old one; end the old ones before the line goes",
                layout.name.value
            ),
            None => "end programs of the old version before the switch".to_owned(),
        };
        Finding::breaks(
            fails(
                row,
                used_by,
                "it stands under a key that programs of the old version do not ask for",
            ),
            remedy,
        )
    };
    found.add(DifferenceKind::Key, subject, what, stored, old_programs);
}

/// Two rows that get one key of the table; those of an index may be the same.
fn find_clash(pair: &PairComparison<'_, '_>, was: &Key, is: &Key) -> Option<Finding> {
    let is_primary = is.place == KeyPlace::Primary;
    is_primary
        .then(|| find_lost_attribute(pair, was, is))
        .flatten()
}

/// A key that shows attributes under other names is the same key.
fn compare_renamed(
    pair: &PairComparison<'_, '_>,
    subject: String,
    what: String,
    found: &mut Found,
) {
    let row = pair.new_rows.row(pair.pair.new_id);
    let refused =
        "the store remembers the key template by its text, and refuses a model with another one";
    found.add(
        DifferenceKind::Key,
        subject,
        what,
        Finding::Backfill {
            work: Work::Templates,
            rows: Vec::new(),
            why: "the keys are the same texts, and only the names of attributes differ: no row changes; the store remembers the new template".to_owned(),
            meanwhile: None,
        },
        Finding::breaks(
            fails(row, "a program of the old version that starts", refused),
            "end programs of the old version before the switch, or keep the names that keys show",
        ),
    );
}

fn compare_when(
    pair: &PairComparison<'_, '_>,
    place: &str,
    was: &Key,
    is: &Key,
    found: &mut Found,
) {
    let text = |key: &Key| key.when.as_ref().map(ToString::to_string);
    if text(was) == text(is) {
        return;
    }
    let row = pair.new_rows.row_at(pair.pair.new_id, is);
    let users = |model: &Model, id, table, key: &Key, version| {
        used_by(readers(model, id, table, key.place), version)
    };
    let (old, new) = (pair.whole.old, pair.whole.new);
    let by_new = users(
        new,
        pair.pair.new_id,
        pair.pair.new.table,
        is,
        "the new version",
    );
    let by_old = users(
        old,
        pair.pair.old_id,
        pair.pair.old.table,
        was,
        "the old version",
    );
    let what = "each version puts other rows into the index";
    found.add(
        DifferenceKind::Key,
        subject(pair, place),
        "other rows are in the index",
        Finding::backfill(
            Work::Rows,
            pair.name(),
            "rows get or lose the keys of the index",
        )
        .while_old_runs(fails(row.clone(), by_new, what)),
        Finding::breaks(
            fails(row, by_old, what),
            "make a new index for the new condition, or end programs of the old version first",
        ),
    );
}

/// A key in an index that rows did not have before.
fn compare_added(pair: &PairComparison<'_, '_>, place: &str, is: &Key, found: &mut Found) {
    let (old, new) = (pair.whole.old, pair.whole.new);
    let readers = readers(new, pair.pair.new_id, pair.pair.new.table, is.place);
    let row = pair.old_rows.row(pair.pair.old_id);
    let meanwhile = fails(
        row,
        used_by(readers, "the new version"),
        "a program of the old version writes it without the key of the index, or leaves the key as it was: the index does not find it where it should",
    );
    let old_programs = match find_meeting_at(old, (new, pair.pair.new_id), is) {
        Meeting::Never => Finding::works("no pattern of the old version reads such a key"),
        Meeting::Row { pattern, row } => Finding::breaks(
            fails(
                row,
                format!("the pattern `{pattern}` of the old version"),
                "it meets the row there, and does not expect it",
            ),
            "make a new index for it, or end programs of the old version first",
        ),
        Meeting::Unknown { pattern } => Finding::unproven(
            format!("the pattern `{pattern}` of the old version may meet such rows"),
            "make a new index for it, or end programs of the old version first",
        ),
    };
    found.add(
        DifferenceKind::Key,
        subject(pair, place),
        format!(
            "rows have the key `{}` there from now on",
            stored_text(new, pair.pair.new.table, is)
        ),
        Finding::backfill(Work::Rows, pair.name(), "rows get the key of the index")
            .while_old_runs(meanwhile),
        old_programs,
    );
}

/// A key in an index that rows lose.
fn compare_removed(pair: &PairComparison<'_, '_>, place: &str, was: &Key, found: &mut Found) {
    let (old, new) = (pair.whole.old, pair.whole.new);
    let is_there = new
        .table(pair.pair.new.table)
        .indexes
        .iter()
        .any(|index| index.name.value == place);
    let stored = if is_there {
        Finding::backfill(Work::Rows, pair.name(), "rows lose the key of the index")
    } else {
        Finding::works(
            "the index is dropped at the end; the attributes of its key stay, and nobody reads them",
        )
    };
    let readers = readers(old, pair.pair.old_id, pair.pair.old.table, was.place);
    let old_programs = if readers.is_empty() {
        Finding::works("no pattern of the old version reads it there")
    } else if let Some(values) = shown_values(pair, was) {
        let values: Vec<_> = values
            .iter()
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        let row = pair.new_rows.row_with(pair.pair.new_id, &values);
        let what = "a program of the new version writes it without the key of the index, so the pattern does not find it";
        Finding::breaks(
            fails(row, used_by(readers, "the old version"), what),
            "keep the key as long as programs of the old version run",
        )
    } else {
        Finding::works(
            "rows of the new version lack what the key shows, so the old version looks for none of them there",
        )
    };
    found.add(
        DifferenceKind::Key,
        subject(pair, place),
        format!(
            "rows had the key `{}` there",
            stored_text(old, pair.pair.old.table, was)
        ),
        stored,
        old_programs,
    );
}

/// The layout of an entity that has this key.
pub(super) fn find_layout<'e>(
    model: &Model,
    entity: &'e Entity,
    place: &str,
    text: &str,
) -> Option<&'e Layout> {
    let mut layouts = entity.layouts.iter();
    layouts.find(|layout| {
        let mut keys = layout.keys.iter();
        keys.any(|key| {
            index_name(model, layout.table, key.place) == place
                && stored_text(model, layout.table, key) == text
        })
    })
}

/// Who fails, by name.
fn used_by(readers: Vec<String>, version: &str) -> String {
    match readers.first() {
        Some(first) => format!("the pattern `{first}` of {version}"),
        None => format!("a get of {version}"),
    }
}

/// The lines that make an old key one that is read.
fn declare_layout(pair: &PairComparison<'_, '_>, place: &str, was: &Key) -> String {
    let texts: Vec<_> = was
        .templates()
        .map(|template| format!("\"{}\"", template.text))
        .collect();
    let key = if place.is_empty() { "key" } else { place };
    format!(
        "declare the old key in the new version: [entity.{}.layout.before] {key} = [{}]",
        pair.name(),
        texts.join(", ")
    )
}

/// Values of the new version for what a key of the old one shows; none if the new version lacks one of them.
fn shown_values(
    pair: &PairComparison<'_, '_>,
    was: &Key,
) -> Option<Vec<(String, serde_json::Value)>> {
    let fields = was.templates().flat_map(|template| template.fields());
    let names = fields.flat_map(|field| {
        field
            .attributes()
            .map(|name| name.value.clone())
            .collect::<Vec<_>>()
    });
    let values = names.map(|name| {
        let mut pairs = pair.attributes.pairs.iter();
        let known = pairs.find(|known| known.old.name.value == name)?;
        Some((
            known.new.name.value.clone(),
            crate::example::example_value(&known.new.kind),
        ))
    });
    values.collect()
}
