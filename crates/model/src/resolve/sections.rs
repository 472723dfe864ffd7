//! Tenancy, and the sections that name entities and patterns.

use super::kinds::Kinds;
use super::names::Names;
use super::{assignments, attributes, entities, notes};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{
    Archive, Audit, AuditEvent, Carry, Check, CheckRule, Derive, EntityId, Grant, Isolation, Model,
    Move, MoveKind, Path, Tenant, Writes,
};
use crate::span::{Name, Span};
use crate::syntax;
use crate::syntax::file::File;

pub(super) fn tenant(file: &File, kinds: &Kinds, findings: &mut Findings) -> Option<Tenant> {
    let declared = file.tenant.as_ref()?;
    let one = std::slice::from_ref(&declared.attribute);
    let attribute = attributes::plain(one, kinds, findings).into_iter().next()?;
    for field in declared.prefix.fields() {
        if field.name() != declared.name.value {
            let message = format!(
                "a tenant's prefix shows its id, `{{{}}}`, and nothing else",
                declared.name.value
            );
            findings.error(Code::UnknownName, field.span, message);
        }
    }
    Some(Tenant {
        attribute,
        prefix: declared.prefix.clone(),
        bare: declared.bare.as_ref().map(|bare| bare.value.clone()),
        span: declared.span,
    })
}

pub(super) fn isolation(file: &File) -> Option<Isolation> {
    let declared = file.isolation.as_ref()?;
    Some(Isolation {
        partitions: declared.partitions.clone(),
        iam: declared.iam.clone(),
        message: declared.message.clone(),
        span: declared.span,
    })
}

/// Adds what only names entities and patterns.
pub(super) fn add(model: &mut Model, file: &File, names: &Names, findings: &mut Findings) {
    for (entity, declared) in model.entities.iter_mut().zip(&file.entities) {
        let owned = declared.owns.as_deref().unwrap_or_default();
        entity.owns = names.patterns(owned, findings);
    }
    super::claims::add(model, file, names, findings);
    model.repositories = all(&file.repositories, |declared| {
        super::repositories::repository(declared, model, names, findings)
    });
    // Rows of a repository with errors may be in none.
    if !findings.has_errors() {
        super::repositories::check_others(model, findings);
    }
    model.paths = all(&file.paths, |declared| path(declared, names, findings));
    model.derives = all(&file.derives, |declared| derive(declared, names, findings));
    model.checks = all(&file.checks, |declared| check(declared, names, findings));
    model.grants = all(&file.grants, |declared| {
        grant(declared, model, names, findings)
    });
    model.moves = all(&file.moves, |declared| movement(declared, names, findings));
    model.carries = all(&file.carries, |declared| carry(declared, names, findings));
    model.archives = all(&file.archives, |declared| {
        archive(declared, names, findings)
    });
    model.audits = all(&file.audits, |declared| audit(declared, names, findings));
    refuse_spread(model, findings);
}

/// An item of several rows is written by its own operations only: no other row decides how many there are, and a move
/// takes one row.
fn refuse_spread(model: &Model, findings: &mut Findings) {
    let is_spread = |id: EntityId| !model.entity(id).each.is_empty();
    for derive in model.derives.iter().filter(|known| is_spread(known.entity)) {
        let name = &model.entity(derive.entity).name.value;
        let message = format!(
            "rows of `{name}` stand for the elements of a list (`each`), and cannot be derived; derive rows of another entity \
             with `each` in `[derive.{}]`",
            derive.name.value
        );
        findings.error(Code::WrongKind, derive.name.span, message);
    }
    for movement in &model.moves {
        let to = match movement.kind {
            MoveKind::To { to, .. } => Some(to),
            MoveKind::Changes { .. } => None,
        };
        let spread = std::iter::once(movement.of)
            .chain(to)
            .find(|id| is_spread(*id));
        if let Some(id) = spread {
            let name = &model.entity(id).name.value;
            let message = format!(
                "rows of `{name}` stand for the elements of a list (`each`), and cannot be moved; move the row that owns \
                 them, or change their key by an update"
            );
            findings.error(Code::WrongKind, movement.name.span, message);
        }
    }
}

fn all<D, T>(declared: &[D], resolve: impl FnMut(&D) -> Option<T>) -> Vec<T> {
    declared.iter().filter_map(resolve).collect()
}

fn entity(name: Option<&Name>, names: &Names, findings: &mut Findings) -> Option<EntityId> {
    names.entity(name?, findings)
}

fn path(declared: &syntax::movement::Path, names: &Names, findings: &mut Findings) -> Option<Path> {
    let folder = entity(declared.folder.as_ref(), names, findings);
    let leaf = entity(declared.leaf.as_ref(), names, findings);
    let (of, attribute) = declared.of.as_ref()?;
    let split = declared
        .split
        .as_ref()
        .map_or("/", |split| split.value.as_str());
    if split.is_empty() {
        findings.error(
            Code::WrongKind,
            declared.span,
            "`split` is the text between two segments",
        );
    }
    Some(Path {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        of: names.entity(of, findings)?,
        attribute: attribute.clone(),
        split: split.to_owned(),
        folder: folder?,
        leaf: leaf?,
        span: declared.span,
    })
}

fn derive(
    declared: &syntax::rows::Derive,
    names: &Names,
    findings: &mut Findings,
) -> Option<Derive> {
    let of = entity(declared.of.as_ref(), names, findings);
    let entity = entity(declared.entity.as_ref(), names, findings);
    Some(Derive {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        of: of?,
        when: declared.when.clone(),
        each: declared.each.clone(),
        entity: entity?,
        set: assignments(&declared.set),
        span: declared.span,
    })
}

fn check(
    declared: &syntax::policy::Check,
    names: &Names,
    findings: &mut Findings,
) -> Option<Check> {
    use syntax::policy::CheckRule as Declared;
    let demand = match &declared.demand {
        Declared::Must(predicate) => CheckRule::Must(Box::new(predicate.clone())),
        Declared::Absent(pattern) => CheckRule::Absent(names.access(pattern, findings)?),
        Declared::Among {
            value,
            pattern,
            attribute,
            allow_none,
        } => CheckRule::Among {
            value: value.clone(),
            pattern: names.access(pattern, findings)?,
            attribute: attribute.clone(),
            allow_none: *allow_none,
        },
    };
    let on = match &declared.on {
        Some(on) => entities::writes(Some(on), findings),
        // A rule on rows is asked when rows are written.
        None => Writes {
            create: true,
            update: true,
            delete: false,
        },
    };
    Some(Check {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        of: entity(declared.of.as_ref(), names, findings)?,
        on,
        when: declared.when.clone(),
        demand,
        set: assignments(&declared.set),
        message: declared.message.clone(),
        span: declared.span,
    })
}

fn grant(
    declared: &syntax::policy::Grant,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Grant> {
    let of = match declared.of.as_slice() {
        [all] if all.value == "*" => model.stored().map(|(id, _)| id).collect(),
        some => {
            let named = names.entities(some, findings).into_iter();
            named.flat_map(|id| model.kinds_of(id)).collect()
        }
    };
    let above = match &declared.above {
        Some(name) => Some(names.path(name, findings)?),
        None => None,
    };
    Some(Grant {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        of,
        access: names.access(declared.access.as_ref()?, findings)?,
        above,
        allows: declared.allows.clone()?,
        all: declared.all.as_ref().map(|name| name.value.clone()),
        allow_none: declared.allow_none,
        unless: declared.unless.clone(),
        set: assignments(&declared.set),
        message: declared.message.clone(),
        span: declared.span,
    })
}

fn movement(
    declared: &syntax::movement::Move,
    names: &Names,
    findings: &mut Findings,
) -> Option<Move> {
    use syntax::movement::MoveKind as Declared;
    let kind = match &declared.kind {
        Declared::To {
            to,
            rest,
            undo,
            purge,
            removes,
        } => MoveKind::To {
            to: names.entity(to, findings)?,
            rest: match rest {
                Some(rest) => Some(names.entity(rest, findings)?),
                None => None,
            },
            undo: undo.clone(),
            purge: purge.clone(),
            removes: names.entities(removes, findings),
        },
        Declared::Changes { changes, carries } => MoveKind::Changes {
            changes: changes.clone(),
            carries: names.patterns(carries, findings),
        },
    };
    Some(Move {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        of: entity(declared.of.as_ref(), names, findings)?,
        kind,
        set: assignments(&declared.set),
        span: declared.span,
    })
}

fn carry(
    declared: &syntax::movement::Carry,
    names: &Names,
    findings: &mut Findings,
) -> Option<Carry> {
    let of = entity(declared.of.as_ref(), names, findings);
    let from = names.repository(declared.from.as_ref()?, findings);
    let to = names.repository(declared.to.as_ref()?, findings);
    Some(Carry {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        of: of?,
        from: from?,
        to: to?,
        when: declared.when.clone(),
        set: assignments(&declared.set),
        span: declared.span,
    })
}

fn archive(
    declared: &syntax::history::Archive,
    names: &Names,
    findings: &mut Findings,
) -> Option<Archive> {
    let of = entity(declared.of.as_ref(), names, findings);
    let entity = entity(declared.entity.as_ref(), names, findings);
    Some(Archive {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        of: of?,
        changed: declared.changed.clone(),
        deleted: declared.deleted,
        entity: entity?,
        set: assignments(&declared.set),
        span: declared.span,
    })
}

fn audit(
    declared: &syntax::history::Audit,
    names: &Names,
    findings: &mut Findings,
) -> Option<Audit> {
    let mut on = Vec::new();
    for name in &declared.on {
        on.extend(event(name, findings));
    }
    Some(Audit {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        of: names.entities(&declared.of, findings),
        on,
        entity: entity(declared.entity.as_ref(), names, findings)?,
        set: assignments(&declared.set),
        span: declared.span,
    })
}

fn event(name: &Name, findings: &mut Findings) -> Option<AuditEvent> {
    let event = match name.value.as_str() {
        "create" => Some(AuditEvent::Create),
        "read" => Some(AuditEvent::Read),
        "update" => Some(AuditEvent::Update),
        "delete" => Some(AuditEvent::Delete),
        "denied" => Some(AuditEvent::Denied),
        "failed" => Some(AuditEvent::Failed),
        _ => None,
    };
    if event.is_none() {
        let message = "an audit notes `create`, `read`, `update`, `delete`, `denied` and `failed`";
        findings.push(Diagnostic::new(Code::UnknownName, name.span, message));
    }
    event
}

/// A place for what is about no text.
pub(super) const NOWHERE: Span = Span { start: 0, end: 0 };
