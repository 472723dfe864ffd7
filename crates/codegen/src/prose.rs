//! What comments of generated code say about the parts of a model.

use crate::surface::{EntitySurface, MoveSurface, MoveTarget, Surface};
use monotable_model::model::{
    Assigned, Attribute, Bounds, Default, Entity, EntityId, Key, Kind, Model, MoveKind, Notes,
    OnDelete, OnExists, Template,
};

/// What the model says a thing is, as a sentence.
pub(crate) fn tell_about(notes: &Notes) -> Option<String> {
    let about = notes.about.as_deref()?.trim();
    if about.is_empty() {
        None
    } else if about.ends_with(['.', '!', '?']) {
        Some(about.to_owned())
    } else {
        Some(format!("{about}."))
    }
}

/// Where the rows of an entity stand: its primary key, and its keys in indexes.
pub(crate) fn tell_keys(model: &Model, entity: &Entity) -> Vec<String> {
    let table = model.table(entity.table);
    let mut sentences = Vec::new();
    for key in entity.keys.iter().filter(|key| !key.implied) {
        let shown = show_key(key);
        sentences.push(match table.index_at(key.place) {
            None => format!("Key {shown}."),
            Some(index) => match &key.when {
                Some(when) => format!("In {}: {shown}, if {when}.", index.name.value),
                None => format!("In {}: {shown}.", index.name.value),
            },
        });
    }
    sentences
}

fn show_key(key: &Key) -> String {
    let templates: Vec<String> = key
        .templates()
        .map(|template: &Template| format!("`{}`", template.text))
        .collect();
    templates.join(" / ")
}

/// What a create does beyond writing the row.
pub(crate) fn tell_create(surface: &EntitySurface<'_>) -> Vec<String> {
    let entity = surface.entity;
    let mut sentences = Vec::new();
    let claims = entity.claims.iter();
    let claims: Vec<_> = claims
        .map(|claim| format!("`{}`", claim.name.value))
        .collect();
    if !claims.is_empty() {
        sentences.push(format!("Claims {}.", claims.join(", ")));
    }
    match entity.on_exists {
        OnExists::Conflict => {}
        OnExists::Replace => sentences.push("Replaces the row that is there.".to_owned()),
        OnExists::Keep => sentences.push("Answers with the row that is there.".to_owned()),
        OnExists::Fraction => sentences.push(
            "If there is such a row, its time gets a fraction, and both are kept.".to_owned(),
        ),
    }
    if let Some(relation) = &entity.relation {
        if relation.symmetric {
            sentences.push("One row for a pair, in either order.".to_owned());
        }
        if relation.acyclic {
            sentences.push("Refused if it would close a cycle.".to_owned());
        }
    }
    sentences
}

/// What a delete takes along, and what refuses it.
pub(crate) fn tell_delete(model: &Model, id: EntityId) -> Vec<String> {
    let entity = model.entity(id);
    let mut sentences = Vec::new();
    if !entity.tombstone.is_empty() {
        let names = entity.tombstone.iter();
        let names: Vec<_> = names.map(|set| format!("`{}`", set.name.value)).collect();
        sentences.push(format!("The row stays, with {}.", names.join(", ")));
    }
    let along = list_referrers(model, id, OnDelete::Cascade);
    if !along.is_empty() {
        sentences.push(format!("Takes along its {}.", along.join(", ")));
    }
    let owned: Vec<_> = entity
        .owns
        .iter()
        .map(|pattern| format!("`{}`", model.pattern(*pattern).name.value))
        .collect();
    if !owned.is_empty() {
        sentences.push(format!("The rows of {} go with it.", owned.join(", ")));
    }
    let refusing = list_referrers(model, id, OnDelete::Restrict);
    if !refusing.is_empty() {
        sentences.push(format!("Refused while there are {}.", refusing.join(", ")));
    }
    sentences
}

/// The entities with a reference to rows of this one that does so when they are deleted.
fn list_referrers(model: &Model, id: EntityId, on_delete: OnDelete) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (_, entity) in model.stored() {
        let mut references = entity
            .attributes
            .iter()
            .filter_map(|attribute| attribute.reference.as_ref());
        let refers = references.any(|reference| {
            reference.on_delete == on_delete && model.kinds_of(reference.target).contains(&id)
        });
        if refers {
            names.push(format!("`{}`", entity.name.value));
        }
    }
    names
}

/// What a move does.
pub(crate) fn tell_move(surface: &Surface<'_>, moving: &MoveSurface<'_>) -> Vec<String> {
    let model = surface.model;
    let name = &moving.declared.name.value;
    let mut sentences = Vec::new();
    sentences.extend(match moving.target {
        MoveTarget::Values(_) | MoveTarget::Entity => tell_about(&moving.declared.notes),
        MoveTarget::Back | MoveTarget::Nowhere => None,
    });
    let entity = |id: EntityId| format!("`{}`", model.entity(id).name.value);
    let what = match &moving.target {
        MoveTarget::Values(_) => "the key changes".to_owned(),
        MoveTarget::Entity => format!("the row becomes a {}", entity(moving.answers)),
        MoveTarget::Back => format!("undoes `{name}`"),
        MoveTarget::Nowhere => format!("deletes for good what `{name}` moved"),
    };
    let along = match (&moving.declared.kind, &moving.target) {
        (MoveKind::Changes { carries, .. }, _) if !carries.is_empty() => {
            let patterns = carries.iter();
            let patterns: Vec<_> = patterns
                .map(|pattern| format!("`{}`", model.pattern(*pattern).name.value))
                .collect();
            format!("; the rows of {} go along", patterns.join(", "))
        }
        (MoveKind::To { .. }, MoveTarget::Entity | MoveTarget::Back) => {
            "; what it owns goes along".to_owned()
        }
        _ => String::new(),
    };
    sentences.push(format!("`{}`: {what}{along}.", moving.name));
    sentences
}

/// What is allowed of a new value, and what becomes of it. A plain text, word or flag needs no remark.
pub(crate) fn tell_attribute(entity: &Entity, attribute: &Attribute) -> Vec<String> {
    let mut remarks = Vec::new();
    match &attribute.reference {
        Some(_) => {}
        None => remarks.extend(tell_kind(&attribute.kind)),
    }
    if attribute.generated.is_some() {
        remarks.push("generated".to_owned());
    }
    let claims = entity.claims.iter();
    let is_unique = |claim: &monotable_model::model::Claim| match &claim.guard {
        monotable_model::model::Guard::Row { attributes, .. } => {
            attributes.as_slice() == [attribute.name.value.clone()]
        }
        _ => claim.name.value == attribute.name.value,
    };
    if claims.clone().any(is_unique) {
        remarks.push("unique".to_owned());
    }
    remarks.extend(attribute.default.as_ref().map(tell_default));
    remarks.extend(tell_presence(attribute));
    if attribute.hashed.is_some() {
        remarks.push("hashed, never returned".to_owned());
    } else if attribute.secret.is_some() {
        remarks.push("a secret".to_owned());
    }
    if attribute.distinct {
        remarks.push("each once".to_owned());
    }
    if attribute.position.is_some() {
        remarks.push("a place in an order; the last one if it is not given".to_owned());
    }
    remarks
}

fn tell_presence(attribute: &Attribute) -> Option<String> {
    let presence = &attribute.presence;
    let required = presence.required_if.as_ref().map(ToString::to_string);
    let only = presence.only_if.as_ref().map(ToString::to_string);
    match (required, only) {
        (Some(required), Some(only)) if required == only => Some(format!("exactly if {only}")),
        (Some(required), Some(only)) => Some(format!("required if {required}; only if {only}")),
        (Some(required), None) => Some(format!("required if {required}")),
        (None, Some(only)) if presence.optional => Some(format!("optional, only if {only}")),
        (None, Some(only)) => Some(format!("only if {only}")),
        (None, None) => None,
    }
}

fn tell_default(default: &Default) -> String {
    match default {
        Default::Number(number) => format!("default {number}"),
        Default::Flag(flag) => format!("default {flag}"),
        Default::Text(text) => format!("default '{text}'"),
        Default::Word(word) => format!("default {}", word.value),
        Default::Template(template) => format!("default {}", template.text),
        Default::Now { plus: 0 } => "default now".to_owned(),
        Default::Now { plus } => format!("default now and {plus} seconds"),
        Default::EmptyList => "default []".to_owned(),
    }
}

/// What a value must be, unless the type says all of it.
fn tell_kind(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Text(rule) => {
            let is_plain = rule.matches.is_none() && rule.without.is_empty() && !rule.blank;
            let is_any_length = rule.length.most.is_none() && rule.length.least == Some(1);
            (!is_plain || !is_any_length).then(|| kind.to_string())
        }
        Kind::Integer(bounds) | Kind::Number(bounds) => {
            (*bounds != Bounds::default()).then(|| kind.to_string())
        }
        Kind::Url | Kind::Json | Kind::Uuid | Kind::UuidV7 | Kind::Ulid | Kind::Token(_) => {
            Some(kind.to_string())
        }
        Kind::Epoch => Some("seconds since 1970".to_owned()),
        Kind::List { of, length } => {
            let of = tell_kind(of);
            let end = |end: Option<i64>| end.map_or_else(String::new, |end| end.to_string());
            let count = (*length != Bounds::default())
                .then(|| format!("{}..{} elements", end(length.least), end(length.most)));
            let remarks: Vec<_> = of.into_iter().chain(count).collect();
            (!remarks.is_empty()).then(|| remarks.join("; "))
        }
        Kind::Boolean
        | Kind::Date
        | Kind::Timestamp(_)
        | Kind::Map
        | Kind::Any
        | Kind::Binary
        | Kind::Never
        | Kind::Enum(_) => None,
    }
}

/// What a mechanism assigns, as the model writes it.
pub(crate) fn show_assigned(assigned: &Assigned) -> String {
    match assigned {
        Assigned::Template(template) => format!("'{}'", template.text),
        Assigned::Flag(flag) => flag.to_string(),
        Assigned::Number(number) => number.clone(),
    }
}
