//! Rows and answers as plain JSON, in which every number is a JSON number with all of its digits.
//!
//! The JSON of operations marks numbers that a double cannot hold, for readers that know no others. REST has a schema that
//! says `number`, so it writes `0.12345678901234567890123456789012345678` as it is; a reader that wants a double rounds
//! it. Bytes and sets are marked in the same way: `{"$bytes": base64}`, `{"$set": [..]}`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_item::{AttributeValue, Item, Number};
use monotable_store::wire::is_mark;
use monotable_store::{AnyOutput, Committed, Difference, Differences, Link, Page, Row, Snapshot};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// A value that is written as plain JSON.
pub(crate) struct Plain<'a, T: ?Sized>(pub(crate) &'a T);

/// The JSON of a value; none if it has none, which does not happen to values that were stored.
pub(crate) fn write_value(value: &AttributeValue) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(&Plain(value)).ok()
}

/// The JSON of an answer.
pub(crate) fn write_output(output: &AnyOutput) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&Plain(output))
}

impl Serialize for Plain<'_, AttributeValue> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AttributeValue::S(text) => serializer.serialize_str(text),
            AttributeValue::N(number) => Plain(number).serialize(serializer),
            AttributeValue::B(bytes) => Bytes(bytes).serialize(serializer),
            AttributeValue::Bool(flag) => serializer.serialize_bool(*flag),
            AttributeValue::Null => serializer.serialize_unit(),
            AttributeValue::L(values) => serializer.collect_seq(values.iter().map(Plain)),
            AttributeValue::M(item) => {
                let mut names = item.iter().map(|(name, _)| name);
                match (names.next(), names.next()) {
                    (Some(name), None) if is_mark(name) => mark(serializer, "$map", &Plain(item)),
                    _ => Plain(item).serialize(serializer),
                }
            }
            AttributeValue::Ss(texts) => mark(serializer, "$set", texts),
            AttributeValue::Ns(numbers) => {
                let numbers: Vec<_> = numbers.iter().map(Plain).collect();
                mark(serializer, "$set", &numbers)
            }
            AttributeValue::Bs(blobs) => {
                let blobs: Vec<_> = blobs.iter().map(|bytes| Bytes(bytes)).collect();
                mark(serializer, "$set", &blobs)
            }
        }
    }
}

fn mark<S: Serializer>(
    serializer: S,
    name: &str,
    value: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, value)?;
    map.end()
}

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        mark(serializer, "$bytes", &STANDARD.encode(self.0))
    }
}

impl Serialize for Plain<'_, Number> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.0.to_string()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl Serialize for Plain<'_, Item> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, Plain(value))))
    }
}

impl Serialize for Plain<'_, Row> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { entity, values } = self.0;
        let mut map = serializer.serialize_map(Some(values.len() + 1))?;
        map.serialize_entry("$entity", entity)?;
        for (name, value) in values.iter() {
            map.serialize_entry(name, &Plain(value))?;
        }
        map.end()
    }
}

impl<T> Serialize for Plain<'_, [T]>
where
    for<'a> Plain<'a, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Plain))
    }
}

/// How many rows the caller may not see is not told: the number would say whether there are any.
impl Serialize for Plain<'_, Page> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let page = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("rows", &Plain(page.rows.as_slice()))?;
        if !page.followed.is_empty() {
            map.serialize_entry("followed", &Plain(page.followed.as_slice()))?;
        }
        if !page.unknown.is_empty() {
            map.serialize_entry("unknown", &Plain(page.unknown.as_slice()))?;
        }
        if !page.dangling.is_empty() {
            map.serialize_entry("dangling", &page.dangling)?;
        }
        if let Some(cursor) = &page.cursor {
            map.serialize_entry("cursor", cursor)?;
        }
        map.end()
    }
}

impl Serialize for Plain<'_, Committed> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Committed {
            revisions,
            warnings,
        } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("revisions", &Plain(revisions.as_slice()))?;
        if !warnings.is_empty() {
            map.serialize_entry("warnings", warnings)?;
        }
        map.end()
    }
}

impl Serialize for Plain<'_, Snapshot> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Snapshot {
            revision,
            rows,
            links,
        } = self.0;
        let links: &Vec<Link> = links;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("revision", revision)?;
        map.serialize_entry("rows", &Plain(rows.as_slice()))?;
        map.serialize_entry("links", links)?;
        map.end()
    }
}

impl Serialize for Plain<'_, Differences> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Differences { from, to, rows } = self.0;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("from", from)?;
        map.serialize_entry("to", to)?;
        map.serialize_entry("rows", &Plain(rows.as_slice()))?;
        map.end()
    }
}

impl Serialize for Plain<'_, Difference> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            Difference::Added(row) => {
                map.serialize_entry("is", "added")?;
                map.serialize_entry("after", &Plain(row))?;
            }
            Difference::Removed(row) => {
                map.serialize_entry("is", "removed")?;
                map.serialize_entry("before", &Plain(row))?;
            }
            Difference::Moved { before, after } => {
                map.serialize_entry("is", "moved")?;
                map.serialize_entry("before", &Plain(before))?;
                map.serialize_entry("after", &Plain(after))?;
            }
            Difference::Changed {
                before,
                after,
                attributes,
            } => {
                map.serialize_entry("is", "changed")?;
                map.serialize_entry("before", &Plain(before))?;
                map.serialize_entry("after", &Plain(after))?;
                map.serialize_entry("attributes", attributes)?;
            }
        }
        map.end()
    }
}

impl Serialize for Plain<'_, AnyOutput> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AnyOutput::Row(row) => Plain(row).serialize(serializer),
            AnyOutput::Page(page) => Plain(page).serialize(serializer),
            AnyOutput::Rows(rows) => mark(serializer, "rows", &Plain(rows.as_slice())),
            AnyOutput::Flag(flag) => mark(serializer, "holds", flag),
            AnyOutput::Committed(committed) => Plain(committed).serialize(serializer),
            AnyOutput::Snapshot(snapshot) => Plain(snapshot).serialize(serializer),
            AnyOutput::Differences(differences) => Plain(differences).serialize(serializer),
            AnyOutput::SweepReport(report) => report.serialize(serializer),
            AnyOutput::PurgeReport(report) => report.serialize(serializer),
        }
    }
}
