//! Batches of PartiQL statements of which some are not allowed: each statement has an answer of its own, and so has a
//! statement that policies deny. The others are carried out.

use monotable_api::{
    BatchExecuteStatementInput, BatchExecuteStatementOutput, BatchStatement,
    BatchStatementResponse, Dynamo, Error, Request, Response,
};
use std::collections::BTreeMap;

/// Why statements of a batch may not be carried out, by their places. Empty for every other request.
pub(crate) type DeniedStatements = BTreeMap<usize, Error>;

/// Carries a request out, without the statements that are denied.
pub(crate) async fn call(
    dynamo: &dyn Dynamo,
    request: Request,
    denied: DeniedStatements,
) -> Result<Response, Error> {
    match request {
        Request::BatchExecuteStatement(input) if !denied.is_empty() => {
            let output = call_rest(dynamo, input, denied).await?;
            Ok(Response::BatchExecuteStatement(output))
        }
        request => dynamo.call(request).await,
    }
}

async fn call_rest(
    dynamo: &dyn Dynamo,
    mut input: BatchExecuteStatementInput,
    mut denied: DeniedStatements,
) -> Result<BatchExecuteStatementOutput, Error> {
    let tables = tables(&input)?;
    let statements = input.statements.take().unwrap_or_default();
    let allowed = statements.into_iter().enumerate();
    let allowed = allowed.filter(|(place, _)| !denied.contains_key(place));
    let allowed: Vec<_> = allowed.map(|(_, statement)| statement).collect();
    let mut output = BatchExecuteStatementOutput::default();
    if !allowed.is_empty() {
        input.statements = Some(allowed);
        let answered = dynamo.call(Request::BatchExecuteStatement(input)).await?;
        if let Response::BatchExecuteStatement(answered) = answered {
            output = answered;
        }
    }
    let mut carried_out = output.responses.take().unwrap_or_default().into_iter();
    let responses = tables.into_iter().enumerate();
    let responses = responses.map(|(place, table_name)| match denied.remove(&place) {
        Some(error) => BatchStatementResponse {
            error: Some(error.into()),
            table_name,
            ..BatchStatementResponse::default()
        },
        None => carried_out.next().unwrap_or_default(),
    });
    output.responses = Some(responses.collect());
    Ok(output)
}

/// The table of each statement, as far as it can be read.
fn tables(input: &BatchExecuteStatementInput) -> Result<Vec<Option<String>>, Error> {
    let statements = input.clone().validate()?.statements;
    let table = |statement: &Result<BatchStatement, Error>| {
        let statement = statement.as_ref().ok()?;
        Some(statement.prepared.table.given().to_owned())
    };
    Ok(statements.iter().map(table).collect())
}
