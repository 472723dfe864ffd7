//! Key conditions: a partition, and a value, a beginning or a range of the sort key.

use super::given::{Known, range_field};
use super::pattern_request::{Repeat, RequestValue, ValueKind, Variant};
use monotable_model::model::{
    EntityId, Field, Format, Key, KeyPlace, Mode, Model, Part, Table, TableId, Template,
};

/// The last character: nothing that begins alike sorts behind a text that ends in it.
pub(super) const LAST: char = '\u{10FFFF}';

/// Where a key condition is asked.
pub(super) struct Asked<'m> {
    pub(super) model: &'m Model,
    pub(super) table: TableId,
    pub(super) returns: &'m [EntityId],
    pub(super) known: &'m Known,
}

/// A key condition as DynamoDB takes it.
pub(super) struct Condition {
    pub(super) expression: String,
    pub(super) names: Vec<(String, String)>,
    pub(super) values: Vec<RequestValue>,
    pub(super) variants: Vec<Variant>,
    pub(super) repeat: Repeat,
}

/// A sort key that is asked for.
struct Sort<'m> {
    template: &'m Template,
    kind: ValueKind,
    place: KeyPlace,
}

/// The attributes of a key: partition and sort key.
pub(super) fn key_attributes(table: &Table, place: KeyPlace) -> (String, Option<String>) {
    let index = match place {
        KeyPlace::Primary => None,
        KeyPlace::Index(position) => table.indexes.get(position),
    };
    let (hash, range) = index.map_or((&table.hash, &table.range), |index| {
        (&index.hash, &index.range)
    });
    (
        hash.value.clone(),
        range.as_ref().map(|name| name.value.clone()),
    )
}

/// The name of an index in DynamoDB.
pub(super) fn index_name(table: &Table, place: KeyPlace) -> Option<String> {
    match place {
        KeyPlace::Primary => None,
        KeyPlace::Index(position) => table
            .indexes
            .get(position)
            .map(|index| index.physical.clone()),
    }
}

impl Asked<'_> {
    /// The condition that a key is.
    pub(super) fn condition(&self, key: &Key) -> Condition {
        let (hash, range) = key_attributes(self.model.table(self.table), key.place);
        let (partition, repeat) = self.partition(key);
        let kind = self.kind(&hash, &key.hash);
        let mut condition = Condition {
            expression: "#pk = :pk".to_owned(),
            names: vec![("#pk".to_owned(), hash)],
            values: vec![value(":pk", kind, partition)],
            variants: Vec::new(),
            repeat,
        };
        if let (Some(attribute), Some(template)) = (range, &key.range) {
            let kind = self.kind(&attribute, template);
            let sort = Sort {
                template,
                kind,
                place: key.place,
            };
            self.add_sort(&mut condition, attribute, &sort);
        }
        condition
    }

    /// The whole key: attributes and their values.
    pub(super) fn whole(&self, key: &Key) -> Vec<RequestValue> {
        let (hash, range) = key_attributes(self.model.table(self.table), key.place);
        let kind = self.kind(&hash, &key.hash);
        let mut values = vec![value(&hash, kind, self.prefixed(key, &key.hash))];
        if let (Some(attribute), Some(template)) = (range, &key.range) {
            let kind = self.kind(&attribute, template);
            values.push(value(&attribute, kind, self.known.template(template)));
        }
        values
    }

    fn partition(&self, key: &Key) -> (String, Repeat) {
        let Some(field) = range_field(&key.hash) else {
            return (self.prefixed(key, &key.hash), Repeat::Once);
        };
        let shards = field.formats.iter().find_map(|format| match format.value {
            Format::Shard(shards) => Some(shards),
            _ => None,
        });
        let (place, repeat) = match shards {
            Some(shards) => ("<shard>", Repeat::EachShard { shards }),
            None => (
                "<day>",
                Repeat::EachDay {
                    parameter: field.name(),
                },
            ),
        };
        // A range ends its template.
        let before = key
            .hash
            .parts
            .split_last()
            .map_or(&[][..], |(_, rest)| rest);
        let text = format!("{}{}{place}", self.prefix(key), self.known.parts(before));
        (text, repeat)
    }

    fn prefix(&self, key: &Key) -> String {
        match &self.model.tenant {
            Some(tenant) if !key.global => tenant.prefix.text.clone(),
            Some(_) | None => String::new(),
        }
    }

    fn prefixed(&self, key: &Key, template: &Template) -> String {
        format!("{}{}", self.prefix(key), self.known.template(template))
    }

    /// Key attributes are text, but for an index on a number that the rows have anyway.
    fn kind(&self, attribute: &str, template: &Template) -> ValueKind {
        let is_number = |id: &EntityId| {
            let attributes = &self.model.entity(*id).attributes;
            attributes
                .iter()
                .any(|known| known.stored == attribute && known.kind.is_number())
        };
        let is_value = matches!(template.parts.as_slice(), [Part::Field(_)]);
        match is_value && self.returns.iter().any(is_number) {
            true => ValueKind::Number,
            false => ValueKind::Text,
        }
    }

    fn add_sort(&self, to: &mut Condition, attribute: String, sort: &Sort<'_>) {
        let template = sort.template;
        if template.parts.is_empty() {
            return;
        }
        to.names.push(("#sk".to_owned(), attribute));
        let range = template
            .parts
            .split_last()
            .and_then(|(last, before)| match last {
                Part::Field(field) if field.mode == Mode::Range => Some((field, before)),
                Part::Field(_) | Part::Literal(_) => None,
            });
        if let Some((field, before)) = range {
            return self.add_range(to, field, before, sort);
        }
        let open = template.fields().any(|field| field.mode == Mode::Open);
        if template.open_end || open {
            return self.add_prefix(to, template);
        }
        to.expression.push_str(" AND #sk = :sk");
        to.values
            .push(value(":sk", sort.kind, self.known.template(template)));
    }

    fn add_prefix(&self, to: &mut Condition, template: &Template) {
        let prefix = " AND begins_with(#sk, :sk)";
        let partition = to.values.clone();
        for (position, part) in template.parts.iter().enumerate() {
            let Part::Field(field) = part else { continue };
            if field.mode != Mode::Optional {
                continue;
            }
            let before = template.parts.get(..position).unwrap_or_default();
            let mut values = partition.clone();
            values.push(RequestValue::text(":sk", self.known.parts(before)));
            to.variants.push(Variant {
                without: field.name(),
                key_condition: format!("{}{prefix}", to.expression),
                values,
            });
        }
        to.expression.push_str(prefix);
        to.values
            .push(RequestValue::text(":sk", self.known.template(template)));
    }

    fn add_range(&self, to: &mut Condition, field: &Field, before: &[Part], sort: &Sort<'_>) {
        let kind = sort.kind;
        let prefix = self.known.parts(before);
        let partition = to.expression.clone();
        let hash = to.values.clone();
        let name = field.name();
        let low = format!("{prefix}{}", self.known.field(field, ".from"));
        let end = if kind == ValueKind::Text && self.goes_on(field, sort.place) {
            LAST.to_string()
        } else {
            String::new()
        };
        let high = format!("{prefix}{}{end}", self.known.field(field, ".to"));
        let between = format!("{partition} AND #sk BETWEEN :from AND :to");
        let variant = |without: &str, condition: &str, own: Vec<RequestValue>| Variant {
            without: format!("{name}.{without}"),
            key_condition: condition.to_owned(),
            values: hash.iter().cloned().chain(own).collect(),
        };
        let from = value(":from", kind, low);
        let to_end = value(":to", kind, high);
        // Without an end the range still stays inside what is before it.
        to.variants = match prefix.is_empty() {
            true => vec![
                variant(
                    "from",
                    &format!("{partition} AND #sk <= :to"),
                    vec![to_end.clone()],
                ),
                variant(
                    "to",
                    &format!("{partition} AND #sk >= :from"),
                    vec![from.clone()],
                ),
            ],
            false => vec![
                variant(
                    "from",
                    &between,
                    vec![RequestValue::text(":from", &prefix), to_end.clone()],
                ),
                variant(
                    "to",
                    &between,
                    vec![
                        from.clone(),
                        RequestValue::text(":to", format!("{prefix}{LAST}")),
                    ],
                ),
            ],
        };
        // Days to go through have a first and a last.
        if matches!(to.repeat, Repeat::EachDay { .. }) {
            to.variants.clear();
        }
        to.expression = between;
        to.values.extend([from, to_end]);
    }

    /// Whether keys go on behind the value that is a range: then the last value must reach over it.
    fn goes_on(&self, field: &Field, place: KeyPlace) -> bool {
        let name = field.name();
        let ends_there = |id: &EntityId| {
            let key = self.model.entity(*id).key(place);
            let range = key.and_then(|key| key.range.as_ref());
            match range.and_then(|range| range.parts.last()) {
                Some(Part::Field(last)) => last.name() == name,
                Some(Part::Literal(_)) | None => false,
            }
        };
        !self.returns.iter().all(ends_there)
    }
}

fn value(name: &str, kind: ValueKind, text: String) -> RequestValue {
    RequestValue {
        name: name.to_owned(),
        kind,
        text,
    }
}
