//! PartiQL statements of a request: parsed, with their parameters and their table.

use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::{Error, ReturnValuesOnConditionCheckFailure, TableName, item_rules};
use monotable_expr::partiql::{Statement, StatementProblem};
use monotable_item::{EncodedValue, GivenValue, limits};

/// A statement with its parameters. Of what it says only the grammar is checked: AWS looks its table up next.
#[derive(Clone, Debug)]
pub struct PreparedStatement {
    /// The statement.
    pub statement: Statement,
    /// What stands for its `?`s, in order.
    pub parameters: Vec<EncodedValue>,
    /// Its table.
    pub table: TableName,
    /// Whether to return the stored item when the condition does not hold.
    pub return_old_on_failure: bool,
}

/// Why a statement is refused before its table is looked at.
pub(crate) enum Refusal {
    /// A parameter is no value of DynamoDB's. AWS reports that before it reads the statement.
    Parameter(Error),
    /// The statement is not of the grammar.
    Statement(Error),
}

impl Refusal {
    pub(crate) fn into_error(self) -> Error {
        match self {
            Self::Parameter(error) | Self::Statement(error) => error,
        }
    }
}

/// The members of a statement, as each of the three operations has them.
pub(crate) struct StatementMembers<'a> {
    pub(crate) statement: &'a Option<String>,
    pub(crate) parameters: &'a Option<Vec<GivenValue>>,
    pub(crate) on_failure: &'a Option<Chosen<ReturnValuesOnConditionCheckFailure>>,
}

impl StatementMembers<'_> {
    /// Checks the constraints of a statement inside a list.
    pub(crate) fn constrain(&self, constraints: &mut Constraints, path: Path<'_>) {
        self.constrain_at(
            constraints,
            path.field("statement"),
            path.field("parameters"),
            path.field("returnValuesOnConditionCheckFailure"),
        );
    }

    /// Checks the constraints of the one statement of a request.
    pub(crate) fn constrain_root(&self, constraints: &mut Constraints) {
        self.constrain_at(
            constraints,
            Path::Root("statement"),
            Path::Root("parameters"),
            Path::Root("returnValuesOnConditionCheckFailure"),
        );
    }

    fn constrain_at(
        &self,
        constraints: &mut Constraints,
        statement: Path<'_>,
        parameters: Path<'_>,
        on_failure: Path<'_>,
    ) {
        if let Some(text) = constraints.required(statement, self.statement) {
            constraints.text_length(statement, text, 1..=limits::MAX_STATEMENT_CHARS);
        }
        if let Some(given) = self.parameters {
            constraints.list_length(parameters, given, 1..=usize::MAX);
        }
        constraints.choice(on_failure, self.on_failure);
    }

    /// The statement, once its constraints hold.
    pub(crate) fn prepare(&self) -> Result<PreparedStatement, Refusal> {
        let given = self.parameters.iter().flatten();
        let parameters = given
            .map(|value| value.checked().cloned().map_err(Error::validation))
            .collect::<Result<Vec<_>, _>>()
            .map_err(Refusal::Parameter)?;
        let text = self.statement.as_deref().unwrap_or_default();
        let statement = Statement::parse_with(text, parameters.len())
            .map_err(|error| Refusal::Statement(Error::validation(error)))?;
        let table = TableName::parse(&statement.target().table)
            .map_err(|_| Refusal::Statement(Error::validation(StatementProblem::TableName)))?;
        let on_failure = self.on_failure.as_ref().and_then(Chosen::known);
        Ok(PreparedStatement {
            statement,
            parameters,
            table,
            return_old_on_failure: item_rules::return_old_on_failure(on_failure),
        })
    }
}
