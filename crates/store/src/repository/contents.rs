//! The rows of a snapshot: as they were read, and as they are to be written.

use super::instance::Instance;
use crate::error::Error;
use crate::record::{self, Record};
use crate::session::{Session, Stop};
use monotable_item::{AttributeValue, EncodedItem, Item, ItemBuilder, Number, ValueView};
use monotable_model::model::{Entity, EntityId, Template};
use std::collections::HashMap;

/// What became of a row since it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing.
    Kept,
    /// Its place in an order, or what follows from other rows, is another.
    Moved,
    /// It is new, or a change changed it.
    Changed,
    /// It is left out.
    Removed,
}

/// A row of a snapshot.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) record: Record,
    /// As it was read; none if it is new.
    pub(super) stored: Option<EncodedItem>,
    /// It was read in another layout than the one that is written.
    old_layout: bool,
    pub(super) state: State,
    /// The place in its order that a change gives it.
    pub(super) asked: Option<u64>,
    /// What was given is refused: it is there only so that others can refer to it.
    pub(super) refused: bool,
}

impl Member {
    /// A row that is new.
    pub(super) const fn new(record: Record, asked: Option<u64>) -> Self {
        Self {
            record,
            stored: None,
            old_layout: false,
            state: State::Changed,
            asked,
            refused: false,
        }
    }

    /// A row whose values are refused.
    pub(super) fn refused(record: Record) -> Self {
        Self {
            refused: true,
            ..Self::new(record, None)
        }
    }

    pub(super) fn is_there(&self) -> bool {
        self.state != State::Removed
    }

    /// Whether a change has changed it.
    pub(super) fn is_changed(&self) -> bool {
        self.state == State::Changed
    }

    /// It differs from what was read, if only by what follows from others.
    pub(super) fn move_on(&mut self) {
        if self.state == State::Kept {
            self.state = State::Moved;
        }
    }
}

/// What tells a row from the others of its entity, in every revision.
pub(super) type Identity = (EntityId, String);

/// The rows of a snapshot.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) members: Vec<Member>,
    by_identity: HashMap<Identity, usize>,
    by_id: HashMap<(EntityId, String), usize>,
    /// Rows that the model does not know: they are carried along.
    strangers: Vec<EncodedItem>,
}

impl Contents {
    /// Reads the snapshot of a revision.
    pub(super) async fn read(instance: &Instance<'_>, revision: &str) -> Result<Self, Stop> {
        let rows = instance.partition(revision)?;
        let items = instance.session.all_encoded(&[rows]).await?;
        Self::of(instance, items.into_iter().flatten().collect())
    }

    /// Makes sense of the items of a snapshot.
    pub(super) fn of(instance: &Instance<'_>, items: Vec<EncodedItem>) -> Result<Self, Stop> {
        let session = instance.session;
        let Some(first) = instance.declared.entities.first() else {
            return Ok(Self::default());
        };
        let table = session.entity(*first).table;
        let mut contents = Self::default();
        for item in items {
            let found =
                record::decode_view(session.compiled(), table, &session.prefix, item.view());
            let member =
                found.filter(|(record, _)| instance.declared.entities.contains(&record.entity));
            let Some((mut record, layout)) = member else {
                contents.strangers.push(item);
                continue;
            };
            record::upgrade(session.model(), &mut record, &session.around);
            contents.add(
                session,
                Member {
                    record,
                    stored: Some(item),
                    old_layout: layout.is_some(),
                    state: State::Kept,
                    asked: None,
                    refused: false,
                },
            );
        }
        Ok(contents)
    }

    /// Adds a row; of two rows that are the same the later one is found.
    pub(super) fn add(&mut self, session: &Session, member: Member) {
        let position = self.members.len();
        let entity = session.entity(member.record.entity);
        let identity = identity(entity, &member.record);
        self.by_identity.insert(identity, position);
        if let Some(id) = entity
            .id
            .as_ref()
            .and_then(|id| text(&member.record.values, id))
        {
            self.by_id.insert((member.record.entity, id), position);
        }
        self.members.push(member);
    }

    /// Every row belongs to another revision from here on.
    pub(super) fn begin(&mut self, instance: &Instance<'_>, revision: &str) {
        for member in &mut self.members {
            let values = &mut member.record.values;
            values.insert(instance.revision_name(), revision);
        }
    }

    /// The row of an identity.
    pub(super) fn find(&self, identity: &Identity) -> Option<usize> {
        let position = self.by_identity.get(identity).copied()?;
        self.members
            .get(position)
            .filter(|member| member.is_there())
            .map(|_| position)
    }

    /// The row that a reference with this value names.
    pub(super) fn referred(&self, target: EntityId, id: &AttributeValue) -> Option<&Member> {
        let id = value_text(id)?;
        let position = self.by_id.get(&(target, id)).copied()?;
        self.members
            .get(position)
            .filter(|member| member.is_there())
    }

    /// The rows of an entity.
    pub(super) fn rows(&self, entity: EntityId) -> impl Iterator<Item = &Member> {
        self.members
            .iter()
            .filter(move |member| member.record.entity == entity && member.is_there())
    }

    /// The rows that are there.
    pub(super) fn there(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.is_there())
    }

    /// Whether a row of an entity is new, changed, moved or left out.
    pub(super) fn differs(&self, entity: EntityId) -> bool {
        self.members
            .iter()
            .any(|member| member.record.entity == entity && member.state != State::Kept)
    }

    /// The items of the new snapshot. What the model does not know stays as it is.
    pub(super) fn items(
        &self,
        session: &Session,
        partition: &str,
    ) -> Result<Vec<EncodedItem>, Error> {
        let mut items = Vec::with_capacity(self.members.len() + self.strangers.len());
        for member in self.there() {
            items.push(match (&member.stored, member.state, member.old_layout) {
                (Some(stored), State::Kept, false) => {
                    rehoused(session, member.record.entity, stored, partition)
                }
                (Some(stored), ..) => rewritten(session, &member.record, stored)?,
                (None, ..) => EncodedItem::from(session.encode(&member.record)?),
            });
        }
        if let Some(entity) = self.members.first().map(|member| member.record.entity) {
            let strangers = self.strangers.iter();
            items.extend(strangers.map(|item| rehoused(session, entity, item, partition)));
        }
        Ok(items)
    }
}

/// The same item in another partition.
fn rehoused(
    session: &Session,
    entity: EntityId,
    item: &EncodedItem,
    partition: &str,
) -> EncodedItem {
    let table = session.model().table(session.entity(entity).table);
    let mut builder = ItemBuilder::new();
    for (name, value) in item.view().iter() {
        match name == table.hash.value {
            true => builder.push(name, ValueView::S(partition)),
            false => builder.push(name, value),
        }
    }
    builder.finish()
}

/// The item with what is different now.
fn rewritten(
    session: &Session,
    record: &Record,
    stored: &EncodedItem,
) -> Result<EncodedItem, Error> {
    let mut item = stored.to_item();
    let wanted = session.encode(record)?;
    let (set, remove) = record::rewritten(session.compiled(), record, &item, &wanted);
    for (name, value) in set {
        item.insert(name, value);
    }
    for name in remove {
        item.remove(&name);
    }
    Ok(EncodedItem::from(item))
}

/// What tells a row from the others: its generated id, or its sort key without the place in an order.
pub(super) fn identity(entity: &Entity, record: &Record) -> Identity {
    let mut identity = String::new();
    for name in identity_names(entity) {
        if let Some(text) = text(&record.values, name) {
            identity.push_str(&text);
        }
        identity.push('\0');
    }
    (record.entity, identity)
}

/// The attributes that make up the identity.
pub(super) fn identity_names(entity: &Entity) -> Vec<&str> {
    let range = entity.primary().and_then(|key| key.range.as_ref());
    let mut names: Vec<&str> = Vec::new();
    for field in range.into_iter().flat_map(Template::fields) {
        for name in field.attributes() {
            names.push(&name.value);
        }
    }
    let generated = names.iter().find(|name| {
        let attribute = entity.attribute(name);
        attribute.is_some_and(|attribute| attribute.generated.is_some())
    });
    if let Some(generated) = generated {
        return vec![generated];
    }
    names.retain(|name| {
        let attribute = entity.attribute(name);
        attribute.is_none_or(|attribute| attribute.position.is_none())
    });
    names
}

/// The text of an attribute.
pub(super) fn text(values: &Item, name: &str) -> Option<String> {
    value_text(values.get(name)?)
}

pub(super) fn value_text(value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::S(text) => Some(text.clone()),
        AttributeValue::N(number) => Some(number.to_string()),
        AttributeValue::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// A place in an order as a number.
pub(super) fn place_number(value: Option<&AttributeValue>) -> Option<u64> {
    match value {
        Some(AttributeValue::N(number)) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// A number as a place in an order.
pub(super) fn place_value(place: usize) -> AttributeValue {
    AttributeValue::N(Number::from(place as u64))
}
