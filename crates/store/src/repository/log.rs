//! The revisions of a repository.

use super::instance::RepositoryInstance;
use crate::address::Finder;
use crate::allowed::Allowed;
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::find::finder;
use crate::ids;
use crate::interrupt::Interrupt;
use crate::operation::At;
use crate::operation::Page;
use crate::read::{Omitted, Position, Question, see_alive};
use crate::reader::answered;
use crate::record::Record;
use crate::record::StoredRow;
use crate::request::{self, Outgoing, RangeQuery, SortCondition};
use crate::rights::Gate;
use crate::row::Row;
use monotable_api::Response;
use monotable_item::{AttributeValue, EncodedItem};
use monotable_model::compiled::Instant;
use monotable_model::model::Kind;

/// The last character: nothing that begins alike sorts behind a text that ends in it.
const LAST: char = '\u{10FFFF}';

/// The query for the newest revision.
pub(super) fn newest(instance: &RepositoryInstance<'_>) -> Result<RangeQuery, Error> {
    let rows = instance.log_rows()?;
    Ok(RangeQuery::of_range(rows).backward().limit(1))
}

/// The rows of the log among items.
pub(super) fn revisions(
    instance: &RepositoryInstance<'_>,
    items: Vec<EncodedItem>,
) -> Vec<StoredRow> {
    let table = instance.reader.entity(instance.declared.log).table;
    let found = items.into_iter().filter_map(|item| {
        let record = instance.reader.decode_view(table, item.view())?;
        (record.entity == instance.declared.log).then_some(StoredRow { record, item })
    });
    found.collect()
}

/// The revision with this id; none if the log has none.
pub(super) async fn find(
    instance: &RepositoryInstance<'_>,
    revision: &str,
) -> Result<Option<Record>, Interrupt> {
    if let Some(found) = by_time(instance, revision).await? {
        return Ok(Some(found));
    }
    let rows = instance.log_rows()?;
    let table = rows.table();
    for items in instance.reader.all(&[rows]).await? {
        for item in items.iter().rev() {
            let record = instance.reader.decode(table, item);
            if let Some(record) = record.filter(|record| is(instance, record, revision)) {
                return Ok(Some(record));
            }
        }
    }
    Ok(None)
}

fn is(instance: &RepositoryInstance<'_>, record: &Record, revision: &str) -> bool {
    let id = record.values.get(instance.revision_name());
    record.entity == instance.declared.log
        && matches!(id, Some(AttributeValue::S(id)) if id == revision)
}

/// When a revision was made, in microseconds, as its id tells.
pub(super) fn made_at(instance: &RepositoryInstance<'_>, revision: &str) -> Option<i64> {
    let log = instance.reader.entity(instance.declared.log);
    let attribute = log.attribute(instance.revision_name())?;
    let millis = ids::made_at(attribute.generated?, revision)?;
    Some(millis.saturating_mul(1_000))
}

/// A revision whose id tells its time is found by its key.
async fn by_time(
    instance: &RepositoryInstance<'_>,
    revision: &str,
) -> Result<Option<Record>, Interrupt> {
    let reader = instance.reader;
    let log = reader.entity(instance.declared.log);
    let (Some(micros), Some(name)) = (made_at(instance, revision), instance.time_name()) else {
        return Ok(None);
    };
    let Some(time) = Instant::from_micros(micros) else {
        return Ok(None);
    };
    let format = match log.attribute(name).map(|attribute| &attribute.kind) {
        Some(Kind::Timestamp(format)) => *format,
        _ => return Ok(None),
    };
    let known = instance.values_at(revision).with(name, time.show(format));
    let Some(Finder::Key(address)) = finder(reader, instance.declared.log, &known, "") else {
        return Ok(None);
    };
    let item = reader.get(&address, true).await?;
    let record = item.and_then(|item| reader.decode_view(address.table(), item.view()));
    Ok(record.filter(|record| is(instance, record, revision)))
}

/// The revision that is meant.
pub(super) async fn resolve(
    instance: &RepositoryInstance<'_>,
    at: &At,
) -> Result<String, Interrupt> {
    match at {
        At::Head => Ok(instance.visible_head().await?.revision),
        At::Revision(revision) => match find_visible(instance, revision).await? {
            Some(_) => Ok(revision.clone()),
            None => Err(instance.unknown(revision)),
        },
        At::Time(time) => last_before(instance, time).await,
    }
}

/// The revision with this id; none if the log has none that the caller may see.
pub(super) async fn find_visible(
    instance: &RepositoryInstance<'_>,
    revision: &str,
) -> Result<Option<Record>, Interrupt> {
    let Some(record) = find(instance, revision).await? else {
        return Ok(None);
    };
    let seen = Gate::new(instance.reader).see_row(record).await?;
    Ok(seen.map(Allowed::into_inner))
}

/// The last revision up to a time.
async fn last_before(instance: &RepositoryInstance<'_>, time: &str) -> Result<String, Interrupt> {
    let reader = instance.reader;
    let log = reader.entity(instance.declared.log);
    let name = instance.time_name().unwrap_or_default();
    let kind = log.attribute(name).map(|attribute| &attribute.kind);
    let wanted = AttributeValue::S(time.to_owned());
    let shown = kind.map(|kind| crate::value::accept(kind, wanted));
    let Some(Ok(AttributeValue::S(shown))) = shown else {
        let wanted = "a time: 2026-01-23T09:00:00Z".to_owned();
        let error = FieldError::new("at", Problem::Wrong { wanted });
        return Err(reader.refused(instance.declared.log, vec![error]).into());
    };
    let rows = instance.log_rows()?;
    let to = format!("{}{shown}{LAST}", rows.prefix);
    // The last one up to a sort key.
    let query = RangeQuery {
        sort: SortCondition::Between(rows.prefix.as_str().into(), to.into()),
        ..RangeQuery::of_range(rows).backward().limit(1)
    };
    let items = reader.pages(vec![query]).await?;
    let found = revisions(instance, items.into_iter().flatten().collect());
    let (found, _) = Gate::new(reader).see(found).await?;
    let id = found
        .first()
        .and_then(|found| found.record.values.get(instance.revision_name()));
    match id {
        Some(AttributeValue::S(revision)) => Ok(revision.clone()),
        _ => Err(instance.unknown(&format!("up to {time}"))),
    }
}

/// A page of the log, with the head.
pub(super) async fn page(
    instance: &RepositoryInstance<'_>,
    limit: Option<usize>,
    cursor: Option<&str>,
    oldest_first: bool,
) -> Result<Page, Interrupt> {
    let reader = instance.reader;
    if limit == Some(0) {
        return Err(Error::usage("a page has one row at least: the limit is 0").into());
    }
    let asked = format!("log {}", instance.declared.name.value);
    let question = Question {
        reader,
        asked: &asked,
        given: &instance.key,
        descending: !oldest_first,
    };
    let mut query = RangeQuery::of_range(instance.log_rows()?);
    query.descending = !oldest_first;
    if let Some(text) = cursor {
        let position = question.open(text).await?;
        if let Position::Key(key) = position {
            query.after = Some(EncodedItem::from(key));
        }
    }
    let head_place = instance.head_place()?;
    let head = request::get(reader.model(), &head_place, true);
    let mut head = Some(head);
    let mut page = Page::default();
    let mut omitted = Omitted::default();
    let mut found: Vec<Allowed<StoredRow>> = Vec::new();
    loop {
        let missing = limit.map(|limit| limit.saturating_sub(found.len()));
        query.limit = missing;
        // The head is read beside the first page.
        let requests = std::iter::once(query.request(reader.model())).chain(head.take());
        let requests: Vec<_> = requests.collect();
        let answers = reader.steps.send(&requests, Outgoing::clone).await;
        let mut answers = answers.into_iter();
        let Some(answer) = answers.next() else {
            return Err(Error::integrity("the log was not answered").into());
        };
        let Response::Query(output) = answered(answer)? else {
            return Err(Error::integrity("a query was answered by something else").into());
        };
        let last = output.last_evaluated_key;
        let rows = revisions(instance, output.items.unwrap_or_default());
        if let Some(answer) = answers.next() {
            page.followed
                .extend(head_row(instance, answered(answer)?).await?);
        }
        let room = missing.unwrap_or(usize::MAX);
        let seen = see_alive(reader, rows, &mut omitted).await?;
        found.extend(seen.into_iter().take(room));
        match last {
            Some(last) if limit.is_none_or(|limit| found.len() < limit) => {
                query.after = Some(last);
            }
            Some(last) => {
                let position = Position::Key(last.to_item());
                page.cursor = Some(question.seal(&position).await?);
                break;
            }
            None => break,
        }
    }
    page.rows = found
        .into_iter()
        .map(|found| Row::reveal(reader.compiled(), found.into_record()))
        .collect();
    page.hidden = omitted.hidden;
    Ok(page)
}

/// The head, if the caller may see it.
async fn head_row(
    instance: &RepositoryInstance<'_>,
    response: Response,
) -> Result<Option<Row>, Interrupt> {
    let Response::GetItem(output) = response else {
        return Ok(None);
    };
    let reader = instance.reader;
    let table = reader.entity(instance.declared.head).table;
    let item = output.item.map(|item| item.to_item());
    let Some(record) = item.and_then(|item| reader.decode(table, &item)) else {
        return Ok(None);
    };
    let record = Gate::new(reader).see_row(record).await?;
    Ok(record.map(|record| Row::reveal(reader.compiled(), record)))
}
