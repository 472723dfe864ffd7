//! Changed copies of inputs, for runs without a fuzzer.

use fastrand::Rng;

/// Bits of text that mean something somewhere.
const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    ":",
    ",",
    "#",
    "..",
    "*",
    "null",
    "true",
    "-1",
    "1e400",
    "18446744073709551616",
    "\\u0000",
    "\\ud800",
    "AND",
    "OR",
    "NOT",
    "BETWEEN",
    "IN",
    "SET",
    "REMOVE",
    "size",
    "attribute_exists",
    "[0]",
    "[99999]",
    "\u{e9}",
    "\u{10ffff}",
    "\r\n",
    "\0",
    "${aws:username}",
    "{now}",
    "?",
    "->",
    "|",
    "optional",
    "=",
    "%",
    "%zz",
];

/// Changes an input in one to four ways; `other` lends parts of itself.
#[must_use]
pub fn mutate(random: &mut Rng, input: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..random.u8(1..=4) {
        let place = random.usize(0..=bytes.len());
        let end = (place + random.usize(0..32)).min(bytes.len());
        match random.u8(0..7) {
            0 => {
                if let Some(byte) = bytes.get_mut(place) {
                    *byte ^= 1 << random.u8(0..8);
                }
            }
            1 => {
                if let Some(byte) = bytes.get_mut(place) {
                    *byte = random.u8(..);
                }
            }
            2 => drop(bytes.drain(place..end)),
            3 => bytes.truncate(place),
            4 => {
                let part: Vec<u8> = bytes.get(place..end).unwrap_or_default().to_vec();
                drop(bytes.splice(place..place, part));
            }
            5 => {
                let word = random.choice(WORDS).copied().unwrap_or_default();
                drop(bytes.splice(place..place, word.bytes()));
            }
            _ => {
                let from = random.usize(0..=other.len());
                let to = (from + random.usize(0..64)).min(other.len());
                let part: Vec<u8> = other.get(from..to).unwrap_or_default().to_vec();
                drop(bytes.splice(place..end, part));
            }
        }
    }
    bytes
}
