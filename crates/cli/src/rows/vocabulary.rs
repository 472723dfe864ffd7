//! The names that a command may give values to, with what each holds and where the model declares it.

use crate::versions::Declared;
use monotable_model::model::{
    Attribute, EntityId, Family, Kind, Mode, Model, Move, MoveKind, Parameter,
};
use monotable_model::span::Span;

/// The attributes of an entity or the parameters of an access pattern.
#[derive(Debug, Default)]
pub(super) struct Vocabulary<'m> {
    terms: Vec<Term<'m>>,
    families: &'m [Family],
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) struct Term<'m> {
    pub(super) name: String,
    /// None if any text will do: the beginning of a number need not be one.
    pub(super) kind: Option<&'m Kind>,
    /// Whether a message may show a value of it.
    pub(super) is_secret: bool,
    /// Where the model declares it.
    pub(super) span: Span,
}

impl<'m> Vocabulary<'m> {
    /// The attributes of an entity. An entity that is not there has none.
    pub(super) fn of_entity(model: &'m Model, entity: &str) -> Self {
        let Some((_, entity)) = model.entity_named(entity) else {
            return Self::default();
        };
        Self {
            terms: entity.attributes.iter().map(Term::of_attribute).collect(),
            families: &entity.families,
        }
    }

    /// The attributes of the rows that a move is about.
    pub(super) fn of_move(model: &'m Model, name: &str) -> Self {
        let mut moves = model.moves.iter();
        match moves.find_map(|declared| find_moved(declared, name)) {
            Some(entity) => Self::of_entity(model, &model.entity(entity).name.value),
            None => Self::default(),
        }
    }

    /// The attributes of the head of a repository, among which is its key.
    pub(super) fn of_repository(model: &'m Model, name: &str) -> Self {
        match Declared::named(model, name) {
            Some(known) => Self::of_entity(model, &known.head().name.value),
            None => Self::default(),
        }
    }

    /// The attributes of a revision of a repository.
    pub(super) fn of_revision(model: &'m Model, name: &str) -> Self {
        match Declared::named(model, name) {
            Some(known) => Self::of_entity(model, &known.log().name.value),
            None => Self::default(),
        }
    }

    /// The parameters of an access pattern; a range has two ends.
    pub(super) fn of_pattern(model: &'m Model, pattern: &str) -> Self {
        let Some((_, access)) = model.pattern_named(pattern) else {
            return Self::default();
        };
        let parameters = access.parameters.iter();
        let terms = parameters.flat_map(|parameter| Term::of_parameter(parameter, access.span));
        Self {
            terms: terms.collect(),
            families: &[],
        }
    }

    /// Attributes that stand in a list.
    pub(super) fn of_attributes(attributes: &'m [Attribute]) -> Self {
        Self {
            terms: attributes.iter().map(Term::of_attribute).collect(),
            families: &[],
        }
    }

    /// What a name stands for; none if the model does not know it.
    pub(super) fn find(&self, name: &str) -> Option<Term<'m>> {
        let mut terms = self.terms.iter();
        let of_family = || {
            let mut families = self.families.iter();
            let family = families.find(|family| name.starts_with(&family.prefix))?;
            Some(Term::of_attribute(&family.attribute))
        };
        let found = terms.find(|term| term.name == name).cloned();
        found.or_else(of_family)
    }
}

/// The entity whose rows a move of that name takes: on its way back, and in its purge, what they have become.
fn find_moved(declared: &Move, name: &str) -> Option<EntityId> {
    if declared.name.value == name {
        return Some(declared.of);
    }
    let MoveKind::To {
        to, undo, purge, ..
    } = &declared.kind
    else {
        return None;
    };
    let mut others = undo.iter().chain(purge);
    others.any(|other| other.value == name).then_some(*to)
}

impl<'m> Term<'m> {
    fn of_attribute(attribute: &'m Attribute) -> Self {
        Self {
            name: attribute.name.value.clone(),
            kind: Some(&attribute.kind),
            is_secret: attribute.secret.is_some() || attribute.hashed.is_some(),
            span: attribute.span,
        }
    }

    fn of_parameter(parameter: &'m Parameter, span: Span) -> Vec<Self> {
        let term = |name: String| Self {
            name,
            kind: (parameter.mode != Mode::Open).then_some(&parameter.kind),
            is_secret: matches!(parameter.kind, Kind::Token(_)),
            span,
        };
        let name = &parameter.name;
        match parameter.mode {
            Mode::Range => {
                let names = [name.clone(), format!("{name}.from"), format!("{name}.to")];
                names.into_iter().map(term).collect()
            }
            Mode::Plain | Mode::Optional | Mode::Open => vec![term(name.clone())],
        }
    }
}
