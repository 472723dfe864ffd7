//! Whether the caller of a request may do what it asks for.
//!
//! The one place at which policies are asked, right before the request is carried out. Which attribute is the partition
//! key of a table, the tables themselves are asked each time: a table can be deleted and made anew with another key, and
//! nothing that was remembered of it would tell.

use crate::credentials::AccessKey;
use crate::shared::Shared;
use monotable_api::{DescribeTableInput, DynamoExt, Error, Request};
use monotable_policy::{Circumstances, Demand, TableKeys};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Refuses what the policies of the caller do not allow. A caller without policies may do everything.
pub(crate) async fn authorize(
    shared: &Shared,
    key: &AccessKey,
    peer: SocketAddr,
    request: &Request,
) -> Result<(), Error> {
    if key.identity.is_unrestricted() {
        return Ok(());
    }
    let demand = Demand::new(request)?;
    let tables = find_tables(shared, &demand).await?;
    let accesses = demand.accesses(&shared.scope, |name| tables.get(name)?.as_ref());
    let circumstances = Circumstances {
        time: shared.verifier.now(),
        source: Some(peer.ip().to_canonical()),
    };
    let judgement = key.identity.judge(&accesses, &circumstances);
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
    shared: &Shared,
    demand: &Demand,
) -> Result<BTreeMap<String, Option<TableKeys>>, Error> {
    let mut tables = BTreeMap::new();
    for name in demand.tables() {
        let described = shared.dynamo.describe_table(DescribeTableInput::new(name));
        let keys = match described.await {
            Ok(output) => output.table.as_ref().map(TableKeys::from_description),
            Err(Error::ResourceNotFoundException { .. }) => None,
            Err(error) => return Err(error),
        };
        tables.insert(name.to_owned(), keys);
    }
    Ok(tables)
}
