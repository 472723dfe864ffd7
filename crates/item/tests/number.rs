//! Numbers against plain fixed-point text: 126 digits before the point, 167 after.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_item::key::{KeyType, read_component, write_component};
use monotable_item::{AttributeValue, EncodedValue, Number, NumberError};
use proptest::prelude::*;
use std::cmp::Ordering;

const WHOLE: usize = 127;
const FRACTION: usize = 168;

/// Sign and digits of a number, written out in full.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FixedPoint {
    negative: bool,
    digits: Vec<u8>,
}

impl FixedPoint {
    fn of(negative: bool, mantissa: &str, exponent: i32) -> Self {
        let mut digits = vec![0; WHOLE + FRACTION];
        for (index, byte) in mantissa.bytes().rev().enumerate() {
            if byte != b'0' {
                let position = WHOLE as i32 - 1 - (exponent + index as i32);
                digits[position as usize] = byte - b'0';
            }
        }
        let negative = negative && digits.iter().any(|digit| *digit != 0);
        Self { negative, digits }
    }

    fn text(&self) -> String {
        let text =
            |digits: &[u8]| -> String { digits.iter().map(|d| (d + b'0') as char).collect() };
        let whole = text(&self.digits[..WHOLE]);
        let fraction = text(&self.digits[WHOLE..]);
        let whole = match whole.trim_start_matches('0') {
            "" => "0",
            trimmed => trimmed,
        };
        let fraction = fraction.trim_end_matches('0');
        let sign = if self.negative { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.digits.cmp(&other.digits),
            (true, true) => other.digits.cmp(&self.digits),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }

    fn add(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            let mut carry = 0;
            let mut digits = self.digits.clone();
            for (a, b) in digits.iter_mut().zip(&other.digits).rev() {
                let sum = *a + b + carry;
                *a = sum % 10;
                carry = sum / 10;
            }
            return Self {
                negative: self.negative,
                digits,
            };
        }
        let (large, small) = if self.digits >= other.digits {
            (self, other)
        } else {
            (other, self)
        };
        let mut borrow = 0;
        let mut digits = large.digits.clone();
        for (a, b) in digits.iter_mut().zip(&small.digits).rev() {
            let taken = b + borrow;
            borrow = u8::from(*a < taken);
            *a = *a + 10 * borrow - taken;
        }
        let negative = large.negative && digits.iter().any(|digit| *digit != 0);
        Self { negative, digits }
    }

    fn significant(&self) -> usize {
        let first = self.digits.iter().position(|digit| *digit != 0);
        let last = self.digits.iter().rposition(|digit| *digit != 0);
        first.zip(last).map_or(0, |(first, last)| last - first + 1)
    }
}

/// A number as text with an exponent, and the same number written out.
fn number() -> impl Strategy<Value = (String, FixedPoint)> {
    let exponent = prop_oneof![3 => -40i32..40, 1 => -130i32..=88];
    let mantissa = prop_oneof!["[0-9]{1,4}", "[0-9]{1,38}", "[1-9]0{0,20}[0-9]{0,10}"];
    (any::<bool>(), mantissa, exponent, 0usize..4).prop_filter_map(
        "magnitude out of range",
        |(negative, mantissa, exponent, padding)| {
            let fixed = FixedPoint::of(negative, &mantissa, exponent);
            let first = fixed
                .digits
                .iter()
                .position(|digit| *digit != 0)
                .unwrap_or(WHOLE);
            // 9.9E+125 is at position WHOLE - 1 - 125.
            if !(WHOLE - 126..=WHOLE + 129).contains(&first) {
                return None;
            }
            let sign = if negative { "-" } else { "" };
            let text = match padding {
                0 => format!("{sign}{mantissa}E{exponent}"),
                1 => format!("{sign}00{mantissa}e{exponent:+}"),
                2 => format!("{sign}{mantissa}.E{exponent}"),
                _ => format!("{sign}.{mantissa}0E{}", exponent + mantissa.len() as i32),
            };
            Some((text, fixed))
        },
    )
}

fn key_bytes(number: Number) -> Vec<u8> {
    let mut bytes = Vec::new();
    assert!(write_component(
        &mut bytes,
        EncodedValue::from(AttributeValue::N(number)).view()
    ));
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn prints_canonically_and_reads_back((text, fixed) in number()) {
        let number: Number = text.parse().unwrap();
        prop_assert_eq!(number.to_string(), fixed.text());
        prop_assert_eq!(number.to_string().parse::<Number>().unwrap(), number);
    }

    #[test]
    fn order_is_numeric_also_in_key_bytes((a, fixed_a) in number(), (b, fixed_b) in number()) {
        let (a, b): (Number, Number) = (a.parse().unwrap(), b.parse().unwrap());
        prop_assert_eq!(a.cmp(&b), fixed_a.compare(&fixed_b));
        prop_assert_eq!(key_bytes(a).cmp(&key_bytes(b)), fixed_a.compare(&fixed_b));
    }

    #[test]
    fn key_bytes_read_back((text, _) in number(), tail in any::<[u8; 3]>()) {
        let number: Number = text.parse().unwrap();
        let mut bytes = key_bytes(number);
        bytes.extend_from_slice(&tail);
        let (value, rest) = read_component(&bytes, KeyType::N).unwrap();
        prop_assert_eq!(value, AttributeValue::N(number));
        prop_assert_eq!(rest, &tail[..]);
    }

    #[test]
    fn sums_are_exact_or_refused((a, fixed_a) in number(), (b, fixed_b) in number()) {
        let (a, b): (Number, Number) = (a.parse().unwrap(), b.parse().unwrap());
        let exact = fixed_a.add(&fixed_b);
        match a.checked_add(b) {
            Ok(sum) => {
                prop_assert_eq!(sum.to_string(), exact.text());
                prop_assert_eq!(sum.checked_sub(b).unwrap(), a);
            }
            Err(NumberError::TooManyDigits) => prop_assert!(exact.significant() > 38),
            Err(NumberError::Overflow) => prop_assert!(exact.digits[0] != 0),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,40}", numeric in "[-+0-9.eE]{0,60}") {
        let _ = text.parse::<Number>();
        let _ = numeric.parse::<Number>();
    }
}

#[test]
fn range_and_precision_end_where_aws_says() {
    let parse = |text: &str| text.parse::<Number>();
    let nines = "9".repeat(38);
    assert!(parse(&format!("{nines}E+88")).is_ok());
    assert_eq!(parse("1E+126"), Err(NumberError::Overflow));
    assert_eq!(parse("-1E+126"), Err(NumberError::Overflow));
    assert!(parse("1E-130").is_ok());
    assert_eq!(parse("1E-131"), Err(NumberError::Underflow));
    assert_eq!(parse(&format!("{nines}9")), Err(NumberError::TooManyDigits));
    assert!(parse(&format!("{nines}000")).is_ok());
    assert_eq!(parse("1E99999999999999999999"), Err(NumberError::Overflow));
    assert_eq!(parse("0E99999999999999999999"), Ok(Number::ZERO));
    assert_eq!(parse("-0.00"), Ok(Number::ZERO));
    for text in [
        "", "-", ".", "e1", "1e", "1e+", "0x10", "1 ", " 1", "NaN", "Infinity", "1_0", "1.2.3", "١",
    ] {
        assert_eq!(
            parse(text),
            Err(NumberError::NotANumber { text: text.into() }),
            "{text}"
        );
    }
}

#[test]
fn overflow_by_addition_is_refused() {
    let most: Number = format!("{}E+88", "9".repeat(38)).parse().unwrap();
    assert_eq!(
        most.checked_add("1E+88".parse().unwrap()),
        Err(NumberError::Overflow)
    );
    assert_eq!(
        most.checked_add("1E-130".parse().unwrap()),
        Err(NumberError::TooManyDigits)
    );
    let ten_38: Number = "1E+38".parse().unwrap();
    assert_eq!(
        ten_38.checked_sub(1.into()).unwrap().to_string(),
        "9".repeat(38)
    );
}
