//! Rows that were found another way, as a pattern shows them.

use super::{Omitted, StoredRow, afterwards, visible};
use crate::allowed::Allowed;
use crate::interrupt::Interrupt;
use crate::pattern::{self, Parameters};
use crate::reader::Reader;
use monotable_item::Item;
use monotable_model::model::AccessId;
use monotable_model::plan::Reach;

/// Those of some rows that a pattern shows, with what a row says as its parameters; none if it does not ask for ranges of keys.
pub(crate) async fn keep_shown(
    reader: &Reader<'_>,
    pattern: AccessId,
    known: &Item,
    rows: Vec<StoredRow>,
) -> Result<Vec<StoredRow>, Interrupt> {
    let plan = reader.plans().pattern(pattern);
    let Reach::Query(step) = &plan.reach else {
        return Ok(Vec::new());
    };
    let given = Parameters::inner(known.clone());
    let asked = pattern::bind_all(reader, plan, &step.key, &given)?;
    let mut rows = rows;
    rows.retain(|found| {
        let mut asked = asked.each.iter();
        asked.any(|condition| condition.holds(reader, &found.item))
    });
    let kept = afterwards::keep(reader, &plan.keep, &given, rows);
    let shown = visible::see_alive(reader, kept, &mut Omitted::default()).await?;
    Ok(shown.into_iter().map(Allowed::into_inner).collect())
}
