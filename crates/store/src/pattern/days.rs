//! The days of a range of times, in UTC.

use crate::field_error::{FieldError, Problem};
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::Instant;

/// One query is sent for each day: a slip of a year must not become a million of them.
const MOST: i64 = 3_700;

const DAY_MICROS: i64 = 86_400_000_000;

/// The days from one end of a range to the other, each as it stands in a key. Both ends are needed.
pub(crate) fn days(name: &str, given: &Item) -> Result<Vec<String>, Vec<FieldError>> {
    let (from, to) = (day(name, "from", given), day(name, "to", given));
    let (from, to) = match (from, to) {
        (Ok(from), Ok(to)) => (from, to),
        (from, to) => return Err([from.err(), to.err()].into_iter().flatten().collect()),
    };
    let wrong = |wanted: String| {
        let problem = Problem::Wrong { wanted };
        vec![FieldError::new(format!("{name}.to"), problem)]
    };
    match to - from {
        ..0 => Err(wrong(format!("no earlier than `{name}.from`"))),
        MOST.. => Err(wrong(format!(
            "less than {MOST} days after `{name}.from`: each day is a query"
        ))),
        _ => Ok((from..=to).filter_map(day_text).collect()),
    }
}

/// The day of an end, counted from 1970. What is given once stands for both ends.
fn day(name: &str, end: &str, given: &Item) -> Result<i64, FieldError> {
    let field = format!("{name}.{end}");
    let value = given.get(&field).or_else(|| given.get(name));
    let time = match value {
        None => return Err(FieldError::new(field, Problem::Missing)),
        Some(AttributeValue::S(text)) => Instant::parse(text).ok(),
        Some(_) => None,
    };
    let micros = time.map(|time| time.to_micros());
    micros
        .map(|micros| micros.div_euclid(DAY_MICROS))
        .ok_or_else(|| {
            let wanted = "a time or a day such as 2025-11-18".to_owned();
            FieldError::new(field, Problem::Wrong { wanted })
        })
}

fn day_text(day: i64) -> Option<String> {
    let start = day.checked_mul(DAY_MICROS).and_then(Instant::from_micros);
    start.map(|start| start.date())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(from: &str, to: &str) -> Result<Vec<String>, Vec<FieldError>> {
        days("at", &Item::new().with("at.from", from).with("at.to", to))
    }

    #[test]
    fn days_are_those_of_utc() {
        let local = between("2025-09-20T00:00:00-05:00", "2025-09-20T23:59:59-05:00").unwrap();
        assert_eq!(local, ["2025-09-20", "2025-09-21"]);
        assert_eq!(between("2024-02-28", "2024-03-01").unwrap().len(), 3);
        assert_eq!(
            between("1969-12-31", "1970-01-01").unwrap(),
            ["1969-12-31", "1970-01-01"]
        );
    }

    #[test]
    fn ranges_have_two_ends_and_an_end() {
        let none = days("at", &Item::new()).unwrap_err();
        assert_eq!(none.len(), 2);
        assert!(between("2025-01-02", "2025-01-01").is_err());
        assert_eq!(between("2015-01-01", "2025-02-16").unwrap().len(), 3_700);
        let long = between("2015-01-01", "2025-02-17").unwrap_err();
        assert!(long[0].to_string().contains("3700 days"), "{}", long[0]);
        assert!(between("yesterday", "2025-01-01").is_err());
    }
}
