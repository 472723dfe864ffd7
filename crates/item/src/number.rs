//! Exact decimal numbers: 38 significant digits, magnitudes from 1E-130 to 9.9…E+125.
//!
//! A number is `digits * 10^exponent`, with no trailing zero in `digits`, so that equal numbers are
//! equal in memory. 10^38 fits a `u128`; nothing here is ever a float.

mod arithmetic;
mod parse;

use std::cmp::Ordering;
use std::fmt;

/// Most significant digits of a number.
pub(crate) const MAX_DIGITS: u32 = 38;
/// Exponent of the leading digit of the largest magnitude.
pub(crate) const MAX_MAGNITUDE: i32 = 125;
/// Exponent of the leading digit of the smallest magnitude.
pub(crate) const MIN_MAGNITUDE: i32 = -130;

/// A DynamoDB number. Prints as canonical plain text: no exponent, no leading or trailing zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    negative: bool,
    /// INVARIANT: below 10^38 and not divisible by 10; zero only for the number zero.
    digits: u128,
    /// INVARIANT: the leading digit's exponent lies within the supported range; 0 for zero.
    exponent: i16,
}

/// Why a text or a result is not a DynamoDB number. Displays in AWS's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The text is not a decimal number.
    NotANumber {
        /// What was given.
        text: String,
    },
    /// More than 38 significant digits.
    TooManyDigits,
    /// Magnitude above 9.9…E+125.
    Overflow,
    /// Magnitude below 1E-130.
    Underflow,
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber { text } if text.is_empty() => {
                f.write_str("The parameter cannot be converted to a numeric value")
            }
            Self::NotANumber { text } => {
                write!(f, "The parameter cannot be converted to a numeric value: {text}")
            }
            Self::TooManyDigits => {
                f.write_str("Attempting to store more than 38 significant digits in a Number")
            }
            Self::Overflow => f.write_str(
                "Number overflow. Attempting to store a number with magnitude larger than supported range",
            ),
            Self::Underflow => f.write_str(
                "Number underflow. Attempting to store a number with magnitude smaller than supported range",
            ),
        }
    }
}

impl std::error::Error for NumberError {}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self {
        negative: false,
        digits: 0,
        exponent: 0,
    };

    /// The number `±digits * 10^exponent`, normalised, if DynamoDB can hold it.
    pub(crate) fn from_parts(
        negative: bool,
        mut digits: u128,
        mut exponent: i32,
    ) -> Result<Self, NumberError> {
        if digits == 0 {
            return Ok(Self::ZERO);
        }
        while digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        let count = digit_count(digits);
        let magnitude = exponent + count as i32 - 1;
        if magnitude > MAX_MAGNITUDE {
            return Err(NumberError::Overflow);
        }
        if magnitude < MIN_MAGNITUDE {
            return Err(NumberError::Underflow);
        }
        if count > MAX_DIGITS {
            return Err(NumberError::TooManyDigits);
        }
        let exponent = i16::try_from(exponent).map_err(|_| NumberError::Underflow)?;
        Ok(Self {
            negative,
            digits,
            exponent,
        })
    }

    /// Whether the number is below zero.
    pub const fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the number is zero.
    pub const fn is_zero(&self) -> bool {
        self.digits == 0
    }

    pub(crate) const fn digits(&self) -> u128 {
        self.digits
    }

    pub(crate) const fn exponent(&self) -> i32 {
        self.exponent as i32
    }

    /// Exponent of the leading digit: 0 for 7, 2 for 700, -1 for 0.7.
    pub(crate) fn magnitude(&self) -> i32 {
        self.exponent() + digit_count(self.digits) as i32 - 1
    }

    /// The digits moved left until there are 38 of them: comparable at equal magnitude.
    pub(crate) fn aligned_digits(&self) -> u128 {
        self.digits * 10u128.pow(MAX_DIGITS - digit_count(self.digits))
    }
}

/// How many decimal digits `digits` has; 1 for zero.
pub(crate) fn digit_count(digits: u128) -> u32 {
    digits.checked_ilog10().unwrap_or(0) + 1
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.is_zero(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        sign(self).cmp(&sign(other)).then_with(|| {
            let magnitude = self
                .magnitude()
                .cmp(&other.magnitude())
                .then_with(|| self.aligned_digits().cmp(&other.aligned_digits()));
            if self.negative {
                magnitude.reverse()
            } else {
                magnitude
            }
        })
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        let exponent = self.exponent();
        if exponent >= 0 {
            write!(
                f,
                "{}{:0<width$}",
                self.digits,
                "",
                width = exponent as usize
            )
        } else {
            let fraction = exponent.unsigned_abs();
            let count = digit_count(self.digits);
            if count > fraction {
                let unit = 10u128.pow(fraction);
                let width = fraction as usize;
                write!(f, "{}.{:0>width$}", self.digits / unit, self.digits % unit)
            } else {
                write!(f, "0.{:0>width$}", self.digits, width = fraction as usize)
            }
        }
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                #[allow(unused_comparisons, reason = "one macro for signed and unsigned integers")]
                let negative = value < 0;
                let digits = if negative { (value as i128).unsigned_abs() } else { value as u128 };
                // At most 20 digits: always in range.
                Self::from_parts(negative, digits, 0).unwrap_or(Self::ZERO)
            }
        }
    )*};
}

from_integer!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);
