//! What a stored item is: a row, a guard, an item of the store itself, or nothing that the model knows.

use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::KeyTemplate;
use monotable_model::model::{EntityId, Guard, Model, Table, TableId};
use monotable_store::{Row, Store};
use std::borrow::Cow;

/// How partition keys of the store's own items begin, behind a tenant's prefix.
const OWN: &str = "monotable#";

/// What an item is.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    /// A row of an entity.
    Row(Row),
    /// What holds a value for one row of an entity.
    Guard {
        /// The entity whose row has the value.
        entity: String,
        /// The claim that it stands for.
        claim: String,
    },
    /// An item of the store itself.
    Own,
    /// Nothing that the model knows.
    Unknown,
}

/// How an item is called, and where its name leads.
impl Role {
    /// The entity that it has to do with.
    pub(crate) fn entity(&self) -> Option<&str> {
        match self {
            Self::Row(row) => Some(&row.entity),
            Self::Guard { entity, .. } => Some(entity),
            Self::Own | Self::Unknown => None,
        }
    }

    /// How lists call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Row(row) => row.entity.clone(),
            Self::Guard { entity, claim } => format!("{entity}.{claim} guard"),
            Self::Own => "of the store".to_owned(),
            Self::Unknown => "unknown".to_owned(),
        }
    }
}

/// The key of a guard.
struct GuardShape {
    table: TableId,
    entity: String,
    claim: String,
    partition: KeyTemplate,
    sort: Option<KeyTemplate>,
}

/// Says what items are.
pub(crate) struct Recogniser<'s> {
    store: &'s Store,
    guards: Vec<GuardShape>,
    prefix: Option<KeyTemplate>,
}

impl<'s> Recogniser<'s> {
    pub(crate) fn new(store: &'s Store) -> Self {
        let model = store.model();
        let guards = model.stored().flat_map(|(id, entity)| {
            entity
                .claims
                .iter()
                .filter_map(move |claim| match &claim.guard {
                    Guard::Row { key, .. } => Some(GuardShape {
                        table: entity.table,
                        entity: entity.name.value.clone(),
                        claim: claim.name.value.clone(),
                        partition: KeyTemplate::new(model, id, &key.hash),
                        sort: key
                            .range
                            .as_ref()
                            .map(|range| KeyTemplate::new(model, id, range)),
                    }),
                    Guard::Entity { .. } | Guard::Snapshot => None,
                })
        });
        let tenant = model.tenant.as_ref();
        Self {
            store,
            guards: guards.collect(),
            prefix: tenant.map(|tenant| KeyTemplate::unbound(&tenant.prefix)),
        }
    }

    /// What an item of a table is.
    pub(crate) fn recognise(&self, id: TableId, item: &Item) -> Role {
        let table = self.store.model().table(id);
        let partition = find_text(item, &table.hash.value);
        if self.endings(partition).any(|text| text.starts_with(OWN)) {
            return Role::Own;
        }
        if let Some(image) = self.store.read_image(Some(&table.physical), item) {
            return Role::Row(image.row);
        }
        let sort = table
            .range
            .as_ref()
            .map(|range| find_text(item, &range.value));
        let guards = self.guards.iter().filter(|guard| guard.table == id);
        for guard in guards {
            let fits = self
                .endings(partition)
                .any(|text| guard.partition.looks_like(text));
            let sort_fits = match (&guard.sort, sort) {
                (Some(template), Some(sort)) => {
                    self.endings(sort).any(|text| template.looks_like(text))
                }
                (None, _) | (_, None) => true,
            };
            if fits && sort_fits {
                return Role::Guard {
                    entity: guard.entity.clone(),
                    claim: guard.claim.clone(),
                };
            }
        }
        Role::Unknown
    }

    /// The text, and what may be left of it behind the prefix of a tenant.
    fn endings<'t>(&'t self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let places = text.char_indices().map(|(place, _)| place).skip(1);
        let behind = places.filter_map(|place| {
            let (before, after) = text.split_at_checked(place)?;
            let prefix = self.prefix.as_ref()?;
            prefix.looks_like(before).then_some(after)
        });
        std::iter::once(text).chain(behind)
    }
}

/// The text of an attribute; empty if there is none.
pub(crate) fn find_text<'i>(item: &'i Item, name: &str) -> &'i str {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text,
        _ => "",
    }
}

/// The text of an attribute of a key, which may be a number; empty if there is none.
pub(crate) fn find_key_text<'i>(item: &'i Item, name: &str) -> Cow<'i, str> {
    match item.get(name) {
        Some(AttributeValue::S(text)) => Cow::Borrowed(text),
        Some(AttributeValue::N(number)) => Cow::Owned(number.to_string()),
        _ => Cow::Borrowed(""),
    }
}

/// The mechanism that writes rows of an entity, if callers do not write them themselves, with its declaration.
pub(crate) fn find_mechanism(model: &Model, id: EntityId) -> Option<(&'static str, String)> {
    let derive = model.derives.iter().find(|derive| derive.entity == id);
    if let Some(derive) = derive {
        return Some(("derived", format!("derive.{}", derive.name.value)));
    }
    let audit = model.audits.iter().find(|audit| audit.entity == id);
    if let Some(audit) = audit {
        return Some(("audit", format!("audit.{}", audit.name.value)));
    }
    let archive = model.archives.iter().find(|archive| archive.entity == id);
    if let Some(archive) = archive {
        return Some(("archive", format!("archive.{}", archive.name.value)));
    }
    let path = model
        .paths
        .iter()
        .find(|path| path.folder == id || path.leaf == id);
    if let Some(path) = path {
        return Some(("path", format!("path.{}", path.name.value)));
    }
    let repository = model.repository_of(id)?;
    Some((
        "repository",
        format!("repository.{}", repository.name.value),
    ))
}

/// The names of the attributes of an item that are not shown as they are stored.
pub(crate) fn list_secrets(model: &Model, entity: &str) -> Vec<String> {
    let Some((_, entity)) = model.entity_named(entity) else {
        return Vec::new();
    };
    let secrets = entity
        .attributes
        .iter()
        .filter(|attribute| attribute.secret.is_some() || attribute.hashed.is_some());
    secrets
        .flat_map(|attribute| std::iter::once(&attribute.stored).chain(&attribute.aliases))
        .cloned()
        .collect()
}

/// The item as the page may show it: secrets are covered before they leave the server.
pub(crate) fn cover_secrets(model: &Model, role: &Role, mut item: Item) -> Item {
    if let Some(entity) = role.entity() {
        for name in list_secrets(model, entity) {
            if item.get(&name).is_some() {
                item.insert(name, AttributeValue::S("•••".to_owned()));
            }
        }
    }
    item
}

/// The attributes that make the key of a table, in their order.
pub(crate) fn list_key_names(table: &Table) -> Vec<&str> {
    let range = table.range.as_ref().map(|range| range.value.as_str());
    std::iter::once(table.hash.value.as_str())
        .chain(range)
        .collect()
}
