//! AWS's sentences about statements, word for word.
//!
//! They come from what others recorded of DynamoDB in 2026 (the tests of paritysuite, and those of floci), and where
//! nobody did, from DynamoDB Local. What follows `can't be processed:` are the messages of PartiQL's reference parser.

use super::error::{StatementError, StatementProblem};
use std::fmt::{self, Display, Formatter};

impl Display for StatementError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)?;
        match self.at {
            Some(position) => write!(f, " at {position}"),
            None => Ok(()),
        }
    }
}

impl Display for StatementProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(sentence) = self.sentence() {
            return f.write_str(sentence);
        }
        match self {
            Self::Malformed(detail) => {
                write!(
                    f,
                    "Statement wasn't well formed, can't be processed: {detail}"
                )
            }
            Self::UnsupportedOperation(name) => write!(f, "Unsupported operation: {name}"),
            Self::UnsupportedClause(name) => write!(f, "Unsupported clause: {name}"),
            Self::UnsupportedToken(name) => write!(f, "Unsupported token in expression: {name}"),
            Self::ConditionOperator(operator) => write!(
                f,
                "Unsupported operator in Condition Expression. Operator: {operator}"
            ),
            Self::UpdateOperator(operator) => write!(
                f,
                "Unsupported operator in Update Expression. Operator: {operator}"
            ),
            Self::UnknownFunction(name) => write!(f, "Unrecognized function: {name}"),
            Self::DuplicateColumn(name) => {
                write!(f, "Duplicate identifiers in select clause: {name}")
            }
            Self::ListIndex(index) => write!(
                f,
                "List index is not within the allowable range; index: [{index}]"
            ),
            Self::IsType(name) => write!(
                f,
                "Unsupported data type for IS operator: {}. Supported data types are \
                 [MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]",
                name.to_ascii_uppercase()
            ),
            Self::Expression(problem) => problem.fmt(f),
            Self::OrderTerm(name) => write!(
                f,
                "Argument to ORDER BY must be of type VariableReference. Type: {name}"
            ),
            Self::OrderOutsideKey(name) => write!(
                f,
                "Attribute {name} in ORDER BY clause must be part of the primary key"
            ),
            Self::ReturningOfDelete(returning) => write!(
                f,
                "Invalid returning clause: RETURNING {returning} *. \
                 Only RETURNING ALL OLD * is allowed in DELETE statements."
            ),
            Self::SetArguments(function) => write!(f, "{function} must have exactly two arguments"),
            Self::SetTarget(function) => write!(
                f,
                "The first argument to {function} must equal the assignment value"
            ),
            Self::SetOperand(function) => write!(
                f,
                "The second argument to {function} must be a value with type SET"
            ),
            Self::DataType { name, path } => {
                write!(f, "Unsupported data type: {name} under key {path}")
            }
            Self::Number { error, path } => write!(f, "{error} under {path}"),
            Self::DuplicateNumbers { numbers, path } => write!(
                f,
                "One or more parameter values were invalid: \
                 Input collection [{}] contains duplicates! under {path}",
                numbers.join(", ")
            ),
            Self::NegativeZero { path } => {
                write!(f, "Negative zero decimal is not supported under key {path}")
            }
            Self::Value(problem) => problem.fmt(f),
            Self::TooDeep { path } => write!(
                f,
                "Nesting Levels have exceeded supported limits under {path}"
            ),
            Self::DuplicateKey { key, path } => {
                write!(f, "Duplicate keys in tuple. Key: {key} under {path}")
            }
            Self::KeyType { name, path } => write!(
                f,
                "Tuple keys must be of type String. Actual type: {name} under {path}"
            ),
            Self::SeveralValuesForKey(name) => write!(
                f,
                "Multiple conditions on same key {name}. \
                 Only single item Update/Insert/Delete are supported"
            ),
            Self::KeyValueType {
                name,
                attribute_type,
            } => write!(
                f,
                "Key value must be of type S, N, or B. Key name: {name}, Key type: {attribute_type}"
            ),
            Self::KeyTypeMismatch(name) => write!(
                f,
                "Key attribute's data type should match its data type in table's schema: Key {name}"
            ),
            // INVARIANT: the others are whole sentences.
            _ => Ok(()),
        }
    }
}

impl StatementProblem {
    /// The sentence, if it has no blanks.
    const fn sentence(&self) -> Option<&'static str> {
        Some(match self {
            Self::ParameterCount => "Number of parameters in request and statement don't match.",
            Self::Alias => "Aliasing is not supported",
            Self::FromSource => "Unexpected from source",
            Self::SeveralSources => "Only select from a single table or index is supported.",
            Self::EmptyPathComponent => "Path component cannot be an empty string",
            Self::TooManyPathComponents => {
                "A path may contain at most 2 components in the FROM clause"
            }
            Self::WriteToIndex => "This operation is not supported on an index",
            Self::InsertIntoIndex => "FROM clause may only contain a single table name",
            Self::TableName => {
                "Table name should be within the length [3, 255] and only contain \
                 'a-z', 'A-Z', '0-9', '-', '_', '.'."
            }
            Self::PathComponent => "Unexpected path component",
            Self::ValueProjection => "Select projection doesn't support value or pivot keywords",
            Self::ProjectAll => "Changing item's hierarchy while reading isn't supported",
            Self::UnpivotPath => "Unpivot path component like a.*.b are not supported",
            Self::WildcardPath => "Wildcard path component like a[*].b are not supported",
            Self::NoCondition => {
                "WHERE clause must contain an expression that resolves to a boolean"
            }
            Self::AndOrOperand => "The arguments to AND/OR must be Expressions",
            Self::NotOperand => "The argument to NOT must be a Type or Expression",
            Self::InOperand => {
                "IN operator must have a left hand argument of type Variable Reference and right \
                 hand argument of type Seq with at least one member"
            }
            Self::IsOperand => {
                "The left hand side argument to IS must be a Variable Reference, Literal, or Path"
            }
            Self::IsInUpdate => "IS operator is not supported in update expressions",
            Self::MissingLiteral => "MISSING must be compared using IS operator",
            Self::OrderWithoutCondition => {
                "Must have WHERE clause in the statement when using ORDER BY clause."
            }
            Self::OrderWithoutPartition => {
                "Must have at least one non-optional hash key condition in WHERE clause when \
                 using ORDER BY clause."
            }
            Self::OrderOfPartitions => {
                "Must have hash key in ORDER BY clause when more than one hash key condition \
                 specified in WHERE clause."
            }
            Self::ReturningElement => {
                "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause"
            }
            Self::ReturningSeveral => {
                "Invalid syntax with multiple returning elements in RETURNING clause"
            }
            Self::ReturningOfInsert => "RETURNING is not supported in INSERT",
            Self::InsertFormat => {
                "Unsupported format in item expression. Please use struct format {...} to express \
                 item values for insert statement."
            }
            Self::InsertSeveral => {
                "Unsupported operation: Inserting multiple items in a single statement is not \
                 supported, use \"INSERT INTO tableName VALUE item\" instead"
            }
            Self::InsertAt => "AT is not supported in insert statements.",
            Self::ExistsOutsideTransaction => {
                "EXISTS can only be used in ExecuteTransaction write requests."
            }
            Self::EmptyBag => "Empty bags are not supported",
            Self::BagElement => {
                "Unsupported data type in Bag. DynamoDB only supports either numbers or strings \
                 in bags"
            }
            Self::IncompleteKey => {
                "Where clause does not contain a mandatory equality on all key attributes"
            }
            Self::TransactionReadWithoutKey => {
                "Select statements within ExecuteTransaction must specify the primary key in the \
                 where clause."
            }
            Self::BatchReadWithoutKey => {
                "Select statements within BatchExecuteStatement must specify the primary key in \
                 the where clause."
            }
            Self::TransactionReadOfIndex => {
                "Reads on indices are not supported within transactions."
            }
            Self::TransactionWriteToIndex => {
                "Operations on indices are not supported in transactions"
            }
            Self::ExistsWithoutCondition => {
                "EXISTS() must contain a single item read with additional condition"
            }
            Self::ReturningInTransaction => {
                "RETURNING clause is not supported in ExecuteTransaction."
            }
            Self::OverlappingReads => {
                "Overlapping conditions with range keys are not supported in where clause"
            }
            Self::TooManyReads => "Too many decomposed read operations for a given query.",
            _ => return None,
        })
    }
}
