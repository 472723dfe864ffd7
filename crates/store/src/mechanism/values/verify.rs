//! Whether the values of a stored row are what the model says, and what the row's key says.

use crate::record::{self, Record};
use crate::scope::Scope;
use crate::secret;
use crate::verify::{FactSink, LocalRemedy, StatedRow, Topic, ViolationKind, state_local};
use monotable_item::AttributeValue;
use monotable_model::model::{Attribute, Root, Source, Template};

/// States what is wrong with the row's own values.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    let mut wrong = |kind: ViolationKind, message: String, remedy: LocalRemedy| {
        state_local(facts, Topic::Values, row, kind, &message, remedy);
    };
    let none = LocalRemedy::None;
    if let Some(contradiction) = record::find_contradiction(scope.compiled(), row.record, row.item)
    {
        wrong(ViolationKind::Keys, contradiction.to_string(), none);
    }
    for error in record::problems(scope.compiled(), row.record, &scope.circumstances) {
        wrong(ViolationKind::Value, error.to_string(), none);
    }
    for message in find_plain_secrets(scope, row.record) {
        wrong(ViolationKind::Value, message, none);
    }
    // What was committed once never changes, and a row that does not say whose it is cannot be written for anybody.
    let is_fixed = scope.model().keeps_history(row.record.entity) || !row.says_tenant;
    let remedy = if is_fixed { none } else { LocalRemedy::Rewrite };
    for name in find_stale(scope, row.record).iter().map(|(name, _)| name) {
        let message = format!("`{name}` is not what the model computes from the row");
        wrong(ViolationKind::Value, message, remedy);
    }
}

/// Secrets that are stored as they were given.
fn find_plain_secrets(scope: &Scope, row: &Record) -> Vec<String> {
    let entity = scope.entity(row.entity);
    let mut messages = Vec::new();
    for attribute in &entity.attributes {
        let name = &attribute.name.value;
        let Some(value) = row.values.get(name) else {
            continue;
        };
        let is_hash = matches!(value, AttributeValue::S(text) if secret::is_hash(text));
        if attribute.hashed.is_some() && !is_hash {
            messages.push(format!(
                "`{name}` is stored as it was given, and the model says that only its hash is"
            ));
        }
    }
    messages
}

/// Computes a row's values anew where they say something else than what they are computed from.
pub(crate) fn refresh(scope: &Scope, row: &mut Record) {
    for (name, value) in find_stale(scope, row) {
        match value {
            Some(value) => row.values.insert(name, value),
            None => row.values.remove(&name),
        };
    }
}

/// Computed attributes that say something else than what they are computed from, with what they should say.
fn find_stale(scope: &Scope, row: &Record) -> Vec<(String, Option<AttributeValue>)> {
    let entity = scope.entity(row.entity);
    let own = |attribute: &&Attribute| {
        let template = attribute.computed.as_ref();
        !attribute.key_only && template.is_some_and(shows_own_row)
    };
    let computed: Vec<_> = entity.attributes.iter().filter(own).collect();
    if computed.is_empty() {
        return Vec::new();
    }
    let mut fresh = row.clone();
    record::compute(scope.model(), &mut fresh, &scope.circumstances);
    let names = computed.into_iter().map(|attribute| &attribute.name.value);
    let stale = names.filter(|name| {
        // Rows from before the attribute lack it; a rewrite adds it.
        let stored = row.values.get(name);
        stored.is_some() && stored != fresh.values.get(name)
    });
    stale
        .map(|name| (name.clone(), fresh.values.get(name).cloned()))
        .collect()
}

/// Whether a template shows nothing but the row itself and what never changes.
fn shows_own_row(template: &Template) -> bool {
    let mut sources = template.fields().flat_map(|field| &field.sources);
    sources.all(|source| match source {
        Source::Path { root, names, .. } => match root {
            None => names.len() == 1,
            Some(root) => matches!(root, Root::Setting | Root::Tenant),
        },
        Source::Literal(_) | Source::Nothing(_) => true,
    })
}
