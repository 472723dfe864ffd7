//! An attribute of an entity.

use super::{AccessId, Default, EntityId, Generator, Kind, OnDelete, Predicate, Template};
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};

/// An attribute of an entity, of the caller, or a setting.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attribute {
    /// Its name in the model.
    pub name: Name,
    /// Its name in the item.
    pub stored: String,
    /// Other names under which old items have it.
    pub aliases: Vec<String>,
    /// What it holds. A reference holds what the id of its target holds.
    pub kind: Kind,
    /// When it must be there.
    pub presence: Presence,
    /// How it is made if it is not given.
    pub generated: Option<Generator>,
    /// Whether the store sets it to the time.
    pub role: Option<Role>,
    /// What it is if it is not given.
    pub default: Option<Default>,
    /// Its default is what it has at the create: a caller cannot give anything else.
    pub stamped: bool,
    /// It is always what this template shows; no caller gives it.
    pub computed: Option<Template>,
    /// It refers to another entity.
    pub reference: Option<Reference>,
    /// It never changes after the create.
    pub immutable: bool,
    /// It is in the primary key and may change all the same: the row is moved.
    pub movable: bool,
    /// It is in keys only, not an attribute of the item.
    pub key_only: bool,
    /// It is not part of the API.
    pub internal: bool,
    /// A list without repetitions.
    pub distinct: bool,
    /// It is never shown, logged or audited, or only masked.
    pub secret: Option<Secret>,
    /// It is stored as a bcrypt hash of this cost.
    pub hashed: Option<u32>,
    /// It holds the version of the row's shape; this one is written.
    pub version: Option<u64>,
    /// It is the next number of a counter: reference and counter.
    pub numbered: Option<(Name, Name)>,
    /// It is the place in the order of the rows that share this attribute, or in this list.
    pub position: Option<Name>,
    /// It is the root that walking this relation up reaches.
    pub top: Option<EntityId>,
    /// What a caller is told whose value is refused.
    pub message: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// When an attribute must be there.
#[derive(Clone, Debug, std::default::Default, Serialize, Deserialize)]
pub struct Presence {
    /// It may be absent.
    pub optional: bool,
    /// It must be there if this holds.
    pub required_if: Option<Predicate>,
    /// It may be there only if this holds.
    pub only_if: Option<Predicate>,
}

/// Times that the store sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// When the row was created.
    Created,
    /// When it was last written.
    Updated,
    /// When a long delete of it began.
    Deleting,
}

/// How a secret is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret {
    /// First and last characters that may be shown; none if nothing may.
    pub mask: Option<(usize, usize)>,
}

/// A reference to a row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reference {
    /// The entity it refers to.
    pub target: EntityId,
    /// A list of references.
    pub many: bool,
    /// What the row it refers to must satisfy.
    pub filter: Option<Predicate>,
    /// An attribute on which both rows agree.
    pub same: Option<Name>,
    /// A counter on the row it refers to, which counts the rows that do.
    pub counted: Option<Name>,
    /// A row that is not there is only a warning.
    pub missing_warns: bool,
    /// What becomes of this row when that one is deleted.
    pub on_delete: OnDelete,
    /// The pattern that finds the rows that refer to one.
    pub via: Option<AccessId>,
    /// What a caller is told who may not delete the row that it leads to.
    pub message_on_delete: Option<String>,
    /// Where the target is named.
    #[serde(skip)]
    pub span: Span,
}

/// Attributes whose names begin alike.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Family {
    /// How the names begin.
    pub prefix: String,
    /// What each of them is.
    pub attribute: Attribute,
}

impl Attribute {
    /// Whether it is always there.
    #[must_use]
    pub const fn is_always_present(&self) -> bool {
        !self.presence.optional && self.presence.only_if.is_none()
    }

    /// Whether its value is made by the store and new each time.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.generated.is_some()
            || self.role == Some(Role::Created)
            || self.role == Some(Role::Updated)
    }

    /// Whether the store sets it, and no caller does.
    #[must_use]
    pub fn is_set_by_the_store(&self) -> bool {
        self.computed.is_some()
            || self.role.is_some()
            || self.numbered.is_some()
            || self.top.is_some()
            || self.internal
            || matches!(self.kind, Kind::Never)
    }

    /// Whether it is there in every row that a caller reads.
    #[must_use]
    pub fn is_always_read(&self) -> bool {
        self.is_always_present()
            && self.presence.required_if.is_none()
            && self.secret.is_none()
            && !self.internal
            && self.role != Some(Role::Deleting)
            && !matches!(self.kind, Kind::Never)
    }

    /// Whether a caller must give it in a new row.
    #[must_use]
    pub fn must_be_given(&self) -> bool {
        self.is_always_present()
            && self.presence.required_if.is_none()
            && self.default.is_none()
            && self.generated.is_none()
            && !self.is_set_by_the_store()
    }

    /// Whether a caller may change it.
    #[must_use]
    pub fn may_change(&self) -> bool {
        !self.immutable
            && self.computed.is_none()
            && self.generated.is_none()
            && self.role != Some(Role::Created)
    }
}
