//! The rows of a partition, page by page.

use super::condition::{Condition, Sort, attributes};
use super::{Found, afterwards, visible};
use crate::draft::Expression;
use crate::error::Error;
use crate::read::parameters::Given;
use crate::session::{Session, Stop, answered};
use monotable_api::{QueryInput, Request, Response};
use monotable_item::{EncodedItem, Item};
use monotable_model::model::{Access, KeyPlace};

/// How much is wanted, and from where.
#[derive(Clone, Debug, Default)]
pub(super) struct Portion {
    /// The most rows; all if none.
    pub(super) most: Option<usize>,
    /// The key behind which to begin.
    pub(super) after: Option<Item>,
    pub(super) descending: bool,
    pub(super) consistent: bool,
}

/// Rows, and the key behind which more may be.
pub(super) struct Fetched {
    pub(super) rows: Vec<Found>,
    pub(super) more: Option<Item>,
}

/// Reads rows until there are enough or no more. What is left out does not count, so a page is as long as was asked
/// for unless nothing follows it.
pub(super) async fn fetch(
    session: &Session,
    access: &Access,
    condition: &Condition,
    given: &Given,
    portion: Portion,
) -> Result<Fetched, Stop> {
    let most = portion.most;
    let mut rows: Vec<Found> = Vec::new();
    let mut input = request(session, condition, &portion);
    loop {
        let missing = most.map(|most| most.saturating_sub(rows.len()));
        if missing == Some(0) {
            let more = rows
                .last()
                .map(|last| key_of(session, condition, &last.item));
            return Ok(Fetched { rows, more });
        }
        input.limit = missing.and_then(|missing| i64::try_from(missing).ok());
        let answer = session.steps.call(Request::Query(input.clone())).await;
        let Response::Query(output) = answered(answer)? else {
            return Err(Error::integrity("a query was answered by something else").into());
        };
        let items = output.items.unwrap_or_default();
        let found = items.into_iter().filter_map(|item| {
            let record = session.decode_view(condition.table, item.view())?;
            Some(Found { record, item })
        });
        let kept = afterwards::kept(session, access, given, found.collect());
        let kept = visible::only(session, kept).await?;
        let room = missing.unwrap_or(usize::MAX);
        rows.extend(kept.into_iter().take(room));
        match output.last_evaluated_key {
            Some(last) => input.exclusive_start_key = Some(last.into()),
            None => return Ok(Fetched { rows, more: None }),
        }
    }
}

/// The key of an item in the table and in the index that is read.
fn key_of(session: &Session, condition: &Condition, item: &EncodedItem) -> Item {
    let table = session.model().table(condition.table);
    let own = attributes(table, KeyPlace::Primary);
    let index = attributes(table, condition.place);
    let names = [Some(own.0), own.1, Some(index.0), index.1];
    let mut key = Item::new();
    for name in names.into_iter().flatten() {
        if let Some(value) = item.view().get(name) {
            key.insert(name, value.to_value());
        }
    }
    key
}

fn request(session: &Session, condition: &Condition, portion: &Portion) -> QueryInput {
    let table = session.model().table(condition.table);
    let (hash, range) = attributes(table, condition.place);
    let mut expression = Expression::default();
    let mut text = format!(
        "{} = {}",
        expression.name(hash),
        expression.value(condition.hash.clone())
    );
    if let Some(range) = range {
        let mut sort = |shape: &dyn Fn(&str, &[String]) -> String, values: Vec<_>| {
            let name = expression.name(range);
            let values: Vec<_> = values
                .into_iter()
                .map(|value| expression.value(value))
                .collect();
            text.push_str(" AND ");
            text.push_str(&shape(&name, &values));
        };
        let joined = |values: &[String]| values.join(" AND ");
        match &condition.sort {
            Sort::Any => {}
            Sort::Is(value) => sort(
                &|name, v| format!("{name} = {}", joined(v)),
                vec![value.clone()],
            ),
            Sort::Begins(prefix) => sort(
                &|name, v| format!("begins_with({name}, {})", joined(v)),
                vec![prefix.as_str().into()],
            ),
            Sort::Between(from, to) => sort(
                &|name, v| format!("{name} BETWEEN {}", joined(v)),
                vec![from.clone(), to.clone()],
            ),
            Sort::AtLeast(from) => {
                sort(
                    &|name, v| format!("{name} >= {}", joined(v)),
                    vec![from.clone()],
                );
            }
            Sort::AtMost(to) => sort(
                &|name, v| format!("{name} <= {}", joined(v)),
                vec![to.clone()],
            ),
        }
    }
    let mut input = QueryInput::new(table.physical.clone(), text);
    input.expression_attribute_names = Some(expression.names);
    input.expression_attribute_values = Some(expression.values.into());
    if let KeyPlace::Index(position) = condition.place {
        input.index_name = table
            .indexes
            .get(position)
            .map(|index| index.physical.clone());
    } else if portion.consistent {
        input = input.consistent();
    }
    if portion.descending {
        input = input.backward();
    }
    if let Some(after) = &portion.after {
        input = input.start_after(after.clone());
    }
    input
}
