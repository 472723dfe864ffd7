//! Consumed capacity: asked for with every request, read from its answer, and taken out again if nobody else asked for it.

use crate::ledger::PlaceUnits;
use monotable_api::{Chosen, ConsumedCapacity, Request, Response, ReturnConsumedCapacity};

/// What the sender of a request wants to know itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CapacityWish {
    /// The answer stays as it is.
    Everything,
    Total,
    Nothing,
}

/// Asks for the capacity of the table and of each index. A request that asks in words that DynamoDB refuses is left as it is.
pub(crate) fn ask(request: &mut Request) -> CapacityWish {
    let Some(wish) = find_wish(request) else {
        return CapacityWish::Everything;
    };
    let asked = match wish {
        None | Some(Chosen::Known(ReturnConsumedCapacity::None)) => CapacityWish::Nothing,
        Some(Chosen::Known(ReturnConsumedCapacity::Total)) => CapacityWish::Total,
        Some(Chosen::Known(ReturnConsumedCapacity::Indexes) | Chosen::Unknown(_)) => {
            return CapacityWish::Everything;
        }
    };
    *wish = Some(ReturnConsumedCapacity::Indexes.into());
    asked
}

fn find_wish(request: &mut Request) -> Option<&mut Option<Chosen<ReturnConsumedCapacity>>> {
    Some(match request {
        Request::GetItem(input) => &mut input.return_consumed_capacity,
        Request::PutItem(input) => &mut input.return_consumed_capacity,
        Request::UpdateItem(input) => &mut input.return_consumed_capacity,
        Request::DeleteItem(input) => &mut input.return_consumed_capacity,
        Request::Query(input) => &mut input.return_consumed_capacity,
        Request::Scan(input) => &mut input.return_consumed_capacity,
        Request::BatchGetItem(input) => &mut input.return_consumed_capacity,
        Request::BatchWriteItem(input) => &mut input.return_consumed_capacity,
        Request::TransactGetItems(input) => &mut input.return_consumed_capacity,
        Request::TransactWriteItems(input) => &mut input.return_consumed_capacity,
        Request::ExecuteStatement(input) => &mut input.return_consumed_capacity,
        _ => return None,
    })
}

/// The capacity in an answer: of one table, or of several.
enum CapacityReport<'a> {
    One(&'a mut Option<ConsumedCapacity>),
    Several(&'a mut Option<Vec<ConsumedCapacity>>),
}

fn find_report(answer: &mut Response) -> Option<CapacityReport<'_>> {
    Some(match answer {
        Response::GetItem(output) => CapacityReport::One(&mut output.consumed_capacity),
        Response::PutItem(output) => CapacityReport::One(&mut output.consumed_capacity),
        Response::UpdateItem(output) => CapacityReport::One(&mut output.consumed_capacity),
        Response::DeleteItem(output) => CapacityReport::One(&mut output.consumed_capacity),
        Response::Query(output) => CapacityReport::One(&mut output.consumed_capacity),
        Response::Scan(output) => CapacityReport::One(&mut output.consumed_capacity),
        Response::ExecuteStatement(output) => CapacityReport::One(&mut output.consumed_capacity),
        Response::BatchGetItem(output) => CapacityReport::Several(&mut output.consumed_capacity),
        Response::BatchWriteItem(output) => CapacityReport::Several(&mut output.consumed_capacity),
        Response::TransactGetItems(output) => {
            CapacityReport::Several(&mut output.consumed_capacity)
        }
        Response::TransactWriteItems(output) => {
            CapacityReport::Several(&mut output.consumed_capacity)
        }
        _ => return None,
    })
}

/// What an answer says that it cost.
pub(crate) fn read(operation: &str, answer: &mut Response) -> Vec<PlaceUnits> {
    let told: &[ConsumedCapacity] = match find_report(answer) {
        Some(CapacityReport::One(told)) => told.as_slice(),
        Some(CapacityReport::Several(told)) => told.as_deref().unwrap_or_default(),
        None => return Vec::new(),
    };
    let is_read = matches!(
        operation,
        "GetItem" | "Query" | "Scan" | "BatchGetItem" | "TransactGetItems" | "ExecuteStatement"
    );
    let mut units = Vec::new();
    for capacity in told {
        let table = capacity.table_name.as_deref().unwrap_or_default();
        let own = capacity.table.as_ref().map(|own| (table.to_owned(), own));
        let local = capacity.local_secondary_indexes.iter().flatten();
        let global = capacity.global_secondary_indexes.iter().flatten();
        let indexes = local.chain(global);
        let indexes = indexes.map(|(index, share)| (format!("{table}/{index}"), share));
        for (of, share) in own.into_iter().chain(indexes) {
            let amount = share.capacity_units.unwrap_or_default();
            if amount > 0.0 {
                // A transaction that is sent again only reads.
                let is_read = is_read || share.read_capacity_units.is_some();
                let (read, write) = if is_read {
                    (amount, 0.0)
                } else {
                    (0.0, amount)
                };
                units.push(PlaceUnits { of, read, write });
            }
        }
    }
    units
}

/// Leaves in the answer what its sender has asked for.
pub(crate) fn give_back(answer: &mut Response, asked: CapacityWish) {
    let Some(told) = find_report(answer) else {
        return;
    };
    match (told, asked) {
        (_, CapacityWish::Everything) => {}
        (CapacityReport::One(told), CapacityWish::Nothing) => *told = None,
        (CapacityReport::Several(told), CapacityWish::Nothing) => *told = None,
        (CapacityReport::One(told), CapacityWish::Total) => told.iter_mut().for_each(leave_total),
        (CapacityReport::Several(told), CapacityWish::Total) => {
            told.iter_mut().flatten().for_each(leave_total)
        }
    }
}

fn leave_total(capacity: &mut ConsumedCapacity) {
    capacity.table = None;
    capacity.local_secondary_indexes = None;
    capacity.global_secondary_indexes = None;
    capacity.vector_indexes = None;
}
