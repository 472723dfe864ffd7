//! Values that rules look at.

use monotable_expr::predicate::{Finding, Path};
use monotable_expr::tree::PathStep;
use monotable_item::{AttributeValue, EncodedItem, Item, ValueView};
use std::borrow::Cow;
use std::sync::OnceLock;

/// The values of a row, of the caller, of the tenant or of the settings. Predicates look at encoded items; most paths ask for one
/// plain value, so nothing is encoded before a path asks for more.
#[derive(Clone, Debug)]
pub(super) struct Facts<'r> {
    values: Cow<'r, Item>,
    encoded: OnceLock<EncodedItem>,
}

impl<'r> From<&'r Item> for Facts<'r> {
    fn from(values: &'r Item) -> Self {
        Self {
            values: Cow::Borrowed(values),
            encoded: OnceLock::new(),
        }
    }
}

impl From<Item> for Facts<'_> {
    fn from(values: Item) -> Self {
        Self {
            values: Cow::Owned(values),
            encoded: OnceLock::new(),
        }
    }
}

impl Facts<'_> {
    /// What a path leads to, whatever its root is.
    pub(super) fn find(&self, path: &Path) -> Finding<'_> {
        if let [PathStep::Name(name)] = path.steps() {
            let Some(value) = self.values.get(name) else {
                return Finding::Absent;
            };
            if let Some(view) = view_plain(value) {
                return Finding::Value(view);
            }
        }
        let encoded = self
            .encoded
            .get_or_init(|| EncodedItem::from(self.values.as_ref()));
        path.resolve(encoded.view()).into()
    }
}

/// A value that looks the same encoded or not; none if it does not.
fn view_plain(value: &AttributeValue) -> Option<ValueView<'_>> {
    match value {
        AttributeValue::S(text) => Some(ValueView::S(text)),
        AttributeValue::B(bytes) => Some(ValueView::B(bytes)),
        AttributeValue::Bool(flag) => Some(ValueView::Bool(*flag)),
        AttributeValue::Null => Some(ValueView::Null),
        _ => None,
    }
}
