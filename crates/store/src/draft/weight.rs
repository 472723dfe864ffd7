//! How large items are, without encoding them.

use monotable_item::{AttributeValue, Item};

/// The most bytes that a number takes.
const NUMBER: usize = 21;

/// What a list or a map takes beside what is in it, and each of its elements.
const CONTAINER: usize = 3;
const ELEMENT: usize = 1;

/// As many bytes as an item has at the most, as AWS counts them.
pub(super) fn bound_size(item: &Item) -> usize {
    let sizes = item.iter();
    let sizes = sizes.map(|(name, value)| name.len() + bound_value(value));
    sizes.sum()
}

fn bound_value(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(_) => NUMBER,
        AttributeValue::B(bytes) => bytes.len(),
        AttributeValue::Bool(_) | AttributeValue::Null => 1,
        AttributeValue::M(item) => CONTAINER + item.len() * ELEMENT + bound_size(item),
        AttributeValue::L(values) => {
            let sizes = values.iter().map(|value| ELEMENT + bound_value(value));
            CONTAINER + sizes.sum::<usize>()
        }
        AttributeValue::Ss(texts) => texts.iter().map(String::len).sum(),
        AttributeValue::Ns(numbers) => numbers.len() * NUMBER,
        AttributeValue::Bs(bytes) => bytes.iter().map(|bytes| bytes.len()).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::EncodedItem;

    #[test]
    fn the_bound_is_never_less_than_the_size() {
        let numbers = [
            "0",
            "-1",
            "12345678901234567890123456789012345678",
            "1e-130",
        ];
        let numbers = numbers.map(|text| AttributeValue::N(text.parse().unwrap_or(0.into())));
        let list = AttributeValue::L(numbers.to_vec());
        let inner = Item::new().with("a", list.clone()).with("b", true);
        let item = Item::new()
            .with("text", "äöü")
            .with("list", list)
            .with("map", AttributeValue::M(inner))
            .with("null", AttributeValue::Null)
            .with("bytes", AttributeValue::B(vec![1, 2, 3]));
        assert!(bound_size(&item) >= EncodedItem::from(&item).size());
        assert_eq!(bound_size(&Item::new()), 0);
    }
}
