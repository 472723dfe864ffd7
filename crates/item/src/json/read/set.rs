//! The elements of a set, as they are given.

use crate::limits::MAX_ITEM_BYTES;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// The elements of a set. A set with as many elements as an item has bytes at most is in no item, so no more of them are kept:
/// sorted and compared, an element of two bytes takes dozens.
pub(super) struct SetElements<T>(pub(super) Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SetElements<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ElementsVisitor(PhantomData))
    }
}

struct ElementsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ElementsVisitor<T> {
    type Value = SetElements<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<SetElements<T>, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element()? {
            if elements.len() >= MAX_ITEM_BYTES {
                return Err(A::Error::custom(format_args!(
                    "A set has more than {MAX_ITEM_BYTES} elements"
                )));
            }
            elements.push(element);
        }
        Ok(SetElements(elements))
    }
}
