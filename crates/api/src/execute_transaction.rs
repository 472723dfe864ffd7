//! ExecuteTransaction: up to a hundred PartiQL statements, all or none.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::statement::{PreparedStatement, Refusal, StatementMembers};
use crate::structure::structure;
use crate::{
    Error, ItemResponse, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure, wording,
};
use monotable_item::{GivenValue, limits};

structure! {
    /// An ExecuteTransaction request.
    pub struct ExecuteTransactionInput {
        /// The statements: all of them read, or all of them write.
        transact_statements: Vec<ParameterizedStatement>,
        /// Makes writes idempotent: a second request with the same token changes nothing.
        client_request_token: String,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
    }

    /// One statement.
    pub struct ParameterizedStatement {
        /// The statement.
        statement: String,
        /// What stands for its `?`s, in order.
        parameters: Vec<GivenValue>,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// An ExecuteTransaction answer.
    pub struct ExecuteTransactionOutput {
        /// One for each statement that reads, in the order of the request.
        responses: Vec<ItemResponse>,
        /// The consumed capacity, per table.
        consumed_capacity: Vec<ConsumedCapacity>,
    }
}

/// An ExecuteTransaction request, checked.
#[derive(Clone, Debug)]
pub struct ValidExecuteTransaction {
    /// The statements.
    pub statements: Vec<PreparedStatement>,
    /// Makes writes idempotent.
    pub token: Option<String>,
    /// What two requests with the same token must have in common, when there is a token.
    pub payload: Option<Vec<u8>>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
}

impl ValidExecuteTransaction {
    /// Whether the transaction only reads.
    pub fn is_read(&self) -> bool {
        self.statements
            .iter()
            .all(|prepared| prepared.statement.is_read())
    }

    /// The error of one of its statements.
    pub fn refuse(position: usize, error: &Error) -> Error {
        Error::validation(wording::refused_statement(position, &error.message()))
    }
}

impl ExecuteTransactionInput {
    /// These statements.
    pub fn new(statements: impl IntoIterator<Item = ParameterizedStatement>) -> Self {
        Self {
            transact_statements: Some(statements.into_iter().collect()),
            ..Self::default()
        }
    }

    /// At most once, however often it is sent.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.client_request_token = Some(token.into());
        self
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidExecuteTransaction, Error> {
        const PATH: Path<'static> = Path::Root("transactStatements");
        let mut constraints = Constraints::default();
        if let Some(statements) = constraints.required(PATH, &self.transact_statements) {
            constraints.list_length(PATH, statements, 1..=limits::MAX_TRANSACTION_ACTIONS);
            for (index, statement) in statements.iter().enumerate() {
                let path = PATH.element(index);
                statement.members().constrain(&mut constraints, path);
            }
        }
        if let Some(token) = &self.client_request_token {
            let path = Path::Root("clientRequestToken");
            constraints.text_length(path, token, 1..=limits::MAX_TOKEN_CHARS);
        }
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let statements = constraints.finish(self.transact_statements)?;
        let payload = self
            .client_request_token
            .is_some()
            .then(|| serde_json::to_vec(&statements).unwrap_or_default());
        let valid = ValidExecuteTransaction {
            statements: prepare(&statements)?,
            token: self.client_request_token,
            payload,
            capacity: capacity.unwrap_or_default(),
        };
        let reads = valid.statements.iter();
        if !valid.is_read()
            && reads
                .into_iter()
                .any(|prepared| prepared.statement.is_read())
        {
            return Err(Error::validation(wording::MIXED_TRANSACTION));
        }
        Ok(valid)
    }
}

/// Parameters come first: what is wrong with one is reported before any statement is read.
fn prepare(statements: &[ParameterizedStatement]) -> Result<Vec<PreparedStatement>, Error> {
    let mut first_refusal = None;
    let mut prepared = Vec::with_capacity(statements.len());
    for (position, statement) in statements.iter().enumerate() {
        match statement.members().prepare() {
            Ok(statement) => prepared.push(statement),
            Err(Refusal::Parameter(error)) => return Err(error),
            Err(Refusal::Statement(error)) if first_refusal.is_none() => {
                first_refusal = Some(ValidExecuteTransaction::refuse(position, &error));
            }
            Err(Refusal::Statement(_)) => {}
        }
    }
    first_refusal.map_or(Ok(prepared), Err)
}

impl ParameterizedStatement {
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
}
