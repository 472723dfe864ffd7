//! Which attributes must be there, which must not, and which rules hold.
//!
//! A condition that speaks of another row (`TreeId.IsPublic`) cannot be decided here: the operation that has read the
//! row decides it. Such a condition is left alone.

use super::{Record, Surroundings};
use crate::field_error::{FieldError, Problem};
use monotable_expr::predicate::{Context, Path, Root};
use monotable_expr::tree::PathStep;
use monotable_item::{EncodedItem, Item, ValueView};
use monotable_model::model::{Entity, Model, Predicate};

/// What predicates of a row are evaluated with.
pub(super) struct Conditions {
    row: EncodedItem,
    principal: EncodedItem,
    settings: EncodedItem,
    tenant: EncodedItem,
    now: String,
}

impl Conditions {
    pub(super) fn new(model: &Model, values: &Item, surroundings: &Surroundings) -> Self {
        let mut tenant = Item::new();
        if let (Some(declared), Some(id)) = (&model.tenant, &surroundings.tenant) {
            tenant.insert(declared.attribute.name.value.clone(), id.as_str());
        }
        Self {
            row: EncodedItem::from(values.clone()),
            principal: EncodedItem::from(surroundings.principal.clone()),
            settings: surroundings.all_settings(model),
            tenant: EncodedItem::from(tenant),
            now: surroundings.now_text(),
        }
    }

    /// Whether a predicate holds; None if it speaks of another row.
    pub(super) fn holds(&self, entity: &Entity, predicate: &Predicate) -> Option<bool> {
        let elsewhere = predicate
            .parsed()
            .paths()
            .into_iter()
            .any(|path| leads_away(entity, path));
        if elsewhere {
            return None;
        }
        let context = Context::new(self.row.view())
            .with(Root::New, self.row.view())
            .with(Root::Principal, self.principal.view())
            .with(Root::Setting, self.settings.view())
            .with(Root::Tenant, self.tenant.view())
            .at(ValueView::S(&self.now));
        Some(predicate.parsed().matches(|path| context.get(path)))
    }
}

/// Whether a path goes through a reference.
fn leads_away(entity: &Entity, path: &Path) -> bool {
    let own = matches!(path.root(), None | Some(Root::New | Root::Old));
    let [PathStep::Name(first), _, ..] = path.steps() else {
        return false;
    };
    own && entity
        .attribute(first)
        .is_some_and(|attribute| attribute.reference.is_some())
}

/// Everything that is missing, forbidden, or against a rule.
pub(super) fn check(
    model: &Model,
    record: &Record,
    surroundings: &Surroundings,
) -> Vec<FieldError> {
    let entity = model.entity(record.entity);
    let conditions = Conditions::new(model, &record.values, surroundings);
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
        // What follows from other rows is filled in by the operation that reads them.
        let made = attribute.computed.is_some()
            || attribute.numbered.is_some()
            || attribute.top.is_some()
            || attribute.position.is_some();
        if !present && required && !made {
            errors.push(FieldError::new(name, Problem::Missing));
        }
        if present && holds(&attribute.presence.only_if) == Some(false) {
            errors.push(FieldError::new(name, Problem::Forbidden));
        }
    }
    // Rules are about whole rows: with something missing they would say it twice.
    if errors.is_empty() {
        for must in &entity.must {
            if conditions.holds(entity, &must.predicate) == Some(false) {
                let problem = Problem::Rule {
                    name: must.name.value.clone(),
                };
                errors.push(FieldError::new(&must.name.value, problem));
            }
        }
    }
    errors
}
