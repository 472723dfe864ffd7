//! Entities: attributes first, then what is said with them.

mod linking;
mod rules;

use super::attributes::{Draft, Pending, draft};
use super::kinds::Kinds;
use super::names::Names;
use super::{accepts, assignments, keys, notes};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{
    Attribute, Default, Discriminator, Entity, EnumWord, Family, Kind, Model, OnExists, Presence,
    Relation, TableId, Upgrade, Volume, Writes,
};
use crate::span::{Name, Spanned};
use crate::suggest::nearest;
use crate::syntax;
use crate::syntax::entity::Entity as Declared;
use linking::{compute, id, link};

/// How long a chain of an acyclic relation may be if nothing is said: each link is a condition of one
/// transaction, which has 100.
const DEFAULT_DEPTH: usize = 90;

/// Adds all entities to the model.
pub(super) fn add(
    model: &mut Model,
    whole: &[Declared],
    names: &Names,
    kinds: &Kinds,
    findings: &mut Findings,
) {
    let mut drafts: Vec<Vec<Draft>> = whole
        .iter()
        .map(|entity| entity_drafts(entity, kinds, findings))
        .collect();
    let ids: Vec<Option<String>> = whole
        .iter()
        .zip(&drafts)
        .map(|(entity, drafts)| id(entity, drafts))
        .collect();
    link(&mut drafts, &ids, whole, names, findings);
    if findings.has_errors() {
        return;
    }
    compute(&mut drafts, model, findings);
    if findings.has_errors() {
        return;
    }
    let drafts: Vec<_> = drafts.into_iter().zip(ids).zip(whole).collect();
    for ((drafts, id), declared) in drafts {
        let entity = entity(declared, drafts, id, model, names, findings);
        model.entities.extend(entity);
    }
}

fn entity_drafts(entity: &Declared, kinds: &Kinds, findings: &mut Findings) -> Vec<Draft> {
    let mut drafts: Vec<_> = entity
        .attributes
        .iter()
        .filter_map(|attribute| draft(attribute, kinds, findings))
        .collect();
    for (attribute, value) in &entity.is {
        let declared = drafts
            .iter()
            .any(|draft| draft.attribute.name.value == attribute.value);
        if !declared {
            drafts.push(constant(attribute, value));
        }
    }
    drafts
}

/// A discriminator as an attribute: an enum of one word.
fn constant(name: &Name, value: &Name) -> Draft {
    let mut spellings = value.value.split('/').map(str::to_owned);
    let word = spellings.next().unwrap_or_default();
    Draft {
        attribute: Attribute {
            name: name.clone(),
            stored: name.value.clone(),
            aliases: Vec::new(),
            default: Some(Default::Word(Spanned::new(word.clone(), value.span))),
            kind: Kind::Enum(vec![EnumWord {
                word,
                aliases: spellings.collect(),
                span: value.span,
            }]),
            presence: Presence::default(),
            generated: None,
            role: None,
            stamped: false,
            computed: None,
            reference: None,
            immutable: true,
            movable: false,
            key_only: false,
            internal: true,
            distinct: false,
            secret: None,
            hashed: None,
            version: None,
            numbered: None,
            position: None,
            top: None,
            message: None,
            span: value.span,
        },
        pending: Pending::Nothing,
        via: None,
        top: None,
    }
}

fn entity(
    declared: &Declared,
    drafts: Vec<Draft>,
    id: Option<String>,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Entity> {
    let table = match &declared.table {
        Some(name) => names.table(name, findings)?,
        None => TableId(0),
    };
    let mut attributes = Vec::new();
    let mut families = Vec::new();
    for draft in drafts {
        let attribute = finished(draft, names, findings);
        match attribute.name.value.strip_suffix('*') {
            Some(prefix) => families.push(Family {
                prefix: prefix.to_owned(),
                attribute,
            }),
            None => attributes.push(attribute),
        }
    }
    if let Some(name) = &declared.id
        && !attributes
            .iter()
            .any(|attribute| attribute.name.value == name.value)
    {
        let known = attributes
            .iter()
            .map(|attribute| attribute.name.value.as_str());
        let near = nearest(&name.value, known);
        let message = format!(
            "`{}` has no attribute `{}`",
            declared.name.value, name.value
        );
        let found = Diagnostic::new(Code::UnknownName, name.span, message);
        findings.push(found.did_you_mean(near));
    }
    let (keys, layouts) = keys::keys(declared, table, &attributes, model, names, findings);
    Some(Entity {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        like: declared
            .like
            .as_ref()
            .and_then(|name| names.entity(name, findings)),
        table,
        is: declared
            .is
            .iter()
            .map(|(attribute, value)| discriminator(attribute, value))
            .collect(),
        id,
        keys,
        layout: None,
        layouts,
        open: declared.open.as_ref().map_or(model.open, |open| open.value),
        writes: writes(declared.writes.as_deref(), findings),
        message_on_writes: declared.message_on_writes.clone(),
        on_exists: on_exists(declared.on_exists.as_ref(), findings),
        message_on_exists: declared.message_on_exists.clone(),
        allow: rules::allow(&declared.allow, findings),
        must: declared
            .must
            .iter()
            .map(|(name, rule)| rules::must(name, rule))
            .collect(),
        owns: Vec::new(),
        each: declared.each.clone(),
        tombstone: assignments(&declared.tombstone),
        upgrades: declared
            .upgrades
            .iter()
            .filter_map(|upgrade| self::upgrade(upgrade, findings))
            .collect(),
        also_camel_case: also(declared.also.as_ref(), findings),
        volume: volume(declared.volume.as_ref(), findings),
        accepts: accepts(&declared.accepts, findings),
        claims: Vec::new(),
        relation: declared.relation.as_ref().map(relation),
        attributes,
        families,
        span: declared.name.span,
    })
}

fn finished(draft: Draft, names: &Names, findings: &mut Findings) -> Attribute {
    let mut attribute = draft.attribute;
    if let Some(top) = &draft.top {
        attribute.top = names.entity(top, findings);
    }
    if let (Some(via), Some(reference)) = (&draft.via, &mut attribute.reference) {
        reference.via = names.access(via, findings);
    }
    attribute
}

fn discriminator(attribute: &Name, value: &Name) -> Discriminator {
    let read: Vec<_> = value.value.split('/').map(str::to_owned).collect();
    Discriminator {
        attribute: attribute.clone(),
        written: read.first().cloned().unwrap_or_default(),
        read,
    }
}

pub(super) fn writes(names: Option<&[Name]>, findings: &mut Findings) -> Writes {
    let Some(names) = names else {
        return Writes {
            create: true,
            update: true,
            delete: true,
        };
    };
    let mut writes = Writes {
        create: false,
        update: false,
        delete: false,
    };
    for name in names {
        match name.value.as_str() {
            "create" => writes.create = true,
            "update" => writes.update = true,
            "delete" => writes.delete = true,
            other => {
                let message =
                    format!("`{other}` is no write; there are `create`, `update` and `delete`");
                findings.error(Code::UnknownName, name.span, message);
            }
        }
    }
    writes
}

fn on_exists(name: Option<&Name>, findings: &mut Findings) -> OnExists {
    match name.map(|name| (name.value.as_str(), name.span)) {
        None | Some(("conflict", _)) => OnExists::Conflict,
        Some(("replace", _)) => OnExists::Replace,
        Some(("keep", _)) => OnExists::Keep,
        Some(("fraction", _)) => OnExists::Fraction,
        Some((_, span)) => {
            findings.error(
                Code::UnknownName,
                span,
                "`on_exists` is `conflict`, `replace`, `keep` or `fraction`",
            );
            OnExists::Conflict
        }
    }
}

fn upgrade(upgrade: &syntax::entity::Upgrade, findings: &mut Findings) -> Option<Upgrade> {
    let Some(to) = upgrade.to.value.parse().ok().filter(|to| *to > 1) else {
        let message = "an upgrade is named by the version it makes, from 2";
        findings.error(Code::WrongKind, upgrade.to.span, message);
        return None;
    };
    Some(Upgrade {
        to,
        when: upgrade.when.clone(),
        rename: upgrade.rename.clone(),
        set: assignments(&upgrade.set),
        drop: upgrade.drop.clone(),
    })
}

fn also(name: Option<&Name>, findings: &mut Findings) -> bool {
    let Some(name) = name else { return false };
    if name.value != "camelCase" {
        findings.error(Code::UnknownName, name.span, "`also` is \"camelCase\"");
    }
    true
}

fn volume(name: Option<&Name>, findings: &mut Findings) -> Volume {
    match name.map(|name| (name.value.as_str(), name.span)) {
        None | Some(("normal", _)) => Volume::Normal,
        Some(("high", _)) => Volume::High,
        Some((_, span)) => {
            findings.error(
                Code::UnknownName,
                span,
                "`volume` is \"normal\" or \"high\"",
            );
            Volume::Normal
        }
    }
}

fn relation(relation: &syntax::relation::Relation) -> Relation {
    Relation {
        from: relation.from.clone(),
        to: relation.to.clone(),
        symmetric: relation.symmetric,
        acyclic: relation.acyclic,
        depth: match (&relation.depth, &relation.serial) {
            (Some(depth), _) => depth.value,
            (None, None) => DEFAULT_DEPTH,
            // A counter needs one condition, however long the chain is.
            (None, Some(_)) => usize::MAX,
        },
        serial: relation.serial.clone(),
        owning: relation.owning,
        message: relation.message.clone(),
        message_on_depth: relation.message_on_depth.clone(),
        span: relation.span,
    }
}
