//! Attributes that depend on others: references on their targets, computed ones on what they show.

use super::super::attributes::{Draft, Pending};
use super::super::names::Names;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Attribute, EntityId, Kind, Model};
use crate::shape::{Vocabulary, computed_kind};
use crate::span::Name;
use crate::syntax::entity::Entity as Declared;

/// What references to an entity hold: what it says, else its generated attribute, else the last of its key.
pub(super) fn id(entity: &Declared, drafts: &[Draft]) -> Option<String> {
    if let Some(id) = &entity.id {
        return Some(id.value.clone());
    }
    let generated: Vec<_> = drafts
        .iter()
        .filter(|draft| draft.attribute.generated.is_some())
        .map(|draft| draft.attribute.name.value.clone())
        .collect();
    if let [only] = generated.as_slice() {
        return Some(only.clone());
    }
    let key = entity.keys.key.as_ref()?;
    let fields = key.templates().flat_map(|template| template.fields());
    let names: Vec<_> = fields.flat_map(|field| field.attributes()).collect();
    names.last().map(|name| name.value.clone())
}

/// Gives references their targets, and the kind of what they hold.
pub(super) fn link(
    drafts: &mut [Vec<Draft>],
    ids: &[Option<String>],
    whole: &[Declared],
    names: &Names,
    findings: &mut Findings,
) {
    let mut found = Vec::new();
    for (entity, of_entity) in drafts.iter().enumerate() {
        for (position, draft) in of_entity.iter().enumerate() {
            let Pending::Reference { target, .. } = &draft.pending else {
                continue;
            };
            let Some(id) = names.entity(target, findings) else {
                continue;
            };
            let kind = follow(drafts, ids, names, id, whole.len());
            match kind {
                Some(kind) => found.push((entity, position, id, kind)),
                None => findings.push(unknown_id(target, whole.get(id.index()))),
            }
        }
    }
    for (entity, position, target, kind) in found {
        let draft = drafts
            .get_mut(entity)
            .and_then(|drafts| drafts.get_mut(position));
        let Some(draft) = draft else { continue };
        if let Some(reference) = &mut draft.attribute.reference {
            reference.target = target;
        }
        match &mut draft.attribute.kind {
            Kind::List { of, .. } => **of = kind,
            other => *other = kind,
        }
    }
}

/// The kind of an entity's id, through references of references.
fn follow(
    drafts: &[Vec<Draft>],
    ids: &[Option<String>],
    names: &Names,
    start: EntityId,
    limit: usize,
) -> Option<Kind> {
    let mut entity = start.index();
    for _ in 0..=limit {
        let id = ids.get(entity)?.as_ref()?;
        let draft = drafts
            .get(entity)?
            .iter()
            .find(|draft| draft.attribute.name.value == *id)?;
        match &draft.pending {
            Pending::Reference { target, .. } => entity = names.entities.get(&target.value)?,
            // Its kind is worked out later; in keys it is text.
            Pending::Computed(_) => return Some(Kind::Any),
            Pending::Nothing => return Some(draft.attribute.kind.clone()),
        }
    }
    None
}

fn unknown_id(target: &Name, entity: Option<&Declared>) -> Diagnostic {
    let message = format!("nothing says what a reference to `{}` holds", target.value);
    let diagnostic = Diagnostic::new(Code::UnknownName, target.span, message)
        .help("give it `id = \"attribute\"`, or a key with an attribute");
    match entity {
        Some(entity) => diagnostic.label(entity.name.span, "it is declared here"),
        None => diagnostic,
    }
}

/// Gives computed attributes the kind of what they show, and references to such ids theirs.
pub(super) fn compute(drafts: &mut [Vec<Draft>], model: &Model, findings: &mut Findings) {
    // Each round settles at least one attribute, or there is a circle.
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    for (entity, of_entity) in drafts.iter().enumerate() {
        let computed = |draft: &Draft| matches!(draft.pending, Pending::Computed(_));
        let positions = of_entity
            .iter()
            .enumerate()
            .filter(|(_, draft)| computed(draft));
        waiting.extend(positions.map(|(position, _)| (entity, position)));
    }
    while !waiting.is_empty() {
        let attributes: Vec<Vec<Attribute>> = drafts
            .iter()
            .map(|drafts| drafts.iter().map(|draft| draft.attribute.clone()).collect())
            .collect();
        let vocabulary = Vocabulary::of_drafts(&attributes, model);
        let mut settled = Vec::new();
        for (entity, position) in &waiting {
            let still = |name: &str| {
                waiting.iter().any(|(other, at)| {
                    let draft = drafts.get(*other).and_then(|drafts| drafts.get(*at));
                    other == entity && draft.is_some_and(|draft| draft.attribute.name.value == name)
                })
            };
            let draft = drafts.get(*entity).and_then(|drafts| drafts.get(*position));
            let Some(Draft {
                pending: Pending::Computed(template),
                ..
            }) = draft
            else {
                continue;
            };
            let waits = template
                .fields()
                .flat_map(|field| field.attributes())
                .any(|name| still(&name.value));
            if !waits {
                let kind = computed_kind(template, *entity, &vocabulary);
                settled.push((*entity, *position, kind));
            }
        }
        if settled.is_empty() {
            for (entity, position) in &waiting {
                let draft = drafts.get(*entity).and_then(|drafts| drafts.get(*position));
                if let Some(draft) = draft {
                    let message =
                        format!("`{}` is computed from itself", draft.attribute.name.value);
                    findings.error(Code::Cycle, draft.attribute.span, message);
                }
            }
            return;
        }
        for (entity, position, kind) in settled {
            waiting.retain(|at| *at != (entity, position));
            let draft = drafts
                .get_mut(entity)
                .and_then(|drafts| drafts.get_mut(position));
            if let Some(draft) = draft {
                draft.attribute.kind = kind;
            }
        }
    }
    refer_to_computed(drafts);
}

/// References that hold a computed id have its kind.
fn refer_to_computed(drafts: &mut [Vec<Draft>]) {
    let computed: Vec<Vec<(String, Kind)>> = drafts
        .iter()
        .map(|drafts| {
            drafts
                .iter()
                .filter(|draft| matches!(draft.pending, Pending::Computed(_)))
                .map(|draft| {
                    (
                        draft.attribute.name.value.clone(),
                        draft.attribute.kind.clone(),
                    )
                })
                .collect()
        })
        .collect();
    for draft in drafts.iter_mut().flatten() {
        let Some(reference) = &draft.attribute.reference else {
            continue;
        };
        let of_target = computed.get(reference.target.index());
        // `Any` marks a computed id; an entity has one computed attribute that can be it.
        if let (Kind::Any, Some([(_, kind)])) =
            (&draft.attribute.kind, of_target.map(Vec::as_slice))
        {
            draft.attribute.kind = kind.clone();
        }
    }
}
