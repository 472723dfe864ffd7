//! The resolved model: every name looked up, every default filled in.
//!
//! Things refer to each other by position ([`TableId`], [`EntityId`], [`AccessId`] ...), in the order of the
//! file. Everything keeps the span of its text, so that whoever finds something can say where.

mod access;
mod attribute;
mod entity;
mod environment;
mod further;
mod key;
mod kind;
mod section;
mod table;

pub use access::{Access, Order, Parameter, Walk, Way};
pub use attribute::{Attribute, Family, Presence, Reference, Role, Secret};
pub use entity::{
    Allow, AllowMessages, Claim, Discriminator, Entity, Guard, Must, OnExists, Relation, Upgrade,
    Volume, Writes,
};
pub use environment::{Environment, EnvironmentTable, NamingError, TableNaming, is_table_name};
pub use further::Further;
pub use key::{Key, KeyKind, KeyPlace, Layout};
pub use kind::{Kind, TextRule};
pub(crate) use kind::{date_language, fine_time_language, stored_time_language, time_language};
pub use section::{
    Archive, Audit, AuditEvent, Carry, Check, CheckRule, Derive, Grant, Isolation, Move, MoveKind,
    Path, Repository, Tenant,
};
pub use table::{Billing, Index, Projection, Stream, Table};

pub use crate::syntax::clause::{Default, Generator, OnDelete};
pub use crate::syntax::predicate::Predicate;
pub use crate::syntax::rows::Each;
pub use crate::syntax::template::{Field, Format, Mode, Part, Root, Source, Template, TimeFormat};
pub use crate::syntax::type_expression::{Bounds, EnumWord};

use crate::diagnostic::Code;
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
            pub struct $name(pub(crate) usize);

            impl $name {
                /// The position in the model's list.
                #[must_use]
                pub const fn index(self) -> usize {
                    self.0
                }
            }
        )+
    };
}

ids! {
    /// A table of a model.
    TableId;
    /// An entity of a model.
    EntityId;
    /// An access pattern of a model.
    AccessId;
    /// A repository of a model.
    RepositoryId;
    /// A path tree of a model.
    PathId;
    /// An archive rule of a model.
    ArchiveId;
}

/// A single-table design.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub about: Option<String>,
    /// Whether entities keep attributes they do not know, if they do not say.
    pub open: bool,
    /// The layouts that are written: of an entity that has several of them, the first.
    pub layout: Vec<Name>,
    /// Choices of a deployment.
    pub settings: Vec<Attribute>,
    /// What is known of a caller.
    pub principal: Vec<Attribute>,
    /// Which partitions a caller may touch.
    pub isolation: Option<Isolation>,
    /// How tenants are kept apart.
    pub tenant: Option<Tenant>,
    /// Physical tables.
    pub tables: Vec<Table>,
    /// Deployments in which the tables have other names.
    pub environments: Vec<Environment>,
    /// What is stored, and what several entities share.
    pub entities: Vec<Entity>,
    /// How it is read.
    pub access: Vec<Access>,
    /// Versioned data.
    pub repositories: Vec<Repository>,
    /// Rows that follow from rows.
    pub derives: Vec<Derive>,
    /// Rules that need other rows.
    pub checks: Vec<Check>,
    /// Rights that rows give.
    pub grants: Vec<Grant>,
    /// Rows that come to stand elsewhere.
    pub moves: Vec<Move>,
    /// Path strings as chains of rows.
    pub paths: Vec<Path>,
    /// Rows of one head in a commit of another.
    pub carries: Vec<Carry>,
    /// Rows that say what happened.
    pub audits: Vec<Audit>,
    /// Rows that keep what was.
    pub archives: Vec<Archive>,
}

/// The requirements that a construct fulfils, and a sentence about it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Notes {
    /// What it is, in a sentence.
    pub about: Option<String>,
    /// The requirements it fulfils.
    pub covers: Vec<Name>,
}

/// A finding that the model accepts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Accept {
    /// Which rule.
    pub code: Code,
    /// Why.
    pub reason: String,
    /// Where.
    #[serde(skip)]
    pub span: Span,
}

/// A value that a mechanism gives to an attribute.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Assignment {
    /// The attribute.
    pub name: Name,
    /// Its value.
    pub value: Assigned,
}

/// A value that a model assigns.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Assigned {
    /// What a template shows.
    Template(Template),
    /// True or false.
    Flag(bool),
    /// A number.
    Number(String),
}

impl Assigned {
    /// The template, if it is one.
    #[must_use]
    pub const fn template(&self) -> Option<&Template> {
        match self {
            Self::Template(template) => Some(template),
            Self::Flag(_) | Self::Number(_) => None,
        }
    }
}

macro_rules! lookups {
    ($($(#[$doc:meta])* $method:ident, $id:ident, $field:ident, $thing:ident;)+) => {
        impl Model {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $method(&self, id: $id) -> &$thing {
                    #[expect(clippy::indexing_slicing, reason = "ids are made for this list only")]
                    &self.$field[id.0]
                }
            )+
        }
    };
}

lookups! {
    /// The table of this id.
    table, TableId, tables, Table;
    /// The entity of this id.
    entity, EntityId, entities, Entity;
    /// The access pattern of this id.
    pattern, AccessId, access, Access;
    /// The repository of this id.
    repository, RepositoryId, repositories, Repository;
    /// The path tree of this id.
    path, PathId, paths, Path;
    /// The archive rule of this id.
    archive, ArchiveId, archives, Archive;
}

impl Model {
    /// Whether rows of an entity are what was committed once: the log of a repository, and the rows of its snapshots.
    pub fn keeps_history(&self, entity: EntityId) -> bool {
        let mut repositories = self.repositories.iter();
        repositories
            .any(|repository| repository.log == entity || repository.entities.contains(&entity))
    }

    /// Every table with its id.
    pub fn tables(&self) -> impl Iterator<Item = (TableId, &Table)> {
        let tables = self.tables.iter().enumerate();
        tables.map(|(position, table)| (TableId(position), table))
    }

    /// Every entity with its id.
    pub fn entities(&self) -> impl Iterator<Item = (EntityId, &Entity)> {
        let entities = self.entities.iter().enumerate();
        entities.map(|(position, entity)| (EntityId(position), entity))
    }

    /// Every entity that has rows, with its id.
    pub fn stored(&self) -> impl Iterator<Item = (EntityId, &Entity)> {
        self.entities().filter(|(_, entity)| entity.is_stored())
    }

    /// The tables that rows stand in, in the layouts that are written and in others.
    #[must_use]
    pub fn stored_tables(&self) -> Vec<TableId> {
        let mut tables: Vec<_> = self.stored().map(|(_, entity)| entity.table).collect();
        let layouts = self.stored().flat_map(|(_, entity)| &entity.layouts);
        tables.extend(layouts.map(|layout| layout.table));
        // The first one also holds the store's own items.
        tables.extend(self.tables().next().map(|(id, _)| id));
        tables.sort();
        tables.dedup();
        tables
    }

    /// Every access pattern with its id.
    pub fn patterns(&self) -> impl Iterator<Item = (AccessId, &Access)> {
        let access = self.access.iter().enumerate();
        access.map(|(position, access)| (AccessId(position), access))
    }

    /// The entity of that name.
    #[must_use]
    pub fn entity_named(&self, name: &str) -> Option<(EntityId, &Entity)> {
        self.entities()
            .find(|(_, entity)| entity.name.value == name)
    }

    /// The access pattern of that name.
    #[must_use]
    pub fn pattern_named(&self, name: &str) -> Option<(AccessId, &Access)> {
        self.patterns()
            .find(|(_, access)| access.name.value == name)
    }

    /// The repository that an entity is part of: as head, log, intent or row of its snapshots.
    #[must_use]
    pub fn repository_of(&self, id: EntityId) -> Option<&Repository> {
        self.repositories.iter().find(|repository| {
            let rows = [repository.head, repository.log, repository.intent];
            rows.contains(&id) || repository.entities.contains(&id)
        })
    }

    /// The entities with rows that are this one or like it, by any number of steps.
    #[must_use]
    pub fn kinds_of(&self, id: EntityId) -> Vec<EntityId> {
        let entity = self.entity(id);
        if entity.is_stored() {
            return vec![id];
        }
        self.stored()
            .filter(|(_, entity)| self.is_like(entity, id))
            .map(|(id, _)| id)
            .collect()
    }

    fn is_like(&self, entity: &Entity, id: EntityId) -> bool {
        let mut above = entity.like;
        while let Some(like) = above {
            if like == id {
                return true;
            }
            above = self.entity(like).like;
        }
        false
    }
}
