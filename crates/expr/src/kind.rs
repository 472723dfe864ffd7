//! The six expressions a request can carry.

/// Which parameter of a request an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpressionKind {
    /// `ConditionExpression` of a write.
    Condition,
    /// `FilterExpression` of Query and Scan.
    Filter,
    /// `KeyConditionExpression` of Query.
    KeyCondition,
    /// `ProjectionExpression` of a read.
    Projection,
    /// `SearchConditionExpression` of SearchVectors.
    SearchCondition,
    /// `UpdateExpression` of UpdateItem.
    Update,
}

impl ExpressionKind {
    /// The parameter's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Condition => "ConditionExpression",
            Self::Filter => "FilterExpression",
            Self::KeyCondition => "KeyConditionExpression",
            Self::Projection => "ProjectionExpression",
            Self::SearchCondition => "SearchConditionExpression",
            Self::Update => "UpdateExpression",
        }
    }
}
