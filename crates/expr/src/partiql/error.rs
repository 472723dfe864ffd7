//! Why a statement is refused. `wording` says it in AWS's words.

use super::position::SourcePosition;
use crate::Problem;
use monotable_item::{AttributeType, NumberError, ValueProblem};

/// Why a statement is refused. Displays as AWS's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementError {
    /// What is wrong.
    pub problem: StatementProblem,
    /// Where, if AWS says so.
    pub at: Option<SourcePosition>,
}

/// What is wrong with a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are the blanks of the sentence in `wording`"
)]
pub enum StatementProblem {
    /// The text is not of the grammar.
    Malformed(&'static str),
    /// An expression, or something else that is no statement of DynamoDB's.
    UnsupportedOperation(&'static str),
    /// A clause that PartiQL has and DynamoDB does not.
    UnsupportedClause(&'static str),
    /// A word or an expression where it cannot stand.
    UnsupportedToken(String),
    /// An operator that conditions do not have.
    ConditionOperator(&'static str),
    /// An operator that updates do not have.
    UpdateOperator(&'static str),
    /// A function that does not exist, or not here.
    UnknownFunction(String),
    /// More or fewer parameters than `?`.
    ParameterCount,

    /// Another name for a table or a column.
    Alias,
    /// Something else than a table in FROM.
    FromSource,
    /// Two tables in FROM.
    SeveralSources,
    /// A name without characters.
    EmptyPathComponent,
    /// A table with more than an index behind it.
    TooManyPathComponents,
    /// A write to an index.
    WriteToIndex,
    /// An insert into an index.
    InsertIntoIndex,
    /// A name that no table can have.
    TableName,

    /// Something else than a path among the columns.
    PathComponent,
    /// Two columns of one name.
    DuplicateColumn(String),
    /// `SELECT VALUE` and `PIVOT`.
    ValueProjection,
    /// `a.*` among the columns.
    ProjectAll,
    /// `a.*.b`.
    UnpivotPath,
    /// `a[*].b`.
    WildcardPath,
    /// An index that is negative, or above 2^31 - 1.
    ListIndex(String),

    /// `WHERE` of something that is no condition.
    NoCondition,
    /// `AND` or `OR` of something that is no condition.
    AndOrOperand,
    /// `NOT` of something that is no condition.
    NotOperand,
    /// `IN` without a list.
    InOperand,
    /// `IS` of something that has no type.
    IsOperand,
    /// `IS` with a type that DynamoDB does not have.
    IsType(&'static str),
    /// `IS` in an update.
    IsInUpdate,
    /// `MISSING` as a value.
    MissingLiteral,
    /// A rule of expressions.
    Expression(Box<Problem>),

    /// ORDER BY of something that is no attribute.
    OrderTerm(&'static str),
    /// ORDER BY without WHERE.
    OrderWithoutCondition,
    /// ORDER BY of an attribute outside of the key.
    OrderOutsideKey(String),
    /// ORDER BY of a scan.
    OrderWithoutPartition,
    /// ORDER BY of several partitions that does not say their order.
    OrderOfPartitions,

    /// RETURNING of something else than `*`.
    ReturningElement,
    /// RETURNING of several things.
    ReturningSeveral,
    /// RETURNING that a DELETE cannot serve, as it was written.
    ReturningOfDelete(&'static str),
    /// RETURNING in an INSERT.
    ReturningOfInsert,

    /// An INSERT of something else than a map.
    InsertFormat,
    /// An INSERT of several items.
    InsertSeveral,
    /// An INSERT at a place.
    InsertAt,
    /// EXISTS outside of a transaction that writes.
    ExistsOutsideTransaction,
    /// `set_add` and `set_delete` of one argument, or three.
    SetArguments(&'static str),
    /// `set_add` and `set_delete` of another attribute than the one that is set.
    SetTarget(&'static str),
    /// `set_add` and `set_delete` with something that is no set.
    SetOperand(&'static str),

    /// An expression that is no value.
    DataType { name: String, path: String },
    /// A number that DynamoDB cannot hold.
    Number { error: NumberError, path: String },
    /// A number twice in a set.
    DuplicateNumbers { numbers: Vec<String>, path: String },
    /// -0.0
    NegativeZero { path: String },
    /// A value that breaks a rule.
    Value(ValueProblem),
    /// Lists and maps too deep inside one another.
    TooDeep { path: String },
    /// `<< >>`
    EmptyBag,
    /// A bag of something else than texts or numbers.
    BagElement,
    /// A name twice in a map.
    DuplicateKey { key: String, path: String },
    /// A name in a map that is no text.
    KeyType { name: String, path: String },

    /// A write without the whole key.
    IncompleteKey,
    /// A write with two values for a part of the key.
    SeveralValuesForKey(String),
    /// A read in a transaction with something else than the key.
    TransactionReadWithoutKey,
    /// A read in a batch with something else than the key.
    BatchReadWithoutKey,
    /// A read of an index in a transaction.
    TransactionReadOfIndex,
    /// EXISTS of an index in a transaction.
    TransactionWriteToIndex,
    /// EXISTS with something else than the key and a condition.
    ExistsWithoutCondition,
    /// RETURNING in a transaction.
    ReturningInTransaction,
    /// Reads of one key range twice.
    OverlappingReads,
    /// More reads than AWS makes of one statement.
    TooManyReads,
    /// A key that is no scalar.
    KeyValueType {
        name: String,
        attribute_type: AttributeType,
    },
    /// A key of another type than the table's.
    KeyTypeMismatch(String),
}

impl StatementProblem {
    /// The problem, at the place that AWS names.
    pub(super) const fn at(self, position: SourcePosition) -> StatementError {
        StatementError {
            problem: self,
            at: Some(position),
        }
    }
}

impl From<StatementProblem> for StatementError {
    fn from(problem: StatementProblem) -> Self {
        Self { problem, at: None }
    }
}

impl From<Problem> for StatementError {
    fn from(problem: Problem) -> Self {
        StatementProblem::Expression(Box::new(problem)).into()
    }
}

impl std::error::Error for StatementError {}
