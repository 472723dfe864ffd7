//! How much memory carrying out a request may take.

use super::UNCOUNTED;
use monotable_api::{
    Chosen, Request, ReturnValue, ReturnValuesOnConditionCheckFailure, Select, TransactWriteItem,
    TransactWriteItemsInput,
};
use monotable_item::limits::MAX_SEARCH_RESULTS;

/// The largest item, once as it is read and once as JSON. JSON can be longer than that: what does not fit is looked at
/// again when it is written (`encoded_answer.rs`).
const ITEM: usize = 2 * (400 << 10);
/// A page of Query, Scan, ExecuteStatement and GetRecords.
const PAGE: usize = 2 * (1 << 20);
/// The most that BatchGetItem answers.
const BATCH: usize = 2 * (16 << 20);
/// The most that a transaction reads.
const TRANSACTION: usize = 2 * (4 << 20);

/// A description, or a page of names.
const DESCRIPTION: usize = 64 << 10;

type ReturnOnFailure = Option<Chosen<ReturnValuesOnConditionCheckFailure>>;

/// How much memory a request may take while it is carried out, beside its own: what is read and the answer that is
/// made of it. At most [`UNCOUNTED`] if it cannot be much.
pub(crate) fn forecast(request: &Request) -> usize {
    match request {
        Request::GetItem(_) => ITEM,
        Request::PutItem(input) => write(
            &input.return_values,
            &input.return_values_on_condition_check_failure,
        ),
        Request::UpdateItem(input) => write(
            &input.return_values,
            &input.return_values_on_condition_check_failure,
        ),
        Request::DeleteItem(input) => write(
            &input.return_values,
            &input.return_values_on_condition_check_failure,
        ),
        Request::Query(input) => page(&input.select, input.limit),
        Request::Scan(input) => page(&input.select, input.limit),
        Request::ExecuteStatement(input) => page(&None, input.limit),
        Request::GetRecords(input) => page(&None, input.limit),
        Request::BatchGetItem(input) => {
            let tables = input
                .request_items
                .iter()
                .flat_map(|tables| tables.values());
            let keys = tables.filter_map(|table| table.keys.as_ref());
            items(keys.map(Vec::len).sum(), BATCH)
        }
        Request::TransactGetItems(input) => items(length(&input.transact_items), TRANSACTION),
        Request::TransactWriteItems(input) => items(returned_by_failure(input), usize::MAX),
        Request::SearchVectors(input) => {
            let most = input.top_k.and_then(|most| usize::try_from(most).ok());
            items(most.unwrap_or_default().min(MAX_SEARCH_RESULTS), usize::MAX)
        }
        // Everything that was given is written, and next to nothing is answered.
        Request::BatchWriteItem(_) => UNCOUNTED,
        Request::BatchExecuteStatement(input) => items(length(&input.statements), BATCH),
        Request::ExecuteTransaction(input) => items(length(&input.transact_statements), BATCH),
        // Names, descriptions and little more.
        _ => DESCRIPTION,
    }
}

fn page(select: &Option<Chosen<Select>>, limit: Option<i64>) -> usize {
    if matches!(select, Some(Chosen::Known(Select::Count))) {
        return UNCOUNTED;
    }
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    items(limit.unwrap_or(usize::MAX), PAGE)
}

fn write(returned: &Option<Chosen<ReturnValue>>, on_failure: &ReturnOnFailure) -> usize {
    let returns = !matches!(returned, None | Some(Chosen::Known(ReturnValue::None)));
    if returns || is_returned(on_failure) {
        ITEM
    } else {
        UNCOUNTED
    }
}

const fn is_returned(on_failure: &ReturnOnFailure) -> bool {
    matches!(
        on_failure,
        Some(Chosen::Known(ReturnValuesOnConditionCheckFailure::AllOld))
    )
}

/// How many stored items a transaction returns at most when it fails.
fn returned_by_failure(input: &TransactWriteItemsInput) -> usize {
    let actions = input.transact_items.iter().flatten();
    actions.filter(|action| returns_on_failure(action)).count()
}

fn returns_on_failure(action: &TransactWriteItem) -> bool {
    let check = action.condition_check.as_ref();
    let (put, delete, update) = (&action.put, &action.delete, &action.update);
    let check = check.map(|check| &check.return_values_on_condition_check_failure);
    let put = put
        .as_ref()
        .map(|put| &put.return_values_on_condition_check_failure);
    let delete = delete
        .as_ref()
        .map(|delete| &delete.return_values_on_condition_check_failure);
    let update = update
        .as_ref()
        .map(|update| &update.return_values_on_condition_check_failure);
    let mut given = [check, put, delete, update].into_iter().flatten();
    given.any(is_returned)
}

fn length<T>(list: &Option<Vec<T>>) -> usize {
    list.as_ref().map_or(0, Vec::len)
}

fn items(number: usize, most: usize) -> usize {
    number.saturating_mul(ITEM).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_api::{ListTablesInput, PutItemInput, SearchVectorsInput};

    #[test]
    fn whatever_can_answer_with_items_has_memory_for_them_set_aside() {
        let search = |most| Request::from(SearchVectorsInput::new("Tab", "near", [], most));
        assert_eq!(forecast(&search(3)), 3 * ITEM);
        assert_eq!(forecast(&search(100)), 100 * ITEM);
        assert_eq!(
            forecast(&search(u32::MAX)),
            100 * ITEM,
            "it is refused later"
        );
    }

    #[test]
    fn descriptions_are_counted_and_writes_that_answer_nothing_are_not() {
        assert!(forecast(&ListTablesInput::default().into()) > UNCOUNTED);
        assert!(forecast(&PutItemInput::default().into()) <= UNCOUNTED);
    }
}
