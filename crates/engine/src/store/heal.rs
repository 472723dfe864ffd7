//! Finds the one bit or byte that is wrong, where a checksum says when it is right.
//!
//! Most damage is a single flipped bit. Where what is damaged is small, every bit can be tried: then nothing is lost at all.

/// The longest text of which every bit is tried.
const MOST_BYTES: usize = 64 * 1024;
/// The longest text of which every byte is tried.
const MOST_BYTES_BY_BYTE: usize = 2 * 1024;

/// Changes one bit, or else one byte, so that `accept` has an answer.
pub(super) fn heal<T>(bytes: &[u8], accept: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
    if bytes.len() > MOST_BYTES {
        return None;
    }
    let bits = (0..8).map(|bit| 1_u8 << bit);
    let by_bit = try_masks(bytes, bits, &accept);
    if by_bit.is_some() || bytes.len() > MOST_BYTES_BY_BYTE {
        return by_bit;
    }
    let masks = (1..=u8::MAX).filter(|mask| mask.count_ones() > 1);
    try_masks(bytes, masks, &accept)
}

fn try_masks<T>(
    bytes: &[u8],
    masks: impl Iterator<Item = u8> + Clone,
    accept: impl Fn(&[u8]) -> Option<T>,
) -> Option<T> {
    let mut changed = bytes.to_vec();
    for position in 0..bytes.len() {
        for mask in masks.clone() {
            flip(&mut changed, position, mask);
            let accepted = accept(&changed);
            flip(&mut changed, position, mask);
            if accepted.is_some() {
                return accepted;
            }
        }
    }
    None
}

fn flip(bytes: &mut [u8], position: usize, mask: u8) {
    if let Some(byte) = bytes.get_mut(position) {
        *byte ^= mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_64;

    #[test]
    fn one_wrong_byte_is_found() {
        let text = b"a list of table files".to_vec();
        let checksum = xxh3_64(&text);
        let accept = |bytes: &[u8]| (xxh3_64(bytes) == checksum).then(|| bytes.to_vec());
        for mask in [0x10, 0xff] {
            let mut damaged = text.clone();
            damaged[7] ^= mask;
            assert_eq!(heal(&damaged, accept), Some(text.clone()));
        }
        let mut damaged = text.clone();
        damaged[7] ^= 1;
        damaged[9] ^= 1;
        assert_eq!(heal(&damaged, accept), None);
    }
}
