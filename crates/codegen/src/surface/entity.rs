//! An entity as programs see it.

use super::attribute::{
    self, ChangedAttribute, GivenAttribute, ReadAttribute, is_always_read, is_given, is_read,
    may_be_absent,
};
use monotable_model::model::{
    Attribute, Entity, EntityId, Family, Field, Key, Kind, Model, Repository, Root, Source,
    Template,
};

/// What programs can do with rows of an entity.
pub(crate) struct EntitySurface<'m> {
    pub(crate) id: EntityId,
    pub(crate) entity: &'m Entity,
    /// What names a row, or, of an entity whose items are several rows, an item.
    pub(crate) key: Vec<KeyAttribute<'m>>,
    /// What names one of the rows of an item, beside its key.
    pub(crate) place: Vec<KeyAttribute<'m>>,
    /// What tells a row from others in a commit; none if no commit changes such rows.
    pub(crate) identity: Option<Vec<KeyAttribute<'m>>>,
    pub(crate) read: Vec<ReadAttribute<'m>>,
    pub(crate) given: Vec<GivenAttribute<'m>>,
    pub(crate) changed: Vec<ChangedAttribute<'m>>,
    pub(crate) families: Vec<&'m Family>,
    pub(crate) calls: EntityCalls,
}

/// An attribute of a key.
#[derive(Clone, Copy)]
pub(crate) struct KeyAttribute<'m> {
    pub(crate) name: &'m str,
    /// What it holds; none if the model does not declare it.
    pub(crate) kind: Option<&'m Kind>,
    pub(crate) may_be_absent: bool,
}

/// The calls that there are for rows of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EntityCalls {
    pub(crate) get: bool,
    pub(crate) create: bool,
    pub(crate) update: bool,
    pub(crate) put: bool,
    pub(crate) delete: bool,
    /// Rows relate two others: they are attached and detached, not created and deleted.
    pub(crate) relates: bool,
}

impl<'m> EntitySurface<'m> {
    pub(crate) fn new(model: &'m Model, id: EntityId) -> Self {
        let entity = model.entity(id);
        let repository = model.repository_of(id);
        let snapshot = repository.filter(|repository| repository.entities.contains(&id));
        let names = entity.key_attributes();
        let is_part = |name: &&str| attribute::is_part_of_each(entity, name);
        let (place, key): (Vec<_>, Vec<_>) = names.iter().copied().partition(is_part);
        let parts = |names: Vec<&'m str>| -> Vec<KeyAttribute<'m>> {
            let names = names.into_iter();
            names.map(|name| KeyAttribute::new(entity, name)).collect()
        };
        let implied = snapshot.map_or_else(Vec::new, |own| list_implied(model, own));
        let ordered = order_attributes(entity);
        let is_free = |attribute: &&&Attribute| {
            is_given(model, entity, attribute) && !implied.contains(&attribute.name.value.as_str())
        };
        let is_changed = |attribute: &&&Attribute| {
            let is_key = names.contains(&attribute.name.value.as_str());
            // A row of a snapshot that is given another place in its order gets it.
            let is_placed = snapshot.is_some() && attribute.position.is_some();
            attribute.may_change() && (!is_key || attribute.movable || is_placed)
        };
        let given = ordered.iter().filter(is_free);
        let changed = ordered.iter().filter(is_free).filter(is_changed);
        let read = ordered.iter().filter(|attribute| is_read(attribute));
        let changed: Vec<_> = changed
            .map(|attribute| ChangedAttribute {
                attribute,
                may_be_removed: may_be_absent(attribute),
            })
            .collect();
        let families: Vec<_> = attribute::list_families(entity).collect();
        let mut calls = EntityCalls::new(entity, repository.is_some());
        calls.update &= entity.open || !changed.is_empty() || !families.is_empty();
        Self {
            id,
            entity,
            key: parts(key),
            place: parts(place),
            identity: snapshot.map(|_| parts(list_identity(entity))),
            read: read
                .map(|attribute| ReadAttribute {
                    attribute,
                    is_always_there: is_always_read(entity, attribute)
                        && !attribute::is_part_of_each(entity, &attribute.name.value),
                })
                .collect(),
            given: given.map(|it| GivenAttribute::new(it)).collect(),
            changed,
            families,
            calls,
        }
    }

    pub(crate) fn name(&self) -> &'m str {
        &self.entity.name.value
    }

    /// Whether a caller makes such rows, by a call or in a commit.
    pub(crate) const fn is_made_by_callers(&self) -> bool {
        self.calls.create || self.identity.is_some()
    }

    /// Whether a caller changes such rows, by a call or in a commit.
    pub(crate) const fn is_changed_by_callers(&self) -> bool {
        self.calls.update || self.identity.is_some()
    }

    /// The attributes that are stored as a hash, which a text can be held against.
    pub(crate) fn list_hashed(&self) -> Vec<&'m str> {
        let attributes = self.entity.attributes.iter();
        let hashed = attributes.filter(|attribute| attribute.hashed.is_some());
        hashed
            .map(|attribute| attribute.name.value.as_str())
            .collect()
    }
}

impl<'m> KeyAttribute<'m> {
    pub(super) fn new(entity: &'m Entity, name: &'m str) -> Self {
        let attribute = entity.attribute(name);
        Self {
            name,
            kind: attribute.map(|attribute| &attribute.kind),
            may_be_absent: attribute.is_some_and(|known| may_be_left_out(entity, known)),
        }
    }
}

/// Whether a row can be named without an attribute of its key: rows may be without it, and the key then shows something else.
fn may_be_left_out(entity: &Entity, attribute: &Attribute) -> bool {
    let name = &attribute.name.value;
    let templates = entity.primary().into_iter().flat_map(Key::templates);
    let mut fields = templates.flat_map(Template::fields);
    let has_other = fields
        .any(|field| field.sources.len() > 1 && field.attributes().any(|own| own.value == *name));
    has_other && attribute.secret.is_none() && !is_always_read(entity, attribute)
}

impl EntityCalls {
    fn new(entity: &Entity, is_versioned: bool) -> Self {
        let writes = entity.writes;
        let relates = entity.relation.is_some();
        Self {
            get: !shows_moved_row(entity),
            create: writes.create && !is_versioned,
            update: writes.update && !is_versioned,
            put: writes.create && writes.update && !relates && !is_versioned,
            delete: writes.delete && !is_versioned,
            relates,
        }
    }
}

/// Whether the key shows keys of the row that it was once: nobody can give them.
fn shows_moved_row(entity: &Entity) -> bool {
    let templates = entity.primary().into_iter().flat_map(Key::templates);
    let sources = templates
        .flat_map(Template::fields)
        .flat_map(|field: &Field| &field.sources);
    let mut roots = sources.filter_map(|source| match source {
        Source::Path { root, .. } => *root,
        Source::Literal(_) | Source::Nothing(_) => None,
    });
    roots.any(|root| root == Root::Row)
}

/// The attributes of an entity, those of its key first.
fn order_attributes(entity: &Entity) -> Vec<&Attribute> {
    let key = entity.key_attributes();
    let first = key.iter().filter_map(|name| entity.attribute(name));
    let rest = entity.attributes.iter();
    let rest = rest.filter(|attribute| !key.contains(&attribute.name.value.as_str()));
    first.chain(rest).collect()
}

/// What a commit gives to every row of its snapshot: the attributes of the head's key, and the revision.
fn list_implied<'m>(model: &'m Model, repository: &'m Repository) -> Vec<&'m str> {
    let mut names = model.entity(repository.head).key_attributes();
    names.push(&repository.revision.value);
    names
}

/// What tells a row from others in every revision: its generated id, or its sort key without the place in an order.
fn list_identity(entity: &Entity) -> Vec<&str> {
    let range = entity.primary().and_then(|key| key.range.as_ref());
    let fields = range.into_iter().flat_map(Template::fields);
    let mut names: Vec<_> = fields
        .flat_map(Field::attributes)
        .map(|name| name.value.as_str())
        .collect();
    let is_generated = |name: &&&str| {
        let attribute = entity.attribute(name);
        attribute.is_some_and(|attribute| attribute.generated.is_some())
    };
    if let Some(generated) = names.iter().find(is_generated) {
        return vec![generated];
    }
    names.retain(|name| {
        let attribute = entity.attribute(name);
        attribute.is_none_or(|attribute| attribute.position.is_none())
    });
    names
}
