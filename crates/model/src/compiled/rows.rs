//! Every key of a model, bound; and which entity a stored row is of.

use super::KeyTemplate;
use super::field_languages::{FieldLanguages, key_templates};
use super::key::CompiledKey;
use crate::model::{
    Entity, EntityId, Key, KeyPlace, Model, NamingError, Table, TableId, TableNaming,
};
use crate::plan::Plans;
use crate::shape::Vocabulary;
use rustc_hash::{FxHashMap, FxHashSet};

/// A model with its keys bound.
#[derive(Clone, Debug)]
pub struct CompiledModel {
    model: Model,
    /// One for each entity of the model; without keys for those that others are like.
    entities: Vec<CompiledEntity>,
    /// The attributes of all keys of each table.
    key_attributes: Vec<FxHashSet<String>>,
    /// Those of each table that no template writes, because rows have them for their own sake.
    own_attributes: Vec<FxHashSet<String>>,
    /// How its access patterns are read.
    plans: Plans,
    /// What names it, if it was read from bytes.
    hash: Option<String>,
}

/// The keys of an entity.
#[derive(Clone, Debug, Default)]
pub struct CompiledEntity {
    /// As they are written: the primary key first.
    pub keys: Vec<CompiledKey>,
    /// As other layouts have them: name, table and keys.
    pub layouts: Vec<(String, TableId, Vec<CompiledKey>)>,
    /// A row that has its discriminator is of no other entity.
    pub is_told_alone: bool,
    /// Every name under which an item may have an attribute.
    pub spellings: FxHashMap<String, Spelling>,
    /// The positions of attributes that nobody is shown as they are stored: the store's own, and secrets.
    pub covered: Vec<usize>,
    /// What the fields of its keys may show.
    pub(super) languages: FieldLanguages,
}

/// A name under which items have an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The attribute's position in the entity.
    pub attribute: usize,
    /// 0 for the name that is written; others only count if it is not there.
    pub rank: usize,
}

/// The primary key of a stored row.
#[derive(Clone, Copy, Debug)]
pub struct StoredKey<'k> {
    /// The partition key, after the tenant's prefix.
    pub hash: &'k str,
    /// The sort key.
    pub range: Option<&'k str>,
}

/// What a stored row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The entity.
    pub entity: EntityId,
    /// The position of its layout; none for the one the entity writes.
    pub layout: Option<usize>,
}

impl CompiledModel {
    /// Binds every key.
    #[must_use]
    pub fn new(model: Model) -> Self {
        let plans = Plans::new(&model);
        let vocabulary = Vocabulary::of(&model);
        let languages = model.entities().map(|(id, entity)| {
            FieldLanguages::work_out(&vocabulary, id, entity, key_templates(entity))
        });
        let languages = languages.collect();
        drop(vocabulary);
        Self::bind(model, plans, languages)
    }

    /// Binds every key of a model whose plans are known, and of each entity, what its keys may show.
    // Never inlined: engines of WebAssembly optimise a function that runs long as a whole, which takes the longer the larger it is.
    #[inline(never)]
    pub(super) fn bind(model: Model, plans: Plans, languages: Vec<FieldLanguages>) -> Self {
        let entities: Vec<_> = model
            .entities()
            .zip(languages)
            .map(|((id, entity), languages)| compile(&model, id, entity, languages))
            .collect();
        let key_attributes = model.tables.iter().map(key_attributes).collect();
        let own_attributes = model
            .tables()
            .map(|(id, table)| own_attributes(&model, &entities, id, table))
            .collect();
        Self {
            model,
            entities,
            key_attributes,
            own_attributes,
            plans,
            hash: None,
        }
    }

    /// With the name that its bytes have for it.
    pub(super) fn with_hash(mut self, hash: String) -> Self {
        self.hash = Some(hash);
        self
    }

    /// What [`CompiledModel::checksum`] was when the bytes were written that it was read from; none if it was not read from bytes.
    #[must_use]
    pub fn written_checksum(&self) -> Option<&str> {
        self.hash.as_deref()
    }

    /// Gives the tables other names in DynamoDB. Keys and plans know tables by their positions, so nothing is bound anew;
    /// listings of the plans keep the names that the model was compiled with.
    ///
    /// # Errors
    ///
    /// If DynamoDB refuses a name, or two tables would have one. The model is then as it was.
    pub fn rename_tables(&mut self, naming: &TableNaming) -> Result<(), NamingError> {
        self.model.rename_tables(naming)
    }

    /// How its access patterns are read.
    #[must_use]
    pub const fn plans(&self) -> &Plans {
        &self.plans
    }

    /// Whether an attribute is one of the keys of a table or of its indexes.
    #[must_use]
    pub fn is_key_attribute(&self, table: TableId, name: &str) -> bool {
        let names = self.key_attributes.get(table.index());
        names.is_some_and(|names| names.contains(name))
    }

    /// Whether rows have an attribute for its own sake although an index is on it: an open entity that does not declare it keeps it.
    #[must_use]
    pub fn is_own_attribute(&self, table: TableId, name: &str) -> bool {
        let names = self.own_attributes.get(table.index());
        names.is_some_and(|names| names.contains(name))
    }

    /// The model.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// The keys of an entity.
    #[must_use]
    pub fn entity(&self, id: EntityId) -> Option<&CompiledEntity> {
        self.entities.get(id.index())
    }

    /// Of each entity, what the fields of its keys may show.
    pub(super) fn field_languages(&self) -> impl Iterator<Item = &FieldLanguages> {
        self.entities.iter().map(|entity| &entity.languages)
    }

    /// Which entity a row of a table is of. `text` gives its attributes as text; a row without discriminators is
    /// recognised by its key. None: the model does not know such rows.
    pub fn recognise<'t>(
        &self,
        table: TableId,
        key: StoredKey<'_>,
        text: impl Fn(&str) -> Option<&'t str>,
    ) -> Option<Recognised> {
        let mut by_key = None;
        for (id, entity) in self.model.stored() {
            let recognition = match_discriminators(entity, &text);
            if recognition == Recognition::Other {
                continue;
            }
            // One that its discriminators tell and that has one layout is known by its literals.
            if recognition == Recognition::This
                && entity.layouts.is_empty()
                && entity.table == table
            {
                if self.looks_like(id, key) {
                    return Some(Recognised {
                        entity: id,
                        layout: None,
                    });
                }
                continue;
            }
            let Some(found) = self.place_of(id, table, key) else {
                continue;
            };
            match recognition {
                Recognition::This => return Some(found),
                Recognition::Unknown | Recognition::Other => by_key = by_key.or(Some(found)),
            }
        }
        by_key
    }

    /// Whether a row is of an entity that is expected. None: [`CompiledModel::recognise`] has to look for it, because it is not,
    /// or because other entities could have it too.
    pub fn recognise_as<'t>(
        &self,
        entity: EntityId,
        table: TableId,
        key: StoredKey<'_>,
        text: impl Fn(&str) -> Option<&'t str>,
    ) -> Option<Recognised> {
        let is_alone = self.entities.get(entity.index())?.is_told_alone;
        let declared = self.model.entity(entity);
        let is_this = is_alone
            && declared.table == table
            && match_discriminators(declared, &text) == Recognition::This
            && self.looks_like(entity, key);
        is_this.then_some(Recognised {
            entity,
            layout: None,
        })
    }

    fn looks_like(&self, entity: EntityId, key: StoredKey<'_>) -> bool {
        let keys = self.entities.get(entity.index()).map(|entity| &entity.keys);
        let mut keys = keys.into_iter().flatten();
        let primary = keys.find(|key| key.place == KeyPlace::Primary);
        primary.is_some_and(|own| {
            let range = match (&own.range, key.range) {
                (Some(template), Some(text)) => template.looks_like(text),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            range && own.hash.looks_like(key.hash)
        })
    }

    /// Whether a key has the shape of an entity's, in the layout it writes or in another.
    fn place_of(&self, entity: EntityId, table: TableId, key: StoredKey<'_>) -> Option<Recognised> {
        let compiled = self.entities.get(entity.index())?;
        let written = self.model.entity(entity).table == table && shaped(&compiled.keys, key);
        if written {
            return Some(Recognised {
                entity,
                layout: None,
            });
        }
        let layout = compiled
            .layouts
            .iter()
            .position(|(_, own, keys)| *own == table && shaped(keys, key));
        layout.map(|layout| Recognised {
            entity,
            layout: Some(layout),
        })
    }
}

/// What the discriminators of a row say about an entity.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recognition {
    This,
    Other,
    /// The entity has none, or the row has none of them.
    Unknown,
}

fn match_discriminators<'t>(
    entity: &Entity,
    text: &impl Fn(&str) -> Option<&'t str>,
) -> Recognition {
    let mut recognition = Recognition::Unknown;
    for discriminator in &entity.is {
        match text(&discriminator.attribute.value) {
            Some(value) if discriminator.read.iter().any(|read| read == value) => {
                recognition = Recognition::This
            }
            Some(_) => return Recognition::Other,
            None => {}
        }
    }
    recognition
}

fn shaped(keys: &[CompiledKey], stored: StoredKey<'_>) -> bool {
    let primary = keys.iter().find(|key| key.place == KeyPlace::Primary);
    primary.is_some_and(|key| {
        let range = match (&key.range, stored.range) {
            (Some(template), Some(text)) => template.parse(text).is_some(),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        range && key.hash.parse(stored.hash).is_some()
    })
}

/// Whether a row with the one discriminator of an entity is of no other: all that have discriminators have this one, with
/// other values.
fn is_told_alone(model: &Model, id: EntityId, entity: &Entity) -> bool {
    let [own] = entity.is.as_slice() else {
        return false;
    };
    let differs = |other: &Entity| {
        other.is.is_empty()
            || other.is.iter().any(|known| {
                known.attribute.value == own.attribute.value
                    && !known.read.iter().any(|read| own.read.contains(read))
            })
    };
    entity.layouts.is_empty()
        && model
            .stored()
            .all(|(other, declared)| other == id || differs(declared))
}

/// The positions of attributes that nobody is shown as they are stored.
fn covered(entity: &Entity) -> Vec<usize> {
    let attributes = entity.attributes.iter().enumerate();
    attributes
        .filter(|(_, attribute)| attribute.internal || attribute.secret.is_some())
        .map(|(position, _)| position)
        .collect()
}

/// The names under which an item may have each attribute: the stored one first.
fn spellings(entity: &Entity) -> FxHashMap<String, Spelling> {
    let mut all = FxHashMap::default();
    for (position, attribute) in entity.attributes.iter().enumerate() {
        let camel = entity
            .also_camel_case
            .then(|| camel_case(&attribute.stored));
        let names = std::iter::once(attribute.stored.clone())
            .chain(attribute.aliases.iter().cloned())
            .chain(camel);
        for (rank, name) in names.enumerate() {
            all.entry(name).or_insert(Spelling {
                attribute: position,
                rank,
            });
        }
    }
    all
}

fn camel_case(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters
        .next()
        .map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

fn key_attributes(table: &Table) -> FxHashSet<String> {
    let all = std::iter::once(&table.hash)
        .chain(&table.range)
        .chain(table.index_attributes());
    all.map(|name| name.value.clone()).collect()
}

/// The attributes of indexes of a table that entities declare, and that no template writes.
fn own_attributes(
    model: &Model,
    entities: &[CompiledEntity],
    id: TableId,
    table: &Table,
) -> FxHashSet<String> {
    let here = || {
        let declared = model.entities().zip(entities);
        declared.filter(move |((_, entity), _)| {
            let mut layouts = entity.layouts.iter();
            entity.table == id || layouts.any(|layout| layout.table == id)
        })
    };
    let is_own = |name: &str| {
        here().any(|((_, entity), _)| {
            let mut attributes = entity.attributes.iter();
            attributes.any(|attribute| attribute.stored == name && !attribute.key_only)
        })
    };
    let is_written = |name: &str| {
        here().any(|(_, compiled)| {
            let layouts = compiled.layouts.iter().flat_map(|(_, _, keys)| keys);
            let mut keys = compiled.keys.iter().chain(layouts);
            keys.any(|key| !key.implied && key.written_attributes().any(|own| own == name))
        })
    };
    let indexed = table.index_attributes().map(|name| &name.value);
    let own = indexed.filter(|name| is_own(name) && !is_written(name) && !table.is_key(name));
    own.cloned().collect()
}

fn compile(
    model: &Model,
    id: EntityId,
    entity: &Entity,
    languages: FieldLanguages,
) -> CompiledEntity {
    let bind = |table: TableId, key: &Key| {
        CompiledKey::bind(model.table(table), key, |template| {
            KeyTemplate::bind(entity, template, &languages)
        })
    };
    let layouts = entity.layouts.iter();
    let keys = entity.keys.iter().map(|key| bind(entity.table, key));
    let keys = keys.collect();
    let layouts = layouts.map(|layout| {
        let keys = layout.keys.iter().map(|key| bind(layout.table, key));
        (layout.name.value.clone(), layout.table, keys.collect())
    });
    let layouts = layouts.collect();
    CompiledEntity {
        is_told_alone: is_told_alone(model, id, entity),
        spellings: spellings(entity),
        covered: covered(entity),
        keys,
        layouts,
        languages,
    }
}
