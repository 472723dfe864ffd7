//! Rows that a change refers to and that the caller does not see.
//!
//! Whoever may not see a row must not learn that it is there, also not by trying to write something that belongs to it: a
//! row that refers to a hidden one is refused in the words of one that refers to nothing. A folder is referred to by what
//! is put below it.
//!
//! A change that nothing else refuses is held against grants only: a model whose `allow` lets a row refer to what its
//! writer does not read, as a tree to its next owner, means it. What grants protect has no such rule of its own, so there a
//! reference asks for the right to read the row, or to change it.

use super::allow::{Bindings, Change, Content};
use super::gate::Gate;
use super::grants::protects;
use super::question::{Known, Question, Right, rules};
use crate::address::Address;
use crate::draft::Draft;
use crate::error::Error;
use crate::find::by_ids;
use crate::interrupt::Interrupt;
use crate::profile::references;
use crate::reader::Reader;
use crate::record::{Record, path_names, reference_values};
use monotable_expr::predicate::Truth;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Attribute, EntityId};

/// What a refused change is answered with, if it refers to a row that the caller does not see, and would have been let
/// through up to there if that row were not there.
pub(super) async fn missing_for_caller(
    gate: &mut Gate<'_>,
    draft: &Draft,
    question: &Question<'_>,
) -> Result<Option<Error>, Interrupt> {
    let reader = gate.reader();
    let is_asked = matches!(question.right, Right::Create | Right::Update);
    let Some(row) = question.new.filter(|_| is_asked) else {
        return Ok(None);
    };
    let right = question.right.granted_as(question.clears());
    let is_up_to_the_target = is_allowed_without_referred(reader, question)
        && gate.grants().allow_without_owners(row, right).await?;
    if !is_up_to_the_target {
        return Ok(None);
    }
    for target in new_targets(reader, question, row) {
        let is_seen = match target.read(reader, draft, row).await? {
            Some(found) => gate.sees([&found]).await? == [true],
            None => false,
        };
        if !is_seen {
            return Ok(Some(target.missing(reader, row)));
        }
    }
    Ok(None)
}

/// What an allowed change is answered with, if it refers to a row that grants keep from the caller, or to none.
pub(super) async fn kept_from_caller(
    gate: &mut Gate<'_>,
    draft: &Draft,
    question: &Question<'_>,
) -> Result<Option<Error>, Interrupt> {
    let reader = gate.reader();
    let is_asked = matches!(question.right, Right::Create | Right::Update);
    let Some(row) = question.new.filter(|_| is_asked) else {
        return Ok(None);
    };
    for target in new_targets(reader, question, row) {
        if !is_granted(reader, target.entity) || target.is_in(reader, draft) {
            continue;
        }
        // Its right was asked for the row that belongs to it.
        if gate.grants().knows_owner(target.entity, &target.id) {
            continue;
        }
        let is_kept = match target.read(reader, draft, row).await? {
            Some(found) => !gate.reads_or_updates(&found).await?,
            None => true,
        };
        if is_kept {
            return Ok(Some(target.missing(reader, row)));
        }
    }
    Ok(None)
}

/// Whether grants are asked of this caller for rows of an entity, whatever the rows are.
fn is_granted(reader: &Reader<'_>, entity: EntityId) -> bool {
    let unknown = Record {
        entity,
        values: Item::new(),
    };
    let mut grants = reader.model().grants.iter();
    grants.any(|grant| protects(reader, grant, &unknown))
}

/// A row that a new row refers to.
struct Target<'m> {
    attribute: &'m Attribute,
    entity: EntityId,
    id: AttributeValue,
}

/// The rows that a change refers to and that the old row did not.
fn new_targets<'m>(
    reader: &'m Reader<'_>,
    question: &Question<'_>,
    row: &Record,
) -> Vec<Target<'m>> {
    let mut targets = Vec::new();
    for (attribute, reference) in references(reader.entity(row.entity)) {
        let is_versioned = reader.model().repository_of(reference.target).is_some();
        if reference.missing_warns || is_versioned {
            continue;
        }
        let known = question.old.map(|old| reference_values(attribute, old));
        let mut ids = reference_values(attribute, row);
        ids.retain(|id| !known.as_ref().is_some_and(|known| known.contains(id)));
        targets.extend(ids.into_iter().map(|id| Target {
            attribute,
            entity: reference.target,
            id,
        }));
    }
    targets.extend(parent_folder(reader, question, row));
    targets
}

/// The folder that a folder is put below.
fn parent_folder<'m>(
    reader: &'m Reader<'_>,
    question: &Question<'_>,
    row: &Record,
) -> Option<Target<'m>> {
    let mut paths = reader.model().paths.iter();
    let path = paths.find(|path| path.folder == row.entity)?;
    let folder = reader.entity(path.folder);
    let parent = path_names(folder)?.parent;
    let id = row.values.get(parent)?;
    let known = question.old.and_then(|old| old.values.get(parent));
    (known != Some(id)).then_some(Target {
        attribute: folder.attribute(parent)?,
        entity: path.folder,
        id: id.clone(),
    })
}

impl Target<'_> {
    /// The row, if it is there.
    async fn read(
        &self,
        reader: &Reader<'_>,
        draft: &Draft,
        row: &Record,
    ) -> Result<Option<Record>, Interrupt> {
        if let Some(address) = self.address(reader, row) {
            let found = reader.row(draft, &address).await?;
            let found = found.map(|(record, _)| record);
            return Ok(found.filter(|found| found.entity == self.entity));
        }
        let ids = std::slice::from_ref(&self.id);
        let found = by_ids(reader, self.entity, &row.values, ids).await?;
        Ok(found.into_iter().flatten().next())
    }

    /// Where it stands, if a reference tells.
    fn address(&self, reader: &Reader<'_>, row: &Record) -> Option<Address> {
        self.attribute.reference.as_ref()?;
        reader.target_address(row, self.entity, &self.id)
    }

    /// Whether the same transaction puts it: that was asked by itself.
    fn is_in(&self, reader: &Reader<'_>, draft: &Draft) -> bool {
        let entity = reader.entity(self.entity);
        let Some(id) = &entity.id else {
            return false;
        };
        let mut rows = draft
            .puts(entity.table)
            .filter_map(|item| reader.decode(entity.table, item));
        rows.any(|row| row.entity == self.entity && row.values.get(id) == Some(&self.id))
    }

    /// What somebody is told whose row refers to nothing.
    fn missing(&self, reader: &Reader<'_>, row: &Record) -> Error {
        let mention = match self.address(reader, row) {
            Some(address) => reader.mention_by(self.attribute, &address),
            None => reader.mention_ids(self.attribute, std::slice::from_ref(&self.id)),
        };
        reader.no_referred(row.entity, self.attribute, mention)
    }
}

/// Whether the rules allow a change whatever stands behind its references.
fn is_allowed_without_referred(reader: &Reader<'_>, question: &Question<'_>) -> bool {
    let bindings = Bindings::new(reader);
    let change = Change {
        old: Content::new(question.old),
        new: Content::new(question.new),
    };
    let rules = rules(reader, question, Known::Both);
    let mut truths = rules.iter();
    truths.all(|(rule, side)| bindings.decide(rule, &change, *side) == Truth::True)
}
