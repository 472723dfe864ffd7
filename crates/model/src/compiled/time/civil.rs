//! Days and times of day as they are written, by ISO 8601.

use jiff_core::civil::{Date, DateTime, Time};

/// The digits of a fraction that count: those of nanoseconds.
const FRACTION: usize = 9;

/// Reads a day, or a day and a time of it: `2025-11-18T12:00:00.123`, or without separators. Minutes, seconds and a fraction may
/// be left out. The last second of a minute may be a leap second, which is the second before it.
pub(super) fn parse_civil(text: &str) -> Option<DateTime> {
    let (date, rest) = parse_date(text)?;
    let time = if rest.is_empty() {
        Time::new(0, 0, 0, 0).ok()?
    } else {
        parse_time(rest.strip_prefix(['T', 't', ' '])?)?
    };
    Some(DateTime::from_parts(date, time))
}

/// Reads a day alone.
pub(super) fn parse_day(text: &str) -> Option<Date> {
    let (date, rest) = parse_date(text)?;
    rest.is_empty().then_some(date)
}

fn parse_date(text: &str) -> Option<(Date, &str)> {
    let (year, rest) = take_number(text, 4)?;
    let is_separated = rest.starts_with('-');
    let (month, rest) = take_number(skip(rest, '-', is_separated)?, 2)?;
    let (day, rest) = take_number(skip(rest, '-', is_separated)?, 2)?;
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    let date = Date::new(i16::try_from(year).ok()?, month, day).ok()?;
    Some((date, rest))
}

fn parse_time(text: &str) -> Option<Time> {
    let (hour, rest) = take_number(text, 2)?;
    let hour = i8::try_from(hour).ok()?;
    if rest.is_empty() {
        return Time::new(hour, 0, 0, 0).ok();
    }
    let is_separated = rest.starts_with(':');
    let (minute, rest) = take_number(skip(rest, ':', is_separated)?, 2)?;
    let minute = i8::try_from(minute).ok()?;
    if rest.is_empty() {
        return Time::new(hour, minute, 0, 0).ok();
    }
    let (second, rest) = take_number(skip(rest, ':', is_separated)?, 2)?;
    let second = if second == 60 { 59 } else { second };
    let nanosecond = if rest.is_empty() {
        0
    } else {
        parse_fraction(rest.strip_prefix(['.', ','])?)?
    };
    Time::new(hour, minute, i8::try_from(second).ok()?, nanosecond).ok()
}

/// The nanoseconds of a fraction of a second.
fn parse_fraction(digits: &str) -> Option<i32> {
    if digits.is_empty() || digits.len() > FRACTION {
        return None;
    }
    let (number, _) = take_number(digits, digits.len())?;
    let zeros = u32::try_from(FRACTION - digits.len()).ok()?;
    Some(number * 10_i32.pow(zeros))
}

fn skip(text: &str, separator: char, is_there: bool) -> Option<&str> {
    if is_there {
        text.strip_prefix(separator)
    } else {
        Some(text)
    }
}

/// The number that so many digits are, and what stands behind them.
fn take_number(text: &str, digits: usize) -> Option<(i32, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| number.parse().ok())??;
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use proptest::prelude::*;

    /// What jiff's own parser makes of a text, as numbers.
    fn parse_by_jiff(text: &str) -> Option<[i32; 7]> {
        let time: jiff::civil::DateTime = text.parse().ok()?;
        Some([
            time.year().into(),
            time.month().into(),
            time.day().into(),
            time.hour().into(),
            time.minute().into(),
            time.second().into(),
            time.subsec_nanosecond(),
        ])
    }

    fn parse(text: &str) -> Option<[i32; 7]> {
        let parsed = parse_civil(text)?;
        let (date, time) = (parsed.date(), parsed.time());
        Some([
            date.year().into(),
            date.month().into(),
            date.day().into(),
            time.hour().into(),
            time.minute().into(),
            time.second().into(),
            time.subsec_nanosecond(),
        ])
    }

    #[test]
    fn forms_are_read_as_jiff_reads_them() {
        for text in [
            "2025-11-18",
            "20251118",
            "2025-11-18T12",
            "2025-11-18T12:30",
            "2025-11-18 12:30:01",
            "2025-11-18t12:30:01.5",
            "2025-11-18T12:30:01,123456789",
            "20251118T123001.25",
            "2025-11-18T123001",
            "2016-12-31T23:59:60",
            "2024-02-29T00:00:00",
        ] {
            assert!(parse(text).is_some(), "{text}");
            assert_eq!(parse(text), parse_by_jiff(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn texts_like_times_are_read_as_jiff_reads_them(
            text in "[0-9]{3,5}(-?[01][0-9]){1,2}-?[0-3][0-9]([Tt x][0-2][0-9](:?[0-6][0-9]){0,3}([.,:][0-9]{0,10})?)?",
        ) {
            prop_assert_eq!(parse(&text), parse_by_jiff(&text), "{}", text);
        }

        #[test]
        fn times_are_read_as_jiff_reads_them(
            text in "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9](\\.[0-9]{1,9})?",
        ) {
            prop_assert_eq!(parse(&text), parse_by_jiff(&text), "{}", text);
        }

        #[test]
        fn no_text_panics(text in ".{0,24}") {
            let _ = (parse_civil(&text), parse_day(&text));
        }
    }
}
