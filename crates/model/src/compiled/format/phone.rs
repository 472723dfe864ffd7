//! Phone numbers in the form E.164.

use super::FormatProblem;

/// The codes of countries whose numbers keep a leading zero behind the code.
const KEEPS_ZERO: [u16; 2] = [39, 378];

/// A phone number in the form E.164. `home` is the country of numbers that are written without a code: without it they
/// could be anybody's, so they are none.
pub(super) fn international(text: String, home: Option<u16>) -> Result<String, FormatProblem> {
    let kept: String = text.chars().filter(|c| !" ().-/".contains(*c)).collect();
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let international = kept.strip_prefix('+').or_else(|| kept.strip_prefix("00"));
    let digits = match (international, home) {
        (Some(digits), _) => digits.to_owned(),
        (None, Some(home)) => {
            let own = kept
                .strip_prefix('0')
                .filter(|_| !KEEPS_ZERO.contains(&home));
            format!("{home}{}", own.unwrap_or(&kept))
        }
        (None, None) if is_number(&kept) && !kept.is_empty() => {
            return Err(FormatProblem::NoCountry { text });
        }
        (None, None) => return Err(FormatProblem::NoPhone { text }),
    };
    let sound = (4..=15).contains(&digits.len()) && is_number(&digits) && !digits.starts_with('0');
    if sound {
        Ok(format!("+{digits}"))
    } else {
        Err(FormatProblem::NoPhone { text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, home: Option<u16>) -> Result<String, FormatProblem> {
        international(text.to_owned(), home)
    }

    #[test]
    fn phone_numbers_have_a_country_code() {
        let no_phone = [
            "call me",
            "ext. 4711",
            "abcd",
            "+123",
            "+1234567890123456",
            "+01701234567",
            "",
            "+",
            "00",
        ];
        for text in no_phone {
            let problem = shown(text, None).unwrap_err();
            assert!(matches!(problem, FormatProblem::NoPhone { .. }), "{text}");
        }
        for text in [
            "0170 1234567",
            "(0170) 123-4567",
            "4711",
            "1234567890123456",
        ] {
            let problem = shown(text, None).unwrap_err();
            assert!(matches!(problem, FormatProblem::NoCountry { .. }), "{text}");
        }

        for text in [
            "0170 1234567",
            "170/1234567",
            "+49 170 1234567",
            "0049 170 1234567",
        ] {
            assert_eq!(
                shown(text, Some(49)).as_deref(),
                Ok("+491701234567"),
                "{text}"
            );
        }

        assert_eq!(shown("06 1234567", Some(39)).as_deref(), Ok("+39061234567"));
        assert!(shown("ext. 4711", Some(49)).is_err());
    }
}
