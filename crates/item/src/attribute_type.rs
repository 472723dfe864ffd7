//! The ten types of an attribute value.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The type of an attribute value, by its DynamoDB descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AttributeType {
    /// String.
    S,
    /// Number.
    N,
    /// Binary.
    B,
    /// Boolean.
    Bool,
    /// Null.
    Null,
    /// Map.
    M,
    /// List.
    L,
    /// String set.
    Ss,
    /// Number set.
    Ns,
    /// Binary set.
    Bs,
}

impl AttributeType {
    /// Every type, in the order of the API reference.
    pub const ALL: [Self; 10] = [
        Self::S,
        Self::N,
        Self::B,
        Self::Bool,
        Self::Null,
        Self::M,
        Self::L,
        Self::Ss,
        Self::Ns,
        Self::Bs,
    ];

    /// The descriptor as it stands in DynamoDB's JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
            Self::Bool => "BOOL",
            Self::Null => "NULL",
            Self::M => "M",
            Self::L => "L",
            Self::Ss => "SS",
            Self::Ns => "NS",
            Self::Bs => "BS",
        }
    }

    /// Whether values of this type may be a key.
    pub const fn is_key_type(self) -> bool {
        matches!(self, Self::S | Self::N | Self::B)
    }
}

impl fmt::Display for AttributeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names none of the ten types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownType;

impl fmt::Display for UnknownType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a DynamoDB type: expected one of S, N, B, BOOL, NULL, M, L, SS, NS, BS")
    }
}

impl std::error::Error for UnknownType {}

impl FromStr for AttributeType {
    type Err = UnknownType;

    fn from_str(text: &str) -> Result<Self, UnknownType> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or(UnknownType)
    }
}
