//! AWS's sentences, word for word.
//!
//! Programs match on these texts, so they are a contract; `tests/wording.rs` pins each of them. Nobody
//! here asked Amazon DynamoDB itself: the texts come from what others recorded of it (dynalite, the tests
//! of ScyllaDB's Alternator and of paritysuite, bug reports). Those marked UNCONFIRMED have one source
//! that does not say how it knows, or sources that differ.

use crate::tree::{DocumentPath, PathStep};
use crate::{ExpressionError, KeyConditionProblem, PlaceholderProblem, Problem, UpdateError};
use monotable_item::{AttributeType, EncodedValue, NumberError, ValueView};
use std::fmt::{self, Display, Formatter};

impl Display for ExpressionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { kind, problem } => write!(f, "Invalid {}: {problem}", kind.name()),
            Self::Placeholders(problem) => problem.fmt(f),
            Self::KeyCondition(problem) => problem.fmt(f),
        }
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("The expression can not be empty;"),
            Self::TooLong { size } => write!(
                f,
                "Expression size has exceeded the maximum allowed size; expression size: {size}"
            ),
            Self::Syntax { token, near } => {
                write!(f, "Syntax error; token: \"{token}\", near: \"{near}\"")
            }
            Self::RedundantParentheses => f.write_str("The expression has redundant parentheses;"),
            Self::UnknownFunction { name } => write!(f, "Invalid function name; function: {name}"),
            // UNCONFIRMED, with the next: the words of DynamoDB Local.
            Self::FunctionInCondition { name } => write!(
                f,
                "The function is not allowed in a condition expression; function: {name}"
            ),
            Self::FunctionInUpdate { name } => write!(
                f,
                "The function is not allowed in an update expression; function: {name}"
            ),
            Self::MisusedFunction { name } => write!(
                f,
                "The function is not allowed to be used this way in an expression; function: {name}"
            ),
            Self::ReservedWord { word } => write!(
                f,
                "Attribute name is a reserved keyword; reserved keyword: {word}"
            ),
            Self::ListIndex { index } => write!(
                f,
                "List index is not within the allowable range; index: [{index}]"
            ),
            Self::TooManyOperators { count } => write!(
                f,
                "The expression contains too many operators; operator count: {count}"
            ),
            Self::RepeatedClause { clause } => write!(
                f,
                "The \"{clause}\" section can only be used once in an update expression;"
            ),
            Self::UndefinedName { key } => write!(
                f,
                "An expression attribute name used in the document path is not defined; \
                 attribute name: {key}"
            ),
            Self::UndefinedValue { key } => write!(
                f,
                "An expression attribute value used in expression is not defined; \
                 attribute value: {key}"
            ),
            Self::PathTooDeep { levels } => write!(
                f,
                "The document path has too many nesting levels; nesting levels: {levels}"
            ),
            Self::OperandCount { operator, count } => write!(
                f,
                "Incorrect number of operands for operator or function; \
                 operator or function: {operator}, number of operands: {count}"
            ),
            Self::SameOperand { operator, path } => write!(
                f,
                "The first operand must be distinct from the remaining operands for this operator \
                 or function; operator: {operator}, first operand: {}",
                Elements(path)
            ),
            Self::PathRequired { operator } => write!(
                f,
                "Operator or function requires a document path; operator or function: {operator}"
            ),
            Self::OperandType {
                operator,
                attribute_type,
            } => write!(
                f,
                "Incorrect operand type for operator or function; \
                 operator or function: {operator}, operand type: {attribute_type}"
            ),
            Self::OperandOfAnyType { operator } => write!(
                f,
                "Incorrect operand type for operator or function; \
                 operator or function: {operator}, \
                 operand type: {{NS,SS,L,BS,N,M,B,BOOL,NULL,S}}"
            ),
            Self::ActionType {
                clause,
                attribute_type,
            } => write!(
                f,
                "Incorrect operand type for operator or function; operator: {clause}, \
                 operand type: {}, typeSet: ALLOWED_FOR_{clause}_OPERAND",
                long_name(*attribute_type)
            ),
            // UNCONFIRMED: the order of the types is that of a Java set, and differs between records.
            Self::TypeName { name } => write!(
                f,
                "Invalid attribute type name found; type: {name}, \
                 valid types: {{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}"
            ),
            Self::BetweenTypes { lower, upper } => write!(
                f,
                "The BETWEEN operator requires same data type for lower and upper bounds; {}",
                Bounds { lower, upper }
            ),
            Self::BetweenOrder { lower, upper } => write!(
                f,
                "The BETWEEN operator requires upper bound to be greater than or equal to lower \
                 bound; {}",
                Bounds { lower, upper }
            ),
            Self::TooManyCandidates { count } => write!(
                f,
                "The IN operator is provided with too many operands; number of operands: {count}"
            ),
            Self::Overlap { one, two } => write!(
                f,
                "Two document paths overlap with each other; must remove or rewrite one of these \
                 paths; path one: {}, path two: {}",
                Elements(one),
                Elements(two)
            ),
            Self::Conflict { one, two } => write!(
                f,
                "Two document paths conflict with each other; must remove or rewrite one of these \
                 paths; path one: {}, path two: {}",
                Elements(one),
                Elements(two)
            ),
        }
    }
}

impl Display for PlaceholderProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameKey { key } => write!(
                f,
                "ExpressionAttributeNames contains invalid key: Syntax error; key: \"{key}\""
            ),
            Self::NameKeyTooLong { size } => write!(
                f,
                "ExpressionAttributeNames contains invalid key: The expression attribute map \
                 contains a key that is too long; size of key: {size}"
            ),
            Self::EmptyName { key } => write!(
                f,
                "ExpressionAttributeNames contains invalid value: Empty attribute name for key {key}"
            ),
            Self::ValueKey { key } => write!(
                f,
                "ExpressionAttributeValues contains invalid key: Syntax error; key: \"{key}\""
            ),
            // The limit is documented, the words are ours.
            Self::TooLarge => f.write_str(
                "ExpressionAttributeNames and ExpressionAttributeValues exceed the maximum allowed \
                 aggregate size of 2 MB",
            ),
            // UNCONFIRMED, like the two on names that are too long or empty.
            Self::ValueKeyTooLong => f.write_str(
                "ExpressionAttributeValues contains invalid key: The expression attribute map \
                 contains a key that is too long;",
            ),
            Self::UnusedNames { keys } => write!(
                f,
                "Value provided in ExpressionAttributeNames unused in expressions: keys: {{{}}}",
                keys.join(", ")
            ),
            Self::UnusedValues { keys } => write!(
                f,
                "Value provided in ExpressionAttributeValues unused in expressions: keys: {{{}}}",
                keys.join(", ")
            ),
        }
    }
}

impl Display for KeyConditionProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator { operator } => write!(
                f,
                "Invalid operator used in KeyConditionExpression: {operator}"
            ),
            Self::NestedOperation => {
                f.write_str("KeyConditionExpressions cannot contain nested operations")
            }
            Self::FirstOperand { operator } => write!(
                f,
                "Invalid condition in KeyConditionExpression: {operator} operator must have the \
                 key attribute as its first operand"
            ),
            Self::TwoAttributes => f.write_str(
                "Invalid condition in KeyConditionExpression: Multiple attribute names used in one \
                 condition",
            ),
            Self::NestedAttribute => {
                f.write_str("KeyConditionExpressions cannot have conditions on nested attributes")
            }
            Self::NoAttribute => f.write_str(
                "Invalid condition in KeyConditionExpression: No key attribute specified",
            ),
            // Recorded in 2026 with the expression's name before it, in 2023 without. The others of this
            // family are recorded only without, and long ago. UNCONFIRMED whether they still are.
            Self::RepeatedAttribute => f.write_str(
                "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one \
                 condition per key",
            ),
            Self::TooManyConditions {
                conditions,
                attributes,
            } => write!(
                f,
                "The number of query conditions ({conditions}) exceeds the number of key \
                 attributes defined in the schema ({attributes})"
            ),
            Self::MissingAttribute { name } => {
                write!(f, "Query condition missed key schema element: {name}")
            }
            Self::MissingPartitionKey { missing } => write!(
                f,
                "HASH key attributes {} must have equality conditions specified in the query",
                missing.join(", ")
            ),
            Self::NotIndexable => {
                f.write_str("Attempted conditional constraint is not an indexable operation")
            }
            Self::NotEquality => f.write_str("Query key condition not supported"),
            Self::GapInSortKey { missing, present } => write!(
                f,
                "RANGE key attributes {} must have equality conditions specified in the query \
                 because a condition is present on key attribute {present}",
                missing.join(", ")
            ),
        }
    }
}

impl Display for UpdateError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidPath => f.write_str(
                "The document path provided in the update expression is invalid for update",
            ),
            Self::OperandType => {
                f.write_str("An operand in the update expression has an incorrect data type")
            }
            Self::AttributeType => f.write_str("Type mismatch for attribute to update"),
            Self::MissingAttribute => f.write_str(
                "The provided expression refers to an attribute that does not exist in the item",
            ),
            // What is too exact to be a sum, AWS calls too large.
            Self::Number(NumberError::TooManyDigits) => NumberError::Overflow.fmt(f),
            Self::Number(error) => error.fmt(f),
        }
    }
}

/// A document path as AWS lists its elements: `[a, b, [3]]`.
struct Elements<'a>(&'a DocumentPath);

impl Display for Elements<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "[{}", self.0.attribute())?;
        for step in self.0.steps() {
            match step {
                PathStep::Name(name) => write!(f, ", {name}")?,
                PathStep::Index(index) => write!(f, ", [{index}]")?,
            }
        }
        f.write_str("]")
    }
}

/// The bounds of a `BETWEEN`.
struct Bounds<'a> {
    lower: &'a EncodedValue,
    upper: &'a EncodedValue,
}

impl Display for Bounds<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "lower bound operand: {}, upper bound operand: {}",
            Bound(self.lower.view()),
            Bound(self.upper.view())
        )
    }
}

/// One bound, as Java prints it.
struct Bound<'a>(ValueView<'a>);

impl Display for Bound<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "AttributeValue: {{{}:", self.0.attribute_type())?;
        match self.0 {
            ValueView::S(text) => f.write_str(text)?,
            ValueView::N(number) => f.write_str(number.as_str())?,
            ValueView::B(bytes) => {
                let length = bytes.len();
                write!(
                    f,
                    "java.nio.HeapByteBuffer[pos=0 lim={length} cap={length}]"
                )?;
            }
            // Values of other types are refused as operands before they are compared as bounds.
            _ => {}
        }
        f.write_str("}")
    }
}

/// The type as the messages on `ADD` and `DELETE` call it.
const fn long_name(attribute_type: AttributeType) -> &'static str {
    match attribute_type {
        AttributeType::S => "STRING",
        AttributeType::N => "NUMBER",
        AttributeType::B => "BINARY",
        AttributeType::Bool => "BOOLEAN",
        AttributeType::Null => "NULL",
        AttributeType::M => "MAP",
        AttributeType::L => "LIST",
        AttributeType::Ss => "STRING_SET",
        AttributeType::Ns => "NUMBER_SET",
        AttributeType::Bs => "BINARY_SET",
    }
}
