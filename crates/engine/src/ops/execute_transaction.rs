//! ExecuteTransaction.

use super::partiql::{self, ReadPlace};
use super::{Execute, transact_get_items, transact_write_items};
use crate::catalog::Table;
use crate::engine::Core;
use crate::step::Step;
use crate::{schema, wording};
use monotable_api::{
    CancellationCode, CancellationReason, Error, ExecuteTransaction, ExecuteTransactionInput,
    ExecuteTransactionOutput, ItemResponse, PreparedStatement, ReturnItemCollectionMetrics,
    TransactAction, TransactGet, TransactWrite, ValidExecuteTransaction, ValidTransactGetItems,
    ValidTransactWriteItems,
};
use monotable_expr::partiql::{Columns, Statement, StatementError, StatementProblem};
use std::sync::Arc;

impl Execute for ExecuteTransaction {
    fn start(
        core: &Arc<Core>,
        input: ExecuteTransactionInput,
    ) -> Result<Step<ExecuteTransactionOutput>, Error> {
        let valid = input.validate()?;
        if valid.is_read() {
            read(core, &valid).map(Step::Done)
        } else {
            write(core, valid)
        }
    }
}

/// What becomes of a statement of a transaction before any item is read.
enum Outcome<T> {
    Lowered(T),
    /// The transaction is cancelled because of it.
    Cancelled(CancellationReason),
}

/// Lowers every statement. One that says something wrong refuses the request; one whose table or key is wrong cancels
/// the transaction.
fn lower_all<T>(
    core: &Core,
    statements: &[PreparedStatement],
    lower: impl Fn(&Table, &PreparedStatement) -> Result<Outcome<T>, StatementError>,
) -> Result<Vec<T>, Error> {
    let catalog = core.published.catalog.load();
    let mut lowered = Vec::with_capacity(statements.len());
    let mut reasons = Vec::with_capacity(statements.len());
    for (position, prepared) in statements.iter().enumerate() {
        let outcome = match catalog.table(prepared.table.as_str()) {
            Ok(table) => lower(table, prepared).map_err(|error| {
                ValidExecuteTransaction::refuse(position, &Error::validation(error))
            })?,
            Err(missing) => Outcome::Cancelled(CancellationReason::of(
                CancellationCode::ResourceNotFound,
                missing.message(),
            )),
        };
        match outcome {
            Outcome::Lowered(statement) => {
                lowered.push(statement);
                reasons.push(CancellationReason::none());
            }
            Outcome::Cancelled(reason) => reasons.push(reason),
        }
    }
    if lowered.len() < statements.len() {
        return Err(Error::TransactionCanceledException { reasons });
    }
    Ok(lowered)
}

fn invalid<T>(error: &Error) -> Outcome<T> {
    Outcome::Cancelled(CancellationReason::validation(error.message()))
}

fn read(core: &Core, valid: &ValidExecuteTransaction) -> Result<ExecuteTransactionOutput, Error> {
    let reads = lower_all(core, &valid.statements, lower_read)?;
    let (gets, columns): (Vec<TransactGet>, Vec<Option<Columns>>) = reads.into_iter().unzip();
    let gets = ValidTransactGetItems {
        gets,
        capacity: valid.capacity,
    };
    let output = transact_get_items::run(core, &gets)?;
    let responses = output.responses.unwrap_or_default().into_iter();
    let responses = responses.zip(&columns).map(|(response, columns)| {
        let item = response.item.map(|item| match columns {
            Some(columns) => columns.project(item.view()),
            None => item,
        });
        ItemResponse { item }
    });
    Ok(ExecuteTransactionOutput {
        responses: Some(responses.collect()),
        consumed_capacity: output.consumed_capacity,
    })
}

fn lower_read(
    table: &Table,
    prepared: &PreparedStatement,
) -> Result<Outcome<(TransactGet, Option<Columns>)>, StatementError> {
    let Statement::Select(select) = &prepared.statement else {
        // INVARIANT: only reads come here.
        return Err(StatementProblem::TransactionReadWithoutKey.into());
    };
    if select.target().index.is_some() {
        return Err(StatementProblem::TransactionReadOfIndex.into());
    }
    let columns = select.columns()?;
    let place = ReadPlace::Transaction;
    let key = partiql::read_key(table, select, &prepared.parameters, place)?;
    if let Err(error) = schema::check_key(table, key.view()) {
        return Ok(invalid(&error));
    }
    let get = TransactGet {
        table: prepared.table.clone(),
        key,
        projection: None,
    };
    Ok(Outcome::Lowered((get, columns)))
}

fn write(
    core: &Arc<Core>,
    valid: ValidExecuteTransaction,
) -> Result<Step<ExecuteTransactionOutput>, Error> {
    let actions = lower_all(core, &valid.statements, lower_write)?;
    let statements = valid.statements.iter();
    let inserts: Vec<bool> = statements
        .map(|prepared| matches!(prepared.statement, Statement::Insert(_)))
        .collect();
    let writes = ValidTransactWriteItems {
        actions,
        token: valid.token,
        payload: valid.payload,
        capacity: valid.capacity,
        metrics: ReturnItemCollectionMetrics::None,
    };
    transact_write_items::run(core, writes)?.then(move |output| {
        let output = output.map_err(|error| partiql::name_duplicates(error, &inserts))?;
        Ok(ExecuteTransactionOutput {
            responses: Some(Vec::new()),
            consumed_capacity: output.consumed_capacity,
        })
    })
}

fn lower_write(
    table: &Table,
    prepared: &PreparedStatement,
) -> Result<Outcome<TransactAction>, StatementError> {
    if prepared.statement.returning().is_some() {
        return Err(StatementProblem::ReturningInTransaction.into());
    }
    if prepared.statement.target().index.is_some() {
        return Err(StatementProblem::TransactionWriteToIndex.into());
    }
    let write = match partiql::lower(table, prepared) {
        Ok(write) => write,
        Err(error) => {
            return match error.problem {
                StatementProblem::IncompleteKey | StatementProblem::SeveralValuesForKey(_) => {
                    Ok(invalid(&wording::key_mismatch()))
                }
                _ => Err(error),
            };
        }
    };
    let checked = match &write {
        TransactWrite::Put { item, .. } => schema::check_item(table, item),
        TransactWrite::Update { key, .. }
        | TransactWrite::Delete { key, .. }
        | TransactWrite::ConditionCheck { key, .. } => schema::check_key(table, key.view()),
    };
    match checked {
        Ok(_) => Ok(Outcome::Lowered(TransactAction {
            table: prepared.table.clone(),
            write,
            return_old_on_failure: prepared.return_old_on_failure,
        })),
        Err(error) => Ok(invalid(&error)),
    }
}
