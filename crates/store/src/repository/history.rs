//! Which revisions of a repository are reachable: what a sweep must never delete.
//!
//! Reachable are the revision that the head names, and every revision and every parent in the log. Whoever cannot read the
//! head or the log does not know what is reachable, so everything that is not understood makes the answer unusable.

use super::instance::RepositoryInstance;
use super::stored_key::{parse_primary_key, sort_keys};
use crate::interrupt::Interrupt;
use crate::record::Record;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::compiled::Instant;
use monotable_model::model::{Format, Kind, Part, Source, TableId, TimeFormat};
use std::collections::BTreeSet;

/// What the head and the log of a repository say.
#[derive(Clone, Debug)]
pub(super) enum History {
    /// The revisions that are reachable.
    Reachable(BTreeSet<String>),
    /// Something is not understood: what it is, and what to do about it.
    Broken(String),
}

impl History {
    /// Reads the head and then the log, both strongly.
    pub(super) async fn read(instance: &RepositoryInstance<'_>) -> Result<Self, Interrupt> {
        let mut reachable = BTreeSet::new();
        let addresses = instance.head_places();
        let heads = instance.reader.get_many_or_none(&addresses).await?;
        for (address, item) in addresses.iter().zip(heads) {
            let Some(item) = item else {
                continue;
            };
            match instance.read_head_of(address.table(), item) {
                Ok(head) => reachable.insert(head.revision),
                Err(error) => {
                    return Ok(Self::Broken(format!(
                        "the head {address} is not understood ({error}); restore it before anything is deleted"
                    )));
                }
            };
        }
        let ranges = instance.log_ranges()?;
        let logs = instance.reader.all_encoded(&ranges).await?;
        for (rows, items) in ranges.iter().zip(logs) {
            for item in items {
                match read_log_item(instance, rows.table(), &item) {
                    Some(revisions) => reachable.extend(revisions),
                    None => return Ok(Self::Broken(not_understood(instance, rows.table(), &item))),
                }
            }
        }
        Ok(Self::Reachable(reachable))
    }
}

fn not_understood(instance: &RepositoryInstance<'_>, table: TableId, item: &EncodedItem) -> String {
    let reader = instance.reader;
    let address = reader.addressing().locate_view(table, item.view());
    let address = address.map_or_else(|| "an item".to_owned(), |address| address.to_string());
    let log = reader.name(instance.declared.log);
    format!(
        "{address} stands among the rows of {log} and is not understood; mend or move it before anything is deleted"
    )
}

/// The revisions that an item in the range of the log names: none if it is a row of another entity. None as a whole: it is
/// not understood.
fn read_log_item(
    instance: &RepositoryInstance<'_>,
    table: TableId,
    item: &EncodedItem,
) -> Option<Vec<String>> {
    let reader = instance.reader;
    let stored = item.to_item();
    let as_it_is = reader.decode(table, &stored);
    if let Some(record) = &as_it_is {
        if record.entity != instance.declared.log {
            return Some(Vec::new());
        }
        if let Some(revisions) = named_revisions(instance, table, &stored, record) {
            return Some(revisions);
        }
    }
    // Other programs wrote times with another precision, so the key is not one of the model's.
    let rewritten = with_times_of_the_model(instance, table, &stored);
    rewritten.into_iter().find_map(|item| {
        let record = reader.decode(table, &item)?;
        let is_log = record.entity == instance.declared.log;
        is_log.then(|| named_revisions(instance, table, &item, &record))?
    })
}

/// The revision of a log row and its parent. What the key and the attributes call the revision both count.
fn named_revisions(
    instance: &RepositoryInstance<'_>,
    table: TableId,
    item: &Item,
    record: &Record,
) -> Option<Vec<String>> {
    let address = instance.reader.addressing().locate_item(table, item)?;
    let in_key = parse_primary_key(instance.reader, instance.declared.log, &address);
    let name = instance.revision_name();
    let said = [
        record.values.get(name),
        in_key.as_ref().and_then(|key| key.get(name)),
        instance
            .parent_name()
            .and_then(|parent| record.values.get(parent)),
    ];
    let mut revisions = Vec::new();
    for value in said.into_iter().flatten() {
        match value {
            AttributeValue::S(revision) => revisions.push(revision.clone()),
            _ => return None,
        }
    }
    let own = record.values.get(name).is_some();
    own.then_some(revisions)
}

/// The item with its sort key as the model would write it, in every way in which times can be read from it.
fn with_times_of_the_model(
    instance: &RepositoryInstance<'_>,
    table: TableId,
    item: &Item,
) -> Vec<Item> {
    let reader = instance.reader;
    let Some(name) = &reader.model().table(table).range else {
        return Vec::new();
    };
    let Some(AttributeValue::S(text)) = item.get(&name.value) else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    for template in sort_keys(reader, instance.declared.log, table) {
        rewrite_times(instance, &template.template().parts, text, "", &mut texts);
    }
    let with = |text: String| item.clone().with(name.value.as_str(), text);
    texts.into_iter().map(with).collect()
}

fn rewrite_times(
    instance: &RepositoryInstance<'_>,
    parts: &[Part],
    text: &str,
    before: &str,
    found: &mut Vec<String>,
) {
    let Some((part, rest)) = parts.split_first() else {
        if text.is_empty() {
            found.push(before.to_owned());
        }
        return;
    };
    if let Part::Literal(literal) = part {
        if let Some(text) = text.strip_prefix(literal.value.as_str()) {
            let before = format!("{before}{}", literal.value);
            rewrite_times(instance, rest, text, &before, found);
        }
        return;
    }
    let next = match rest.first() {
        Some(Part::Literal(literal)) => literal.value.as_str(),
        Some(Part::Field(_)) | None => "",
    };
    let ends = text.char_indices().map(|(end, _)| end).skip(1);
    for end in ends.chain([text.len()]) {
        let Some((value, after)) = text.split_at_checked(end) else {
            continue;
        };
        if !after.starts_with(next) || (rest.is_empty() && !after.is_empty()) {
            continue;
        }
        let value = match time_format(instance, part) {
            None => value.to_owned(),
            Some(format) => match Instant::parse(value) {
                Ok(time) => time.show(format),
                Err(_) => continue,
            },
        };
        rewrite_times(instance, rest, after, &format!("{before}{value}"), found);
    }
}

/// The format of the time that a part of the log's key shows; none if it shows something else.
fn time_format(instance: &RepositoryInstance<'_>, part: &Part) -> Option<TimeFormat> {
    let Part::Field(field) = part else {
        return None;
    };
    let [
        Source::Path {
            root: None, names, ..
        },
    ] = field.sources.as_slice()
    else {
        return None;
    };
    let log = instance.reader.entity(instance.declared.log);
    let attribute = log.attribute(&names.first()?.value)?;
    match (&attribute.kind, field.formats.as_slice()) {
        (Kind::Timestamp(format), []) => Some(*format),
        (Kind::Timestamp(_), [format]) => match &format.value {
            Format::Time(format) => Some(*format),
            _ => None,
        },
        _ => None,
    }
}
