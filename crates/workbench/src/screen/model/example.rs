//! Lines of counterexamples in the colours of keys: each id in a key, and each value of an attribute, has the colour of the entity
//! that it names.

use crate::context::OpenModel;
use crate::key_owner::{count_literals, fits, without_tenant};
use crate::part::key;
use maud::{Markup, html};
use monotable_model::diagnostic::{Diagnostic, Example};
use monotable_model::model::{Entity, Key, Model, Template};
use monotable_model::span::Span;
use std::cmp::Reverse;

/// What stands between the name of an attribute and its value.
const IS: &str = " = ";

/// Draws the counterexamples of a text.
pub(super) struct Painter<'o> {
    pub(super) open: &'o OpenModel,
    /// The model that was found faulty. The store may run an earlier one, whose keys can be others.
    model: Option<Model>,
}

impl<'o> Painter<'o> {
    pub(super) fn new(open: &'o OpenModel, text: &str, findings: &[Diagnostic]) -> Self {
        let has_example = |found: &Diagnostic| !found.counterexample.is_empty();
        let model = findings.iter().any(has_example);
        let model = model.then(|| monotable_model::read(text).model);
        Self {
            open,
            model: model.flatten(),
        }
    }

    /// A line of the counterexample of a finding. What stands between quotes is a key or a value.
    pub(super) fn draw(&self, found: &Diagnostic, example: &Example) -> Markup {
        let subjects = self.list_subjects(found, example);
        let pieces: Vec<&str> = example.text.split('"').collect();
        let quoted: Vec<&str> = pieces.iter().skip(1).step_by(2).copied().collect();
        let templates = self.find_templates(&subjects, &quoted);
        html! {
            span class="wrapkey" { span class="key" {
                @for (position, piece) in pieces.iter().enumerate() {
                    @if position > 0 { "\"" }
                    @if position % 2 == 0 { (piece) } @else {
                        @let before = pieces.get(position - 1).copied().unwrap_or_default();
                        @match before.strip_suffix(IS) {
                            Some(before) => (self.value(&subjects, last_word(before), piece)),
                            None => (self.key(templates.get(position / 2).copied().flatten(), piece)),
                        }
                    }
                }
            } }
        }
    }

    /// The entities that a line may be about, the likeliest first: the one that it names, the others of the counterexample, those
    /// whose declaration the finding stands in, and those that its pattern returns.
    fn list_subjects(&self, found: &Diagnostic, example: &Example) -> Vec<&Entity> {
        let Some(model) = &self.model else {
            return Vec::new();
        };
        let lines = std::iter::once(example).chain(&found.counterexample);
        let named = lines.filter_map(|line| {
            // A row of a layout is called `Person (layout old)`.
            let name = line.what.split(" (").next().unwrap_or(&line.what);
            model.entity_named(name).map(|(_, entity)| entity)
        });
        let entities = model.stored().map(|(_, entity)| entity);
        let holding = entities.filter(|entity| {
            let keys = list_keys(entity).map(|key| key.span);
            let mut spans = std::iter::once(entity.span).chain(keys);
            spans.any(|span| has(span, found.span))
        });
        let patterns = model.patterns().map(|(_, access)| access);
        let patterns = patterns.filter(|access| has(access.span, found.span));
        let returned =
            patterns.flat_map(|access| access.returns.iter().map(|id| model.entity(*id)));
        named.chain(holding).chain(returned).collect()
    }

    /// Which template has written each text: those of a key that fits them all, else for each the one that says most.
    fn find_templates<'m>(
        &self,
        subjects: &[&'m Entity],
        texts: &[&str],
    ) -> Vec<Option<(&'m Entity, &'m Template)>> {
        let Some(model) = &self.model else {
            return Vec::new();
        };
        let has_written =
            |template: &Template, text: &str| fits(template, without_tenant(model, text));
        let keys: Vec<(&Entity, &Key)> = subjects
            .iter()
            .flat_map(|entity| list_keys(entity).map(|key| (*entity, key)))
            .collect();
        let whole = keys.iter().find(|(_, key)| {
            let mut pairs = key.templates().zip(texts);
            key.templates().count() == texts.len()
                && pairs.all(|(template, text)| has_written(template, text))
        });
        if let Some((entity, key)) = whole {
            let templates = key.templates();
            return templates
                .map(|template| Some((*entity, template)))
                .collect();
        }
        let find_one = |text: &&str| {
            let templates = keys
                .iter()
                .flat_map(|(entity, key)| key.templates().map(|template| (*entity, template)));
            templates
                .filter(|(_, template)| has_written(template, text))
                .min_by_key(|(_, template)| Reverse(count_literals(template)))
        };
        texts.iter().map(find_one).collect()
    }

    fn key(&self, template: Option<(&Entity, &Template)>, text: &str) -> Markup {
        let running = template.and_then(|(entity, _)| {
            let (id, _) = self.open.model().entity_named(&entity.name.value)?;
            Some(id)
        });
        let template = template.map(|(_, template)| template);
        key::written(self.open, running, template, text)
    }

    fn value(&self, subjects: &[&Entity], name: &str, text: &str) -> Markup {
        let model = self.open.model();
        let mut entities = subjects
            .iter()
            .filter_map(|entity| model.entity_named(&entity.name.value));
        let named = entities.find_map(|(id, _)| self.open.named_entity(id, name));
        html! {
            @match named {
                Some(entity) => span class={ "v " (self.open.hues.class(entity)) } { (text) },
                None => span class="v" { (text) },
            }
        }
    }
}

fn has(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The name before a value: the last word of `TreeId = "a", PersonId`.
fn last_word(text: &str) -> &str {
    text.rsplit([' ', '"']).next().unwrap_or(text)
}

fn list_keys(entity: &Entity) -> impl Iterator<Item = &Key> {
    let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
    entity.keys.iter().chain(layouts)
}
