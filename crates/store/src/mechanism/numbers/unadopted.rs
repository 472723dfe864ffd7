//! Numbers in a store that is not adopted: a counter may be behind the numbers of rows that another program wrote.

use crate::change::Run;
use crate::find::{Referrers, referrers_of_target};
use crate::interrupt::Interrupt;
use crate::record::Record;
use monotable_item::{AttributeValue, Number};
use monotable_model::span::Name;

/// The highest number that a row has which refers to the same row.
pub(super) async fn highest_number(
    run: &Run<'_>,
    row: &Record,
    reference: &Name,
    name: &str,
) -> Result<Number, Interrupt> {
    let found = referrers_of_target(&run.reader, run.draft, row, &reference.value).await?;
    let Some((_, Referrers { referrers, .. })) = found else {
        return Ok(Number::from(0));
    };
    let numbers = referrers
        .iter()
        .filter_map(|referrer| match referrer.record.values.get(name) {
            Some(AttributeValue::N(number)) => Some(*number),
            _ => None,
        });
    Ok(numbers.max().unwrap_or(Number::from(0)))
}
