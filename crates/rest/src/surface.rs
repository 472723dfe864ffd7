//! What a model offers over HTTP: routes and the OpenAPI document are made from this.

use monotable_model::model::{Attribute, Entity, EntityId, Kind, Model, MoveKind, Repository};

/// An attribute of a key, as a segment of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeySegment<'m> {
    pub(crate) name: &'m str,
    /// What it holds; none if the model does not declare it.
    pub(crate) attribute: Option<&'m Attribute>,
}

impl<'m> KeySegment<'m> {
    pub(crate) fn kind(&self) -> Option<&'m Kind> {
        self.attribute.map(|attribute| &attribute.kind)
    }
}

/// What callers can do with rows of an entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntitySurface<'m> {
    pub(crate) entity: &'m Entity,
    pub(crate) creates: bool,
    pub(crate) updates: bool,
    pub(crate) deletes: bool,
    /// Rows relate two others: they are attached and detached.
    pub(crate) relates: bool,
}

impl<'m> EntitySurface<'m> {
    /// The surface of an entity. Rows of a repository change by commits only.
    pub(crate) fn new(model: &'m Model, id: EntityId) -> Self {
        let entity = model.entity(id);
        let is_versioned = model.repository_of(id).is_some();
        Self {
            entity,
            creates: entity.writes.create && !is_versioned,
            updates: entity.writes.update && !is_versioned,
            deletes: entity.writes.delete && !is_versioned,
            relates: relates_two_rows(entity),
        }
    }

    /// Whether a row can be put in the place of another.
    pub(crate) const fn puts(&self) -> bool {
        self.creates && self.updates
    }

    /// The attributes of its key, in their order.
    pub(crate) fn key(&self) -> Vec<KeySegment<'m>> {
        list_key(self.entity)
    }

    /// The attributes that are stored as a hash, which a text can be checked against.
    pub(crate) fn hashed(&self) -> impl Iterator<Item = &'m Attribute> + use<'m> {
        let attributes = self.entity.attributes.iter();
        attributes.filter(|attribute| attribute.hashed.is_some())
    }
}

/// The attributes of an entity's key, in the order of its templates.
pub(crate) fn list_key(entity: &Entity) -> Vec<KeySegment<'_>> {
    let names = entity.key_attributes().into_iter();
    names
        .map(|name| KeySegment {
            name,
            attribute: entity.attribute(name),
        })
        .collect()
}

fn relates_two_rows(entity: &Entity) -> bool {
    let key = entity.key_attributes();
    let ends = entity.attributes.iter().filter(|attribute| {
        attribute.reference.is_some() && key.contains(&attribute.name.value.as_str())
    });
    entity.relation.is_some() || ends.count() > 1
}

/// An operation that a move of the model declares: the move, the way back, or the end of what was moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveSurface<'m> {
    pub(crate) name: &'m str,
    pub(crate) about: Option<&'m str>,
    /// The rows that it is called with.
    pub(crate) of: &'m Entity,
}

/// Every operation that the moves of a model declare.
pub(crate) fn list_moves(model: &Model) -> Vec<MoveSurface<'_>> {
    let mut moves = Vec::new();
    for declared in &model.moves {
        moves.push(MoveSurface {
            name: &declared.name.value,
            about: declared.notes.about.as_deref(),
            of: model.entity(declared.of),
        });
        if let MoveKind::To {
            to, undo, purge, ..
        } = &declared.kind
        {
            for name in [undo, purge].into_iter().flatten() {
                moves.push(MoveSurface {
                    name: &name.value,
                    about: None,
                    of: model.entity(*to),
                });
            }
        }
    }
    moves
}

/// The repository of a name.
pub(crate) fn find_repository<'m>(model: &'m Model, name: &str) -> Option<&'m Repository> {
    let mut repositories = model.repositories.iter();
    repositories.find(|repository| repository.name.value == name)
}

/// Whether everything of an owner can be deleted: the isolation of a model says what is an owner's.
pub(crate) const fn offers_purges(model: &Model) -> bool {
    model.isolation.is_some()
}
