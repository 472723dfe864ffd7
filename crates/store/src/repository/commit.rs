//! A new revision.

mod finish;

pub(super) use finish::{add_head, finish};

use super::change_set::ChangeSet;
use super::instance::{Head, RepositoryInstance};
use super::snapshot_rows::SnapshotRows;
use super::{admit, log, order, rebase, roots, rules};
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::interrupt::Interrupt;
use crate::operation::AnyOperation;
use crate::operation::{At, Commit, Committed, Parent};
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::request::RangeQuery;
use monotable_item::{AttributeValue, EncodedItem, Item, Number};
use monotable_model::compiled::Instant;
use std::collections::BTreeSet;

/// A revision that is ready to be written.
pub(super) struct Prepared<'s> {
    pub(super) instance: RepositoryInstance<'s>,
    head: Option<Head>,
    /// The row of the log.
    log: Record,
    revision: String,
    contents: SnapshotRows<'s>,
}

/// Microseconds between a revision and the next, at least.
const STEP: i64 = 1_000;

/// Makes new revisions, all or none.
pub(crate) async fn commit(
    reader: &Reader<'_>,
    commits: &[Commit],
) -> Result<Committed, Interrupt> {
    let mut instances: Vec<RepositoryInstance<'_>> = Vec::new();
    let mut heads = BTreeSet::new();
    for commit in commits {
        let instance = RepositoryInstance::new(reader, &commit.repository, &commit.key)?;
        if !heads.insert(instance.head_place()?) {
            let name = &commit.repository;
            let message = format!("`{name}` is committed twice at once; make one of them");
            return Err(Error::usage(message).into());
        }
        instances.push(instance);
    }
    // All heads at once: nothing is begun if one of them is refused.
    let heads = self::heads(reader, &instances).await?;
    let mut prepared: Vec<Prepared<'_>> = Vec::new();
    for ((instance, commit), head) in instances.into_iter().zip(commits).zip(heads) {
        prepared.push(prepare(instance, commit, head).await?);
    }
    finish(reader, prepared).await
}

/// Makes a new revision with the rows of an old one.
pub(super) async fn revert(
    instance: &RepositoryInstance<'_>,
    to: &At,
    values: &Item,
    parent: &Parent,
) -> Result<Committed, Interrupt> {
    let reader = instance.reader;
    let old = log::resolve(instance, to).await?;
    let head = check_parent(instance, instance.head().await?, parent).await?;
    let Base { newest, items } = base(instance, Some(&old)).await?;
    let log = revision(instance, values, head.as_ref(), newest.as_ref())?;
    let mut contents = SnapshotRows::from_items(instance, id_of(instance, &log)?, items);
    contents.refresh();
    let current = head.as_ref().map(|head| head.revision.as_str());
    admit::admit_revert(instance, current, &contents).await?;
    let prepared = settle(instance.clone(), head, log, contents, &[]).await?;
    finish(reader, vec![prepared]).await
}

/// Reads the head and what it names, and applies the changes.
async fn prepare<'s>(
    instance: RepositoryInstance<'s>,
    commit: &Commit,
    head: Option<Head>,
) -> Result<Prepared<'s>, Interrupt> {
    let head = check_parent(&instance, head, &commit.parent).await?;
    let (log, contents) = begin(&instance, head.as_ref(), &commit.values).await?;
    if let (Parent::Rebased(parent), Some(head)) = (&commit.parent, &head)
        && *parent != head.revision
    {
        rebase::check(&instance, parent, &contents, &commit.changes).await?;
    }
    settle(instance, head, log, contents, &commit.changes).await
}

/// Prepares the revision that a carry makes. Its rows are made by the store, from those that it finds.
pub(super) async fn prepare_carry<'s>(
    instance: RepositoryInstance<'s>,
    values: &Item,
    changes: impl FnOnce(&SnapshotRows<'s>) -> Vec<AnyOperation>,
) -> Result<Option<Prepared<'s>>, Interrupt> {
    let head = instance.head().await?;
    instance.refuse_hidden(head.as_ref()).await?;
    let (log, contents) = begin(&instance, head.as_ref(), values).await?;
    let changes = changes(&contents);
    if changes.is_empty() {
        return Ok(None);
    }
    settle(instance, head, log, contents, &changes)
        .await
        .map(Some)
}

/// Reads the heads of repositories, all at once.
async fn heads(
    reader: &Reader<'_>,
    instances: &[RepositoryInstance<'_>],
) -> Result<Vec<Option<Head>>, Interrupt> {
    let addresses: Result<Vec<_>, _> = instances
        .iter()
        .map(RepositoryInstance::head_place)
        .collect();
    let items = reader.get_many_or_none(&addresses?).await?;
    let mut heads = Vec::new();
    for (instance, item) in instances.iter().zip(items) {
        heads.push(match item {
            Some(item) => Some(instance.read_head(item)?),
            None => None,
        });
    }
    Ok(heads)
}

/// What a commit is made of.
struct Base {
    /// The newest revision of the log: after a rollback it is not the head's.
    newest: Option<Record>,
    /// The rows that it begins with.
    items: Vec<EncodedItem>,
}

/// Reads the newest revision and the snapshot of another, side by side. After the head was read, so that the newest one
/// is not older than that.
async fn base(
    instance: &RepositoryInstance<'_>,
    revision: Option<&str>,
) -> Result<Base, Interrupt> {
    let reader = instance.reader;
    let newest = log::newest(instance)?;
    let snapshot = match revision {
        Some(revision) => Some(RangeQuery::of_range(instance.partition(revision)?)),
        None => None,
    };
    let inputs = std::iter::once(newest).chain(snapshot);
    let mut answers = reader.pages(inputs.collect()).await?.into_iter();
    let newest = log::revisions(instance, answers.next().unwrap_or_default());
    Ok(Base {
        newest: newest.into_iter().next().map(|found| found.record),
        items: answers.next().unwrap_or_default(),
    })
}

/// The head, if it is what the commit is to follow, and the caller may see it.
async fn check_parent(
    instance: &RepositoryInstance<'_>,
    head: Option<Head>,
    parent: &Parent,
) -> Result<Option<Head>, Interrupt> {
    instance.refuse_hidden(head.as_ref()).await?;
    let current = head.as_ref().map(|head| head.revision.as_str());
    let follows = match parent {
        Parent::Head => true,
        Parent::None => current.is_none(),
        Parent::Is(revision) => current == Some(revision),
        // Changes that were made for something need something.
        Parent::Rebased(_) => current.is_some(),
    };
    if follows {
        Ok(head)
    } else {
        Err(instance.head_moved(head.as_ref()))
    }
}

/// The row of a new revision: always later than the one before.
fn revision(
    instance: &RepositoryInstance<'_>,
    given: &Item,
    head: Option<&Head>,
    newest: Option<&Record>,
) -> Result<Record, Error> {
    let reader = instance.reader;
    let log = instance.declared.log;
    let mut values = given.clone();
    let own = [
        Some(instance.revision_name()),
        instance.parent_name(),
        instance.count_name(),
    ];
    let errors: Vec<_> = own
        .into_iter()
        .flatten()
        .filter(|name| given.get(name).is_some())
        .map(|name| FieldError::new(name, Problem::NotGiven))
        .collect();
    if !errors.is_empty() {
        return Err(reader.refused(log, errors));
    }
    for (name, value) in instance.key.iter() {
        if reader.entity(log).attribute(name).is_some() {
            values.insert(name.clone(), value.clone());
        }
    }
    if let (Some(name), Some(head)) = (instance.parent_name(), head) {
        values.insert(name, head.revision.as_str());
    }
    let last = newest.and_then(|newest| match newest.values.get(instance.time_name()?) {
        Some(AttributeValue::S(text)) => Instant::parse(text).ok(),
        _ => None,
    });
    let earliest = last.map_or(i64::MIN, |last| last.to_micros().saturating_add(STEP));
    let now = reader.circumstances.now_micros.max(earliest);
    let circumstances = reader.circumstances.at(now);
    record::create(reader.compiled(), log, values, &circumstances)
        .map_err(|errors| reader.refused(log, errors))
}

/// The row of a new revision, and the rows of the head, to become its own.
async fn begin<'s>(
    instance: &RepositoryInstance<'s>,
    head: Option<&Head>,
    values: &Item,
) -> Result<(Record, SnapshotRows<'s>), Interrupt> {
    let current = head.map(|head| head.revision.as_str());
    let Base { newest, items } = base(instance, current).await?;
    let log = revision(instance, values, head, newest.as_ref())?;
    let contents = SnapshotRows::from_items(instance, id_of(instance, &log)?, items);
    Ok((log, contents))
}

/// The id of a revision.
fn id_of<'l>(instance: &RepositoryInstance<'_>, log: &'l Record) -> Result<&'l str, Error> {
    match log.values.get(instance.revision_name()) {
        Some(AttributeValue::S(revision)) => Ok(revision),
        _ => Err(Error::integrity("a revision has no id")),
    }
}

/// Applies changes, works out what follows from them, and checks the whole.
async fn settle<'s>(
    instance: RepositoryInstance<'s>,
    head: Option<Head>,
    mut log: Record,
    mut contents: SnapshotRows<'s>,
    changes: &[AnyOperation],
) -> Result<Prepared<'s>, Interrupt> {
    let revision = id_of(&instance, &log)?.to_owned();
    let refused = ChangeSet {
        instance: &instance,
        revision: &revision,
        contents: &mut contents,
    }
    .apply(changes)?;
    admit::admit_changes(&instance, &contents).await?;
    order::settle(&instance, &mut contents)?;
    roots::settle(&instance, &mut contents);
    rules::check(&instance, &contents, refused).await?;
    if let Some(name) = instance.count_name() {
        let count = Number::from(contents.count_items() as u64);
        log.values.insert(name, AttributeValue::N(count));
    }
    Ok(Prepared {
        instance,
        head,
        log,
        revision,
        contents,
    })
}
