//! Attributes: types and clauses put together.

use super::kinds::Kinds;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{
    Attribute, Default, Generator, Kind, OnDelete, Presence, Reference, Role, Secret, Template,
};
use crate::span::{Name, Span};
use crate::syntax;
use crate::syntax::clause::{Clause, ClauseKind};
use crate::syntax::type_expression::{TypeExpression, TypeKind};

/// An attribute whose kind may still depend on others.
pub(super) struct Draft {
    pub(super) attribute: Attribute,
    pub(super) pending: Pending,
    /// The pattern that finds referring rows, by name: patterns are resolved later.
    pub(super) via: Option<Name>,
    /// The relation whose root it is, by name.
    pub(super) top: Option<Name>,
}

/// What an attribute's kind depends on.
pub(super) enum Pending {
    Nothing,
    Reference { target: Name, many: bool },
    Computed(Template),
}

/// Settings and what is known of a caller: no references, nothing computed.
pub(super) fn plain(
    declared: &[syntax::attribute::Attribute],
    kinds: &Kinds,
    findings: &mut Findings,
) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    for attribute in declared {
        let Some(draft) = draft(attribute, kinds, findings) else {
            continue;
        };
        match draft.pending {
            Pending::Nothing => attributes.push(draft.attribute),
            Pending::Reference { .. } | Pending::Computed(_) => {
                let message = "neither a reference nor a computed value can stand here";
                findings.error(Code::BadAttribute, attribute.span, message);
            }
        }
    }
    attributes
}

pub(super) fn draft(
    declared: &syntax::attribute::Attribute,
    kinds: &Kinds,
    findings: &mut Findings,
) -> Option<Draft> {
    let (pending, kind) = match reference(&declared.type_expression) {
        Some((target, many)) => {
            let target = target.clone();
            (
                Pending::Reference { target, many },
                placeholder(declared, kinds, findings)?,
            )
        }
        None => match &declared.type_expression.kind {
            TypeKind::Computed(template) => (Pending::Computed(template.clone()), Kind::Any),
            _ => (Pending::Nothing, kinds.kind(declared, findings)?),
        },
    };
    let mut draft = Draft {
        attribute: bare(declared, kind),
        pending,
        via: None,
        top: None,
    };
    for clause in kinds.clauses(declared).iter().chain(&declared.clauses) {
        add(&mut draft, clause, findings);
    }
    finish(&mut draft, declared.span, findings);
    Some(draft)
}

/// The kind of a reference before its target is known: a list keeps its length.
fn placeholder(
    declared: &syntax::attribute::Attribute,
    kinds: &Kinds,
    findings: &mut Findings,
) -> Option<Kind> {
    match declared.type_expression.kind {
        TypeKind::List { .. } => kinds.kind(declared, findings),
        _ => Some(Kind::Any),
    }
}

fn reference(expression: &TypeExpression) -> Option<(&Name, bool)> {
    match &expression.kind {
        TypeKind::Reference(target) => Some((target, false)),
        TypeKind::List { of, .. } => match &of.kind {
            TypeKind::Reference(target) => Some((target, true)),
            _ => None,
        },
        _ => None,
    }
}

fn bare(declared: &syntax::attribute::Attribute, kind: Kind) -> Attribute {
    Attribute {
        name: declared.name.clone(),
        stored: declared.name.value.clone(),
        aliases: Vec::new(),
        kind,
        presence: Presence {
            optional: declared.type_expression.optional,
            required_if: None,
            only_if: None,
        },
        generated: None,
        role: None,
        default: None,
        stamped: false,
        computed: None,
        reference: None,
        immutable: false,
        movable: false,
        key_only: false,
        internal: false,
        distinct: false,
        secret: None,
        hashed: None,
        version: None,
        numbered: None,
        position: None,
        top: None,
        message: None,
        span: declared.span,
    }
}

fn add(draft: &mut Draft, clause: &Clause, findings: &mut Findings) {
    let attribute = &mut draft.attribute;
    let reference = attribute.reference.get_or_insert_with(|| Reference {
        // Set when the target is known; dropped again if the attribute is no reference.
        target: crate::model::EntityId(usize::MAX),
        many: false,
        filter: None,
        same: None,
        counted: None,
        missing_warns: false,
        on_delete: OnDelete::default(),
        via: None,
        message_on_delete: None,
        span: attribute.span,
    });
    let is_reference = matches!(draft.pending, Pending::Reference { .. });
    let needs_reference = matches!(
        clause.kind,
        ClauseKind::Where(_)
            | ClauseKind::Same(_)
            | ClauseKind::Counted(_)
            | ClauseKind::MissingWarns
            | ClauseKind::OnDelete(_)
            | ClauseKind::Via(_)
            | ClauseKind::MessageOnDelete(_)
    );
    if needs_reference && !is_reference {
        let message = "only a reference (`-> Entity`) has this clause";
        findings.error(Code::BadAttribute, clause.span, message);
        return;
    }
    match &clause.kind {
        ClauseKind::Generated(generator) => {
            let generator = generator.or_else(|| generator_of(&attribute.kind));
            if generator.is_none() {
                let message = "`generated` alone needs a type that is generated; say by what, as in `generated = ulid`";
                findings.error(Code::BadAttribute, clause.span, message);
            }
            attribute.generated = generator;
        }
        ClauseKind::Created => attribute.role = Some(Role::Created),
        ClauseKind::CreatedAs(template) => {
            refuse_second_default(attribute, clause.span, findings);
            attribute.default = Some(Default::Template(template.clone()));
            attribute.immutable = true;
            attribute.stamped = true;
        }
        ClauseKind::Updated => attribute.role = Some(Role::Updated),
        ClauseKind::Deleting => attribute.role = Some(Role::Deleting),
        ClauseKind::Default(default) => {
            if attribute.stamped {
                refuse_second_default(attribute, clause.span, findings);
            }
            attribute.default = Some(default.clone());
        }
        ClauseKind::Immutable => attribute.immutable = true,
        ClauseKind::Movable => attribute.movable = true,
        ClauseKind::Matches(_) | ClauseKind::Without(_) | ClauseKind::Blank => {}
        ClauseKind::RequiredIf(predicate) => {
            attribute.presence.optional = true;
            attribute.presence.required_if = Some(predicate.clone());
        }
        ClauseKind::OnlyIf(predicate) => {
            attribute.presence.optional = true;
            attribute.presence.only_if = Some(predicate.clone());
        }
        ClauseKind::ExactlyIf(predicate) => {
            attribute.presence.optional = true;
            attribute.presence.required_if = Some(predicate.clone());
            attribute.presence.only_if = Some(predicate.clone());
        }
        ClauseKind::Where(predicate) => reference.filter = Some(predicate.clone()),
        ClauseKind::Secret(mask) => attribute.secret = Some(Secret { mask: *mask }),
        ClauseKind::Hashed(cost) => attribute.hashed = Some(*cost),
        ClauseKind::Stored(name) => attribute.stored.clone_from(&name.value),
        ClauseKind::Alias(name) => attribute.aliases.push(name.value.clone()),
        ClauseKind::KeyOnly => attribute.key_only = true,
        ClauseKind::Internal => attribute.internal = true,
        ClauseKind::Distinct => attribute.distinct = true,
        ClauseKind::Version(version) => attribute.version = Some(*version),
        ClauseKind::Numbered { reference, counter } => {
            attribute.numbered = Some((reference.clone(), counter.clone()));
        }
        ClauseKind::Position(name) => attribute.position = Some(name.clone()),
        ClauseKind::Top(relation) => draft.top = Some(relation.clone()),
        ClauseKind::Same(name) => reference.same = Some(name.clone()),
        ClauseKind::Counted(name) => reference.counted = Some(name.clone()),
        ClauseKind::MissingWarns => reference.missing_warns = true,
        ClauseKind::OnDelete(on_delete) => reference.on_delete = *on_delete,
        ClauseKind::Via(pattern) => draft.via = Some(pattern.clone()),
        ClauseKind::Message(message) => attribute.message = Some(message.clone()),
        ClauseKind::MessageOnDelete(message) => {
            reference.message_on_delete = Some(message.clone());
        }
    }
}

/// Reports `created = ..` beside `default`.
fn refuse_second_default(attribute: &Attribute, span: Span, findings: &mut Findings) {
    if attribute.default.is_some() {
        let message = "`created` says what it is at the create, so it has no default";
        findings.error(Code::Contradiction, span, message);
    }
}

const fn generator_of(kind: &Kind) -> Option<Generator> {
    match kind {
        Kind::Uuid => Some(Generator::Uuid),
        Kind::UuidV7 => Some(Generator::UuidV7),
        Kind::Ulid => Some(Generator::Ulid),
        Kind::Token(length) => Some(Generator::Token(*length)),
        _ => None,
    }
}

fn finish(draft: &mut Draft, span: Span, findings: &mut Findings) {
    let attribute = &mut draft.attribute;
    match &draft.pending {
        Pending::Nothing => attribute.reference = None,
        Pending::Computed(template) => {
            attribute.reference = None;
            attribute.computed = Some(template.clone());
        }
        Pending::Reference { target, many } => {
            let reference = attribute.reference.get_or_insert_with(|| Reference {
                target: crate::model::EntityId(usize::MAX),
                many: *many,
                filter: None,
                same: None,
                counted: None,
                missing_warns: false,
                on_delete: OnDelete::default(),
                via: None,
                message_on_delete: None,
                span: target.span,
            });
            reference.many = *many;
            reference.span = target.span;
        }
    }
    for problem in contradictions(attribute, &draft.pending) {
        findings.push(Diagnostic::new(Code::Contradiction, span, problem));
    }
    check_default(attribute, findings);
}

fn contradictions(attribute: &Attribute, pending: &Pending) -> Vec<String> {
    let mut problems = Vec::new();
    let mut say = |wrong: bool, problem: &str| {
        if wrong {
            problems.push(problem.to_owned());
        }
    };
    let is_time = matches!(
        attribute.kind,
        Kind::Timestamp(_) | Kind::Date | Kind::Epoch
    );
    say(
        attribute.role.is_some() && !is_time,
        "only a time is `created`, `updated` or `deleting`",
    );
    say(
        attribute.immutable && attribute.movable,
        "it cannot be both immutable and movable",
    );
    say(
        attribute.role.is_some() && attribute.default.is_some(),
        "the store sets this time; it has no default",
    );
    say(
        attribute.generated.is_some() && attribute.default.is_some(),
        "it is generated, so it has no default",
    );
    let number = matches!(attribute.kind, Kind::Integer(_));
    say(
        attribute.version.is_some() && !number,
        "a version is an integer",
    );
    say(
        attribute.numbered.is_some() && !number,
        "a number of a counter is an integer",
    );
    say(
        attribute.position.is_some() && !number,
        "a position is an integer",
    );
    let list = matches!(attribute.kind, Kind::List { .. });
    say(attribute.distinct && !list, "only a list is distinct");
    let computed = matches!(pending, Pending::Computed(_));
    say(
        computed
            && (attribute.default.is_some()
                || attribute.generated.is_some()
                || attribute.role.is_some()),
        "a computed value is never given, generated or defaulted",
    );
    let reference = attribute.reference.as_ref();
    say(
        reference.is_some_and(|reference| {
            reference.message_on_delete.is_some() && reference.on_delete != OnDelete::Restrict
        }),
        "only `on_delete = restrict` refuses a delete, so nothing else has a `message_on_delete`",
    );
    say(
        attribute.hashed.is_some() && attribute.secret.is_none(),
        "what is stored hashed is a secret: say `secret` too",
    );
    problems
}

fn check_default(attribute: &Attribute, findings: &mut Findings) {
    let (Some(default), false) = (&attribute.default, attribute.reference.is_some()) else {
        return;
    };
    let fits = match (default, &attribute.kind) {
        (Default::Template(_), _) | (_, Kind::Any) => true,
        (Default::Word(word), Kind::Enum(words)) => {
            words.iter().any(|known| known.word == word.value)
        }
        (Default::Word(_) | Default::Text(_), Kind::Text(_) | Kind::Json | Kind::Url) => true,
        (Default::Number(_), Kind::Integer(_) | Kind::Number(_) | Kind::Epoch) => true,
        (Default::Flag(_), Kind::Boolean) => true,
        (Default::Now { .. }, Kind::Timestamp(_) | Kind::Date | Kind::Epoch) => true,
        (Default::EmptyList, Kind::List { .. }) => true,
        _ => false,
    };
    if !fits {
        let message = format!(
            "the default of `{}` is not {}",
            attribute.name.value, attribute.kind
        );
        findings.error(Code::Contradiction, attribute.span, message);
    }
}
