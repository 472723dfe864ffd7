//! The keys under which entities have rows: those that they write, and those of layouts.

use super::GroupRows;
use super::groups::{DiscriminatorVerdict, Group};
use monotable_language::{Language, Pattern, Verdict, is_subset, overlap};
use monotable_model::model::{Entity, EntityId, Key, KeyPlace, Mode, Model, Part, Template};
use monotable_model::shape::{Variables, Vocabulary, pattern};

/// One key under which an entity has rows.
pub(super) struct Form<'m> {
    pub(super) id: EntityId,
    pub(super) entity: &'m Entity,
    pub(super) languages: Vec<Language>,
    templates: Vec<&'m Template>,
}

/// The keys of all entities that have rows in a table.
pub(super) fn list_forms<'m>(model: &'m Model, table: &str) -> Vec<Form<'m>> {
    let words = Vocabulary::of(model);
    let mut forms = Vec::new();
    for (id, entity) in model.stored() {
        let layouts = entity.layouts.iter();
        let layouts = layouts.map(|layout| (layout.table, layout.keys.as_slice()));
        let places = std::iter::once((entity.table, entity.keys.as_slice())).chain(layouts);
        for (place, keys) in places {
            let primary = keys.iter().find(|key| key.place == KeyPlace::Primary);
            if let (true, Some(key)) = (model.table(place).name.value == table, primary) {
                let patterns = list_patterns(key, id, &words, &mut Variables::default());
                forms.push(Form {
                    id,
                    entity,
                    languages: patterns.iter().map(Pattern::language).collect(),
                    templates: key.templates().collect(),
                });
            }
        }
    }
    forms
}

/// The templates of a key as patterns. What stands behind a field that may be absent is any text.
pub(super) fn list_patterns(
    key: &Key,
    id: EntityId,
    words: &Vocabulary<'_>,
    variables: &mut Variables,
) -> Vec<Pattern> {
    let templates = key.templates();
    let patterns = templates.map(|template| {
        let shown = pattern(template, id.index(), words, variables);
        if is_plain(template) {
            shown
        } else {
            shown.anything()
        }
    });
    patterns.collect()
}

fn is_plain(template: &Template) -> bool {
    let mut parts = template.parts.iter();
    !template.open_end
        && parts.all(|part| match part {
            Part::Literal(_) => true,
            Part::Field(field) => field.mode == Mode::Plain,
        })
}

impl Form<'_> {
    /// Whether a key can be both.
    pub(super) fn may_meet(&self, patterns: &[Pattern]) -> bool {
        let mut pairs = self.languages.iter().zip(patterns);
        self.languages.len() == patterns.len()
            && pairs.all(|(own, pattern)| {
                let known = pattern.literal_prefix();
                own.can_start_with(known) && !overlap(own, &pattern.language()).is_proven()
            })
    }

    /// Whether the language at a place is that of the keys, and not a wider one.
    pub(super) fn is_exact(&self, at: usize) -> bool {
        self.templates
            .get(at)
            .is_some_and(|template| is_plain(template))
    }

    /// Whether all rows of the group have such a text at a place.
    pub(super) fn covers(&self, at: usize, rows: &GroupRows<'_, '_>) -> bool {
        let (Some(wanted), Some(own)) = (rows.languages.get(at), self.languages.get(at)) else {
            return false;
        };
        let primary = rows.rows.entity.primary();
        let template = primary.and_then(|key| key.templates().nth(at));
        let is_same = template
            .zip(self.templates.get(at))
            .is_some_and(|(a, b)| a.text == b.text);
        (self.is_exact(at) || is_same) && matches!(is_subset(wanted, own), Verdict::Proven)
    }

    /// What the discriminators of rows of a group say about the entity.
    pub(super) fn tell(&self, group: &Group) -> DiscriminatorVerdict {
        group.tell(self.entity)
    }
}
