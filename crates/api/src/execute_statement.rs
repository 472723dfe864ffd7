//! ExecuteStatement: one PartiQL statement.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::statement::{PreparedStatement, Refusal, StatementMembers};
use crate::structure::structure;
use crate::{Error, ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure};
use monotable_expr::partiql::{Statement, StatementProblem};
use monotable_item::{EncodedItem, GivenValue, limits};
use std::num::NonZeroUsize;

structure! {
    /// An ExecuteStatement request.
    pub struct ExecuteStatementInput {
        /// The statement.
        statement: String,
        /// What stands for its `?`s, in order.
        parameters: Vec<GivenValue>,
        /// Whether to see every write that was acknowledged before.
        consistent_read: bool,
        /// Where to go on reading, as the page before said.
        next_token: String,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
        /// How many items to read at most, before the condition on other attributes than the key.
        limit: i64,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// An ExecuteStatement answer.
    pub struct ExecuteStatementOutput {
        /// The items that were read, or what a write returns.
        items: Vec<EncodedItem>,
        /// Where to go on reading; absent on the last page.
        next_token: String,
        /// The consumed capacity.
        consumed_capacity: ConsumedCapacity,
        /// The key of the last item that was read; absent on the last page.
        last_evaluated_key: EncodedItem,
    }
}

/// An ExecuteStatement request, checked.
#[derive(Clone, Debug)]
pub struct ValidExecuteStatement {
    /// The statement.
    pub prepared: PreparedStatement,
    /// The statement as written: a token to go on with serves no other.
    pub text: String,
    /// Whether to see every write that was acknowledged before.
    pub consistent: bool,
    /// Where to go on reading.
    pub next_token: Option<String>,
    /// How many items to read at most.
    pub limit: Option<NonZeroUsize>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
}

impl ExecuteStatementInput {
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

    /// Reads this many items at most.
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit.into());
        self
    }

    /// Goes on where the page before ended.
    pub fn next_token(mut self, token: impl Into<String>) -> Self {
        self.next_token = Some(token.into());
        self
    }

    /// Sees every write that was acknowledged before.
    pub fn consistent(mut self) -> Self {
        self.consistent_read = Some(true);
        self
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidExecuteStatement, Error> {
        let mut constraints = Constraints::default();
        let members = StatementMembers {
            statement: &self.statement,
            parameters: &self.parameters,
            on_failure: &self.return_values_on_condition_check_failure,
        };
        members.constrain_root(&mut constraints);
        if let Some(token) = &self.next_token {
            let path = Path::Root("nextToken");
            constraints.text_length(path, token, 1..=limits::MAX_NEXT_TOKEN_CHARS);
        }
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let limit = constraints.limit(self.limit);
        constraints.finish(Some(()))?;
        let prepared = members.prepare().map_err(Refusal::into_error)?;
        if matches!(prepared.statement, Statement::Exists(_)) {
            return Err(Error::validation(
                StatementProblem::ExistsOutsideTransaction,
            ));
        }
        Ok(ValidExecuteStatement {
            prepared,
            text: self.statement.unwrap_or_default(),
            consistent: self.consistent_read.unwrap_or_default(),
            next_token: self.next_token,
            limit,
            capacity: capacity.unwrap_or_default(),
        })
    }
}
