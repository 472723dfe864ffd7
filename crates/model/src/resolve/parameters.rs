//! What a caller gives to a pattern: the fields of its templates, typed by what it returns.

use crate::model::{
    Access, AccessId, Assigned, EntityId, EnumWord, Field, Kind, Mode, Model, Parameter, Root,
    Source, Way,
};
use crate::shape::Vocabulary;
use monotable_expr::predicate::{Operand, Path, Root as PredicateRoot, Tree};
use monotable_expr::tree::Predicate as Node;

/// Fills in the parameters of every pattern.
pub(super) fn fill(model: &mut Model) {
    // Patterns of patterns need those first; as many rounds as there are patterns are enough.
    let mut all: Vec<Option<Vec<Parameter>>> = vec![None; model.access.len()];
    for _ in 0..model.access.len() {
        for (position, access) in model.access.iter().enumerate() {
            let known = |id: &AccessId| all.get(id.index()).cloned().flatten();
            let found = parameters(access, model, &known);
            if let (Some(slot @ None), Some(found)) = (all.get_mut(position), found) {
                *slot = Some(found);
            }
        }
        if all.iter().all(Option::is_some) {
            break;
        }
    }
    for (access, parameters) in model.access.iter_mut().zip(all) {
        access.parameters = parameters.unwrap_or_default();
    }
}

fn parameters(
    access: &Access,
    model: &Model,
    known: &impl Fn(&AccessId) -> Option<Vec<Parameter>>,
) -> Option<Vec<Parameter>> {
    let mut parameters = match &access.way {
        Way::Get { key, .. } | Way::Query { key, .. } => {
            let fields = key.templates().flat_map(|template| template.fields());
            let mut parameters = Vec::new();
            for field in fields {
                add(&mut parameters, of_field(field, access, model));
            }
            parameters
        }
        Way::Through { entity, claim } => of_claim(*entity, *claim, model),
        Way::Union(patterns) => of_patterns(access, patterns, false, model, known)?,
        Way::Steps(patterns) => of_patterns(access, patterns, true, model, known)?,
        Way::Walk(walks) => {
            let target = walks.first().and_then(|walk| {
                let attribute = model.entity(walk.entity).attribute(&walk.end.value)?;
                attribute
                    .reference
                    .as_ref()
                    .map(|reference| reference.target)
            });
            target
                .into_iter()
                .flat_map(|target| key_parameters(target, model))
                .collect()
        }
        Way::Resolve(path) => {
            let path = model.path(*path);
            let attribute = model.entity(path.of).attribute(&path.attribute.value);
            vec![plain(
                &path.attribute.value,
                attribute.map(|attribute| attribute.kind.clone()),
            )]
        }
        Way::Diff(repository) => {
            let repository = model.repository(*repository);
            let head = model.entity(repository.head);
            let of_head = head.primary().into_iter().flat_map(|key| key.hash.fields());
            let mut parameters: Vec<_> = of_head
                .flat_map(|field| of_field_in(field, repository.head, model))
                .collect();
            let log = model.entity(repository.log);
            let revision = log
                .attribute(&repository.revision.value)
                .map(|attribute| attribute.kind.clone());
            parameters.push(plain("from", revision.clone()));
            parameters.push(plain("to", revision));
            parameters
        }
        Way::Pointer { entity, attributes } => attributes
            .iter()
            .map(|name| {
                let attribute = model.entity(*entity).attribute(&name.value);
                plain(
                    &name.value,
                    attribute.map(|attribute| attribute.kind.clone()),
                )
            })
            .collect(),
    };
    of_filter(access, model, &mut parameters);
    Some(parameters)
}

fn plain(name: &str, kind: Option<Kind>) -> Parameter {
    Parameter {
        name: name.to_owned(),
        kind: kind.unwrap_or(Kind::Any),
        mode: Mode::Plain,
    }
}

fn add(parameters: &mut Vec<Parameter>, found: Option<Parameter>) {
    let Some(found) = found else { return };
    match parameters
        .iter_mut()
        .find(|parameter| parameter.name == found.name)
    {
        // A range is given once, for partition and sort key alike.
        Some(known) if found.mode == Mode::Range => known.mode = Mode::Range,
        Some(_) => {}
        None => parameters.push(found),
    }
}

fn of_field(field: &Field, access: &Access, model: &Model) -> Option<Parameter> {
    let kinds: Vec<_> = access
        .returns
        .iter()
        .filter_map(|entity| of_field_in(field, *entity, model))
        .collect();
    let first = kinds.first()?.clone();
    // Discriminators are enums of one word each; together they are one enum.
    let mut words: Vec<EnumWord> = Vec::new();
    for parameter in &kinds {
        let Kind::Enum(own) = &parameter.kind else {
            return Some(first);
        };
        for word in own {
            if !words.iter().any(|known| known.word == word.word) {
                words.push(word.clone());
            }
        }
    }
    Some(Parameter {
        kind: Kind::Enum(words),
        ..first
    })
}

/// The parameter that a field of a row of this entity asks for.
fn of_field_in(field: &Field, entity: EntityId, model: &Model) -> Option<Parameter> {
    let vocabulary = Vocabulary::of_names(model);
    let Some(Source::Path {
        root: None, names, ..
    }) = field.sources.first()
    else {
        return None;
    };
    let path: Vec<_> = names.iter().map(|name| name.value.as_str()).collect();
    let attribute = vocabulary.follow(entity.index(), None, &path)?;
    let mode = match field.mode {
        Mode::Plain if field.has_fallback() => Mode::Optional,
        mode => mode,
    };
    Some(Parameter {
        name: path.last().map(|name| (*name).to_owned())?,
        kind: attribute.kind.clone(),
        mode,
    })
}

/// What names a row by its key.
fn key_parameters(entity: EntityId, model: &Model) -> Vec<Parameter> {
    let entity = model.entity(entity);
    let names = entity.key_attributes().into_iter();
    let attributes = names.filter_map(|name| entity.attribute(name));
    attributes
        .map(|attribute| plain(&attribute.name.value, Some(attribute.kind.clone())))
        .collect()
}

fn of_claim(entity: EntityId, claim: usize, model: &Model) -> Vec<Parameter> {
    let entity = model.entity(entity);
    let claim = entity.claims.get(claim);
    let names = claim
        .map(|claim| claim.guard.claimed(model))
        .unwrap_or_default();
    let mut parameters = Vec::new();
    for name in names {
        let attribute = entity.attribute(name);
        let kind = attribute.map(|attribute| attribute.kind.clone());
        add(&mut parameters, Some(plain(name, kind)));
    }
    parameters
}

/// Those of the patterns it is made of, but what `set` gives and, in steps, what rows before give.
fn of_patterns(
    access: &Access,
    patterns: &[AccessId],
    steps: bool,
    model: &Model,
    known: &impl Fn(&AccessId) -> Option<Vec<Parameter>>,
) -> Option<Vec<Parameter>> {
    let mut parameters = Vec::new();
    let mut rows: Vec<EntityId> = Vec::new();
    let given_by = |rows: &[EntityId], name: &str| {
        rows.iter()
            .any(|id| model.entity(*id).attribute(name).is_some())
    };
    for (position, id) in patterns.iter().enumerate() {
        for parameter in known(id)? {
            let set = access
                .set
                .iter()
                .find(|assignment| assignment.name.value == parameter.name);
            match set.map(|assignment| &assignment.value) {
                Some(Assigned::Template(template)) => {
                    for name in template.fields().filter_map(own_name) {
                        let from_rows = steps && given_by(&rows, &name);
                        if !from_rows {
                            add(
                                &mut parameters,
                                Some(plain(&name, Some(parameter.kind.clone()))),
                            );
                        }
                    }
                }
                Some(Assigned::Flag(_) | Assigned::Number(_)) => {}
                None if steps && position > 0 && given_by(&rows, &parameter.name) => {}
                None => add(&mut parameters, Some(parameter)),
            }
        }
        rows.extend(&model.pattern(*id).returns);
    }
    Some(parameters)
}

/// The name that a field of `set` asks the caller or a row for.
fn own_name(field: &Field) -> Option<String> {
    match field.sources.first()? {
        Source::Path {
            root: None, names, ..
        } => names.first().map(|name| name.value.clone()),
        Source::Path {
            root:
                Some(
                    Root::Principal
                    | Root::Setting
                    | Root::Tenant
                    | Root::Now
                    | Root::Row
                    | Root::Old
                    | Root::Request
                    | Root::Archive,
                ),
            ..
        }
        | Source::Literal(_)
        | Source::Nothing(_) => None,
    }
}

/// `param.x` in a filter is a parameter too; it holds what it is compared with.
fn of_filter(access: &Access, model: &Model, parameters: &mut Vec<Parameter>) {
    let Some(filter) = &access.filter else { return };
    let attribute = |name: &str| {
        access
            .returns
            .iter()
            .find_map(|id| model.entity(*id).attribute(name))
    };
    let mut paths: Vec<&Path> = Vec::new();
    for condition in filter.parsed().conditions() {
        collect(condition.condition, &mut paths);
        let compared = paths.iter().filter(|path| path.root().is_none());
        let kind = compared
            .filter_map(|path| attribute(path.first_name()?))
            .map(|attribute| attribute.kind.clone())
            .next();
        for path in paths
            .drain(..)
            .filter(|path| path.root() == Some(PredicateRoot::Param))
        {
            if let Some(name) = path.first_name() {
                let own = attribute(name).map(|attribute| attribute.kind.clone());
                add(parameters, Some(plain(name, kind.clone().or(own))));
            }
        }
    }
}

/// The paths of a simple condition.
fn collect<'p>(condition: &'p Tree, paths: &mut Vec<&'p Path>) {
    let operands: Vec<&Operand> = match condition {
        Node::Compare { left, right, .. } => vec![left, right],
        Node::Between {
            operand,
            lower,
            upper,
        } => vec![operand, lower, upper],
        Node::In {
            operand,
            candidates,
        } => std::iter::once(operand).chain(candidates).collect(),
        Node::BeginsWith { operand, prefix } => vec![operand, prefix],
        Node::Contains { operand, element } => vec![operand, element],
        Node::HasType { operand, .. } => vec![operand],
        Node::Exists(_) | Node::NotExists(_) | Node::Not(_) | Node::All(_) | Node::Any(_) => {
            Vec::new()
        }
    };
    paths.extend(operands.into_iter().filter_map(|operand| match operand {
        Operand::Path(path) => Some(path),
        Operand::Value(_) | Operand::Size(_) => None,
    }));
}
