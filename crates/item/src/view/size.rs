//! AWS's size rules ("DynamoDB item sizes and formats").
//!
//! Names and strings count their UTF-8 bytes, binaries their bytes, booleans and nulls one; a list or
//! map counts three bytes and one more per member; a number about half a byte per significant digit.

use super::{ItemView, NumberView, SetView, ValueView};
use crate::number::digit_count;

/// A list or a map counts this much by itself.
const DOCUMENT_OVERHEAD: usize = 3;
/// And this much for each member.
const MEMBER_OVERHEAD: usize = 1;

impl ItemView<'_> {
    /// The size of the item in bytes, as AWS counts it.
    pub fn size(&self) -> usize {
        self.iter()
            .map(|(name, value)| name.len() + value.size())
            .sum()
    }
}

impl ValueView<'_> {
    /// The size of the value in bytes, as AWS counts it.
    pub fn size(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(number) => number_size(*number),
            Self::B(bytes) => bytes.len(),
            Self::Bool(_) | Self::Null => 1,
            Self::M(item) => DOCUMENT_OVERHEAD + item.size() + MEMBER_OVERHEAD * item.len(),
            Self::L(list) => {
                DOCUMENT_OVERHEAD
                    + list
                        .iter()
                        .map(|value| value.size() + MEMBER_OVERHEAD)
                        .sum::<usize>()
            }
            Self::Ss(set) | Self::Bs(set) => set.iter().map(<[u8]>::len).sum(),
            Self::Ns(set) => number_set_size(*set),
        }
    }
}

fn number_set_size(set: SetView<'_>) -> usize {
    set.texts()
        .map(|text| number_size(NumberView::new(text)))
        .sum()
}

/// One byte, one for each pair of digits, and one for a minus sign. Pairs are aligned to even powers
/// of ten, so that an even count of digits may span one pair more.
fn number_size(number: NumberView<'_>) -> usize {
    let number = number.to_number();
    if number.is_zero() {
        return 1;
    }
    let count = digit_count(number.digits()) as usize;
    let odd_magnitude = number.magnitude() % 2 != 0;
    let straddles = count.is_multiple_of(2) && !odd_magnitude;
    1 + count.div_ceil(2) + usize::from(straddles) + usize::from(number.is_negative())
}
