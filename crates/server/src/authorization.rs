//! Whether the caller of a request may do what it asks for.
//!
//! The one place at which policies are asked, right before the request is carried out. Which attribute is the partition
//! key of a table, the tables themselves are asked each time: a table can be deleted and made anew with another key, and
//! nothing that was remembered of it would tell.

use crate::credentials::AccessKey;
use crate::denied_statements::DeniedStatements;
use crate::shared::Shared;
use monotable_api::{
    BatchExecuteStatementInput, DescribeTableInput, Dynamo, DynamoExt, Error, Request,
};
use monotable_policy::{Circumstances, Demand, Scope, TableKeys};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Who asks, and of which data.
pub(crate) struct Caller<'a> {
    pub(crate) key: &'a AccessKey,
    pub(crate) peer: SocketAddr,
    /// Where the data are that the request is about.
    pub(crate) scope: Scope,
}

/// Refuses what the policies of the caller do not allow. A caller without policies may do everything. Of a batch of
/// statements those that are not allowed are given back, and the others may be carried out.
pub(crate) async fn authorize(
    shared: &Shared,
    dynamo: &dyn Dynamo,
    caller: &Caller<'_>,
    request: &Request,
) -> Result<DeniedStatements, Error> {
    if caller.key.identity.is_unrestricted() {
        return Ok(DeniedStatements::new());
    }
    let Request::BatchExecuteStatement(batch) = request else {
        judge(shared, dynamo, caller, request).await?;
        return Ok(DeniedStatements::new());
    };
    // What is wrong with the batch as a whole is no matter of single statements.
    request.clone().check()?;
    let mut denied = DeniedStatements::new();
    for (place, statement) in batch.statements.iter().flatten().enumerate() {
        let alone = BatchExecuteStatementInput {
            statements: Some(vec![statement.clone()]),
            ..batch.clone()
        };
        let alone = Request::BatchExecuteStatement(alone);
        if let Err(error) = judge(shared, dynamo, caller, &alone).await {
            denied.insert(place, error);
        }
    }
    Ok(denied)
}

/// Refuses a request that the policies of the caller do not allow as a whole.
async fn judge(
    shared: &Shared,
    dynamo: &dyn Dynamo,
    caller: &Caller<'_>,
    request: &Request,
) -> Result<(), Error> {
    let identity = &caller.key.identity;
    let demand = Demand::new(request)?;
    let tables = find_tables(dynamo, &demand).await?;
    let accesses = demand.accesses(&caller.scope, |name| tables.get(name)?.as_ref());
    let circumstances = Circumstances {
        time: shared.verifier.now(),
        source: Some(caller.peer.ip().to_canonical()),
        transport: shared.transport(),
    };
    let judgement = identity.judge(&accesses, &circumstances);
    if let Some(message) = judgement.refusal() {
        return Err(Error::AccessDeniedException { message });
    }
    if tables.values().any(Option::is_none) {
        // The request is not carried out: a table that is made in this moment has partitions that nobody has judged.
        return Err(Error::ResourceNotFoundException {
            message: NO_TABLE.to_owned(),
        });
    }
    Ok(())
}

/// AWS's words for a request on items of a table that does not exist.
const NO_TABLE: &str = "Requested resource not found";

/// The keys of the tables that a request needs; none for a table that does not exist.
async fn find_tables(
    dynamo: &dyn Dynamo,
    demand: &Demand,
) -> Result<BTreeMap<String, Option<TableKeys>>, Error> {
    let mut tables = BTreeMap::new();
    for name in demand.tables() {
        let described = dynamo.describe_table(DescribeTableInput::new(name));
        let keys = match described.await {
            Ok(output) => output.table.as_ref().map(TableKeys::from_description),
            Err(Error::ResourceNotFoundException { .. }) => None,
            Err(error) => return Err(error),
        };
        tables.insert(name.to_owned(), keys);
    }
    Ok(tables)
}
