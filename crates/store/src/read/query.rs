//! An access pattern, run.

use super::cursor::{Position, Question};
use super::fetch::{Fetched, PageRequest};
use super::follow::Followed;
use super::{
    Omitted, StoredRow, afterwards, composite, fan_out, follow, pointer, resolve, visible, walk,
};
use crate::allowed::Allowed;
use crate::error::Error;
use crate::find::elsewhere::find_elsewhere;
use crate::find::through;
use crate::interrupt::Interrupt;
use crate::operation::Page;
use crate::pattern;
use crate::pattern::Parameters;
use crate::reader::Reader;
use crate::row::Row;
use monotable_item::{EncodedItem, Item};
use monotable_model::plan::{GetStep, Paging, Reach, ReadPlan};

/// What is asked of a pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatternQuery {
    pub(crate) pattern: String,
    pub(crate) parameters: Item,
    pub(crate) limit: Option<usize>,
    pub(crate) cursor: Option<String>,
    pub(crate) descending: Option<bool>,
    pub(crate) consistent: bool,
}

/// Rows of a pattern, and the key behind which more may be.
pub(super) struct PlanRows {
    pub(super) rows: Vec<Allowed<StoredRow>>,
    more: Option<Item>,
}

impl PlanRows {
    const fn all(rows: Vec<Allowed<StoredRow>>) -> Self {
        let more = None;
        Self { rows, more }
    }
}

/// A page of a pattern.
pub(crate) async fn query(reader: &Reader<'_>, ask: &PatternQuery) -> Result<Page, Interrupt> {
    let plan = pattern::find_plan(reader, &ask.pattern)?;
    let shape = &plan.shape;
    let given = Parameters::check(plan, &ask.parameters)?;
    if ask.limit == Some(0) {
        return Err(Error::usage("a page has one row at least: the limit is 0").into());
    }
    let descending = ask.descending.unwrap_or(shape.descending);
    let most = if shape.one {
        Some(2)
    } else {
        ask.limit.or(shape.limit)
    };
    let question = Question {
        reader,
        asked: &plan.name,
        given: &given.values,
        descending,
    };
    let position = match &ask.cursor {
        Some(cursor) => Some(question.open(cursor).await?),
        None => None,
    };
    let in_parts = shape.paging == Paging::ByKey;
    let skipped = match &position {
        Some(Position::Count(count)) => *count,
        Some(Position::Key(_)) | None => 0,
    };
    let portion = PageRequest {
        most: most.filter(|_| in_parts),
        after: match position {
            Some(Position::Key(key)) => Some(key),
            Some(Position::Count(_)) | None => None,
        },
        descending,
        consistent: ask.consistent || plan.consistent,
        projection: projection(plan),
    };
    let consistent = portion.consistent;
    let mut omitted = Omitted::default();
    let PlanRows { rows, more } = reach(reader, plan, &given, portion, &mut omitted).await?;
    let mut rows = afterwards::arrange(reader, shape, rows);
    if descending && !shape.sort.is_empty() {
        rows.reverse();
    }
    let mut next = more.map(Position::Key);
    if !in_parts {
        // What is read as a whole is given out in parts.
        rows = rows.into_iter().skip(skipped).collect();
        if let Some(most) = most
            && rows.len() > most
        {
            rows.truncate(most);
            next = Some(Position::Count(skipped + most));
        }
    }
    if shape.one {
        if rows.len() > 1 {
            return Err(Error::integrity(format!(
                "`{}` finds more than one row, and there should be one at most",
                ask.pattern
            ))
            .into());
        }
        next = None;
    }
    let Followed {
        rows: followed,
        dangling,
    } = follow::follow(reader, plan, &rows, consistent, &mut omitted).await?;
    let shown = |rows: Vec<Allowed<StoredRow>>| {
        let rows = rows
            .into_iter()
            .map(|found| Row::reveal(reader.compiled(), found.into_record()));
        rows.collect::<Vec<_>>()
    };
    // No rule speaks of what the model does not know: who sees rows of the collection sees it too.
    let mut unknown = omitted.unknown_items();
    if reader.asks_rights() && rows.is_empty() {
        unknown.clear();
    }
    Ok(Page {
        rows: shown(rows),
        followed: shown(followed),
        dangling,
        unknown,
        hidden: omitted.hidden,
        cursor: match next {
            Some(next) => Some(question.seal(&next).await?),
            None => None,
        },
    })
}

/// The attributes that a pattern reads, if it is asked for itself: what it is a part of may need others.
fn projection(plan: &ReadPlan) -> Vec<String> {
    let projection = match &plan.reach {
        Reach::Get(step) => step.projection.as_ref(),
        Reach::Query(step) => step.projection.as_ref(),
        _ => None,
    };
    projection.cloned().unwrap_or_default()
}

/// The rows of a pattern, before they are arranged.
pub(super) async fn reach(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    given: &Parameters,
    portion: PageRequest,
    omitted: &mut Omitted,
) -> Result<PlanRows, Interrupt> {
    let keep = &plan.keep;
    match &plan.reach {
        Reach::Get(step) => {
            let rows = reach_key(reader, plan, step, given, &portion, omitted).await?;
            Ok(PlanRows::all(rows))
        }
        Reach::Query(step) => {
            let bound = pattern::bind_all(reader, plan, &step.key, given)?;
            let Fetched { rows, more } =
                fan_out::fetch(reader, plan, given, bound, &portion, omitted).await?;
            Ok(PlanRows { rows, more })
        }
        Reach::Guard { entity, claim } => {
            // What a check knows beside them is of the row that it asks for, and not of the owner of the guard.
            let named = plan.parameters.iter();
            let asked = named.filter_map(|asked| {
                let value = given.values.get(&asked.name)?;
                Some((asked.name.clone(), value.clone()))
            });
            let asked: Item = asked.collect();
            let found = through::row(reader, *entity, *claim, &asked).await?;
            let rows = found.map(|(record, item)| StoredRow {
                record,
                item: EncodedItem::from(item),
            });
            let kept = afterwards::keep(reader, keep, given, rows.into_iter().collect());
            Ok(PlanRows::all(
                visible::see_alive(reader, kept, omitted).await?,
            ))
        }
        Reach::Union(parts) => {
            let rows = composite::union(reader, plan, parts, given, &portion, omitted).await?;
            Ok(PlanRows::all(rows))
        }
        Reach::Steps(parts) => {
            let rows = composite::steps(reader, plan, parts, given, &portion, omitted).await?;
            Ok(PlanRows::all(rows))
        }
        Reach::Walk(step) => {
            let rows = walk::walk(reader, plan, step, &given.values, omitted).await?;
            Ok(PlanRows::all(afterwards::keep(reader, keep, given, rows)))
        }
        Reach::Segments(step) => {
            let rows = resolve::resolve(reader, step, given, omitted).await?;
            Ok(PlanRows::all(afterwards::keep(reader, keep, given, rows)))
        }
        Reach::Pointer(step) => {
            let row = pointer::row(reader, step, given, portion.consistent).await?;
            let rows = row.into_iter().collect();
            let kept = afterwards::keep(reader, keep, given, rows);
            Ok(PlanRows::all(
                visible::see_alive(reader, kept, omitted).await?,
            ))
        }
        Reach::Diff(_) => {
            let name = &plan.name;
            Err(Error::usage(format!("`{name}` is not a pattern of rows")).into())
        }
    }
}

/// The row with the key of a pattern.
async fn reach_key(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    step: &GetStep,
    given: &Parameters,
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let bound = pattern::bind_one(reader, plan, &step.key, given)?;
    let address = pattern::locate(reader, plan, &bound)?;
    let projection = &portion.projection;
    let found = reader.get_attributes(&address, portion.consistent, projection);
    let mut found = found.await?;
    let mut table = address.table();
    // Old rows may stand under the key of another layout.
    for old in pattern::old_addresses(reader, step, given) {
        if found.is_none() && old != address {
            found = reader.get(&old, portion.consistent).await?;
            table = old.table();
        }
    }
    if found.is_none() {
        let elsewhere = row_elsewhere(reader, plan, given).await?;
        found = elsewhere.map(EncodedItem::from);
    }
    let row = found.and_then(|item| {
        let record = reader.decode_view(table, item.view())?;
        Some(StoredRow { record, item })
    });
    let kept = afterwards::keep(reader, &plan.keep, given, row.into_iter().collect());
    // That a row is being deleted is told only to those who may see it.
    let seen = visible::see_rows(reader, kept, omitted).await?;
    for found in &seen {
        visible::refuse_going(reader, &found.record, &found.item, &address)?;
    }
    visible::own_and_alive(reader, seen).await
}

/// The row of a pattern whose key has a time in another spelling. Old layouts were asked already.
async fn row_elsewhere(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    given: &Parameters,
) -> Result<Option<Item>, Interrupt> {
    for entity in &plan.keep.entities {
        let of_key = reader.entity(*entity).key_attributes();
        if of_key.iter().any(|name| given.values.get(name).is_none()) {
            continue;
        }
        let found = find_elsewhere(reader, *entity, &given.values).await?;
        if let Some(found) = found {
            return Ok(Some(found.item));
        }
    }
    Ok(None)
}

/// All rows of a pattern, with what a row says as its parameters.
pub(crate) async fn read_all(
    reader: &Reader<'_>,
    pattern: monotable_model::model::AccessId,
    known: &Item,
) -> Result<Vec<StoredRow>, Interrupt> {
    let plan = reader.plans().pattern(pattern);
    let given = Parameters::inner(known.clone());
    // What decides a write is read strongly, where the table itself is asked.
    let portion = PageRequest {
        consistent: true,
        ..PageRequest::default()
    };
    let omitted = &mut Omitted::default();
    let PlanRows { rows, .. } = reach(reader, plan, &given, portion, omitted).await?;
    Ok(rows.into_iter().map(Allowed::into_inner).collect())
}
