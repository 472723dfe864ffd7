//! Which byte of a range a person would rather read.

/// Byte ranges from most to least readable. Two-byte letters such as `à` come before other characters.
const ORDER: [(u8, u8); 14] = [
    (b'a', b'z'),
    (b'0', b'9'),
    (b'A', b'Z'),
    (b'-', b'-'),
    (b'_', b'_'),
    (b'!', b','),
    (b'.', b'/'),
    (b':', b'@'),
    (b'[', b'~'),
    (b' ', b' '),
    (0xC3, 0xC3),
    (0xA0, 0xBF),
    (0x80, 0xFF),
    (0x00, 0x7F),
];

/// A variation of the order, to get another witness when the first did not do. 0 is the usual order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taste(pub(super) u8);

/// The preferred byte of `lo..=hi` with its rank: lower ranks are read more easily.
pub(super) fn preferred(lo: u8, hi: u8, taste: Taste) -> (usize, u8) {
    for (rank, index) in (0..ORDER.len()).enumerate() {
        let Some((first, last)) = ORDER.get(rotated(index, taste)) else {
            continue;
        };
        let (from, to) = (lo.max(*first), hi.min(*last));
        if from <= to {
            return (rank, from.saturating_add(taste.0 / 3).min(to));
        }
    }
    (ORDER.len(), lo)
}

/// Letters, digits and capitals change places by taste.
fn rotated(index: usize, taste: Taste) -> usize {
    if index < 3 {
        (index + usize::from(taste.0)) % 3
    } else {
        index
    }
}

/// All bytes, most readable first.
pub(super) fn all_bytes() -> Vec<u8> {
    let mut seen = [false; 256];
    let ordered = ORDER.iter().flat_map(|(lo, hi)| *lo..=*hi);
    ordered
        .filter(|byte| {
            seen.get_mut(usize::from(*byte))
                .is_some_and(|mark| !std::mem::replace(mark, true))
        })
        .collect()
}
