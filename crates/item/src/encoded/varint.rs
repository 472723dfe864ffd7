//! Lengths: seven bits a byte, low bits first, the high bit says that more follows.

/// Appends `length`.
pub(crate) fn write(buffer: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        buffer.push((length as u8) | 0x80);
        length >>= 7;
    }
    buffer.push(length as u8);
}

/// How many bytes `length` takes.
pub(crate) const fn room(length: usize) -> usize {
    let bits = usize::BITS - (length | 1).leading_zeros();
    bits.div_ceil(7) as usize
}

/// Reads a length and what follows it.
pub(crate) fn read(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, mut rest) = bytes.split_first()?;
    if first < 0x80 {
        return Some((usize::from(first), rest));
    }
    let mut length = usize::from(first & 0x7f);
    let mut shift = 7;
    loop {
        let (&byte, tail) = rest.split_first()?;
        rest = tail;
        length |= usize::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some((length, rest));
        }
        shift += 7;
        if shift > 35 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_round_trip_at_every_width() {
        for length in [
            0,
            1,
            127,
            128,
            16_383,
            16_384,
            400 * 1024,
            u32::MAX as usize,
        ] {
            let mut buffer = Vec::new();
            write(&mut buffer, length);
            assert_eq!(room(length), buffer.len());
            buffer.push(7);
            assert_eq!(read(&buffer), Some((length, &[7][..])));
        }
        assert_eq!(read(&[0x80]), None);
        assert_eq!(read(&[0xff; 12]), None);
    }
}
