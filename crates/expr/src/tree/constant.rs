//! The values that stand in a tree.

use monotable_item::{EncodedValue, ValueView};

/// A value that does not depend on the item.
pub trait Constant {
    /// The value.
    fn view(&self) -> ValueView<'_>;
}

impl Constant for EncodedValue {
    fn view(&self) -> ValueView<'_> {
        Self::view(self)
    }
}
