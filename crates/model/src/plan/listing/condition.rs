//! Key conditions with places.

use super::Lister;
use super::known::Known;
use super::request::{PlannedRequest, PlannedValue, Repeat, ValueKind, Variant};
use super::text::{Piece, PlannedText};
use crate::model::{Field, Mode, Part};
use crate::plan::condition::{KeyCondition, LAST, RangeText, SortText, Spread, ValueText};
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
        let mut asked = SortAsked::begin(&key.at, ValueKind::of(key.partition.number), partition);
        let value = |value: &ValueText| (ValueKind::of(value.number), known.text(&value.parts));
        for further in &key.further {
            asked.add_partition(value(further));
        }
        for leading in &key.leading {
            asked.add_leading(value(leading));
        }
        asked.write(request);
        request.repeat = repeat;
        match &key.sort {
            SortText::Any => {}
            SortText::Is { parts, number } => {
                let (condition, value) = asked.is(ValueKind::of(*number), known.text(parts));
                asked.add_sort(request, &condition, vec![value]);
            }
            SortText::Begins(parts) => asked.add_beginning(request, parts, known),
            SortText::Range(range) => {
                asked.add_range(request, range, known);
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
        let at = &key.at;
        let kind = |attribute: &str| ValueKind::of(at.is_number(attribute));
        let partition = self.prefixed(at, known.text(&key.partition));
        let mut asked = SortAsked::begin(at, kind(&at.partition_attribute), partition);
        for (name, parts) in at.further.hash.iter().zip(&key.further.hash) {
            asked.add_partition((kind(name), known.text(parts)));
        }
        let mut sort = at.sort_attributes().zip(key.sort_texts()).peekable();
        while let Some((name, parts)) = sort.next() {
            let shown = crate::plan::key_text::known_parts(parts, |name| known.has(name));
            let is_whole = shown.len() == parts.len();
            // A number has no beginning; an attribute that is known whole may be followed by another.
            if is_whole && (at.is_number(name) || sort.peek().is_some()) {
                asked.add_leading((kind(name), known.text(parts)));
                continue;
            }
            asked.write(request);
            if !at.is_number(name) {
                let (condition, values) = asked.begins(known.text(shown));
                if !values.is_empty() {
                    asked.add_sort(request, &condition, values);
                }
            }
            return;
        }
        asked.write(request);
    }
}

/// A key condition while it is put together: what is asked of the partition, and of sort attributes that are one value.
struct SortAsked {
    index: Option<String>,
    condition: String,
    names: Vec<(String, String)>,
    values: Vec<PlannedValue>,
    /// The sort attributes that nothing is asked of yet.
    rest: Vec<String>,
    /// How many attributes the partition key and the sort key have so far.
    counts: (usize, usize),
    /// The partition attributes that nothing is asked of yet.
    further: Vec<String>,
}

/// The number behind a placeholder: the first attribute has none.
fn suffix(before: usize) -> String {
    match before {
        0 => String::new(),
        before => (before + 1).to_string(),
    }
}

impl SortAsked {
    fn begin(at: &KeyTarget, kind: ValueKind, partition: PlannedText) -> Self {
        Self {
            index: at.index_name.clone(),
            condition: "#pk = :pk".to_owned(),
            names: vec![("#pk".to_owned(), at.partition_attribute.clone())],
            values: vec![PlannedValue::new(":pk", kind, partition)],
            rest: at.sort_attributes().map(str::to_owned).collect(),
            counts: (1, 0),
            further: at.further.hash.clone(),
        }
    }

    /// Asks for one value of the next attribute of the partition key.
    fn add_partition(&mut self, value: (ValueKind, PlannedText)) {
        if self.further.is_empty() {
            return;
        }
        let attribute = self.further.remove(0);
        self.add_value(&format!("pk{}", suffix(self.counts.0)), attribute, value);
        self.counts.0 += 1;
    }

    /// Asks for one value of the next attribute of the sort key.
    fn add_leading(&mut self, value: (ValueKind, PlannedText)) {
        if self.rest.is_empty() {
            return;
        }
        let attribute = self.rest.remove(0);
        self.add_value(&format!("sk{}", suffix(self.counts.1)), attribute, value);
        self.counts.1 += 1;
    }

    fn add_value(
        &mut self,
        placeholder: &str,
        attribute: String,
        (kind, text): (ValueKind, PlannedText),
    ) {
        self.condition += &format!(" AND #{placeholder} = :{placeholder}");
        self.names.push((format!("#{placeholder}"), attribute));
        let value = PlannedValue::new(format!(":{placeholder}"), kind, text);
        self.values.push(value);
    }

    /// The placeholder of the attribute that is asked about last, without its sign.
    fn last(&self) -> String {
        format!("sk{}", suffix(self.counts.1))
    }

    /// What is asked so far.
    fn write(&self, request: &mut PlannedRequest) {
        request.index.clone_from(&self.index);
        request.key_condition = Some(self.condition.clone());
        request.names.clone_from(&self.names);
        request.values.clone_from(&self.values);
    }

    fn add_sort(&self, request: &mut PlannedRequest, condition: &str, values: Vec<PlannedValue>) {
        let Some(attribute) = self.rest.first() else {
            return;
        };
        let name = format!("#{}", self.last());
        request.names.push((name, attribute.clone()));
        request.key_condition = Some(format!("{}{condition}", self.condition));
        request.values.extend(values);
    }

    /// A condition without some parameters.
    fn variant(
        &self,
        without: &[&str],
        (condition, values): (String, Vec<PlannedValue>),
    ) -> Variant {
        Variant {
            without: without.iter().map(|name| (*name).to_owned()).collect(),
            key_condition: format!("{}{condition}", self.condition),
            values: self.values.iter().cloned().chain(values).collect(),
        }
    }

    fn is(&self, kind: ValueKind, text: PlannedText) -> (String, PlannedValue) {
        let last = self.last();
        let value = PlannedValue::new(format!(":{last}"), kind, text);
        (format!(" AND #{last} = :{last}"), value)
    }

    /// What a beginning asks: nothing if it is empty.
    fn begins(&self, text: PlannedText) -> (String, Vec<PlannedValue>) {
        if text.is_empty() {
            return (String::new(), Vec::new());
        }
        let last = self.last();
        let value = PlannedValue::text(format!(":{last}"), text);
        (format!(" AND begins_with(#{last}, :{last})"), vec![value])
    }

    fn add_beginning(&self, request: &mut PlannedRequest, parts: &[Part], known: &Known) {
        for (position, part) in parts.iter().enumerate() {
            let Part::Field(field) = part else { continue };
            if field.mode == Mode::Optional {
                let before = parts.get(..position).unwrap_or_default();
                let left_out = self.variant(&[&field.name()], self.begins(known.text(before)));
                request.variants.push(left_out);
            }
        }
        let (condition, values) = self.begins(known.text(parts));
        if !values.is_empty() {
            self.add_sort(request, &condition, values);
        }
    }

    fn add_range(&self, request: &mut PlannedRequest, range: &RangeText, known: &Known) {
        let kind = ValueKind::of(range.number);
        let before = known.text(&range.before);
        let field = &range.field;
        let end =
            |name: &str, end: PlannedText| PlannedValue::new(name, kind, before.clone().then(end));
        let from = end(":from", known.field(field, ".from"));
        let to = end(":to", last(range, field, known));
        let name = field.name();
        let (no_from, no_to) = (format!("{name}.from"), format!("{name}.to"));
        let asked = self.last();
        let between = format!(" AND #{asked} BETWEEN :from AND :to");
        // Without an end the range still stays inside what is before it.
        let (low, high) = if before.is_empty() {
            (
                (format!(" AND #{asked} <= :to"), vec![to.clone()]),
                (format!(" AND #{asked} >= :from"), vec![from.clone()]),
            )
        } else {
            let first = PlannedValue::text(":from", before.clone());
            let behind = before.clone().then(PlannedText::literal(LAST.to_string()));
            let behind = PlannedValue::text(":to", behind);
            (
                (between.clone(), vec![first, to.clone()]),
                (between.clone(), vec![from.clone(), behind]),
            )
        };
        request.variants = vec![
            self.variant(&[&no_from], low),
            self.variant(&[&no_to], high),
            self.variant(&[&no_from, &no_to], self.begins(before)),
        ];
        self.add_sort(request, &between, vec![from, to]);
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
