//! Counters in a store that is not adopted: they may be absent, or less than the rows that another program wrote.

use crate::change::Run;
use crate::find::referrers_of_target;
use crate::interrupt::Interrupt;
use crate::profile::{references, stored_name};
use crate::record::Record;
use crate::store_item::refuse_unadopted;
use monotable_item::{AttributeValue, Number};

/// Refuses to count a row where fewer rows are counted than there are: the count would stay wrong.
pub(super) async fn refuse_low_counters(run: &Run<'_>, row: &Record) -> Result<(), Interrupt> {
    let reader = &run.reader;
    for (attribute, reference) in references(reader.scope.entity(row.entity)) {
        let Some(counter) = &reference.counted else {
            continue;
        };
        let name = &attribute.name.value;
        let found = referrers_of_target(reader, run.draft, row, name).await?;
        let Some((target, found)) = found else {
            continue;
        };
        let stored = stored_name(reader.entity(reference.target), &counter.value);
        let count = match target.get(&stored) {
            Some(AttributeValue::N(number)) => *number,
            _ => Number::from(0),
        };
        // An index may miss rows, so that only too few counted rows tell something.
        let rows = found.referrers.len();
        if Number::from(rows as u64) > count {
            let (entity, of) = (reader.name(row.entity), reader.name(reference.target));
            let counter = &counter.value;
            let undecided = format!(
                "`{counter}` of the {of} says {count}, and at least {rows} rows of {entity} refer to it by `{name}`"
            );
            return Err(refuse_unadopted(reader, &undecided).await);
        }
    }
    Ok(())
}
