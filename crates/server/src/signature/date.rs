//! The time of a signature.

use super::wording;
use monotable_api::Error;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A second, written `20130609T100759Z`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AmzDate {
    /// Since 1970.
    seconds: u64,
}

impl AmzDate {
    pub(super) fn of(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            seconds: since.as_secs(),
        }
    }

    /// Reads the basic format of `X-Amz-Date`, or that of the header `Date`.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        parse_basic(text)
            .or_else(|| httpdate::parse_http_date(text).ok().map(Self::of))
            .ok_or_else(|| wording::bad_date(text))
    }

    pub(super) const fn seconds(self) -> u64 {
        self.seconds
    }

    pub(super) const fn plus(self, duration: Duration) -> Self {
        Self {
            seconds: self.seconds.saturating_add(duration.as_secs()),
        }
    }

    pub(super) const fn minus(self, duration: Duration) -> Self {
        Self {
            seconds: self.seconds.saturating_sub(duration.as_secs()),
        }
    }

    /// `20130609`.
    pub(super) fn day(self) -> String {
        let (year, month, day) = civil(self.seconds / DAY);
        format!("{year:04}{month:02}{day:02}")
    }
}

impl fmt::Display for AmzDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.seconds / DAY);
        let second = self.seconds % DAY;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z"
        )
    }
}

/// A time as logs write it: `2013-06-09T10:07:59.123456Z`.
pub(crate) fn write_time(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (year, month, day) = civil(since.as_secs() / DAY);
    let second = since.as_secs() % DAY;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let microsecond = since.subsec_micros();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{microsecond:06}Z")
}

const DAY: u64 = 86_400;

fn parse_basic(text: &str) -> Option<AmzDate> {
    if text.len() != 16 || !text.is_ascii() {
        return None;
    }
    let number = |range| {
        let digits: &str = text.get(range)?;
        let only_digits = digits.bytes().all(|digit| digit.is_ascii_digit());
        only_digits.then(|| digits.parse::<u64>().ok())?
    };
    let (year, month, day) = (number(0..4)?, number(4..6)?, number(6..8)?);
    let (hour, minute, second) = (number(9..11)?, number(11..13)?, number(13..15)?);
    let in_range = hour < 24 && minute < 60 && second < 61;
    let marked = text.get(8..9) == Some("T") && text.get(15..) == Some("Z");
    if !in_range || !marked {
        return None;
    }
    let days = days(year, month, day)?;
    Some(AmzDate {
        seconds: days * DAY + hour * 3600 + minute * 60 + second,
    })
}

/// Days since 1970 of a day that exists.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    // A day is found by guessing and reading it back: shorter than a table of months, and it refuses the
    // 31st of June by itself.
    if year < 1970 || !(1..=12).contains(&month) {
        return None;
    }
    // Years begin in March, so that the leap day is the last.
    let (shifted, from_march) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = shifted / 4 - shifted / 100 + shifted / 400;
    let of_year = (153 * from_march + 2) / 5 + day.checked_sub(1)?;
    let days = (shifted * 365 + leap_days + of_year).checked_sub(719_468)?;
    (civil(days) == (year, month, day)).then_some(days)
}

/// The year, month and day that is this many days after the first of 1970.
const fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_reads_back_for_two_centuries() {
        let mut before = String::new();
        for day in 0..73_000 {
            let date = AmzDate {
                seconds: day * DAY + day % DAY,
            };
            let text = date.to_string();
            assert!(text > before, "{text} comes after {before}");
            assert_eq!(AmzDate::parse(&text).unwrap(), date);
            let http = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(date.seconds));
            assert_eq!(AmzDate::parse(&http).unwrap(), date, "{http}");
            before = text;
        }
    }

    #[test]
    fn a_time_is_written_to_the_microsecond() {
        let time = UNIX_EPOCH + Duration::new(1_370_772_015, 4_200);
        assert_eq!(write_time(time), "2013-06-09T10:00:15.000004Z");
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "",
            "201",
            "20130609",
            "20130609T100759",
            "20130609 100759Z",
            "20130631T100759Z",
            "20130229T100759Z",
            "20131309T100759Z",
            "20130009T100759Z",
            "20130600T100759Z",
            "20130609T240759Z",
            "20130609T106059Z",
            "+0130609T100759Z",
            "19690609T100759Z",
        ] {
            let error = AmzDate::parse(text).unwrap_err();
            assert_eq!(error.code(), "IncompleteSignatureException", "{text}");
        }
    }
}
