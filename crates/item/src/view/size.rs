//! AWS's size rules ("DynamoDB item sizes and formats").
//!
//! Names and strings count their UTF-8 bytes, binaries their bytes, booleans and nulls one; a list or
//! map counts three bytes and one more per member; a number about half a byte per significant digit.
//!
//! Every page of a Query adds up the sizes of its items, so this walks over the stored lengths without
//! looking at text.

use super::cursor::Cursor;
use super::{ItemView, SetView, ValueView};
use crate::encoded::tag;

/// A list or a map counts this much by itself.
const DOCUMENT_OVERHEAD: usize = 3;
/// And this much for each member.
const MEMBER_OVERHEAD: usize = 1;

impl ItemView<'_> {
    /// The size of the item in bytes, as AWS counts it.
    pub fn size(&self) -> usize {
        entries_size(self.0, 0).unwrap_or(0)
    }
}

impl ValueView<'_> {
    /// The size of the value in bytes, as AWS counts it.
    pub fn size(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(number) => number_size(number.as_str().as_bytes()),
            Self::B(bytes) => bytes.len(),
            Self::Bool(_) | Self::Null => 1,
            Self::M(item) => body_size(tag::M, item.as_bytes()),
            Self::L(list) => body_size(tag::L, list.as_bytes()),
            Self::Ss(set) => body_size(tag::SS, set.as_bytes()),
            Self::Ns(set) => body_size(tag::NS, set.as_bytes()),
            Self::Bs(set) => body_size(tag::BS, set.as_bytes()),
        }
    }
}

/// The size of entries; `overhead` is what each counts beside its name and value. Damaged bytes end the
/// walk.
fn entries_size(bytes: &[u8], overhead: usize) -> Option<usize> {
    let mut cursor = Cursor::new(bytes);
    let mut size = 0;
    while let Some(name) = cursor.sized() {
        size += name.len() + value_size(&mut cursor)? + overhead;
    }
    Some(size)
}

fn value_size(cursor: &mut Cursor<'_>) -> Option<usize> {
    let tag = cursor.tag()?;
    Some(match tag {
        tag::NULL | tag::FALSE | tag::TRUE => 1,
        tag::S | tag::B => cursor.sized()?.len(),
        tag::N => number_size(cursor.sized()?),
        _ => body_size(tag, cursor.body()?),
    })
}

fn body_size(tag: u8, body: &[u8]) -> usize {
    match tag {
        tag::M => DOCUMENT_OVERHEAD + entries_size(body, MEMBER_OVERHEAD).unwrap_or(0),
        tag::L => {
            let mut cursor = Cursor::new(body);
            let values = std::iter::from_fn(|| value_size(&mut cursor));
            DOCUMENT_OVERHEAD + values.map(|size| size + MEMBER_OVERHEAD).sum::<usize>()
        }
        tag::NS => SetView(body).iter().map(number_size).sum(),
        _ => SetView(body).iter().map(<[u8]>::len).sum(),
    }
}

/// One byte, one for each pair of digits, and one for a minus sign. Pairs are aligned to even powers of
/// ten, from the first pair that is not zero to the last.
fn number_size(text: &[u8]) -> usize {
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (1, rest),
        _ => (0, text),
    };
    let point = unsigned.iter().position(|byte| *byte == b'.');
    let whole = point.unwrap_or(unsigned.len());
    // The power of ten of the digit at a place of the text, below zero behind the point.
    let power = |place: usize| {
        if place < whole {
            (whole - 1 - place) as isize
        } else {
            whole as isize - place as isize
        }
    };
    let is_digit = |byte: &u8| matches!(byte, b'1'..=b'9');
    let first = unsigned.iter().position(is_digit);
    let last = unsigned.iter().rposition(is_digit);
    match (first, last) {
        (Some(first), Some(last)) => {
            let pairs = power(first).div_euclid(2) - power(last).div_euclid(2) + 1;
            1 + pairs.unsigned_abs() + negative
        }
        // Zero.
        _ => 1,
    }
}
