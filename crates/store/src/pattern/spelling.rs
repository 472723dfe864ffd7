//! Times in keys that other programs have spelled otherwise than the model writes them.
//!
//! `10:00:00Z`, `10:00:00.000Z` and `10:00:00.000000Z` are one instant and three texts. All spellings of a second begin
//! alike, so a question is asked of whole seconds, and answered by the instants of what was found.

use super::condition::key_order;
use crate::record::Record;
use crate::request::SortCondition;
use crate::scope::Scope;
use monotable_item::AttributeValue;
use monotable_model::compiled::Instant;
use monotable_model::model::{
    Entity, Field, Format, Key, KeyPlace, Kind, OnExists, Part, TimeFormat,
};
use monotable_model::plan::LAST;
use std::ops::Range;

/// `2026-01-23T10:00:00`.
const SECOND: &[u8] = b"dddd-dd-ddTdd:dd:dd";

/// How an entity writes times in a sort key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeSpelling {
    format: TimeFormat,
    /// A fraction behind the second tells rows of one second apart.
    has_fractions: bool,
}

impl TimeSpelling {
    /// How each attribute of the sort key of an entity shows times in a table or index; none where one shows none.
    pub(crate) fn of_key(entity: &Entity, place: KeyPlace) -> Vec<Option<Self>> {
        let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
        let keys = entity.keys.iter().chain(layouts);
        let keys: Vec<_> = keys.filter(|key| key.place == place).collect();
        let count = keys.iter().map(|key| key.sort_templates().count()).max();
        let spelling = |position: usize| {
            let templates = keys
                .iter()
                .filter_map(|key| key.sort_templates().nth(position));
            let mut parts = templates.flat_map(|template| &template.parts);
            let format = parts.find_map(|part| time_field(entity, part))?.1;
            Some(Self {
                format,
                has_fractions: entity.on_exists == OnExists::Fraction,
            })
        };
        (0..count.unwrap_or(0)).map(spelling).collect()
    }

    /// Whether a time is spelled as the model writes it.
    fn writes(self, time: &str) -> bool {
        let Ok(instant) = Instant::parse(time) else {
            return true;
        };
        let fine = |format| match format {
            TimeFormat::Seconds => instant.show(TimeFormat::Micros).replace('Z', ""),
            TimeFormat::Zoned => instant.show(TimeFormat::Micros).replace('Z', "+0000"),
            TimeFormat::Millis | TimeFormat::Micros => instant.show(format),
        };
        instant.show(self.format) == time || self.has_fractions && fine(self.format) == time
    }

    /// A time as the model writes it.
    pub(crate) fn spell(self, time: &str) -> String {
        match Instant::parse(time) {
            Ok(instant) if !self.writes(time) => instant.show(self.format),
            _ => time.to_owned(),
        }
    }

    /// A text with its times as the model writes them.
    fn respell(self, text: &str) -> String {
        replace_times(text, |time| self.spell(time))
    }
}

/// The attribute that a part of a key shows as a time, and its format.
pub(crate) fn time_field<'e>(entity: &'e Entity, part: &'e Part) -> Option<(&'e str, TimeFormat)> {
    let Part::Field(field) = part else {
        return None;
    };
    let name = field.attributes().next()?;
    let attribute = entity.attribute(&name.value)?;
    match attribute.kind {
        Kind::Timestamp(format) if shows_whole(field, format) => {
            Some((&attribute.name.value, format))
        }
        _ => None,
    }
}

fn shows_whole(field: &Field, format: TimeFormat) -> bool {
    let mut formats = field.formats.iter();
    formats.all(|shown| shown.value == Format::Time(format))
}

/// Spells the times in the keys of a row as the model writes them, and says whether one was spelled otherwise.
pub(crate) fn respell_key_times(scope: &Scope, row: &mut Record) -> bool {
    let entity = scope.entity(row.entity);
    let templates = entity.keys.iter().flat_map(Key::templates);
    let parts = templates.flat_map(|template| &template.parts);
    let mut is_respelled = false;
    for (name, format) in parts.filter_map(|part| time_field(entity, part)) {
        let spelling = TimeSpelling {
            format,
            has_fractions: entity.on_exists == OnExists::Fraction,
        };
        if let Some(AttributeValue::S(time)) = row.values.get(name) {
            let spelled = spelling.spell(time);
            if spelled != *time {
                is_respelled = true;
                row.values.insert(name, spelled);
            }
        }
    }
    is_respelled
}

/// Where the first time of a text stands.
fn find_time(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_second = |at: &usize| {
        let second = bytes.get(*at..at + SECOND.len());
        second.is_some_and(|second| {
            let mut pairs = second.iter().zip(SECOND);
            pairs.all(|(byte, wanted)| match wanted {
                b'd' => byte.is_ascii_digit(),
                wanted => byte == wanted,
            })
        })
    };
    let start = (0..bytes.len()).find(is_second)?;
    let mut end = start + SECOND.len();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    match bytes.get(end) {
        Some(b'Z') => end += 1,
        Some(b'+' | b'-') => match (digits(end + 1), bytes.get(end + 3)) {
            (4.., _) => end += 5,
            (2, Some(b':')) if digits(end + 4) >= 2 => end += 6,
            _ => {}
        },
        _ => {}
    }
    Some(start..end)
}

fn replace_times(text: &str, spell: impl Fn(&str) -> String) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(time) = find_time(rest) {
        replaced.push_str(rest.get(..time.start).unwrap_or_default());
        replaced.push_str(&spell(rest.get(time.clone()).unwrap_or_default()));
        rest = rest.get(time.end..).unwrap_or_default();
    }
    replaced.push_str(rest);
    replaced
}

/// A sort key up to the second of its first time; none if it has no time. All spellings of the second begin so.
pub(crate) fn second_of(text: &str) -> Option<&str> {
    let time = find_time(text)?;
    text.get(..time.start + SECOND.len())
}

/// A text by which sort keys are in the order of their instants, whatever their spellings.
pub(crate) fn order_text(text: &str) -> String {
    replace_times(text, |time| match Instant::parse(time) {
        Ok(instant) => instant.show(TimeFormat::Micros),
        Err(_) => time.to_owned(),
    })
}

impl SortCondition {
    /// The condition on whole seconds: it holds of everything that this one holds of, in any spelling.
    pub(crate) fn on_whole_seconds(&self) -> Self {
        let from = |end: &AttributeValue| match end {
            AttributeValue::S(text) => second_of(text).unwrap_or(text).into(),
            other => other.clone(),
        };
        let to = |end: &AttributeValue| match end {
            AttributeValue::S(text) => match second_of(text) {
                Some(second) => AttributeValue::S(format!("{second}{LAST}")),
                None => end.clone(),
            },
            other => other.clone(),
        };
        match self {
            Self::Any => Self::Any,
            Self::Is(AttributeValue::S(text)) if second_of(text).is_some() => {
                Self::Begins(second_of(text).unwrap_or(text).to_owned())
            }
            Self::Is(value) => Self::Is(value.clone()),
            Self::Begins(prefix) => Self::Begins(second_of(prefix).unwrap_or(prefix).to_owned()),
            Self::Between(first, last) => Self::Between(from(first), to(last)),
            Self::AtLeast(first) => Self::AtLeast(from(first)),
            Self::AtMost(last) => Self::AtMost(to(last)),
        }
    }

    /// Whether it holds of a value of a sort key, if the times of that are spelled as the model writes them.
    pub(crate) fn holds_of_instants(
        &self,
        key: &AttributeValue,
        spelling: Option<TimeSpelling>,
    ) -> bool {
        let key = match (key, spelling) {
            (AttributeValue::S(text), Some(spelling)) => AttributeValue::S(spelling.respell(text)),
            (key, _) => key.clone(),
        };
        let least = |end: &AttributeValue| key_order(Some(end), Some(&key)).is_le();
        let most = |end: &AttributeValue| key_order(Some(&key), Some(end)).is_le();
        match self {
            Self::Any => true,
            Self::Is(value) => *value == key,
            Self::Begins(prefix) => {
                matches!(&key, AttributeValue::S(text) if text.starts_with(prefix.as_str()))
            }
            Self::Between(first, last) => least(first) && most(last),
            Self::AtLeast(first) => least(first),
            Self::AtMost(last) => most(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLIS: TimeSpelling = TimeSpelling {
        format: TimeFormat::Millis,
        has_fractions: false,
    };

    #[test]
    fn times_are_found_in_every_spelling() {
        let second = "BLOCK#2026-01-23T10:00:00";
        for tail in ["", "Z", ".5Z", ".123456789Z", "+00:00", "+0000", ".5-01:00"] {
            let text = format!("{second}{tail}#b2");
            assert_eq!(second_of(&text), Some(second), "{text}");
            assert!(order_text(&text).ends_with("Z#b2"), "{text}");
        }
        assert_eq!(second_of("BLOCK#2026-01-23"), None);
        assert_eq!(second_of("BLOCK#2026-01-23T10:00"), None);
    }

    #[test]
    fn order_is_that_of_instants() {
        let order = |time: &str| order_text(&format!("2026-01-23T10:00:00{time}#b"));
        assert!(order("Z") < order(".250Z"));
        assert!(order(".250000Z") < order(".5Z"));
        assert_eq!(order("Z"), order(".000Z"));
    }

    #[test]
    fn a_condition_holds_of_an_equal_instant_in_another_spelling() {
        let key = |tail: &str| AttributeValue::S(format!("B#2026-01-23T10:00:00{tail}#x"));
        let is = SortCondition::Is(key(".000Z"));
        assert!(is.holds_of_instants(&key("Z"), Some(MILLIS)));
        assert!(!is.holds_of_instants(&key(".5Z"), Some(MILLIS)));
        let to = SortCondition::AtMost(AttributeValue::S(format!(
            "B#2026-01-23T10:00:00.250Z{LAST}"
        )));
        assert!(to.holds_of_instants(&key("Z"), Some(MILLIS)));
        assert!(!to.holds_of_instants(&key(".5Z"), Some(MILLIS)));
    }

    #[test]
    fn a_fraction_that_tells_rows_apart_is_not_another_spelling() {
        let seconds = TimeSpelling {
            format: TimeFormat::Seconds,
            has_fractions: true,
        };
        assert_eq!(
            seconds.spell("2026-01-23T10:00:00.000001"),
            "2026-01-23T10:00:00.000001"
        );
        assert_eq!(seconds.spell("2026-01-23T10:00:00Z"), "2026-01-23T10:00:00");
    }
}
