//! An access pattern, run.

use super::cursor::{Position, Question};
use super::fetch::{Fetched, PageRequest};
use super::follow::Followed;
use super::{
    Omitted, StoredRow, afterwards, composite, fan_out, follow, pointer, resolve, visible, walk,
};
use crate::allowed::Allowed;
use crate::error::Error;
use crate::find::through;
use crate::interrupt::Interrupt;
use crate::operation::Page;
use crate::pattern;
use crate::pattern::Parameters;
use crate::reader::Reader;
use crate::row::Row;
use monotable_item::{EncodedItem, Item};
use monotable_model::model::{Access, Order, Way};

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
    let access = pattern::find_pattern(reader, &ask.pattern)?;
    let given = Parameters::check(reader, access, &ask.parameters)?;
    if ask.limit == Some(0) {
        return Err(Error::usage("a page has one row at least: the limit is 0").into());
    }
    let descending = ask.descending.unwrap_or(access.order == Order::Descending);
    let most = if access.one {
        Some(2)
    } else {
        ask.limit.or(access.limit)
    };
    let question = Question {
        reader,
        asked: &access.name.value,
        given: &given.values,
        descending,
    };
    let position = match &ask.cursor {
        Some(cursor) => Some(question.open(cursor).await?),
        None => None,
    };
    let in_parts = pages(access);
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
        consistent: ask.consistent || access.consistent,
    };
    let consistent = portion.consistent;
    let mut omitted = Omitted::default();
    let PlanRows { rows, more } = reach(reader, access, &given, portion, &mut omitted).await?;
    let mut rows = afterwards::arrange(reader, access, rows);
    if descending && !access.sort.is_empty() {
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
    if access.one {
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
    } = follow::follow(reader, access, &rows, consistent, &mut omitted).await?;
    let shown = |rows: Vec<Allowed<StoredRow>>| {
        let rows = rows
            .into_iter()
            .map(|found| Row::reveal(reader.model(), found.into_record()));
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

/// Whether a pattern is read page by page, or as a whole.
fn pages(access: &Access) -> bool {
    let plain = access.distinct.is_empty() && !access.distinct_pairs && access.sort.is_empty();
    plain
        && matches!(
            access.way,
            Way::Get { .. } | Way::Query { .. } | Way::Through { .. }
        )
}

/// The rows of a pattern, before they are arranged.
pub(super) async fn reach(
    reader: &Reader<'_>,
    access: &Access,
    given: &Parameters,
    portion: PageRequest,
    omitted: &mut Omitted,
) -> Result<PlanRows, Interrupt> {
    match &access.way {
        Way::Get { table, key } => {
            let asked = pattern::one_condition(reader, access, *table, key, given)?;
            let address = pattern::locate(reader, access, &asked)?;
            let mut found = reader.get(&address, portion.consistent).await?;
            let mut table = *table;
            // Old rows may stand under the key of another layout.
            for old in pattern::old_addresses(reader, access, given) {
                if found.is_none() && old != address {
                    found = reader.get(&old, portion.consistent).await?;
                    table = old.table();
                }
            }
            let row = found.and_then(|item| {
                let record = reader.decode_view(table, item.view())?;
                Some(StoredRow { record, item })
            });
            let kept = afterwards::keep(reader, access, given, row.into_iter().collect());
            // That a row is being deleted is told only to those who may see it.
            let seen = visible::see_rows(reader, kept, omitted).await?;
            for found in &seen {
                visible::refuse_going(reader, &found.record, &found.item, &address)?;
            }
            Ok(PlanRows::all(visible::own_and_alive(reader, seen).await?))
        }
        Way::Query { table, key } => {
            let asked = pattern::list_conditions(reader, access, *table, key, given)?;
            let Fetched { rows, more } =
                fan_out::fetch(reader, access, given, asked, &portion, omitted).await?;
            Ok(PlanRows { rows, more })
        }
        Way::Through { entity, claim } => {
            let found = through::row(reader, *entity, *claim, &given.values).await?;
            let rows = found.map(|(record, item)| StoredRow {
                record,
                item: EncodedItem::from(item),
            });
            let kept = afterwards::keep(reader, access, given, rows.into_iter().collect());
            Ok(PlanRows::all(
                visible::see_alive(reader, kept, omitted).await?,
            ))
        }
        Way::Union(parts) => {
            let rows = composite::union(reader, access, parts, given, &portion, omitted).await?;
            Ok(PlanRows::all(rows))
        }
        Way::Steps(parts) => {
            let rows = composite::steps(reader, access, parts, given, &portion, omitted).await?;
            Ok(PlanRows::all(rows))
        }
        Way::Walk(walks) => {
            let rows = walk::walk(reader, access, walks, &given.values, omitted).await?;
            Ok(PlanRows::all(afterwards::keep(reader, access, given, rows)))
        }
        Way::Resolve(path) => {
            let path = reader.model().path(*path);
            let rows = resolve::resolve(reader, path, given, omitted).await?;
            Ok(PlanRows::all(afterwards::keep(reader, access, given, rows)))
        }
        Way::Pointer { attributes, .. } => {
            let consistent = portion.consistent;
            let row = pointer::row(reader, access, attributes, given, consistent).await?;
            let rows = row.into_iter().collect();
            let kept = afterwards::keep(reader, access, given, rows);
            Ok(PlanRows::all(
                visible::see_alive(reader, kept, omitted).await?,
            ))
        }
        Way::Diff(_) => {
            let name = &access.name.value;
            Err(Error::usage(format!("`{name}` is not a pattern of rows")).into())
        }
    }
}

/// All rows of a pattern, with what a row says as its parameters.
pub(crate) async fn read_all(
    reader: &Reader<'_>,
    pattern: monotable_model::model::AccessId,
    known: &Item,
) -> Result<Vec<StoredRow>, Interrupt> {
    let access = reader.model().pattern(pattern);
    let given = Parameters::inner(known.clone());
    // What decides a write is read strongly, where the table itself is asked.
    let portion = PageRequest {
        consistent: true,
        ..PageRequest::default()
    };
    let omitted = &mut Omitted::default();
    let PlanRows { rows, .. } = reach(reader, access, &given, portion, omitted).await?;
    Ok(rows.into_iter().map(Allowed::into_inner).collect())
}
