//! The first byte of a value. Part of the format on disk: numbers are never reused.

pub(crate) const NULL: u8 = 0;
pub(crate) const FALSE: u8 = 1;
pub(crate) const TRUE: u8 = 2;
pub(crate) const S: u8 = 3;
pub(crate) const N: u8 = 4;
pub(crate) const B: u8 = 5;
pub(crate) const M: u8 = 6;
pub(crate) const L: u8 = 7;
pub(crate) const SS: u8 = 8;
pub(crate) const NS: u8 = 9;
pub(crate) const BS: u8 = 10;
