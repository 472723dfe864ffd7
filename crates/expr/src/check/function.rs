//! The functions of expressions. Their names, unlike keywords, are written in lower case only.

use crate::Problem;

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    AttributeExists,
    AttributeNotExists,
    AttributeType,
    BeginsWith,
    Contains,
    Size,
    IfNotExists,
    ListAppend,
}

impl Function {
    const ALL: [Self; 8] = [
        Self::AttributeExists,
        Self::AttributeNotExists,
        Self::AttributeType,
        Self::BeginsWith,
        Self::Contains,
        Self::Size,
        Self::IfNotExists,
        Self::ListAppend,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::AttributeExists => "attribute_exists",
            Self::AttributeNotExists => "attribute_not_exists",
            Self::AttributeType => "attribute_type",
            Self::BeginsWith => "begins_with",
            Self::Contains => "contains",
            Self::Size => "size",
            Self::IfNotExists => "if_not_exists",
            Self::ListAppend => "list_append",
        }
    }

    pub(crate) fn named(name: &str) -> Result<Self, Problem> {
        Self::ALL
            .into_iter()
            .find(|function| function.name() == name)
            .ok_or_else(|| Problem::UnknownFunction { name: name.into() })
    }

    /// Whether the function belongs to updates; the others belong to conditions.
    pub(crate) const fn is_of_updates(self) -> bool {
        matches!(self, Self::IfNotExists | Self::ListAppend)
    }

    pub(crate) fn check_operand_count(self, count: usize) -> Result<(), Problem> {
        let wanted = match self {
            Self::AttributeExists | Self::AttributeNotExists | Self::Size => 1,
            _ => 2,
        };
        if count == wanted {
            return Ok(());
        }
        Err(Problem::OperandCount {
            operator: self.name().into(),
            count,
        })
    }
}
