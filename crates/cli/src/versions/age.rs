//! How old something is: `30s`, `15m`, `2h`, `1d`.

use std::time::Duration;

/// Reads an age.
pub(crate) fn age(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text} is no age; say 30s, 15m, 2h or 1d");
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text
        .strip_prefix(digits)
        .and_then(seconds)
        .ok_or_else(wrong)?;
    let count: u64 = digits.parse().map_err(|_| wrong())?;
    let seconds = count.checked_mul(unit).ok_or_else(wrong)?;
    Ok(Duration::from_secs(seconds))
}

fn seconds(unit: &str) -> Option<u64> {
    match unit {
        "s" => Some(1),
        "m" => Some(60),
        "h" => Some(60 * 60),
        "d" => Some(24 * 60 * 60),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_units() {
        for (text, seconds) in [
            ("0s", 0),
            ("30s", 30),
            ("15m", 900),
            ("2h", 7200),
            ("1d", 86400),
        ] {
            assert_eq!(age(text), Ok(Duration::from_secs(seconds)));
        }
        for bad in [
            "",
            "1",
            "d",
            "-1d",
            "1 d",
            "1.5h",
            "1w",
            "99999999999999999999s",
            "999999999999999999d",
        ] {
            assert!(age(bad).is_err(), "{bad}");
        }
    }
}
