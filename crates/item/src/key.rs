//! Key values as bytes whose order is DynamoDB's order.
//!
//! Each component is self-delimiting, so components can follow one another in one key:
//!
//! - strings and binaries: their bytes with `00` written as `00 FF`, ended by `00 01`;
//! - numbers: a sign byte, the exponent, the digits in pairs, an end byte; all complemented when
//!   negative.
//!
//! A prefix of a string's or binary's bytes, escaped and without the end, is a prefix of the component:
//! that is what `begins_with` ranges over.

use crate::{AttributeType, AttributeValue, Number, ValueView, number};

const ESCAPE: u8 = 0x00;
const ESCAPED_ZERO: u8 = 0xFF;
const END: u8 = 0x01;

const NEGATIVE: u8 = 0x01;
const ZERO: u8 = 0x02;
const POSITIVE: u8 = 0x03;

/// The types that a key attribute may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyType {
    /// String.
    S,
    /// Number.
    N,
    /// Binary.
    B,
}

impl KeyType {
    /// As an attribute type.
    pub const fn attribute_type(self) -> AttributeType {
        match self {
            Self::S => AttributeType::S,
            Self::N => AttributeType::N,
            Self::B => AttributeType::B,
        }
    }

    /// The key type with this attribute type, if there is one.
    pub const fn of(kind: AttributeType) -> Option<Self> {
        match kind {
            AttributeType::S => Some(Self::S),
            AttributeType::N => Some(Self::N),
            AttributeType::B => Some(Self::B),
            AttributeType::Bool
            | AttributeType::Null
            | AttributeType::M
            | AttributeType::L
            | AttributeType::Ss
            | AttributeType::Ns
            | AttributeType::Bs => None,
        }
    }
}

/// Appends a key value. Returns whether the value is of a key type; nothing is written if not.
#[must_use]
pub fn write_component(buffer: &mut Vec<u8>, value: ValueView<'_>) -> bool {
    match value {
        ValueView::S(text) => write_bytes(buffer, text.as_bytes()),
        ValueView::B(bytes) => write_bytes(buffer, bytes),
        ValueView::N(number) => write_number(buffer, number.to_number()),
        ValueView::Bool(_)
        | ValueView::Null
        | ValueView::M(_)
        | ValueView::L(_)
        | ValueView::Ss(_)
        | ValueView::Ns(_)
        | ValueView::Bs(_) => return false,
    }
    true
}

/// Appends the bytes that every component starts with whose string or binary starts with `prefix`.
pub fn write_prefix(buffer: &mut Vec<u8>, prefix: &[u8]) {
    let mut rest = prefix;
    while let Some(at) = rest.iter().position(|byte| *byte == ESCAPE) {
        let (plain, tail) = rest.split_at(at);
        buffer.extend_from_slice(plain);
        buffer.extend_from_slice(&[ESCAPE, ESCAPED_ZERO]);
        rest = tail.get(1..).unwrap_or(&[]);
    }
    buffer.extend_from_slice(rest);
}

fn write_bytes(buffer: &mut Vec<u8>, bytes: &[u8]) {
    write_prefix(buffer, bytes);
    buffer.extend_from_slice(&[ESCAPE, END]);
}

fn write_number(buffer: &mut Vec<u8>, number: Number) {
    if number.is_zero() {
        buffer.push(ZERO);
        return;
    }
    let flip = if number.is_negative() { 0xFF } else { 0x00 };
    buffer.push(if number.is_negative() {
        NEGATIVE
    } else {
        POSITIVE
    });
    // -130..=125 becomes 0..=255.
    let exponent = (number.magnitude() - number::MIN_MAGNITUDE) as u8;
    buffer.push(exponent ^ flip);
    let mut digits = number.aligned_digits();
    let mut unit = 10u128.pow(number::MAX_DIGITS - 2);
    while digits > 0 {
        // A pair is 1..=100, so that the end byte sorts below every pair.
        buffer.push((digits / unit + 1) as u8 ^ flip);
        digits %= unit;
        unit /= 100;
    }
    buffer.push(flip);
}

/// Reads one component back, and what follows it.
pub fn read_component(bytes: &[u8], kind: KeyType) -> Option<(AttributeValue, &[u8])> {
    match kind {
        KeyType::S => {
            let (value, rest) = read_bytes(bytes)?;
            Some((AttributeValue::S(String::from_utf8(value).ok()?), rest))
        }
        KeyType::B => {
            let (value, rest) = read_bytes(bytes)?;
            Some((AttributeValue::B(value), rest))
        }
        KeyType::N => {
            let (number, rest) = read_number(bytes)?;
            Some((AttributeValue::N(number), rest))
        }
    }
}

fn read_bytes(mut bytes: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut value = Vec::new();
    loop {
        let at = bytes.iter().position(|byte| *byte == ESCAPE)?;
        value.extend_from_slice(bytes.get(..at)?);
        let (&mark, rest) = bytes.get(at + 1..)?.split_first()?;
        bytes = rest;
        match mark {
            END => return Some((value, bytes)),
            ESCAPED_ZERO => value.push(ESCAPE),
            _ => return None,
        }
    }
}

fn read_number(bytes: &[u8]) -> Option<(Number, &[u8])> {
    let (&sign, rest) = bytes.split_first()?;
    let flip = match sign {
        ZERO => return Some((Number::ZERO, rest)),
        POSITIVE => 0x00,
        NEGATIVE => 0xFF,
        _ => return None,
    };
    let (&exponent, mut rest) = rest.split_first()?;
    let magnitude = i32::from(exponent ^ flip) + number::MIN_MAGNITUDE;
    let mut digits = 0u128;
    let mut count = 0;
    loop {
        let (&byte, tail) = rest.split_first()?;
        rest = tail;
        match byte ^ flip {
            0 => break,
            pair @ 1..=100 if count < number::MAX_DIGITS => {
                digits = digits * 100 + u128::from(pair - 1);
                count += 2;
            }
            _ => return None,
        }
    }
    let exponent = magnitude - count as i32 + 1;
    let number = Number::from_parts(flip != 0, digits, exponent).ok()?;
    Some((number, rest))
}
