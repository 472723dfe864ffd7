//! BatchExecuteStatement: up to 25 PartiQL statements, each with an answer of its own.

mod error_code;

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::statement::{PreparedStatement, Refusal, StatementMembers};
use crate::structure::structure;
use crate::{Error, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure, wording};
pub use error_code::BatchStatementErrorCode;
use monotable_expr::partiql::{Statement, StatementProblem};
use monotable_item::{EncodedItem, GivenValue, limits};

structure! {
    /// A BatchExecuteStatement request.
    pub struct BatchExecuteStatementInput {
        /// The statements: all of them read, or all of them write.
        statements: Vec<BatchStatementRequest>,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
    }

    /// One statement.
    pub struct BatchStatementRequest {
        /// The statement.
        statement: String,
        /// What stands for its `?`s, in order.
        parameters: Vec<GivenValue>,
        /// Whether to see every write that was acknowledged before.
        consistent_read: bool,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// A BatchExecuteStatement answer.
    pub struct BatchExecuteStatementOutput {
        /// One for each statement, in the order of the request.
        responses: Vec<BatchStatementResponse>,
        /// The consumed capacity of the statements that were carried out, in the order of the request.
        consumed_capacity: Vec<ConsumedCapacity>,
    }

    /// What became of one statement.
    pub struct BatchStatementResponse {
        /// Why it was not carried out.
        error: BatchStatementError,
        /// Its table; absent if the statement could not be read.
        table_name: String,
        /// The item that was read, or what a write returns.
        item: EncodedItem,
    }

    /// Why a statement was not carried out.
    pub struct BatchStatementError {
        /// The kind of error.
        code: Chosen<BatchStatementErrorCode>,
        /// In words.
        message: String,
        /// The stored item, when the statement asked for it and its condition did not hold.
        item: EncodedItem,
    }
}

/// A BatchExecuteStatement request, checked.
#[derive(Clone, Debug)]
pub struct ValidBatchExecuteStatement {
    /// The statements, and why some of them are refused.
    pub statements: Vec<Result<BatchStatement, Error>>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
}

/// One statement, checked.
#[derive(Clone, Debug)]
pub struct BatchStatement {
    /// The statement.
    pub prepared: PreparedStatement,
    /// Whether to see every write that was acknowledged before.
    pub consistent: bool,
}

impl BatchExecuteStatementInput {
    /// These statements.
    pub fn new(statements: impl IntoIterator<Item = BatchStatementRequest>) -> Self {
        Self {
            statements: Some(statements.into_iter().collect()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidBatchExecuteStatement, Error> {
        const PATH: Path<'static> = Path::Root("statements");
        let mut constraints = Constraints::default();
        if let Some(statements) = constraints.required(PATH, &self.statements) {
            constraints.list_length(PATH, statements, 1..=limits::MAX_BATCH_STATEMENTS);
            for (index, statement) in statements.iter().enumerate() {
                let path = PATH.element(index);
                statement.members().constrain(&mut constraints, path);
            }
        }
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let statements = constraints.finish(self.statements)?;
        let statements: Vec<_> = statements
            .iter()
            .map(BatchStatementRequest::checked)
            .collect();
        let reads = |is_read: bool| {
            let known = statements.iter().flatten();
            known
                .filter(|statement| statement.prepared.statement.is_read() == is_read)
                .count()
        };
        if reads(true) > 0 && reads(false) > 0 {
            return Err(Error::validation(wording::MIXED_BATCH));
        }
        Ok(ValidBatchExecuteStatement {
            statements,
            capacity: capacity.unwrap_or_default(),
        })
    }
}

impl BatchStatementRequest {
    /// This statement.
    pub fn new(statement: impl Into<String>) -> Self {
        Self {
            statement: Some(statement.into()),
            ..Self::default()
        }
    }

    /// With this for its next `?`.
    pub fn parameter(mut self, value: impl Into<GivenValue>) -> Self {
        self.parameters.get_or_insert_default().push(value.into());
        self
    }

    const fn members(&self) -> StatementMembers<'_> {
        StatementMembers {
            statement: &self.statement,
            parameters: &self.parameters,
            on_failure: &self.return_values_on_condition_check_failure,
        }
    }

    fn checked(&self) -> Result<BatchStatement, Error> {
        let prepared = self.members().prepare().map_err(Refusal::into_error)?;
        if matches!(prepared.statement, Statement::Exists(_)) {
            return Err(Error::validation(
                StatementProblem::ExistsOutsideTransaction,
            ));
        }
        Ok(BatchStatement {
            prepared,
            consistent: self.consistent_read.unwrap_or_default(),
        })
    }
}

impl From<Error> for BatchStatementError {
    fn from(error: Error) -> Self {
        let code = BatchStatementErrorCode::from_error(&error);
        let message = error.message().into_owned();
        let item = match error {
            Error::ConditionalCheckFailedException { item, .. } => item,
            _ => None,
        };
        Self {
            code: Some(code.into()),
            message: Some(message),
            item,
        }
    }
}
