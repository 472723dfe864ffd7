//! Addition and subtraction, exact or refused.

use super::{Number, NumberError};

impl Number {
    /// `self + other`, if DynamoDB can hold the exact result.
    pub fn checked_add(self, other: Self) -> Result<Self, NumberError> {
        if self.is_zero() {
            return Ok(other);
        }
        if other.is_zero() {
            return Ok(self);
        }
        let (high, low) = if self.exponent() >= other.exponent() {
            (self, other)
        } else {
            (other, self)
        };
        // `low` has a digit at its exponent, so the exact result reaches down to it. If `high` moved
        // there no longer fits a u128, the result has more than 38 digits.
        let shift = high.exponent().abs_diff(low.exponent());
        let raised = 10u128
            .checked_pow(shift)
            .and_then(|unit| high.digits().checked_mul(unit))
            .ok_or(NumberError::TooManyDigits)?;
        let exponent = low.exponent();
        if high.negative == low.negative {
            let sum = raised
                .checked_add(low.digits())
                .ok_or(NumberError::TooManyDigits)?;
            return Self::from_parts(high.negative, sum, exponent);
        }
        let negative = if raised >= low.digits() {
            high.negative
        } else {
            low.negative
        };
        Self::from_parts(negative, raised.abs_diff(low.digits()), exponent)
    }

    /// `self - other`, if DynamoDB can hold the exact result.
    pub fn checked_sub(self, other: Self) -> Result<Self, NumberError> {
        self.checked_add(other.negated())
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            negative: !self.negative && !self.is_zero(),
            ..self
        }
    }
}
