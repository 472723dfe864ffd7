//! The label of a stream: when it was made, as text.

/// A time in milliseconds since 1970 as `2026-11-17T18:00:00.000`.
pub(crate) fn label(millis: u64) -> String {
    let (seconds, millis) = (millis / 1000, millis % 1000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{millis:03}",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// Year, month and day of a day since 1970-01-01, in the Gregorian calendar. Years are counted from March on, so that the
/// day that leap years add is the last one.
const fn civil(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    // From 0000-03-01 on.
    let days = days + 719_468;
    let era = days / DAYS_OF_400_YEARS;
    let day = days % DAYS_OF_400_YEARS;
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for (millis, expected) in [
            (0, "1970-01-01T00:00:00.000"),
            (1_432_155_070_252, "2015-05-20T20:51:10.252"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000"),
            (951_868_799_999, "2000-02-29T23:59:59.999"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000"),
        ] {
            assert_eq!(label(millis), expected);
        }
    }
}
