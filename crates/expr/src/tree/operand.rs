//! Operands of conditions.

use super::DocumentPath;
use monotable_item::{AttributeType, EncodedValue};

/// Something a condition compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value of the item.
    Path(DocumentPath),
    /// A value of the request.
    Value(EncodedValue),
    /// `size(...)`.
    Size(Box<Operand>),
}

impl Operand {
    /// The type, where it does not depend on the item.
    pub fn static_type(&self) -> Option<AttributeType> {
        match self {
            Self::Path(_) => None,
            Self::Value(value) => Some(value.view().attribute_type()),
            Self::Size(_) => Some(AttributeType::N),
        }
    }

    /// The document path that this operand is.
    pub const fn as_path(&self) -> Option<&DocumentPath> {
        match self {
            Self::Path(path) => Some(path),
            Self::Value(_) | Self::Size(_) => None,
        }
    }

    /// The document path that this operand reads.
    pub fn read_path(&self) -> Option<&DocumentPath> {
        match self {
            Self::Path(path) => Some(path),
            Self::Value(_) => None,
            Self::Size(operand) => operand.read_path(),
        }
    }
}
