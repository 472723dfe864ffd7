//! Operands of conditions.

use super::{Constant, DocumentPath};
use monotable_item::{AttributeType, EncodedValue};
use serde::{Deserialize, Serialize};

/// Something a condition compares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operand<P = DocumentPath, V = EncodedValue> {
    /// A value of the item.
    Path(P),
    /// A value of the request.
    Value(V),
    /// `size(...)`.
    Size(Box<Operand<P, V>>),
}

impl<P, V: Constant> Operand<P, V> {
    /// The type, where it does not depend on the item.
    pub fn static_type(&self) -> Option<AttributeType> {
        match self {
            Self::Path(_) => None,
            Self::Value(value) => Some(value.view().attribute_type()),
            Self::Size(_) => Some(AttributeType::N),
        }
    }
}

impl<P, V> Operand<P, V> {
    /// The document path that this operand is.
    pub const fn as_path(&self) -> Option<&P> {
        match self {
            Self::Path(path) => Some(path),
            Self::Value(_) | Self::Size(_) => None,
        }
    }

    /// The document path that this operand reads.
    pub fn read_path(&self) -> Option<&P> {
        match self {
            Self::Path(path) => Some(path),
            Self::Value(_) => None,
            Self::Size(operand) => operand.read_path(),
        }
    }
}
