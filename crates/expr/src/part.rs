//! Values on their way into a new item.

use monotable_item::{AttributeValue, EncodedItem, EncodedValue, ValueView};

/// A value that is either still where it was stored or newly made.
#[derive(Clone, Debug)]
pub(crate) enum Part<'a> {
    /// Copied as it is.
    Stored(ValueView<'a>),
    /// A map put together from parts.
    Map(EncodedItem),
    /// Any other new value.
    Built(EncodedValue),
}

impl Part<'_> {
    pub(crate) fn view(&self) -> ValueView<'_> {
        match self {
            Self::Stored(view) => *view,
            Self::Map(item) => ValueView::M(item.view()),
            Self::Built(value) => value.view(),
        }
    }
}

impl From<AttributeValue> for Part<'_> {
    fn from(value: AttributeValue) -> Self {
        Self::Built(EncodedValue::from(value))
    }
}
