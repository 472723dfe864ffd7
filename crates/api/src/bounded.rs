//! Lists and maps of requests that are not made of structures: their elements count as structures do.

use monotable_item::charge;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// What an element costs beside itself.
const ALLOCATION: usize = 32;

/// Reads a list that may be absent.
pub(crate) fn list<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let list: Option<Bounded<Vec<T>>> = Option::deserialize(deserializer)?;
    Ok(list.map(|list| list.0))
}

/// Reads a map that may be absent.
pub(crate) fn map<'de, D, T>(deserializer: D) -> Result<Option<BTreeMap<String, T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let map: Option<Bounded<BTreeMap<String, T>>> = Option::deserialize(deserializer)?;
    Ok(map.map(|map| map.0))
}

struct Bounded<T>(T);

struct BoundedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Bounded<Vec<T>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BoundedVisitor::<Vec<T>>(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedVisitor<Vec<T>> {
    type Value = Bounded<Vec<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            charge(size_of::<T>() + ALLOCATION)?;
            list.push(element);
        }
        Ok(Bounded(list))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Bounded<BTreeMap<String, T>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(BoundedVisitor::<BTreeMap<String, T>>(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedVisitor<BTreeMap<String, T>> {
    type Value = Bounded<BTreeMap<String, T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((name, value)) = entries.next_entry()? {
            charge(size_of::<(String, T)>() + ALLOCATION)?;
            map.insert(name, value);
        }
        Ok(Bounded(map))
    }
}
