//! BatchExecuteStatement.

use super::partiql::{Answer, ReadPlace};
use super::{Execute, get_item, partiql};
use crate::engine::Core;
use crate::step::Step;
use crate::{schema, wording};
use monotable_api::{
    BatchExecuteStatement, BatchExecuteStatementInput, BatchExecuteStatementOutput, BatchStatement,
    BatchStatementResponse, Error, ReturnConsumedCapacity, ValidGetItem,
};
use monotable_expr::partiql::{SelectStatement, Statement};
use std::sync::Arc;

/// A statement under way, and its table.
struct Started {
    table: Option<String>,
    step: Result<Step<Answer>, Error>,
}

impl Execute for BatchExecuteStatement {
    fn start(
        core: &Arc<Core>,
        input: BatchExecuteStatementInput,
    ) -> Result<Step<BatchExecuteStatementOutput>, Error> {
        let valid = input.validate()?;
        let capacity = valid.capacity;
        let statements = valid.statements.into_iter();
        let started: Vec<_> = statements
            .map(|statement| match statement {
                Ok(statement) => Started {
                    table: Some(statement.prepared.table.given().to_owned()),
                    step: start_one(core, &statement, capacity),
                },
                Err(error) => Started {
                    table: None,
                    step: Err(error),
                },
            })
            .collect();
        let is_done = |started: &Started| matches!(started.step, Ok(Step::Done(_)) | Err(_));
        if started.iter().all(is_done) {
            return Ok(Step::Done(output(started, capacity)));
        }
        // All writes are queued by now, and become durable together.
        Ok(Step::Read(Box::new(move || Ok(output(started, capacity)))))
    }
}

fn start_one(
    core: &Arc<Core>,
    statement: &BatchStatement,
    capacity: ReturnConsumedCapacity,
) -> Result<Step<Answer>, Error> {
    let catalog = core.published.catalog.load();
    let table = catalog.table(statement.prepared.table.as_str())?;
    match &statement.prepared.statement {
        Statement::Select(select) => read(core, select, statement, capacity).map(Step::Done),
        _ => partiql::start_write(core, table, &statement.prepared, capacity),
    }
}

fn read(
    core: &Core,
    select: &SelectStatement,
    statement: &BatchStatement,
    capacity: ReturnConsumedCapacity,
) -> Result<Answer, Error> {
    let catalog = core.published.catalog.load();
    let table = catalog.table(statement.prepared.table.as_str())?;
    let index = select.target().index.as_ref();
    let indexes = table.indexes.iter();
    let has_several = |name: &String| {
        let mut indexes = indexes.filter(|index| index.name == *name);
        indexes.any(|index| index.key.hash.len() > 1 || index.key.range.len() > 1)
    };
    if index.is_some_and(has_several) {
        return Err(wording::statement_on_several_key_attributes());
    }
    let place = ReadPlace::Batch;
    if index.is_some() {
        return Err(Error::validation(place.refusal()));
    }
    let columns = select.columns().map_err(Error::validation)?;
    let parameters = &statement.prepared.parameters;
    let key = partiql::read_key(table, select, parameters, place).map_err(Error::validation)?;
    schema::check_paths(table, columns.iter().flat_map(|columns| columns.paths()))?;
    let get = ValidGetItem {
        table: statement.prepared.table.clone(),
        key,
        projection: None,
        consistent: statement.consistent,
        capacity,
    };
    let output = get_item::run(core, &get)?;
    let item = output.item.map(|item| match &columns {
        Some(columns) => columns.project(item.view()),
        None => item,
    });
    Ok(Answer {
        item,
        capacity: output.consumed_capacity,
    })
}

fn output(started: Vec<Started>, capacity: ReturnConsumedCapacity) -> BatchExecuteStatementOutput {
    let mut responses = Vec::with_capacity(started.len());
    let mut consumed = Vec::new();
    for Started { table, step } in started {
        let mut response = BatchStatementResponse {
            table_name: table,
            ..BatchStatementResponse::default()
        };
        match step.and_then(Step::wait) {
            Ok(answer) => {
                response.item = answer.item;
                consumed.extend(answer.capacity);
            }
            Err(error) => response.error = Some(error.into()),
        }
        responses.push(response);
    }
    BatchExecuteStatementOutput {
        responses: Some(responses),
        consumed_capacity: (capacity != ReturnConsumedCapacity::None).then_some(consumed),
    }
}
