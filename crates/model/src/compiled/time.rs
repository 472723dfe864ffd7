//! Times: read in any of our formats or with an offset, written in UTC with a fixed width.

mod civil;

use crate::model::TimeFormat;
use civil::{parse_civil, parse_day};
use jiff_core::Timestamp;
use jiff_core::civil::DateTime;
use jiff_core::tz::Offset;
use std::fmt;

/// A moment, to the microsecond, in the years 0 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    /// UTC.
    time: DateTime,
}

/// Why a text is no time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeProblem {
    /// The text.
    pub text: String,
}

impl fmt::Display for TimeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text } = self;
        write!(f, "`{text}` is no time such as 2025-11-18T12:00:00.000Z")
    }
}

impl std::error::Error for TimeProblem {}

impl Instant {
    /// Reads a time: one of our formats, any offset, any number of digits up to nanoseconds, or a day alone.
    pub fn parse(text: &str) -> Result<Self, TimeProblem> {
        let problem = || TimeProblem {
            text: text.to_owned(),
        };
        if text.len() == "2025-11-18".len() {
            let date = parse_day(text).ok_or_else(problem)?;
            return Self::new(date.at(0, 0, 0, 0)).ok_or_else(problem);
        }
        let (civil, offset) = split_offset(text).ok_or_else(problem)?;
        let time = parse_civil(civil).ok_or_else(problem)?;
        let utc = offset.to_timestamp(time).map_err(|_| problem())?;
        Self::new(Offset::UTC.to_datetime(utc)).ok_or_else(problem)
    }

    /// Microseconds since 1970.
    #[must_use]
    pub fn from_micros(micros: i64) -> Option<Self> {
        let timestamp = Timestamp::from_microsecond(micros).ok()?;
        Self::new(Offset::UTC.to_datetime(timestamp))
    }

    /// As microseconds since 1970.
    #[must_use]
    pub fn to_micros(&self) -> i64 {
        let timestamp = Offset::UTC.to_timestamp(self.time);
        timestamp.map_or(0, Timestamp::as_microsecond)
    }

    fn new(time: DateTime) -> Option<Self> {
        let micros = time.time().subsec_nanosecond() / 1_000 * 1_000;
        let cut = time.time().with_subsec_nanosecond(micros).ok()?;
        let time = DateTime::from_parts(time.date(), cut);
        (time.date().year() >= 0).then_some(Self { time })
    }

    /// The time in a format. What the format cannot show is cut off, never rounded up.
    #[must_use]
    pub fn show(&self, format: TimeFormat) -> String {
        let time = self.time.time();
        let seconds = format!(
            "{}T{:02}:{:02}:{:02}",
            self.date(),
            time.hour(),
            time.minute(),
            time.second()
        );
        let micros = time.subsec_nanosecond() / 1_000;
        match format {
            TimeFormat::Seconds => seconds,
            TimeFormat::Zoned => format!("{seconds}+0000"),
            TimeFormat::Millis => format!("{seconds}.{:03}Z", micros / 1_000),
            TimeFormat::Micros => format!("{seconds}.{micros:06}Z"),
        }
    }

    /// The day.
    #[must_use]
    pub fn date(&self) -> String {
        let date = self.time.date();
        format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
    }

    /// This time of day, on the day after.
    #[must_use]
    pub fn next_day(&self) -> Option<Self> {
        let day = self.time.date().tomorrow().ok()?;
        Self::new(DateTime::from_parts(day, self.time.time()))
    }
}

/// The time without its offset, and the offset; none is UTC.
fn split_offset(text: &str) -> Option<(&str, Offset)> {
    if let Some(civil) = text.strip_suffix('Z') {
        return Some((civil, Offset::UTC));
    }
    let after_time = text.find('T')?;
    let sign = text
        .get(after_time..)?
        .find(['+', '-'])
        .map(|at| after_time + at);
    let Some(sign) = sign else {
        return Some((text, Offset::UTC));
    };
    let (civil, offset) = text.split_at_checked(sign)?;
    let (hours, rest) = offset.get(1..)?.split_at_checked(2)?;
    let minutes = match rest {
        "" => "00",
        rest => rest.strip_prefix(':').unwrap_or(rest),
    };
    let seconds = (two_digits(hours)? * 60 + two_digits(minutes)?) * 60;
    let seconds = if offset.starts_with('-') {
        -seconds
    } else {
        seconds
    };
    Some((civil, Offset::from_seconds(seconds).ok()?))
}

/// The number of two digits, and nothing else.
fn two_digits(text: &str) -> Option<i32> {
    let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn an_offset_is_digits_and_nothing_else() {
        for offset in ["+00", "+0000", "+00:00", "-0130", "-01:30"] {
            let text = format!("2025-09-20T10:11:12{offset}");
            assert!(Instant::parse(&text).is_ok(), "{text}");
        }
        for offset in [
            "+", "+0", "+000", "+0000x", "+00x00", "+00:", "+00:0", "+ä00",
        ] {
            let text = format!("2025-09-20T10:11:12{offset}");
            assert!(Instant::parse(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_format_is_read_and_written() {
        let time = Instant::parse("2025-09-20T10:11:12.123456Z").unwrap();
        assert_eq!(time.show(TimeFormat::Seconds), "2025-09-20T10:11:12");
        assert_eq!(time.show(TimeFormat::Zoned), "2025-09-20T10:11:12+0000");
        assert_eq!(time.show(TimeFormat::Millis), "2025-09-20T10:11:12.123Z");
        assert_eq!(time.show(TimeFormat::Micros), "2025-09-20T10:11:12.123456Z");
        assert_eq!(time.date(), "2025-09-20");
        assert_eq!(time.next_day().unwrap().date(), "2025-09-21");
        for format in [
            TimeFormat::Seconds,
            TimeFormat::Zoned,
            TimeFormat::Millis,
            TimeFormat::Micros,
        ] {
            let shown = time.show(format);
            assert_eq!(Instant::parse(&shown).unwrap().show(format), shown);
        }
    }

    #[test]
    fn offsets_become_utc() {
        let show = |text: &str| Instant::parse(text).unwrap().show(TimeFormat::Millis);
        assert_eq!(
            show("2026-01-23T09:00:00+01:00"),
            "2026-01-23T08:00:00.000Z"
        );
        assert_eq!(show("2026-01-23T00:30:00-0200"), "2026-01-23T02:30:00.000Z");
        assert_eq!(
            show("2025-12-31T23:59:59.999999999-01"),
            "2026-01-01T00:59:59.999Z"
        );
        assert_eq!(show("2025-11-18"), "2025-11-18T00:00:00.000Z");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "now",
            "2025-13-01",
            "2025-02-30",
            "2025-11-18T25:00:00Z",
            "2025-11-18T12:00:00+1",
            "２０２５-11-18",
        ] {
            assert!(Instant::parse(text).is_err(), "{text}");
        }
    }
}
