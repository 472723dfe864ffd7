//! Names of entities, access patterns, moves, repositories and carries: a wrong one is answered with those that exist.

use super::row_command::Verb;
use crate::exit::Failure;
use monotable_model::model::{Model, Move, MoveKind};
use monotable_model::suggest::nearest;

/// Refuses a name that the model does not declare for this verb.
pub(super) fn check_name(verb: Verb, name: &str, model: &Model) -> Result<(), Failure> {
    let kind = NameKind::of(verb);
    let known = kind.list(model);
    // A commit without a repository is one of its lines'.
    let is_left_out = verb == Verb::Commit && name.is_empty();
    // What several entities share has no rows of its own, which the store says better.
    let is_shared = kind == NameKind::Entity && model.entity_named(name).is_some();
    if is_left_out || is_shared || known.contains(&name) {
        return Ok(());
    }
    Err(refuse_name(kind, name, &known, model))
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    Entity,
    Pattern,
    Move,
    Repository,
    Carry,
}

impl NameKind {
    const fn of(verb: Verb) -> Self {
        match verb {
            Verb::Query => Self::Pattern,
            Verb::Move => Self::Move,
            Verb::Carry => Self::Carry,
            verb if verb.is_versioned() => Self::Repository,
            _ => Self::Entity,
        }
    }

    const fn noun(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Pattern => "access pattern",
            Self::Move => "move",
            Self::Repository => "repository",
            Self::Carry => "carry",
        }
    }

    /// The names of this kind that the model declares.
    pub(crate) fn list(self, model: &Model) -> Vec<&str> {
        match self {
            Self::Entity => {
                let stored = model.stored();
                stored
                    .map(|(_, entity)| entity.name.value.as_str())
                    .collect()
            }
            Self::Pattern => {
                let patterns = model.patterns();
                patterns
                    .map(|(_, access)| access.name.value.as_str())
                    .collect()
            }
            Self::Move => model.moves.iter().flat_map(list_move_names).collect(),
            Self::Repository => {
                let repositories = model.repositories.iter();
                repositories
                    .map(|known| known.name.value.as_str())
                    .collect()
            }
            Self::Carry => {
                let carries = model.carries.iter();
                carries.map(|known| known.name.value.as_str()).collect()
            }
        }
    }
}

/// A move has a name, and may have one for its way back and one for its purge.
fn list_move_names(declared: &Move) -> Vec<&str> {
    let mut names = vec![declared.name.value.as_str()];
    if let MoveKind::To { undo, purge, .. } = &declared.kind {
        let others = undo.iter().chain(purge);
        names.extend(others.map(|name| name.value.as_str()));
    }
    names
}

/// The refusal of a name, with the nearest one or all that there are.
pub(crate) fn refuse_name(kind: NameKind, name: &str, known: &[&str], model: &Model) -> Failure {
    let noun = kind.noun();
    let failure = Failure::usage(format_args!(
        "the model `{}` has no {noun} `{name}`",
        model.name
    ));
    let failure = if known.is_empty() {
        failure.because(format_args!("it has no {noun} at all"))
    } else {
        failure.because(format_args!("it has {}", known.join(", ")))
    };
    let is_table = model.tables().any(|(_, table)| table.physical == name);
    match nearest(name, known.iter().copied()) {
        Some(near) => failure.help(format_args!("did you mean `{near}`?")),
        None if is_table => failure.help(format_args!(
            "`{name}` is a table: `monotable table --help` lists the commands for its raw items"
        )),
        None if kind == NameKind::Pattern => {
            failure.help("`monotable patterns` shows them with their parameters")
        }
        None => failure,
    }
}
