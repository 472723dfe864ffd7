//! Rules that a given value can break. Displays in AWS's words.

use crate::NumberError;
use crate::limits::MAX_ATTRIBUTE_NAME_BYTES;
use std::fmt;

/// Why DynamoDB refuses a value that is well-formed JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueProblem {
    /// An attribute value without a type.
    NoType,
    /// An attribute value with two or more types.
    ManyTypes,
    /// `{"NULL": false}`.
    NullIsFalse,
    /// An empty string set.
    EmptyStringSet,
    /// An empty number set.
    EmptyNumberSet,
    /// An empty binary set.
    EmptyBinarySet,
    /// A string twice in a set; the set as it was given.
    DuplicateStrings(Vec<String>),
    /// A number twice in a set.
    DuplicateNumbers,
    /// A binary value twice in a set; the set as it was given, in base64.
    DuplicateBinaries(Vec<String>),
    /// A number that DynamoDB cannot hold.
    Number(NumberError),
    /// Lists and maps too deep inside one another.
    TooDeep,
    /// An attribute without a name.
    EmptyName,
    /// An attribute name that is too long.
    NameTooLong,
}

/// Checks that an attribute may have this name.
pub fn check_attribute_name(name: &str) -> Result<(), ValueProblem> {
    if name.is_empty() {
        return Err(ValueProblem::EmptyName);
    }
    if name.len() > MAX_ATTRIBUTE_NAME_BYTES {
        return Err(ValueProblem::NameTooLong);
    }
    Ok(())
}

impl fmt::Display for ValueProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const INVALID: &str = "One or more parameter values were invalid:";
        match self {
            Self::NoType => f.write_str(
                "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
            ),
            Self::ManyTypes => f.write_str(
                "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
            ),
            Self::NullIsFalse => write!(
                f,
                "{INVALID} Null attribute value types must have the value of true"
            ),
            // The two spaces, the two articles and the missing space below are AWS's.
            Self::EmptyStringSet => write!(f, "{INVALID} An string set  may not be empty"),
            Self::EmptyNumberSet => write!(f, "{INVALID} An number set  may not be empty"),
            Self::EmptyBinarySet => write!(f, "{INVALID} Binary sets should not be empty"),
            Self::DuplicateStrings(set) => write!(
                f,
                "{INVALID} Input collection [{}] contains duplicates.",
                set.join(", ")
            ),
            Self::DuplicateNumbers => f.write_str("Input collection contains duplicates"),
            Self::DuplicateBinaries(set) => write!(
                f,
                "{INVALID} Input collection [{}]of type BS contains duplicates.",
                set.join(", ")
            ),
            Self::Number(problem) => problem.fmt(f),
            Self::TooDeep => f.write_str(
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
            ),
            Self::EmptyName => f.write_str("Empty attribute name"),
            Self::NameTooLong => write!(
                f,
                "{INVALID} Attribute name is too large, must be less than 65536 bytes"
            ),
        }
    }
}

impl std::error::Error for ValueProblem {}

impl From<NumberError> for ValueProblem {
    fn from(problem: NumberError) -> Self {
        Self::Number(problem)
    }
}
