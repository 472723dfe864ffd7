//! Which texts each field of an entity's keys may show in what is stored.
//!
//! Working them out builds automata, which takes most of the time of binding a model. A compiled model has them written
//! down (`bytes.rs`), so that a program that is given one only reads them.

use crate::model::{
    Entity, EntityId, Field, Kind, Mode, OnExists, Part, Template, fine_time_language,
    stored_time_language,
};
use crate::shape::{Vocabulary, field_language, variable_name};
use monotable_language::Language;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The languages of the fields of an entity's keys, by the fields as they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldLanguages(BTreeMap<String, Language>);

impl FieldLanguages {
    /// Works out the languages of the fields of some templates.
    pub(super) fn work_out<'t>(
        vocabulary: &Vocabulary<'_>,
        id: EntityId,
        entity: &Entity,
        templates: impl Iterator<Item = &'t Template>,
    ) -> Self {
        let mut languages = BTreeMap::new();
        for field in templates.flat_map(parsed_fields) {
            let name = variable_name(field);
            if let Entry::Vacant(vacant) = languages.entry(name) {
                let language = stored_time(entity, vacant.key())
                    .unwrap_or_else(|| field_language(field, id.index(), vocabulary));
                vacant.insert(language);
            }
        }
        Self(languages)
    }

    /// Takes the languages of the fields of an entity's keys from a list in the order of [`FieldLanguages::iter`]. None if
    /// the list ends too early.
    pub(super) fn take(
        entity: &Entity,
        mut languages: impl Iterator<Item = Language>,
    ) -> Option<Self> {
        let fields = key_templates(entity).flat_map(parsed_fields);
        let names: std::collections::BTreeSet<_> = fields.map(variable_name).collect();
        let taken = names
            .into_iter()
            .map(|name| languages.next().map(|language| (name, language)));
        taken.collect::<Option<_>>().map(Self)
    }

    /// All of them, in the order of the fields' names.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Language> {
        self.0.values()
    }

    /// That of a field. One that was not listed shows nothing.
    pub(super) fn of_field(&self, field: &Field) -> Language {
        let language = self.0.get(&variable_name(field)).cloned();
        language.unwrap_or_else(Language::nothing)
    }
}

/// All templates of an entity's keys, in every layout.
pub(super) fn key_templates(entity: &Entity) -> impl Iterator<Item = &Template> {
    let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
    let keys = entity.keys.iter().chain(layouts);
    keys.flat_map(|key| key.templates())
}

/// The fields of a template that a text of it is split into: nothing is read behind one that may be absent.
fn parsed_fields(template: &Template) -> impl Iterator<Item = &Field> {
    let parts = template.parts.iter().map_while(|part| match part {
        Part::Literal(_) => Some(None),
        Part::Field(field) => (field.mode == Mode::Plain).then_some(Some(field)),
    });
    parts.flatten()
}

/// What a time of an entity shows in stored keys: any precision that other programs write, and a fraction where it tells two
/// of one second apart. None if the field shows something else.
fn stored_time(entity: &Entity, name: &str) -> Option<Language> {
    let Kind::Timestamp(format) = entity.attribute(name)?.kind else {
        return None;
    };
    let stored = stored_time_language(format);
    Some(if entity.on_exists == OnExists::Fraction {
        stored.union(&fine_time_language(format))
    } else {
        stored
    })
}
