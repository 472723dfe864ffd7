//! A compiled model as text: what a generated file carries as a constant.
//!
//! The bytes of `bytes.rs`, compressed with LZ4, in base64. LZ4 packs less than others do, but unpacking it is a loop of a few
//! lines: programs do it at every start, in WebAssembly, where every line of code that runs has to be compiled first.

use super::{BytesProblem, CompiledModel};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lz4_flex::block::{compress_prepend_size, decompress, uncompressed_size};

/// More than any model has, so that a few damaged bytes cannot fill the memory.
const MAX_BYTES: usize = 256 * 1024 * 1024;

impl CompiledModel {
    /// The model with its plans as text without line breaks, for [`CompiledModel::from_text`].
    pub fn to_text(&self) -> Result<String, BytesProblem> {
        Ok(STANDARD.encode(compress_prepend_size(&self.to_bytes()?)))
    }

    /// A model from what [`CompiledModel::to_text`] has made.
    pub fn from_text(text: &str) -> Result<Self, BytesProblem> {
        let packed = decode(text.as_bytes()).ok_or(BytesProblem::NotAModel)?;
        Self::from_bytes(&unpack(&packed)?)
    }
}

/// What no symbol of base64 stands for.
const NO_SYMBOL: u8 = 0xff;

/// For each byte what it stands for in base64.
const VALUES: [u8; 256] = list_values();

#[expect(clippy::indexing_slicing, reason = "evaluated when it is compiled")]
const fn list_values() -> [u8; 256] {
    let symbols = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [NO_SYMBOL; 256];
    let mut value = 0;
    while value < symbols.len() {
        values[symbols[value] as usize] = value as u8;
        value += 1;
    }
    values
}

/// The bytes of a text in base64. The crate base64 decodes long texts several times as fast, by a function so large that engines of
/// WebAssembly take longer to optimise it than to run this one on a whole model.
// Never inlined, as `CompiledModel::bind`.
#[inline(never)]
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let value = |byte: u8| u32::from(VALUES.get(usize::from(byte)).copied().unwrap_or(NO_SYMBOL));
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (groups, rest) = text.as_chunks::<4>();
    let (last, whole) = groups.split_last()?;
    for group in whole {
        let [first, second, third, fourth] = group.map(value);
        if first | second | third | fourth > 63 {
            return None;
        }
        let [_, group @ ..] = (first << 18 | second << 12 | third << 6 | fourth).to_be_bytes();
        bytes.extend(group);
    }
    // Only the last group may be padded.
    bytes.extend(STANDARD.decode(last).ok()?);
    rest.is_empty().then_some(bytes)
}

// Never inlined, as `CompiledModel::bind`.
#[inline(never)]
fn unpack(packed: &[u8]) -> Result<Vec<u8>, BytesProblem> {
    let (size, packed) = uncompressed_size(packed).map_err(|_| BytesProblem::Damaged)?;
    if size > MAX_BYTES {
        return Err(BytesProblem::Damaged);
    }
    decompress(packed, size).map_err(|_| BytesProblem::Damaged)
}

#[cfg(test)]
mod tests {
    use super::{STANDARD, decode};
    use base64::Engine;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn encoded_bytes_are_decoded(bytes in proptest::collection::vec(any::<u8>(), 1..200)) {
            prop_assert_eq!(decode(STANDARD.encode(&bytes).as_bytes()), Some(bytes));
        }

        #[test]
        fn other_texts_are_refused_as_the_crate_refuses_them(text in "[A-Za-z0-9+/= é]{1,24}") {
            prop_assert_eq!(decode(text.as_bytes()), STANDARD.decode(&text).ok());
        }
    }
}
