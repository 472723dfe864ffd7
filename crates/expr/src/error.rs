//! Why an expression is refused. `wording` says it in AWS's words.

use crate::ExpressionKind;
use crate::tree::DocumentPath;
use monotable_item::{AttributeType, EncodedValue};

/// Why a request's expressions are refused. Displays as AWS's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionError {
    /// One expression is wrong.
    Invalid {
        /// Which one.
        kind: ExpressionKind,
        /// What is wrong with it.
        problem: Problem,
    },
    /// The substitutions are wrong.
    Placeholders(PlaceholderProblem),
    /// The key condition is a condition, but not one on a key.
    KeyCondition(KeyConditionProblem),
}

/// What is wrong with one expression.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are the blanks of the sentence in `wording`"
)]
pub enum Problem {
    /// The text is empty.
    Empty,
    /// The text is longer than 4 KB.
    TooLong { size: usize },
    /// The text is not of the grammar.
    Syntax { token: String, near: String },
    /// Parentheses directly around parentheses.
    RedundantParentheses,
    /// No such function.
    UnknownFunction { name: String },
    /// A function of updates in a condition.
    FunctionInCondition { name: String },
    /// A function of conditions in an update.
    FunctionInUpdate { name: String },
    /// A condition used as an operand, or the reverse.
    MisusedFunction { name: String },
    /// A reserved word used as an attribute.
    ReservedWord { word: String },
    /// An index above 2^31 - 1.
    ListIndex { index: String },
    /// More than 300 operators and functions.
    TooManyOperators { count: usize },
    /// A clause of an update that comes twice.
    RepeatedClause { clause: &'static str },
    /// A `#name` without substitution.
    UndefinedName { key: String },
    /// A `:value` without substitution.
    UndefinedValue { key: String },
    /// A path of more than 32 elements.
    PathTooDeep { levels: usize },
    /// A function with too few or too many operands.
    OperandCount { operator: String, count: usize },
    /// An operand that is compared with itself.
    SameOperand {
        operator: &'static str,
        path: DocumentPath,
    },
    /// A value where only a document path may stand.
    PathRequired { operator: &'static str },
    /// A value of a type that the operator does not take.
    OperandType {
        operator: &'static str,
        attribute_type: AttributeType,
    },
    /// A document path for `attribute_type`'s type, which could be anything.
    OperandOfAnyType { operator: &'static str },
    /// A value of a type that `ADD` or `DELETE` does not take.
    ActionType {
        clause: &'static str,
        attribute_type: AttributeType,
    },
    /// A text that names no type.
    TypeName { name: String },
    /// Bounds of `BETWEEN` of two types.
    BetweenTypes {
        lower: EncodedValue,
        upper: EncodedValue,
    },
    /// Bounds of `BETWEEN` in the wrong order.
    BetweenOrder {
        lower: EncodedValue,
        upper: EncodedValue,
    },
    /// More than 100 operands of `IN`.
    TooManyCandidates { count: usize },
    /// Two paths of which one is, or contains, the other.
    Overlap {
        one: DocumentPath,
        two: DocumentPath,
    },
    /// Two paths that take one value for a map and for a list.
    Conflict {
        one: DocumentPath,
        two: DocumentPath,
    },
}

/// What is wrong with the substitutions of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are the blanks of the sentence in `wording`"
)]
pub enum PlaceholderProblem {
    /// A key of ExpressionAttributeNames that is not `#` and a word.
    NameKey { key: String },
    /// A key of ExpressionAttributeNames above 255 bytes.
    NameKeyTooLong { size: usize },
    /// An empty attribute name.
    EmptyName { key: String },
    /// A key of ExpressionAttributeValues that is not `:` and a word.
    ValueKey { key: String },
    /// A key of ExpressionAttributeValues above 255 bytes.
    ValueKeyTooLong,
    /// Names and values together are larger than a request may bring.
    TooLarge,
    /// Names that no expression uses.
    UnusedNames { keys: Vec<String> },
    /// Values that no expression uses.
    UnusedValues { keys: Vec<String> },
}

/// Why a condition is not a condition on a key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are the blanks of the sentence in `wording`"
)]
pub enum KeyConditionProblem {
    /// An operator or function that keys do not have.
    Operator { operator: &'static str },
    /// A function inside a condition.
    NestedOperation,
    /// `BETWEEN` or `begins_with` of something else than a key attribute.
    FirstOperand { operator: &'static str },
    /// Two attributes in one condition.
    TwoAttributes,
    /// A path into an attribute.
    NestedAttribute,
    /// A condition without attribute.
    NoAttribute,
    /// Two conditions on one attribute.
    RepeatedAttribute,
    /// More conditions than the key has attributes.
    TooManyConditions {
        conditions: usize,
        attributes: usize,
    },
    /// No condition on a key attribute that needs one.
    MissingAttribute { name: String },
    /// No equality on attributes of the partition key of a key of several attributes.
    MissingPartitionKey { missing: Vec<String> },
    /// A comparison that no key answers, on an attribute of the key.
    NotIndexable,
    /// Something else than `=` on the partition key.
    NotEquality,
    /// A condition on a sort key attribute while those before it are not all fixed.
    GapInSortKey {
        missing: Vec<String>,
        present: String,
    },
}

impl Problem {
    /// The error of an expression of this kind.
    pub(crate) const fn of(self, kind: ExpressionKind) -> ExpressionError {
        ExpressionError::Invalid {
            kind,
            problem: self,
        }
    }
}

impl std::error::Error for ExpressionError {}
