//! What an address names.

use crate::percent;
use crate::problem::Problem;
use crate::surface::{
    EntitySurface, KeySegment, MoveSurface, find_repository, list_key, list_moves, offers_purges,
};
use crate::word::read_word;
use monotable_item::Item;
use monotable_model::model::{Access, Attribute, Carry, Model, Repository};

/// Something of a model that has an address.
#[derive(Debug)]
pub(crate) enum Target<'m> {
    /// The page about the model.
    Page,
    /// The OpenAPI document.
    Document,
    /// Any operation, as the store's own JSON.
    Operations,
    /// Several writes, all or none.
    Transactions,
    /// Commits to several repositories, all or none.
    Commits,
    /// Everything of an owner, to be deleted.
    Purges,
    /// All rows of an entity: where new ones are posted.
    Rows(EntitySurface<'m>),
    /// One row.
    Row(EntitySurface<'m>, Item),
    /// A secret of a row.
    Secret(EntitySurface<'m>, Item, &'m Attribute),
    /// All rows of a relation.
    Relations(EntitySurface<'m>),
    /// One row of a relation.
    Relation(EntitySurface<'m>, Item),
    /// An access pattern.
    Pattern(&'m Access),
    /// A move.
    Move(MoveSurface<'m>),
    /// A carry.
    Carry(&'m Carry),
    /// Something of a repository.
    Repository(&'m Repository, Item, RepositoryPart),
}

/// What a repository has below its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RepositoryPart {
    /// New revisions.
    Commits,
    /// The revisions.
    Log,
    /// The rows of a revision.
    Rows,
    /// What two revisions differ in.
    Diff,
    /// The head, moved to another revision.
    Rollback,
    /// A new commit with the rows of an old revision.
    Revert,
    /// Rows of commits that never finished.
    Sweep,
}

impl RepositoryPart {
    /// Every part.
    pub(crate) const ALL: [Self; 7] = [
        Self::Commits,
        Self::Log,
        Self::Rows,
        Self::Diff,
        Self::Rollback,
        Self::Revert,
        Self::Sweep,
    ];

    /// The last segment of its address.
    pub(crate) const fn segment(self) -> &'static str {
        match self {
            Self::Commits => "commits",
            Self::Log => "log",
            Self::Rows => "rows",
            Self::Diff => "diff",
            Self::Rollback => "rollback",
            Self::Revert => "revert",
            Self::Sweep => "sweep",
        }
    }
}

impl<'m> Target<'m> {
    /// What the segments behind the model's name lead to.
    pub(crate) fn find(model: &'m Model, path: &str) -> Result<Self, Problem> {
        let mut segments = Vec::new();
        for segment in path.split('/') {
            segments.push(percent::decode(segment)?);
        }
        let words: Vec<&str> = segments.iter().map(String::as_str).collect();
        let found = match words.as_slice() {
            [] | [""] => Some(Self::Page),
            ["openapi.json"] => Some(Self::Document),
            ["operations"] => Some(Self::Operations),
            ["transactions"] => Some(Self::Transactions),
            ["commits"] => Some(Self::Commits),
            ["purges"] if offers_purges(model) => Some(Self::Purges),
            ["entities", name, key @ ..] => find_row(model, name, key)?,
            ["relations", name, key @ ..] => find_relation(model, name, key)?,
            ["patterns", name] => Some(Self::Pattern(find_pattern(model, name)?)),
            ["moves", name] => find_move(model, name).map(Self::Move),
            ["carries", name] => {
                let mut carries = model.carries.iter();
                let found = carries.find(|carry| carry.name.value == *name);
                found.map(Self::Carry)
            }
            ["repositories", name, rest @ ..] => find_part(model, name, rest)?,
            _ => None,
        };
        found.ok_or_else(|| {
            Problem::not_found(format!(
                "there is nothing at `{path}` of the model `{name}`; /v1/{name}/openapi.json has every address",
                name = model.name
            ))
        })
    }
}

fn find_surface<'m>(model: &'m Model, name: &str) -> Result<EntitySurface<'m>, Problem> {
    match model.entity_named(name) {
        Some((id, entity)) if entity.is_stored() => Ok(EntitySurface::new(model, id)),
        _ => {
            let known = model.stored().map(|(_, entity)| entity.name.value.as_str());
            let known: Vec<_> = known.collect();
            Err(Problem::not_found(format!(
                "the model has no entity `{name}`; it has {}",
                known.join(", ")
            )))
        }
    }
}

/// An entity as a whole, a row of it, or a secret of a row: the number of segments tells.
fn find_row<'m>(model: &'m Model, name: &str, key: &[&str]) -> Result<Option<Target<'m>>, Problem> {
    let surface = find_surface(model, name)?;
    let segments = surface.key();
    let (words, rest) = match key.split_at_checked(segments.len()) {
        Some(parts) => parts,
        None if key.is_empty() => return Ok(Some(Target::Rows(surface))),
        None => return Err(refuse_key(name, &segments, key.len())),
    };
    let found = match rest {
        [] if segments.is_empty() => Some(Target::Rows(surface)),
        [] => Some(Target::Row(surface, read_key(&segments, words))),
        ["secrets", attribute] => {
            let mut hashed = surface.hashed();
            let attribute = hashed.find(|known| known.name.value == *attribute);
            attribute
                .map(|attribute| Target::Secret(surface, read_key(&segments, words), attribute))
        }
        _ => return Err(refuse_key(name, &segments, key.len())),
    };
    Ok(found)
}

fn find_relation<'m>(
    model: &'m Model,
    name: &str,
    key: &[&str],
) -> Result<Option<Target<'m>>, Problem> {
    let surface = find_surface(model, name)?;
    if !surface.relates {
        return Err(Problem::not_found(format!(
            "`{name}` does not relate two rows; its rows are at /entities/{name}"
        )));
    }
    let segments = surface.key();
    if key.is_empty() {
        Ok(Some(Target::Relations(surface)))
    } else if key.len() == segments.len() {
        Ok(Some(Target::Relation(surface, read_key(&segments, key))))
    } else {
        Err(refuse_key(name, &segments, key.len()))
    }
}

fn find_pattern<'m>(model: &'m Model, name: &str) -> Result<&'m Access, Problem> {
    match model.pattern_named(name) {
        Some((_, access)) => Ok(access),
        None => {
            let known = model.patterns();
            let known: Vec<_> = known
                .map(|(_, access)| access.name.value.as_str())
                .collect();
            Err(Problem::not_found(format!(
                "the model has no access pattern `{name}`; it has {}",
                known.join(", ")
            )))
        }
    }
}

fn find_move<'m>(model: &'m Model, name: &str) -> Option<MoveSurface<'m>> {
    let mut moves = list_moves(model).into_iter();
    moves.find(|known| known.name == name)
}

fn find_part<'m>(
    model: &'m Model,
    name: &str,
    rest: &[&str],
) -> Result<Option<Target<'m>>, Problem> {
    let Some(repository) = find_repository(model, name) else {
        return Ok(None);
    };
    let Some((last, key)) = rest.split_last() else {
        return Ok(None);
    };
    let mut parts = RepositoryPart::ALL.into_iter();
    let Some(part) = parts.find(|part| part.segment() == *last) else {
        return Ok(None);
    };
    let segments = list_key(model.entity(repository.head));
    // A sweep may be about the repositories of all owners.
    let is_of_all = part == RepositoryPart::Sweep && key.is_empty();
    if key.len() == segments.len() || is_of_all {
        let key = read_key(&segments, key);
        Ok(Some(Target::Repository(repository, key, part)))
    } else {
        Err(refuse_key(name, &segments, key.len()))
    }
}

/// The key in the segments of a path. An empty segment stands for an absent attribute.
fn read_key(segments: &[KeySegment<'_>], words: &[&str]) -> Item {
    let mut key = Item::new();
    for (segment, word) in segments.iter().zip(words) {
        if !word.is_empty() {
            let value = read_word(segment.kind(), segment.name, (*word).to_owned());
            key.insert(segment.name, value);
        }
    }
    key
}

fn refuse_key(name: &str, segments: &[KeySegment<'_>], given: usize) -> Problem {
    let names: Vec<_> = segments
        .iter()
        .map(|segment| format!("{{{}}}", segment.name))
        .collect();
    Problem::not_found(format!(
        "the key of `{name}` has {} segments, {}; given are {given}",
        names.len(),
        names.join("/")
    ))
}
