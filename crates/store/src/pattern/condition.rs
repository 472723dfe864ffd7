//! The key conditions of a plan with their places filled in.

use super::parameters::Parameters;
use super::partitions::{self, Partitions, Spread, refuse_place};
use crate::address::{Address, KeyProblem, KeyValue, Partition};
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::request::SortCondition;
use crate::scope::Scope;
use crate::value;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::compiled::RenderProblem;
use monotable_model::model::{Mode, Part};
use monotable_model::plan::{KeyCondition, LAST, RangeText, ReadPlan, SortText, ValueText};
use std::cmp::Ordering;

/// A partition and what is asked of its sort keys.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) partition: Partition,
    /// The values of the first attributes of a sort key of several; `sort` is about the next.
    pub(crate) leading: Vec<KeyValue>,
    pub(crate) sort: SortCondition,
}

/// What is asked of several partitions, in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    pub(crate) spread: Spread,
    pub(crate) each: Vec<Condition>,
}

/// Fills in a condition, for each of its partitions.
pub(crate) fn bind_all(
    scope: &Scope,
    plan: &ReadPlan,
    key: &KeyCondition,
    given: &Parameters,
) -> Result<Conditions, Error> {
    let binder = Binder { scope, given };
    let conditions = binder.conditions(key);
    conditions.map_err(|errors| Error::validation(&plan.name, errors))
}

/// Fills in a condition on one partition.
pub(crate) fn bind_one(
    scope: &Scope,
    plan: &ReadPlan,
    key: &KeyCondition,
    given: &Parameters,
) -> Result<Condition, Error> {
    let conditions = bind_all(scope, plan, key, given)?;
    let first = conditions.each.into_iter().next();
    first.ok_or_else(|| Error::integrity("a pattern without a partition"))
}

/// What places are filled in with.
struct Binder<'s> {
    scope: &'s Scope,
    given: &'s Parameters,
}

/// An end of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    From,
    To,
}

impl End {
    const fn name(self) -> &'static str {
        match self {
            Self::From => "from",
            Self::To => "to",
        }
    }
}

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

/// Sort keys in the order that a table has them in: by their first attribute, then by the next.
pub(crate) fn sort_key_order(left: &[AttributeValue], right: &[AttributeValue]) -> Ordering {
    let mut orders = left
        .iter()
        .zip(right)
        .map(|(left, right)| key_order(Some(left), Some(right)));
    orders
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
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

impl SortCondition {
    /// Whether a value of a sort key is asked for.
    fn holds(&self, value: &AttributeValue) -> bool {
        let at_least = |from: &AttributeValue| key_order(Some(from), Some(value)).is_le();
        let at_most = |to: &AttributeValue| key_order(Some(value), Some(to)).is_le();
        match self {
            Self::Any => true,
            Self::Is(asked) => asked == value,
            Self::Begins(prefix) => {
                matches!(value, AttributeValue::S(text) if text.starts_with(prefix))
            }
            Self::Between(from, to) => at_least(from) && at_most(to),
            Self::AtLeast(from) => at_least(from),
            Self::AtMost(to) => at_most(to),
        }
    }
}

impl Binder<'_> {
    fn conditions(&self, key: &KeyCondition) -> Result<Conditions, Vec<FieldError>> {
        let Partitions { spread, keys } =
            partitions::list_partitions(self.scope, &key.partition, self.given)?;
        let further = self.values(&key.further).map_err(|error| vec![error])?;
        let leading = self.values(&key.leading).map_err(|error| vec![error])?;
        let sort = self.sort(&key.sort).map_err(|error| vec![error])?;
        let condition = |own: String| Condition {
            partition: self.partition(key, own).with_further(further.clone()),
            leading: leading.clone(),
            sort: sort.clone(),
        };
        let each = keys.into_iter().map(condition).collect();
        Ok(Conditions { spread, each })
    }

    /// The partition with a key, which is text but for an index on a number.
    fn partition(&self, key: &KeyCondition, own: String) -> Partition {
        let partition = self.scope.addressing().partition(&key.at, own);
        if key.partition.number {
            return partition.of_number();
        }
        partition
    }

    /// The one value of each of some attributes.
    fn values(&self, texts: &[ValueText]) -> Result<Vec<KeyValue>, FieldError> {
        let value = |value: &ValueText| {
            let text = self.given.parts(self.scope, &value.parts, "");
            let text = text.map_err(|problem| refuse_place(&problem))?;
            Ok(KeyValue::of_text(text, value.number))
        };
        texts.iter().map(value).collect()
    }

    fn sort(&self, sort: &SortText) -> Result<SortCondition, FieldError> {
        match sort {
            SortText::Any => Ok(SortCondition::Any),
            SortText::Is { parts, number } => {
                let text = self.given.parts(self.scope, parts, "");
                let text = text.map_err(|problem| refuse_place(&problem))?;
                Ok(SortCondition::Is(key_value(text, *number)))
            }
            SortText::Begins(parts) => match self.prefix(parts) {
                Ok(prefix) if prefix.is_empty() => Ok(SortCondition::Any),
                Ok(prefix) => Ok(SortCondition::Begins(prefix)),
                Err(problem) => Err(refuse_place(&problem)),
            },
            SortText::Range(range) => self.range(range),
        }
    }

    /// As much of a prefix as is given: it ends before the first optional field without a value.
    fn prefix(&self, parts: &[Part]) -> Result<String, RenderProblem> {
        let is_left_out = |part: &Part| {
            let piece = std::slice::from_ref(part);
            matches!(part, Part::Field(field) if field.mode == Mode::Optional)
                && self.given.parts(self.scope, piece, "").is_err()
        };
        let end = parts.iter().position(is_left_out).unwrap_or(parts.len());
        let parts = parts.get(..end).unwrap_or_default();
        self.given.parts(self.scope, parts, "")
    }

    fn range(&self, range: &RangeText) -> Result<SortCondition, FieldError> {
        let prefix = self.given.parts(self.scope, &range.before, "");
        let prefix = prefix.map_err(|problem| refuse_place(&problem))?;
        let value = |end: String| key_value(format!("{prefix}{end}"), range.number);
        let from = self.end(range, End::From)?.map(value);
        let to = self.end(range, End::To)?.map(value);
        if let (Some(from), Some(to)) = (&from, &to)
            && key_order(Some(from), Some(to)) == Ordering::Greater
        {
            let name = range.field.name();
            let wanted = format!("no less than `{name}.from`");
            let problem = Problem::Wrong { wanted };
            return Err(FieldError::new(format!("{name}.to"), problem));
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
    fn end(&self, range: &RangeText, end: End) -> Result<Option<String>, FieldError> {
        let piece = [Part::Field(range.field.clone())];
        let beginning = self.beginning_of_time(range, end);
        let is_last = end == End::To;
        let reaches = is_last && (beginning.is_some() || range.last.goes_on);
        let rendered = match beginning {
            Some(text) => Ok(text),
            None => self.given.parts(self.scope, &piece, end.name()),
        };
        match rendered {
            // Rows of one second have fractions behind it, before the zone.
            Ok(text) if is_last && range.last.fractions => {
                let second = text.strip_suffix("+0000").unwrap_or(&text);
                Ok(Some(format!("{second}{LAST}")))
            }
            Ok(text) if reaches => {
                let text = before_delimiter(range.last.delimiter, &text);
                Ok(Some(format!("{text}{LAST}")))
            }
            Ok(text) => Ok(Some(text)),
            Err(RenderProblem::Absent { .. }) => Ok(None),
            Err(problem) => Err(refuse_place(&problem)),
        }
    }

    /// An end that is the beginning of a time, a day or a month: every format shows times that begin so.
    fn beginning_of_time(&self, range: &RangeText, end: End) -> Option<String> {
        let kind = range.time.as_ref()?;
        let name = range.field.name();
        let values = &self.given.values;
        let given = values
            .get(&format!("{name}.{}", end.name()))
            .or_else(|| values.get(&name))?;
        match given {
            AttributeValue::S(text) if value::accept(kind, given.clone()).is_err() => {
                Some(text.clone())
            }
            _ => None,
        }
    }
}

/// The part of an end up to the first character that comes before what stands behind the value in keys: `blue z` is less
/// than `blue#..`, although `blue` is less than `blue z`.
fn before_delimiter(delimiter: Option<char>, text: &str) -> &str {
    let Some(delimiter) = delimiter else {
        return text;
    };
    let end = text.find(|character| character < delimiter);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Keys are text, but for an index on a number that the rows have anyway.
fn key_value(text: String, number: bool) -> AttributeValue {
    match text.parse() {
        Ok(parsed) if number => AttributeValue::N(parsed),
        _ => AttributeValue::S(text),
    }
}

impl Condition {
    /// As much of it as comes from the sort key of an item on, that key itself too. Of a sort key of several attributes one
    /// bounds the others, so some of what comes before may be among it.
    pub(crate) fn continue_at(mut self, scope: &Scope, after: &Item, descending: bool) -> Self {
        let names = self.partition.sort_attributes(scope.model());
        let mut values = names
            .skip(self.leading.len())
            .map_while(|name| after.get(name));
        let (asked, next) = (values.next(), values.next());
        match (&self.sort, asked, next) {
            (SortCondition::Is(value), _, Some(next)) => {
                self.leading.extend(KeyValue::of_value(value));
                self.sort = SortCondition::Any.continue_at(next, descending);
            }
            (sort, Some(asked), _) => self.sort = sort.continue_at(asked, descending),
            (_, None, _) => {}
        }
        self
    }

    /// Whether it asks for an item: its keys say so, wherever it was read.
    pub(crate) fn holds(&self, scope: &Scope, item: &EncodedItem) -> bool {
        let value = |name: &str| item.view().get(name).map(|value| value.to_value());
        let model = scope.model();
        let mut partition = self.partition.values(model);
        if !partition.all(|(name, asked)| value(name) == Some(asked.to_value())) {
            return false;
        }
        let mut sort = self.partition.sort_attributes(model);
        for asked in &self.leading {
            if sort.next().and_then(value) != Some(asked.to_value()) {
                return false;
            }
        }
        match sort.next() {
            Some(name) => value(name).is_some_and(|value| self.sort.holds(&value)),
            None => true,
        }
    }

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
