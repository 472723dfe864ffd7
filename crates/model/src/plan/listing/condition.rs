//! Key conditions with places.

use super::Lister;
use super::known::Known;
use super::request::{PlannedRequest, PlannedValue, Repeat, ValueKind, Variant};
use super::text::{Piece, PlannedText};
use crate::model::{Field, Mode, Part};
use crate::plan::condition::{KeyCondition, LAST, RangeText, SortText, Spread};
use crate::plan::key_text::{KeyTarget, KeyText};

impl Lister<'_> {
    /// A partition key with what stands before those of a tenant.
    fn prefixed(&self, at: &KeyTarget, own: PlannedText) -> PlannedText {
        match &self.plans.prefix {
            Some(prefix) if !at.shared => Known::default().text(&prefix.parts).then(own),
            Some(_) | None => own,
        }
    }

    /// The values of a whole key.
    pub(super) fn whole_key(&self, key: &KeyText, known: &Known) -> Vec<PlannedValue> {
        let partition = self.prefixed(&key.at, known.text(&key.partition));
        let mut values = vec![PlannedValue::text(&key.at.partition_attribute, partition)];
        if let (Some(attribute), Some(sort)) = (&key.at.sort_attribute, &key.sort) {
            values.push(PlannedValue::text(attribute, known.text(sort)));
        }
        values
    }

    /// The values of the one key that a condition asks for.
    pub(super) fn condition_key(&self, key: &KeyCondition, known: &Known) -> Vec<PlannedValue> {
        let (partition, _) = self.partition(key, known);
        let mut values = vec![PlannedValue::text(&key.at.partition_attribute, partition)];
        if let (Some(attribute), SortText::Is { parts, .. }) = (&key.at.sort_attribute, &key.sort) {
            values.push(PlannedValue::text(attribute, known.text(parts)));
        }
        values
    }

    fn partition(&self, key: &KeyCondition, known: &Known) -> (PlannedText, Repeat) {
        let own = known.text(&key.partition.parts);
        let (place, repeat) = match &key.partition.spread {
            Spread::One => (None, Repeat::Once),
            Spread::Days { parameter } => {
                let parameter = parameter.clone();
                (Some("day"), Repeat::EachDay { parameter })
            }
            Spread::Shards { count } => (Some("shard"), Repeat::EachShard { shards: *count }),
        };
        let place = place.map(|what| Piece::Current {
            what: what.to_owned(),
            tail: String::new(),
        });
        let own = own.then(PlannedText(place.into_iter().collect()));
        (self.prefixed(&key.at, own), repeat)
    }

    /// Makes a request ask for what a pattern asks for.
    pub(super) fn add_condition(
        &self,
        request: &mut PlannedRequest,
        key: &KeyCondition,
        known: &Known,
    ) {
        let (partition, repeat) = self.partition(key, known);
        let kind = ValueKind::of(key.partition.number);
        begin(request, &key.at, kind, partition);
        request.repeat = repeat;
        match &key.sort {
            SortText::Any => {}
            SortText::Is { parts, number } => {
                let value = PlannedValue::new(":sk", ValueKind::of(*number), known.text(parts));
                add_sort(request, &key.at, " AND #sk = :sk", vec![value]);
            }
            SortText::Begins(parts) => add_beginning(request, &key.at, parts, known),
            SortText::Range(range) => {
                add_range(request, &key.at, range, known);
                // Days to go through have a first and a last.
                let name = range.field.name();
                if matches!(&key.partition.spread, Spread::Days { parameter } if *parameter == name)
                {
                    request.variants.clear();
                }
            }
        }
    }

    /// Makes a request ask for the keys that begin as far as a key is known.
    pub(super) fn add_beginning_of(
        &self,
        request: &mut PlannedRequest,
        key: &KeyText,
        known: &Known,
    ) {
        let partition = self.prefixed(&key.at, known.text(&key.partition));
        begin(request, &key.at, ValueKind::Text, partition);
        let sort = key.sort.as_deref().unwrap_or_default();
        let shown = crate::plan::key_text::known_parts(sort, |name| known.has(name));
        let text = known.text(shown);
        if !text.is_empty() {
            let value = PlannedValue::text(":sk", text);
            add_sort(request, &key.at, " AND begins_with(#sk, :sk)", vec![value]);
        }
    }
}

fn begin(request: &mut PlannedRequest, at: &KeyTarget, kind: ValueKind, partition: PlannedText) {
    request.index.clone_from(&at.index_name);
    request.key_condition = Some("#pk = :pk".to_owned());
    request.names = vec![("#pk".to_owned(), at.partition_attribute.clone())];
    request.values = vec![PlannedValue::new(":pk", kind, partition)];
}

fn add_sort(
    request: &mut PlannedRequest,
    at: &KeyTarget,
    condition: &str,
    values: Vec<PlannedValue>,
) {
    let Some(attribute) = &at.sort_attribute else {
        return;
    };
    request.names.push(("#sk".to_owned(), attribute.clone()));
    request.key_condition = Some(format!("#pk = :pk{condition}"));
    request.values.extend(values);
}

/// A condition without some parameters.
fn variant(
    request: &PlannedRequest,
    without: &[&str],
    condition: &str,
    values: Vec<PlannedValue>,
) -> Variant {
    let partition = request.values.first().cloned();
    Variant {
        without: without.iter().map(|name| (*name).to_owned()).collect(),
        key_condition: format!("#pk = :pk{condition}"),
        values: partition.into_iter().chain(values).collect(),
    }
}

/// What a beginning asks: nothing if it is empty.
fn beginning(text: PlannedText) -> (&'static str, Vec<PlannedValue>) {
    if text.is_empty() {
        return ("", Vec::new());
    }
    let value = PlannedValue::text(":sk", text);
    (" AND begins_with(#sk, :sk)", vec![value])
}

fn add_beginning(request: &mut PlannedRequest, at: &KeyTarget, parts: &[Part], known: &Known) {
    for (position, part) in parts.iter().enumerate() {
        let Part::Field(field) = part else { continue };
        if field.mode == Mode::Optional {
            let before = parts.get(..position).unwrap_or_default();
            let (condition, values) = beginning(known.text(before));
            let left_out = variant(request, &[&field.name()], condition, values);
            request.variants.push(left_out);
        }
    }
    let (condition, values) = beginning(known.text(parts));
    if !values.is_empty() {
        add_sort(request, at, condition, values);
    }
}

/// The last value of a range, as far as it reaches.
fn last(range: &RangeText, field: &Field, known: &Known) -> PlannedText {
    let text = known.field(field, ".to");
    if range.last.reaches_on() {
        text.then(PlannedText::literal(LAST.to_string()))
    } else {
        text
    }
}

fn add_range(request: &mut PlannedRequest, at: &KeyTarget, range: &RangeText, known: &Known) {
    let kind = ValueKind::of(range.number);
    let before = known.text(&range.before);
    let field = &range.field;
    let end =
        |name: &str, end: PlannedText| PlannedValue::new(name, kind, before.clone().then(end));
    let from = end(":from", known.field(field, ".from"));
    let to = end(":to", last(range, field, known));
    let name = field.name();
    let (no_from, no_to) = (format!("{name}.from"), format!("{name}.to"));
    let between = " AND #sk BETWEEN :from AND :to";
    // Without an end the range still stays inside what is before it.
    let (low, high) = if before.is_empty() {
        (
            (" AND #sk <= :to", vec![to.clone()]),
            (" AND #sk >= :from", vec![from.clone()]),
        )
    } else {
        let first = PlannedValue::text(":from", before.clone());
        let behind = before.clone().then(PlannedText::literal(LAST.to_string()));
        let behind = PlannedValue::text(":to", behind);
        (
            (between, vec![first, to.clone()]),
            (between, vec![from.clone(), behind]),
        )
    };
    let (neither, values) = beginning(before);
    request.variants = vec![
        variant(request, &[&no_from], low.0, low.1),
        variant(request, &[&no_to], high.0, high.1),
        variant(request, &[&no_from, &no_to], neither, values),
    ];
    add_sort(request, at, between, vec![from, to]);
}
