//! PartiQL: each statement is an access of its own.

use super::item_access::{ItemAccess, word};
use super::keys::Keys;
use monotable_api::{
    BatchExecuteStatementInput, Choice, Chosen, Error, ExecuteStatementInput,
    ExecuteTransactionInput, OperationName, PreparedStatement, ReturnValue,
    ReturnValuesOnConditionCheckFailure, Select,
};
use monotable_expr::partiql::{Returning, SelectStatement, Statement};
use monotable_expr::tree::Predicate;

pub(super) fn execute(input: &ExecuteStatementInput) -> Result<Vec<ItemAccess>, Error> {
    let valid = input.clone().validate()?;
    let access = access(
        &valid.prepared,
        &input.return_values_on_condition_check_failure,
    );
    Ok(vec![access.capacity(word(&input.return_consumed_capacity))])
}

/// Statements that cannot be read ask for nothing: they fail each by itself.
pub(super) fn batch(input: &BatchExecuteStatementInput) -> Result<Vec<ItemAccess>, Error> {
    let statements = input.clone().validate()?.statements;
    let given = input.statements.iter().flatten();
    let accesses = statements
        .iter()
        .zip(given)
        .filter_map(|(statement, given)| {
            let statement = statement.as_ref().ok()?;
            let on_failure = &given.return_values_on_condition_check_failure;
            let access = access(&statement.prepared, on_failure);
            Some(access.capacity(word(&input.return_consumed_capacity)))
        });
    Ok(accesses.collect())
}

pub(super) fn transaction(input: &ExecuteTransactionInput) -> Result<Vec<ItemAccess>, Error> {
    let statements = input.clone().validate()?.statements;
    let given = input.transact_statements.iter().flatten();
    let accesses = statements.iter().zip(given).map(|(prepared, given)| {
        let on_failure = &given.return_values_on_condition_check_failure;
        access(prepared, on_failure)
            .capacity(word(&input.return_consumed_capacity))
            .within(OperationName::ExecuteTransaction.as_str())
    });
    Ok(accesses.collect())
}

fn access(
    prepared: &PreparedStatement,
    on_failure: &Option<Chosen<ReturnValuesOnConditionCheckFailure>>,
) -> ItemAccess {
    let parameters = prepared.parameters.as_slice();
    let new = |action| ItemAccess::new(action, prepared.table.clone());
    // What cannot be lowered is refused by whoever is asked to carry it out.
    let access = match &prepared.statement {
        Statement::Select(statement) => return select(prepared, statement),
        Statement::Exists(statement) => {
            let condition = statement.condition(parameters).ok().flatten();
            one_item(new("PartiQLSelect"), condition)
        }
        Statement::Insert(statement) => {
            new("PartiQLInsert").items(statement.item(parameters).into_iter().collect())
        }
        Statement::Update(statement) => {
            let condition = statement.condition(parameters).ok().flatten();
            let update = statement.update(parameters).ok();
            one_item(new("PartiQLUpdate"), condition).update(update.as_ref())
        }
        Statement::Delete(statement) => {
            let condition = statement.condition(parameters).ok().flatten();
            one_item(new("PartiQLDelete"), condition)
        }
    };
    access.returns(prepared.statement.returning().map(returned), on_failure)
}

fn one_item(access: ItemAccess, condition: Option<Predicate>) -> ItemAccess {
    let access = with_condition(access, condition.as_ref());
    ItemAccess {
        keys: Some(Keys::Equalities(condition)),
        ..access
    }
}

fn select(prepared: &PreparedStatement, statement: &SelectStatement) -> ItemAccess {
    let index = statement.target().index.clone();
    let condition = statement.condition(&prepared.parameters).ok().flatten();
    let columns = statement.columns().ok().flatten();
    let order = statement.order().unwrap_or_default();
    let select = match (&columns, &index) {
        (Some(_), _) => Select::SpecificAttributes,
        (None, Some(_)) => Select::AllProjectedAttributes,
        (None, None) => Select::AllAttributes,
    };
    let access = ItemAccess::new("PartiQLSelect", prepared.table.clone());
    let access = with_condition(access, condition.as_ref())
        .paths(columns.iter().flat_map(|columns| columns.paths()))
        .named(order.iter().map(|term| term.attribute.as_str()));
    ItemAccess {
        index,
        keys: Some(Keys::Select(condition)),
        select: Some(select.as_str()),
        ..access
    }
}

fn with_condition(access: ItemAccess, condition: Option<&Predicate>) -> ItemAccess {
    let mut paths = Vec::new();
    if let Some(condition) = condition {
        condition.for_each_path(&mut |path| paths.push(path));
    }
    access.paths(paths)
}

/// As `ReturnValues` of the operations has it.
fn returned(returning: Returning) -> &'static str {
    let values = match returning {
        Returning::AllOld => ReturnValue::AllOld,
        Returning::AllNew => ReturnValue::AllNew,
        Returning::ModifiedOld => ReturnValue::UpdatedOld,
        Returning::ModifiedNew => ReturnValue::UpdatedNew,
    };
    values.as_str()
}
