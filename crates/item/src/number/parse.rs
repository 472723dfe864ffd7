//! Decimal text to [`Number`].

use super::{MAX_DIGITS, Number, NumberError};
use std::str::FromStr;

impl FromStr for Number {
    type Err = NumberError;

    /// Reads `[+-] digits [. digits] [(e|E) [+-] digits]`, as DynamoDB does. Digits on one side of the
    /// point are enough.
    fn from_str(text: &str) -> Result<Self, NumberError> {
        let not_a_number = || NumberError::NotANumber { text: text.into() };
        let (negative, unsigned) = split_sign(text);
        let (mantissa, exponent) = split_exponent(unsigned).ok_or_else(not_a_number)?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
            return Err(not_a_number());
        }
        let mut reader = DigitReader::default();
        whole.bytes().for_each(|byte| reader.push(byte));
        fraction.bytes().for_each(|byte| reader.push(byte));
        let scale = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
        reader.finish(negative, exponent.saturating_sub(scale))
    }
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, text.get(1..).unwrap_or("")),
        Some(b'+') => (false, text.get(1..).unwrap_or("")),
        _ => (false, text),
    }
}

/// The mantissa and the exponent; exponents too long for an `i32` saturate, which is out of range
/// either way.
fn split_exponent(text: &str) -> Option<(&str, i32)> {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return Some((text, 0));
    };
    let (negative, digits) = split_sign(exponent);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse::<i32>().unwrap_or(i32::MAX / 2);
    Some((mantissa, if negative { -magnitude } else { magnitude }))
}

/// Collects digits, keeping zeros back until a further digit shows that they matter.
#[derive(Default)]
struct DigitReader {
    digits: u128,
    significant: u32,
    pending_zeros: u32,
}

impl DigitReader {
    fn push(&mut self, byte: u8) {
        let digit = byte - b'0';
        if digit == 0 {
            // Zeros before the first digit mean nothing.
            if self.significant > 0 {
                self.pending_zeros = self.pending_zeros.saturating_add(1);
            }
            return;
        }
        let shift = self.pending_zeros.saturating_add(1);
        self.pending_zeros = 0;
        self.significant = self.significant.saturating_add(shift);
        if self.significant <= MAX_DIGITS {
            self.digits = self.digits * 10u128.pow(shift) + u128::from(digit);
        }
    }

    fn finish(self, negative: bool, exponent: i32) -> Result<Number, NumberError> {
        let exponent = exponent.saturating_add_unsigned(self.pending_zeros);
        if self.significant <= MAX_DIGITS {
            return Number::from_parts(negative, self.digits, exponent);
        }
        // Too long, but a magnitude out of range is what AWS reports first.
        let magnitude = exponent.saturating_add_unsigned(self.significant - 1);
        match magnitude {
            m if m > super::MAX_MAGNITUDE => Err(NumberError::Overflow),
            m if m < super::MIN_MAGNITUDE => Err(NumberError::Underflow),
            _ => Err(NumberError::TooManyDigits),
        }
    }
}
