//! Times for people.

use jiff::Timestamp;

/// A time of day in UTC, with tenths of a second.
pub(crate) fn show_time(at: Timestamp) -> String {
    let text = at.strftime("%H:%M:%S.%f").to_string();
    let (clock, fraction) = text.split_once('.').unwrap_or((&text, "0"));
    let tenth = fraction.chars().next().unwrap_or('0');
    format!("{clock}.{tenth}")
}

/// A time of day in UTC, without a fraction.
pub(crate) fn show_clock(at: Timestamp) -> String {
    at.strftime("%H:%M:%S").to_string()
}

/// A day and a time of day: `2 Nov, 19:00`.
pub(crate) fn show_day(at: Timestamp) -> String {
    at.strftime("%-d %b, %H:%M").to_string()
}
