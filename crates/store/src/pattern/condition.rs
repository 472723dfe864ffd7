//! The key conditions of a pattern with its parameters filled in.

use super::parameters::Parameters;
use super::partitions::{self, Partitions, Spread, refuse_place};
use crate::address::{Address, KeyProblem, Partition, key_attributes};
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::request::SortCondition;
use crate::scope::Scope;
use crate::value;
use monotable_item::AttributeValue;
use monotable_model::compiled::RenderProblem;
use monotable_model::model::{
    Access, Entity, EntityId, Field, Format, Key, Kind, Mode, OnExists, Part, TableId, Template,
    TimeFormat,
};
use std::cmp::Ordering;

/// The last character: nothing that begins alike sorts behind a text that ends in it.
const LAST: char = '\u{10FFFF}';

/// A partition and what is asked of its sort keys.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) partition: Partition,
    pub(crate) sort: SortCondition,
}

/// The same of several partitions, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    pub(crate) spread: Spread,
    pub(crate) each: Vec<Condition>,
}

/// Where a pattern asks.
struct ConditionSource<'s> {
    scope: &'s Scope,
    access: &'s Access,
    key: &'s Key,
    given: &'s Parameters,
}

/// The conditions of a pattern, one for each of its partitions.
pub(crate) fn list_conditions(
    scope: &Scope,
    access: &Access,
    table: TableId,
    key: &Key,
    given: &Parameters,
) -> Result<Conditions, Error> {
    let place = ConditionSource {
        scope,
        access,
        key,
        given,
    };
    let conditions = place.conditions(table);
    conditions.map_err(|errors| Error::validation(&access.name.value, errors))
}

/// The condition of a pattern on one partition.
pub(crate) fn one_condition(
    scope: &Scope,
    access: &Access,
    table: TableId,
    key: &Key,
    given: &Parameters,
) -> Result<Condition, Error> {
    let conditions = list_conditions(scope, access, table, key, given)?;
    let first = conditions.each.into_iter().next();
    first.ok_or_else(|| Error::integrity("a pattern without a partition"))
}

/// The text of an end of a range.
struct End(String);

/// Values of keys in the order that a table has them in.
pub(crate) fn key_order(left: Option<&AttributeValue>, right: Option<&AttributeValue>) -> Ordering {
    match (left, right) {
        (Some(AttributeValue::S(left)), Some(AttributeValue::S(right))) => left.cmp(right),
        (Some(AttributeValue::N(left)), Some(AttributeValue::N(right))) => left.cmp(right),
        (Some(AttributeValue::B(left)), Some(AttributeValue::B(right))) => left.cmp(right),
        // A key has values of one kind.
        _ => Ordering::Equal,
    }
}

impl SortCondition {
    /// As much of it as comes from this sort key on, the key itself too.
    pub(crate) fn continue_at(&self, at: &AttributeValue, descending: bool) -> Self {
        let at = at.clone();
        match (self, descending) {
            (Self::Is(_), _) => self.clone(),
            (Self::Any | Self::AtLeast(_), false) => Self::AtLeast(at),
            (Self::Any | Self::AtMost(_), true) => Self::AtMost(at),
            (Self::Begins(prefix), false) => {
                Self::Between(at, AttributeValue::S(format!("{prefix}{LAST}")))
            }
            (Self::Begins(prefix), true) => Self::Between(prefix.as_str().into(), at),
            (Self::Between(_, to) | Self::AtMost(to), false) => Self::Between(at, to.clone()),
            (Self::Between(from, _) | Self::AtLeast(from), true) => Self::Between(from.clone(), at),
        }
    }
}

impl ConditionSource<'_> {
    fn conditions(&self, table: TableId) -> Result<Conditions, Vec<FieldError>> {
        let declared = self.scope.model().table(table);
        let (partition_name, range_name) = key_attributes(declared, self.key.place);
        let Partitions { spread, keys } =
            partitions::list_partitions(self.scope, &self.key.hash, self.given)?;
        let sort = match (range_name, &self.key.range) {
            (Some(name), Some(template)) if !template.parts.is_empty() => {
                self.sort(name, template).map_err(|error| vec![error])?
            }
            _ => SortCondition::Any,
        };
        let is_number = self.is_number(partition_name, &self.key.hash);
        let condition = |key: String| Condition {
            partition: self.partition(table, key, is_number),
            sort: sort.clone(),
        };
        let each = keys.into_iter().map(condition).collect();
        Ok(Conditions { spread, each })
    }

    /// The partition with a key, which is text but for an index on a number.
    fn partition(&self, table: TableId, key: String, is_number: bool) -> Partition {
        let partition = self.scope.addressing().partition(table, self.key, key);
        if is_number {
            return partition.of_number();
        }
        partition
    }

    fn sort(&self, name: &str, template: &Template) -> Result<SortCondition, FieldError> {
        let last = template.parts.split_last();
        if let Some((Part::Field(field), before)) = last
            && field.mode == Mode::Range
        {
            return self.range(name, template, field, before);
        }
        let open = template.fields().any(|field| field.mode == Mode::Open);
        if template.open_end || open {
            let prefix = self.prefix(template);
            return match prefix {
                Ok(prefix) if prefix.is_empty() => Ok(SortCondition::Any),
                Ok(prefix) => Ok(SortCondition::Begins(prefix)),
                Err(problem) => Err(refuse_place(&problem)),
            };
        }
        let text = self.given.render(self.scope, template, "");
        let text = text.map_err(|problem| refuse_place(&problem))?;
        Ok(SortCondition::Is(self.value(name, template, text)))
    }

    /// As much of a prefix as is given: it ends before the first optional field without a value.
    fn prefix(&self, template: &Template) -> Result<String, RenderProblem> {
        let mut end = template.parts.len();
        for (position, part) in template.parts.iter().enumerate() {
            let Part::Field(field) = part else { continue };
            if field.mode == Mode::Optional {
                let piece = std::slice::from_ref(part);
                if self.given.parts(self.scope, piece, "").is_err() {
                    end = position;
                    break;
                }
            }
        }
        let parts = template.parts.get(..end).unwrap_or_default();
        self.given.parts(self.scope, parts, "")
    }

    fn range(
        &self,
        name: &str,
        template: &Template,
        field: &Field,
        before: &[Part],
    ) -> Result<SortCondition, FieldError> {
        let prefix = self.given.parts(self.scope, before, "");
        let prefix = prefix.map_err(|problem| refuse_place(&problem))?;
        let value = |end: End| self.value(name, template, format!("{prefix}{}", end.0));
        let from = self.end(template, field, "from")?.map(value);
        let to = self.end(template, field, "to")?.map(value);
        if let (Some(from), Some(to)) = (&from, &to)
            && key_order(Some(from), Some(to)) == Ordering::Greater
        {
            let range = field.name();
            let wanted = format!("no less than `{range}.from`");
            let problem = Problem::Wrong { wanted };
            return Err(FieldError::new(format!("{range}.to"), problem));
        }
        let closed = !prefix.is_empty();
        Ok(match (from, to) {
            (Some(from), Some(to)) => SortCondition::Between(from, to),
            (Some(from), None) if closed => {
                SortCondition::Between(from, AttributeValue::S(format!("{prefix}{LAST}")))
            }
            (None, Some(to)) if closed => SortCondition::Between(AttributeValue::S(prefix), to),
            (Some(from), None) => SortCondition::AtLeast(from),
            (None, Some(to)) => SortCondition::AtMost(to),
            (None, None) if closed => SortCondition::Begins(prefix),
            (None, None) => SortCondition::Any,
        })
    }

    /// An end of a range; none if it is not given. The last one reaches over what keys have behind it.
    fn end(
        &self,
        _template: &Template,
        field: &Field,
        end: &str,
    ) -> Result<Option<End>, FieldError> {
        let piece = [Part::Field(field.clone())];
        let beginning = self.beginning_of_time(field, end);
        let reaches = end == "to" && (beginning.is_some() || self.goes_on(field));
        let rendered = match beginning {
            Some(text) => Ok(text),
            None => self.given.parts(self.scope, &piece, end),
        };
        match rendered {
            // Rows of one second have fractions behind it, before the zone.
            Ok(text) if end == "to" && self.has_fractions(field) => {
                let second = text.strip_suffix("+0000").unwrap_or(&text);
                Ok(Some(End(format!("{second}{LAST}"))))
            }
            Ok(text) if reaches => {
                let text = self.before_delimiter(field, &text);
                Ok(Some(End(format!("{text}{LAST}"))))
            }
            Ok(text) => Ok(Some(End(text))),
            Err(RenderProblem::Absent { .. }) => Ok(None),
            Err(problem) => Err(refuse_place(&problem)),
        }
    }

    /// The part of an end up to the first character that comes before what stands behind the value in keys: `blue z` is less
    /// than `blue#..`, although `blue` is less than `blue z`.
    fn before_delimiter<'t>(&self, field: &Field, text: &'t str) -> &'t str {
        let keys = self.access.returns.iter();
        let keys = keys.flat_map(|id| self.keys_of(self.scope.entity(*id)));
        let Some(delimiter) = keys.filter_map(|key| delimiter(key, field)).max() else {
            return text;
        };
        let end = text.find(|character| character < delimiter);
        end.and_then(|end| text.get(..end)).unwrap_or(text)
    }

    /// Whether keys may have a more precise time than the format shows: two rows of one second are both kept.
    fn has_fractions(&self, field: &Field) -> bool {
        let name = field.name();
        let mut parameters = self.access.parameters.iter();
        let timed = parameters.any(|known| {
            let kind = &known.kind;
            let seconds = matches!(
                kind,
                Kind::Timestamp(TimeFormat::Seconds | TimeFormat::Zoned)
            );
            known.name == name && seconds
        });
        let mut returns = self.access.returns.iter();
        timed && returns.any(|id| self.scope.entity(*id).on_exists == OnExists::Fraction)
    }

    /// An end that is the beginning of a time, a day or a month: every format shows times that begin so.
    fn beginning_of_time(&self, field: &Field, end: &str) -> Option<String> {
        let name = field.name();
        let mut parameters = self.access.parameters.iter();
        let kind = &parameters.find(|known| known.name == name)?.kind;
        let values = &self.given.values;
        let given = values
            .get(&format!("{name}.{end}"))
            .or_else(|| values.get(&name))?;
        match given {
            AttributeValue::S(text)
                if kind.is_time() && value::accept(kind, given.clone()).is_err() =>
            {
                Some(text.clone())
            }
            _ => None,
        }
    }

    /// Whether keys go on behind the value that is a range, in any layout that rows may have.
    fn goes_on(&self, field: &Field) -> bool {
        let ends_there = |id: &EntityId| {
            let mut keys = self.keys_of(self.scope.entity(*id)).peekable();
            keys.peek().is_some() && keys.all(|key| ends_with(key, field))
        };
        !self.access.returns.iter().all(ends_there)
    }

    /// The keys that rows of an entity have there: in all layouts, or in the one that the pattern is about.
    fn keys_of<'e>(&self, entity: &'e Entity) -> impl Iterator<Item = &'e Key> {
        let wanted = self.access.layout.as_ref().map(|name| name.value.clone());
        let place = self.key.place;
        let written = entity.keys.iter().filter({
            let wanted = wanted.clone();
            move |_| wanted.is_none()
        });
        let layouts = entity.layouts.iter().filter(move |layout| {
            let name = &layout.name.value;
            wanted.as_ref().is_none_or(|wanted| wanted == name)
        });
        let all = written.chain(layouts.flat_map(|layout| &layout.keys));
        all.filter(move |key| key.place == place)
    }

    /// Keys are text, but for an index on a number that the rows have anyway.
    fn value(&self, attribute: &str, template: &Template, text: String) -> AttributeValue {
        match text.parse() {
            Ok(number) if self.is_number(attribute, template) => AttributeValue::N(number),
            _ => AttributeValue::S(text),
        }
    }

    /// Whether an index is on a number that the rows have anyway.
    fn is_number(&self, attribute: &str, template: &Template) -> bool {
        let is_number = self.access.returns.iter().any(|id| {
            let attributes = &self.scope.entity(*id).attributes;
            attributes
                .iter()
                .any(|known| known.stored == attribute && known.kind.is_number())
        });
        is_number && matches!(template.parts.as_slice(), [Part::Field(_)])
    }
}

/// The character that follows a value in a sort key.
fn delimiter(key: &Key, field: &Field) -> Option<char> {
    let parts = key.range.as_ref()?.parts.as_slice();
    let is_value = |part: &Part| matches!(part, Part::Field(own) if own.name() == field.name());
    let value = parts.iter().position(is_value)?;
    match parts.get(value + 1)? {
        Part::Literal(text) => text.value.chars().next(),
        Part::Field(_) => None,
    }
}

/// Whether a sort key ends with a value, shown the same way.
fn ends_with(key: &Key, field: &Field) -> bool {
    let formats = |field: &Field| -> Vec<Format> {
        let formats = field.formats.iter();
        formats.map(|format| format.value.clone()).collect()
    };
    match key.range.as_ref().and_then(|range| range.parts.last()) {
        Some(Part::Field(last)) => last.name() == field.name() && formats(last) == formats(field),
        Some(Part::Literal(_)) | None => false,
    }
}

impl Condition {
    /// The primary key that it asks for as a whole.
    pub(crate) fn locate(&self, scope: &Scope) -> Result<Address, KeyProblem> {
        let sort = match &self.sort {
            SortCondition::Is(value) => Some(value_text(value)),
            _ => None,
        };
        scope.addressing().locate_in(&self.partition, sort)
    }
}

/// A value of a key as text.
pub(crate) fn value_text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        _ => String::new(),
    }
}
