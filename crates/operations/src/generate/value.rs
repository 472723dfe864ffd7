//! A value of a kind, made up.

use super::words::words_for;
use fastrand::Rng;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Bounds, Kind, TextRule, TimeFormat};
use std::collections::BTreeMap;

/// Words of a text rule that are tried when nothing readable fits it.
const MOST_WORDS: usize = 400;
/// Made-up times lie in the four years before this one, in seconds since 1970: 2026-01-01.
const LATEST: i64 = 1_767_225_600;
const SPAN: i64 = 4 * 365 * 86_400;

/// Makes values up.
#[derive(Debug, Default)]
pub(super) struct ValueMaker {
    /// Words of rules that nothing readable fits, by pattern.
    words: BTreeMap<String, Vec<String>>,
    /// Counts, so that ids differ.
    next: u64,
}

impl ValueMaker {
    /// A value; none if nothing is known to fit.
    pub(super) fn make(
        &mut self,
        random: &mut Rng,
        name: &str,
        kind: &Kind,
    ) -> Option<AttributeValue> {
        let seconds = LATEST - random.i64(0..SPAN);
        let text = match kind {
            Kind::Text(rule) => self.make_text(random, name, rule)?,
            Kind::Integer(bounds) => return Some(integer(random, bounds).into()),
            Kind::Number(bounds) => return Some(integer(random, bounds).into()),
            Kind::Epoch => return Some(seconds.into()),
            Kind::Boolean => return Some(random.bool().into()),
            Kind::Date => show_time(seconds, "%Y-%m-%d")?,
            Kind::Timestamp(format) => {
                let pattern = match format {
                    TimeFormat::Seconds => "%Y-%m-%dT%H:%M:%S",
                    TimeFormat::Zoned => "%Y-%m-%dT%H:%M:%S+0000",
                    TimeFormat::Millis => "%Y-%m-%dT%H:%M:%S.000Z",
                    TimeFormat::Micros => "%Y-%m-%dT%H:%M:%S.000000Z",
                };
                show_time(seconds, pattern)?
            }
            Kind::Url => format!("https://example.com/{}", self.count()),
            Kind::Json => "{}".to_owned(),
            Kind::Map => return Some(AttributeValue::M(Item::new())),
            Kind::Any => words_for(name).first().map(|word| (*word).to_owned())?,
            Kind::Binary => {
                let bytes = (0..8).map(|_| random.u8(..)).collect();
                return Some(AttributeValue::B(bytes));
            }
            Kind::Never => return None,
            Kind::Uuid => uuid(random, '4'),
            Kind::UuidV7 => uuid(random, '7'),
            Kind::Ulid => {
                let digits = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
                let rest: String = (0..25).filter_map(|_| pick(random, digits)).collect();
                format!("0{rest}")
            }
            Kind::Token(length) => (0..*length).map(|_| random.alphanumeric()).collect(),
            Kind::Enum(words) => random.choice(words.iter())?.word.clone(),
            Kind::List { of, length } => return self.make_list(random, name, of, length),
        };
        Some(AttributeValue::S(text))
    }

    fn make_list(
        &mut self,
        random: &mut Rng,
        name: &str,
        of: &Kind,
        length: &Bounds,
    ) -> Option<AttributeValue> {
        let least = length.least.unwrap_or(0).max(1);
        let most = length.most.unwrap_or(3).clamp(least, least + 2);
        let count = random.i64(least..=most);
        let elements: Option<Vec<_>> = (0..count).map(|_| self.make(random, name, of)).collect();
        elements.map(AttributeValue::L)
    }

    /// A readable text if the rule allows one, else some text that it does.
    fn make_text(&mut self, random: &mut Rng, name: &str, rule: &TextRule) -> Option<String> {
        let word = random.choice(words_for(name).iter().copied())?;
        let plain: String = word.chars().filter(char::is_ascii_alphabetic).collect();
        let (lower, number) = (plain.to_ascii_lowercase(), self.count());
        let folded = name.to_ascii_lowercase();
        let candidates = [
            folded
                .contains("mail")
                .then(|| format!("{lower}{number}@example.com")),
            folded
                .contains("phone")
                .then(|| format!("+3519{number:08}")),
            folded.ends_with("id").then(|| format!("{lower}-{number}")),
            Some(word.to_owned()).filter(|_| !folded.ends_with("id")),
            Some(format!("{lower}-{number}")),
            Some(format!("{lower}{number}")),
            Some(format!("{plain}{number}")),
            Some(number.to_string()),
            Some(lower),
            Some(plain),
            Some(uuid(random, '4')),
            Some(format!("{:06x}", random.u32(..1 << 24))),
            Some(format!("/{number}")),
            Some(format!(
                "{word} {number} and more of the same, so that it is long enough"
            )),
        ];
        let mut fitting = candidates.into_iter().flatten();
        if let Some(text) = fitting.find(|text| rule.language.accepts(text)) {
            return Some(text);
        }
        let key = format!("{:?}/{:?}/{}", rule.matches, rule.length, rule.without);
        let words = self.words.entry(key);
        let words = words.or_insert_with(|| rule.language.words(MOST_WORDS));
        random.choice(words.iter()).cloned()
    }

    const fn count(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

/// One of a hundred integers: from the lower bound on, else from zero on, or below an upper bound that is negative.
fn integer(random: &mut Rng, bounds: &Bounds) -> i64 {
    let most = bounds.most.unwrap_or(i64::MAX);
    let lowest = if most < 0 { most.saturating_sub(99) } else { 0 };
    let least = bounds.least.unwrap_or(lowest);
    random.i64(least..=most.min(least.saturating_add(99)).max(least))
}

fn show_time(seconds: i64, pattern: &str) -> Option<String> {
    let time = jiff::Timestamp::from_second(seconds).ok()?;
    Some(time.strftime(pattern).to_string())
}

fn uuid(random: &mut Rng, version: char) -> String {
    let mut text = String::new();
    for (position, part) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if position > 0 {
            text.push('-');
        }
        for digit in 0..part {
            match (position, digit) {
                (2, 0) => text.push(version),
                (3, 0) => text.extend(pick(random, b"89ab")),
                _ => text.extend(pick(random, b"0123456789abcdef")),
            }
        }
    }
    text
}

fn pick(random: &mut Rng, digits: &[u8]) -> Option<char> {
    random.choice(digits.iter()).map(|digit| char::from(*digit))
}
