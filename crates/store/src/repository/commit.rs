//! A new revision.

use super::batch::put_all;
use super::change_set::{ChangeSet, named};
use super::instance::{Head, RepositoryInstance};
use super::intent::Intent;
use super::other_repositories::{self, Named, Upcoming, home};
use super::snapshot_rows::SnapshotRows;
use super::{admit, log, order, rebase, roots, rules};
use crate::allowed::Allowed;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::operation::AnyOperation;
use crate::operation::{At, Commit, Committed, Parent};
use crate::profile::references;
use crate::read::has_tombstone;
use crate::reader::Reader;
use crate::record::reference_values;
use crate::record::{self, Record};
use crate::request::RangeQuery;
use crate::rights::{Gate, Permit, Question};
use crate::row::Row;
use crate::scope::Scope;
use crate::token;
use crate::write::{demand_references, follow_derived};
use crate::writer;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::compiled::Instant;
use monotable_model::model::TableId;
use std::collections::{BTreeMap, BTreeSet};

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
        let instance = RepositoryInstance::of(reader, &commit.repository, &commit.key)?;
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
    let head = followed(instance, instance.head().await?, parent).await?;
    let Base { newest, items } = base(instance, Some(&old)).await?;
    let log = revision(instance, values, head.as_ref(), newest.as_ref())?;
    let mut contents = SnapshotRows::of(instance, id_of(instance, &log)?, items);
    contents.refresh();
    let current = head.as_ref().map(|head| head.revision.as_str());
    admit::admit_revert(instance, current, &contents).await?;
    let prepared = settled(instance.clone(), head, log, contents, &[]).await?;
    finish(reader, vec![prepared]).await
}

/// Reads the head and what it names, and applies the changes.
async fn prepare<'s>(
    instance: RepositoryInstance<'s>,
    commit: &Commit,
    head: Option<Head>,
) -> Result<Prepared<'s>, Interrupt> {
    let head = followed(&instance, head, &commit.parent).await?;
    let (log, contents) = begin(&instance, head.as_ref(), &commit.values).await?;
    if let (Parent::Rebased(parent), Some(head)) = (&commit.parent, &head)
        && *parent != head.revision
    {
        rebase::check(&instance, parent, &contents, &commit.changes).await?;
    }
    settled(instance, head, log, contents, &commit.changes).await
}

/// The same for a carry, whose rows are made by the store.
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
    settled(instance, head, log, contents, &changes)
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
async fn followed(
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
    match follows {
        true => Ok(head),
        false => Err(instance.moved(head.as_ref())),
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
    let own = [Some(instance.revision_name()), instance.parent_name()];
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
    let contents = SnapshotRows::of(instance, id_of(instance, &log)?, items);
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
async fn settled<'s>(
    instance: RepositoryInstance<'s>,
    head: Option<Head>,
    log: Record,
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
    Ok(Prepared {
        instance,
        head,
        log,
        revision,
        contents,
    })
}

/// Writes revisions that are ready.
pub(super) async fn finish(
    reader: &Reader<'_>,
    prepared: Vec<Prepared<'_>>,
) -> Result<Committed, Interrupt> {
    let warnings = named_elsewhere(reader, &prepared).await?;
    let mut draft = Draft::default();
    let mut intents = Vec::new();
    let mut items = Vec::new();
    let mut permits = Vec::new();
    for one in &prepared {
        let rows = one.instance.partition(&one.revision)?;
        items.push((
            rows.table(),
            one.contents.items(&rows.partition.key_text())?,
        ));
        intents.push(Intent::of(&one.instance, &one.revision)?);
        permits.push(add(reader, &mut draft, one).await?);
    }
    for intent in &intents {
        intent.end(reader, &mut draft)?;
    }
    token::note_answer(reader, &mut draft, prepared.iter().map(|one| &one.log))?;
    if !draft.fits() {
        return Err(draft.too_large().into());
    }
    let mut beginning = Draft::default();
    for intent in &intents {
        intent.begin(reader, &mut beginning)?;
    }
    writer::commit(reader, &mut beginning).await?;
    let written = write(reader, items, &mut draft).await;
    if let Err(stop) = written {
        return match given_up(reader, &prepared, &intents).await {
            // The transaction was carried out; only its answer was lost.
            Ok(true) => Ok(committed(reader, prepared, &permits, warnings)),
            _ => Err(stop),
        };
    }
    Ok(committed(reader, prepared, &permits, warnings))
}

fn committed(
    scope: &Scope,
    prepared: Vec<Prepared<'_>>,
    permits: &[Permit],
    warnings: Vec<String>,
) -> Committed {
    let revisions = prepared
        .into_iter()
        .zip(permits)
        .map(|(one, permit)| Row::reveal(scope.model(), permit.answer(scope, one.log)));
    Committed {
        revisions: revisions.collect(),
        warnings,
    }
}

/// The snapshots, and then everything that makes them known.
async fn write(
    reader: &Reader<'_>,
    items: Vec<(TableId, Vec<monotable_item::EncodedItem>)>,
    draft: &mut Draft,
) -> Result<(), Interrupt> {
    for (table, items) in items {
        put_all(reader, table, items).await?;
    }
    writer::commit(reader, draft).await
}

/// Discards the snapshots of a commit that did not succeed. True: it did succeed, as its log says.
async fn given_up(
    reader: &Reader<'_>,
    prepared: &[Prepared<'_>],
    intents: &[Intent],
) -> Result<bool, Interrupt> {
    let mut ended = false;
    for intent in intents {
        ended |= intent.discard(reader).await?.is_none();
    }
    let Some(one) = prepared.first().filter(|_| ended) else {
        return Ok(false);
    };
    // An intent that is gone was committed, or swept.
    let address = reader.row_address(&one.log)?;
    if reader.get(&address, true).await?.is_some() {
        return Ok(true);
    }
    // What was written after the sweep had passed is found by nobody else.
    for intent in intents {
        intent.clear(reader).await?;
    }
    Ok(false)
}

/// Adds the log row, the head and what follows from the head.
async fn add(
    reader: &Reader<'_>,
    draft: &mut Draft,
    one: &Prepared<'_>,
) -> Result<Permit, Interrupt> {
    let mut gate = Gate::new(reader);
    let question = Question::create(&one.log);
    let permit = gate.admit(draft, question, Mention::default).await?;
    let instance = &one.instance;
    let key = reader.row_address(&one.log)?;
    let clash = Clash::key(reader.mention(one.log.entity, &key));
    let taken = Error::conflict(reader.name(one.log.entity), clash);
    let put = Action::new(Write::Put(reader.encode(&one.log)?)).demand(Demand::Absent, taken);
    draft.add(key, put)?;
    let old = one.head.as_ref();
    add_head(reader, draft, instance, &one.log, old).await?;
    for member in one.contents.changed() {
        demand_references(reader, draft, one.contents.record(member), None).await?;
    }
    Ok(permit)
}

/// Adds the head with a pointer to a revision, if it is still what was read.
pub(super) async fn add_head(
    reader: &Reader<'_>,
    draft: &mut Draft,
    instance: &RepositoryInstance<'_>,
    log: &Record,
    old: Option<&Head>,
) -> Result<Allowed<Record>, Interrupt> {
    let entity = instance.declared.head;
    let mut values = instance.key.clone();
    if let Some(revision) = log.values.get(instance.revision_name()) {
        values.insert(instance.pointer(), revision.clone());
    }
    let referred = BTreeMap::from([(instance.pointer().to_owned(), log.values.clone())]);
    let circumstances = reader.circumstances.with_referred(referred);
    let record = record::create(reader.compiled(), entity, values, &circumstances)
        .map_err(|errors| reader.refused(entity, errors))?;
    let question = match old {
        Some(old) => Question::update(&old.record, &record),
        None => Question::create(&record),
    };
    let address = instance.head_place()?;
    let mention = || reader.mention(entity, &address);
    let permit = Gate::new(reader).admit(draft, question, mention).await?;
    let mut item = reader.encode(&record)?;
    let mut action = Action::check();
    match old {
        None => action = action.demand(Demand::Absent, Blame::Changed),
        Some(old) => {
            let table = reader.model().table(reader.entity(entity).table);
            for (name, value) in old.item.iter().filter(|(name, _)| !table.is_key(name)) {
                action = action.demand(Demand::is(name, Some(value.clone())), Blame::Changed);
                // What the model does not know stays.
                let known = reader.entity(entity).attributes.iter();
                if item.get(name).is_none() && !known.into_iter().any(|own| own.stored == *name) {
                    item.insert(name.clone(), value.clone());
                }
            }
        }
    }
    action.write = Write::Put(item);
    draft.add(instance.head_place()?, action)?;
    follow_derived(reader, draft, old.map(|old| &old.record), Some(&record))?;
    Ok(permit.answer(reader, record))
}

/// Holds references to rows of other repositories against their heads.
async fn named_elsewhere(
    reader: &Reader<'_>,
    prepared: &[Prepared<'_>],
) -> Result<Vec<String>, Interrupt> {
    let mut named_rows = Vec::new();
    let mut by = Vec::new();
    for one in prepared {
        for member in one.contents.changed() {
            let record = one.contents.record(member);
            for (attribute, reference) in references(reader.entity(record.entity)) {
                let own = one.instance.declared.entities.contains(&reference.target);
                if own || home(reader, reference.target).is_none() {
                    continue;
                }
                for id in reference_values(attribute, record) {
                    by.push((one, record, attribute, reference));
                    named_rows.push(Named {
                        by: record,
                        target: reference.target,
                        id,
                    });
                }
            }
        }
    }
    let upcoming: Vec<_> = prepared
        .iter()
        .map(|one| Upcoming {
            instance: &one.instance,
            contents: &one.contents,
        })
        .collect();
    let found = other_repositories::rows(reader, &named_rows, &upcoming).await?;
    let found = found
        .into_iter()
        .map(|found| found.filter(|found| !has_tombstone(reader, found)));
    let mut warnings = Vec::new();
    let mut refused = Vec::new();
    for ((one, record, attribute, reference), found) in by.into_iter().zip(found) {
        let wanted = match found {
            None => Some(format!("a {} that is there", reader.name(reference.target))),
            Some(found) => rules::unfit(reader, reference, &found),
        };
        let Some(wanted) = wanted else { continue };
        let error = FieldError::new(&attribute.name.value, Problem::Wrong { wanted });
        let error = named(&one.instance, record, vec![error]);
        match reference.missing_warns {
            true => warnings.push(error.to_string()),
            false => refused.push(error),
        }
    }
    match Error::together(refused) {
        Some(error) => Err(error.into()),
        None => Ok(warnings),
    }
}
