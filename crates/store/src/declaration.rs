//! Which declaration of the model refuses something, as a path into its file, and what the model tells callers then.

use monotable_model::model::{Attribute, Check, Entity, Grant, Isolation, Model};

/// A declaration of the model that refuses something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    path: String,
    message: Option<String>,
}

impl Declaration {
    /// Where it stands in the model: `entity.User.unique.Email`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What the model tells a caller whom it refuses.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    fn new(path: String, message: Option<&String>) -> Self {
        let message = message.cloned();
        Self { path, message }
    }

    /// A declaration that cannot have a message.
    pub(crate) fn silent(path: String) -> Self {
        Self::new(path, None)
    }

    /// A check of the model.
    pub(crate) fn of_check(check: &Check) -> Self {
        let path = format!("check.{}", check.name.value);
        Self::new(path, check.message.as_ref())
    }

    /// Rights that rows give.
    pub(crate) fn of_grant(grant: &Grant) -> Self {
        let path = format!("grant.{}", grant.name.value);
        Self::new(path, grant.message.as_ref())
    }

    /// A rule on what callers may do with rows of an entity; the entity itself if it has no such rule.
    pub(crate) fn of_rule(entity: &Entity, action: &str) -> Self {
        let allow = &entity.allow;
        let messages = &allow.messages;
        let (rule, message) = match action {
            "read" => (allow.read.as_ref(), None),
            "create" => (allow.create.as_ref(), messages.create.as_ref()),
            "update" => (allow.update.as_ref(), messages.update.as_ref()),
            "delete" => (allow.delete.as_ref(), messages.delete.as_ref()),
            "cascade" => (allow.cascade.as_ref(), messages.cascade.as_ref()),
            _ => (None, None),
        };
        let name = &entity.name.value;
        if rule.is_some() {
            Self::new(format!("entity.{name}.allow.{action}"), message)
        } else {
            Self::silent(format!("entity.{name}"))
        }
    }

    /// The list of what callers may do with rows of an entity.
    pub(crate) fn of_writes(entity: &Entity) -> Self {
        let path = format!("entity.{}.writes", entity.name.value);
        Self::new(path, entity.message_on_writes.as_ref())
    }

    /// What two references mean together.
    pub(crate) fn of_relation(entity: &Entity) -> Self {
        let relation = entity.relation.as_ref();
        let message = relation.and_then(|relation| relation.message.as_ref());
        Self::new(format!("entity.{}.relation", entity.name.value), message)
    }

    /// How long a chain of a relation may be.
    pub(crate) fn of_depth(entity: &Entity) -> Self {
        let relation = entity.relation.as_ref();
        let message = relation.and_then(|relation| relation.message_on_depth.as_ref());
        let path = format!("entity.{}.relation", entity.name.value);
        Self::new(path, message)
    }

    /// A value that one row may have.
    pub(crate) fn of_claim(entity: &Entity, claim: &str) -> Self {
        let message = entity.claim(claim).and_then(|claim| claim.message.as_ref());
        let path = format!("entity.{}.unique.{claim}", entity.name.value);
        Self::new(path, message)
    }

    /// What is known of the caller or of the deployment: `principal.userId`.
    pub(crate) fn of_circumstance(section: &str, attribute: &Attribute) -> Self {
        let path = format!("{section}.{}", attribute.name.value);
        Self::new(path, attribute.message.as_ref())
    }

    /// The type of a tenant's id.
    pub(crate) fn of_tenant(attribute: &Attribute) -> Self {
        Self::new("tenant.type".to_owned(), attribute.message.as_ref())
    }

    /// An attribute of an entity, or the names that begin like it, where the model declares it.
    pub(crate) fn of_attribute(model: &Model, entity: &Entity, name: &str) -> Self {
        let family = || entity.family(name).map(|family| &family.attribute);
        let Some(attribute) = entity.attribute(name).or_else(family) else {
            return Self::silent(format!("entity.{}.attributes", entity.name.value));
        };
        let owner = find_owner(model, entity, attribute);
        let own = &attribute.name.value;
        let path = format!("entity.{}.attributes.{own}", owner.name.value);
        Self::new(path, attribute.message.as_ref())
    }

    /// A reference that keeps the row it leads to from being deleted.
    pub(crate) fn of_restriction(model: &Model, entity: &Entity, name: &str) -> Self {
        let declared = Self::of_attribute(model, entity, name);
        let attribute = entity.attribute(name);
        let reference = attribute.and_then(|attribute| attribute.reference.as_ref());
        let message = reference.and_then(|reference| reference.message_on_delete.as_ref());
        Self::new(declared.path, message)
    }

    /// A rule that every row of an entity satisfies.
    pub(crate) fn of_must(entity: &Entity, name: &str) -> Option<Self> {
        let mut rules = entity.must.iter();
        let rule = rules.find(|rule| rule.name.value == name)?;
        let path = format!("entity.{}.must.{name}", entity.name.value);
        Some(Self::new(path, rule.message.as_ref()))
    }

    /// The primary key of an entity, which one row can have.
    pub(crate) fn of_key(entity: &Entity) -> Self {
        let path = format!("entity.{}.key", entity.name.value);
        Self::new(path, entity.message_on_exists.as_ref())
    }

    /// The partitions that a caller may touch.
    pub(crate) fn of_isolation(isolation: &Isolation) -> Self {
        Self::new("isolation".to_owned(), isolation.message.as_ref())
    }

    /// The declaration without its message, which is about something else.
    pub(crate) fn without_message(self) -> Self {
        Self::silent(self.path)
    }
}

/// The entity in whose section an attribute stands: one may have it from another that it is like.
fn find_owner<'m>(model: &'m Model, entity: &'m Entity, attribute: &Attribute) -> &'m Entity {
    let mut owner = entity;
    let name = &attribute.name.value;
    while let Some(above) = owner.like.map(|id| model.entity(id)) {
        let known = above.attribute(name).or_else(|| {
            let mut families = above.families.iter().map(|family| &family.attribute);
            families.find(|family| family.name.value == *name)
        });
        if known.is_none_or(|known| known.span != attribute.span) {
            break;
        }
        owner = above;
    }
    owner
}
