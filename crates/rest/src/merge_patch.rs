//! Merge patches (RFC 7396): null removes a member, an object is merged, everything else is set.
//!
//! The store sets attributes as a whole. So an object for a map is merged here into what the row has, and the update is
//! made on the condition that the row still has that.

use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Entity, Kind};
use monotable_store::Change;

/// The objects of a patch, by the attribute that they are merged into.
#[derive(Clone, Debug)]
pub(crate) struct MergePatch {
    objects: Item,
}

impl MergePatch {
    /// What can be set without a look at the row, and what cannot.
    pub(crate) fn split(entity: &Entity, patch: Item) -> (Change, Option<Self>) {
        let is_merged = |name: &str, value: &AttributeValue| {
            let holds_maps = match entity.attribute(name) {
                Some(attribute) => matches!(attribute.kind, Kind::Map | Kind::Any),
                None => true,
            };
            holds_maps && matches!(value, AttributeValue::M(_))
        };
        let mut objects = Item::new();
        let mut set = Item::new();
        for (name, value) in patch.iter() {
            if is_merged(name, value) {
                objects.insert(name.clone(), value.clone());
            } else {
                set.insert(name.clone(), value.clone());
            }
        }
        let change = Change {
            set,
            ..Change::default()
        };
        (change, (!objects.is_empty()).then_some(Self { objects }))
    }

    /// The objects as the caller gave them.
    pub(crate) const fn objects(&self) -> &Item {
        &self.objects
    }

    /// The values that come of the patch, and those that the row must still have then.
    pub(crate) fn merge(&self, row: &Item) -> (Item, Item) {
        let mut set = Item::new();
        let mut expected = Item::new();
        for (name, patch) in self.objects.iter() {
            let current = row.get(name).cloned();
            let known = current.clone().unwrap_or(AttributeValue::Null);
            expected.insert(name.clone(), known);
            set.insert(name.clone(), merge_value(current, patch));
        }
        (set, expected)
    }
}

fn merge_value(current: Option<AttributeValue>, patch: &AttributeValue) -> AttributeValue {
    let AttributeValue::M(members) = patch else {
        return patch.clone();
    };
    let mut merged = match current {
        Some(AttributeValue::M(merged)) => merged,
        _ => Item::new(),
    };
    for (name, patch) in members.iter() {
        let current = merged.remove(name);
        if *patch != AttributeValue::Null {
            merged.insert(name.clone(), merge_value(current, patch));
        }
    }
    AttributeValue::M(merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_store::wire::read_item;

    /// The cases of RFC 7396, appendix A, whose patches are objects.
    #[test]
    fn objects_are_merged_as_the_rfc_says() {
        let cases = [
            (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
            (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
            (r#"{"a":"b"}"#, r#"{"a":null}"#, "{}"),
            (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
            (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
            (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
            (
                r#"{"a":{"b":"c"}}"#,
                r#"{"a":{"b":"d","c":null}}"#,
                r#"{"a":{"b":"d"}}"#,
            ),
            (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
            (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
            ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
        ];
        for (current, patch, wanted) in cases {
            let map = |text: &str| AttributeValue::M(read_item(text).unwrap());
            let merged = merge_value(Some(map(current)), &map(patch));
            assert_eq!(merged, map(wanted), "{current} and {patch}");
        }
    }
}
