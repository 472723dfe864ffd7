//! Which attributes must be there, which must not, and which rules hold.
//!
//! A condition that speaks of another row (`TreeId.IsPublic`) is decided only if the operation has read that row; else it
//! is left alone.

use super::refusal::{refuse_absence, refuse_presence};
use super::{Circumstances, Record, rule};
use crate::field_error::{FieldError, Problem};
use monotable_expr::predicate::{Context, Path, Root};
use monotable_expr::tree::{DocumentPath, PathStep};
use monotable_item::{EncodedItem, Item, ValueView};
use monotable_model::model::{Attribute, Entity, Model, Predicate};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What predicates of a row are evaluated with. Most rows have none to evaluate, so nothing is encoded before the first.
pub(crate) struct Conditions<'a> {
    model: &'a Model,
    values: &'a Item,
    circumstances: &'a Circumstances,
    /// The row as it was.
    old: Option<&'a Item>,
    bindings: OnceLock<Bindings>,
}

/// What the roots of paths stand for, encoded.
struct Bindings {
    row: EncodedItem,
    principal: EncodedItem,
    settings: EncodedItem,
    tenant: EncodedItem,
    now: String,
    /// The rows that references name, as far as they were read.
    referred: BTreeMap<String, EncodedItem>,
    old: Option<EncodedItem>,
}

impl Bindings {
    fn new(conditions: &Conditions<'_>) -> Self {
        let Conditions {
            model,
            values,
            circumstances,
            old,
            ..
        } = conditions;
        let mut tenant = Item::new();
        if let (Some(declared), Some(id)) = (&model.tenant, &circumstances.tenant) {
            tenant.insert(declared.attribute.name.value.clone(), id.as_str());
        }
        Self {
            row: EncodedItem::from(*values),
            principal: EncodedItem::from(&circumstances.principal),
            settings: circumstances.all_settings(model),
            tenant: EncodedItem::from(tenant),
            now: circumstances.now_text(),
            referred: circumstances
                .referred
                .iter()
                .map(|(name, row)| (name.clone(), EncodedItem::from(row)))
                .collect(),
            old: old.map(EncodedItem::from),
        }
    }
}

impl<'a> Conditions<'a> {
    pub(crate) const fn new(
        model: &'a Model,
        values: &'a Item,
        circumstances: &'a Circumstances,
    ) -> Self {
        Self {
            model,
            values,
            circumstances,
            old: None,
            bindings: OnceLock::new(),
        }
    }

    /// For a row that was this before.
    pub(crate) const fn with_old(mut self, old: &'a Item) -> Self {
        self.old = Some(old);
        self
    }

    /// Whether a predicate holds; None if it speaks of another row.
    pub(crate) fn holds(&self, entity: &Entity, predicate: &Predicate) -> Option<bool> {
        let elsewhere = predicate
            .parsed()
            .paths()
            .into_iter()
            .filter_map(|path| leads_away(entity, path))
            .any(|name| !self.circumstances.referred.contains_key(name));
        if elsewhere {
            return None;
        }
        let bound = self.bindings.get_or_init(|| Bindings::new(self));
        let context = Context::new(bound.row.view())
            .with(Root::New, bound.row.view())
            .with(Root::Principal, bound.principal.view())
            .with(Root::Setting, bound.settings.view())
            .with(Root::Tenant, bound.tenant.view())
            .at(ValueView::S(&bound.now));
        let context = match &bound.old {
            Some(old) => context.with(Root::Old, old.view()),
            None => context,
        };
        let value = |path: &Path| match leads_away(entity, path) {
            Some(name) => descend(bound.referred.get(name)?, path),
            None => context.get(path),
        };
        Some(predicate.parsed().matches(value))
    }
}

/// The value in another row that a path through a reference leads to.
fn descend<'r>(row: &'r EncodedItem, path: &Path) -> Option<ValueView<'r>> {
    let steps = path.steps().get(1..)?;
    let (first, rest) = steps.split_first()?;
    let PathStep::Name(name) = first else {
        return None;
    };
    let path = rest
        .iter()
        .cloned()
        .fold(DocumentPath::new(name), DocumentPath::with);
    path.resolve(row.view())
}

/// The reference that a path goes through.
pub(crate) fn leads_away<'p>(entity: &Entity, path: &'p Path) -> Option<&'p str> {
    let own = matches!(path.root(), None | Some(Root::New | Root::Old));
    let [PathStep::Name(first), _, ..] = path.steps() else {
        return None;
    };
    let refers = entity
        .attribute(first)
        .is_some_and(|attribute| attribute.reference.is_some());
    (own && refers).then_some(first)
}

/// Everything that is missing, forbidden, or against a rule. Rules about what is filled in later wait.
pub(super) fn check(
    model: &Model,
    record: &Record,
    circumstances: &Circumstances,
) -> Vec<FieldError> {
    wrong(model, record, circumstances, |rule| {
        waits(model.entity(record.entity), record, rule)
    })
}

/// Everything that is missing, forbidden, or against a rule in a row to which nothing is added any more.
pub(super) fn whole(
    model: &Model,
    record: &Record,
    circumstances: &Circumstances,
) -> Vec<FieldError> {
    wrong(model, record, circumstances, |_| false)
}

fn wrong(
    model: &Model,
    record: &Record,
    circumstances: &Circumstances,
    waits: impl Fn(&Predicate) -> bool,
) -> Vec<FieldError> {
    let entity = model.entity(record.entity);
    let conditions = Conditions::new(model, &record.values, circumstances);
    let mut errors = Vec::new();
    for attribute in &entity.attributes {
        let name = &attribute.name.value;
        let present = record.values.get(name).is_some();
        let holds = |predicate: &Option<Predicate>| {
            predicate
                .as_ref()
                .and_then(|predicate| conditions.holds(entity, predicate))
        };
        let required =
            !attribute.presence.optional || holds(&attribute.presence.required_if) == Some(true);
        let made = is_filled_in(attribute) || is_element(entity, name);
        if !present && required && !made {
            errors.push(refuse_absence(attribute));
        }
        if present && holds(&attribute.presence.only_if) == Some(false) {
            errors.push(refuse_presence(attribute));
        }
    }
    // Rules are about whole rows: with something missing they would say it twice.
    if errors.is_empty() {
        for must in entity.must.iter().filter(|must| !waits(&must.predicate)) {
            if conditions.holds(entity, &must.predicate) == Some(false) {
                let problem = Problem::Rule {
                    name: must.name.value.clone(),
                    meaning: rule::explain(entity, &must.predicate, &record.values),
                };
                errors.push(FieldError::new(&must.name.value, problem));
            }
        }
    }
    errors
}

/// Whether each row of an item has its own element of a list there.
fn is_element(entity: &Entity, name: &str) -> bool {
    let mut lists = entity.each.iter();
    lists.any(|each| each.variable.value == name)
}

/// What follows from other rows is filled in by the operation that reads them.
const fn is_filled_in(attribute: &Attribute) -> bool {
    attribute.computed.is_some()
        || attribute.numbered.is_some()
        || attribute.top.is_some()
        || attribute.position.is_some()
}

/// Whether a rule is about something that is filled in later.
fn waits(entity: &Entity, record: &Record, rule: &Predicate) -> bool {
    let paths = rule.parsed().paths();
    let mut names = paths.into_iter().filter_map(Path::first_name);
    names.any(|name| {
        entity.attribute(name).is_some_and(|attribute| {
            // These follow from rows around it: what it had is not what it will have.
            let moves = attribute.top.is_some() || attribute.position.is_some();
            moves || is_filled_in(attribute) && record.values.get(name).is_none()
        })
    })
}
