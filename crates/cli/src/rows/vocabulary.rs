//! What the attributes and parameters of a model hold.

use crate::versions::Declared;
use monotable_model::model::{Attribute, Kind, Mode, Model, Parameter};

/// Of the attributes of an entity. An entity that is not there has none.
pub(super) fn of_entity<'m>(
    model: &'m Model,
    entity: &str,
) -> impl Fn(&str) -> Option<&'m Kind> + use<'m> {
    let entity = model.entity_named(entity).map(|(_, entity)| entity);
    move |name| {
        let entity = entity?;
        let of_family = || entity.family(name).map(|family| &family.attribute);
        let attribute = entity.attribute(name).or_else(of_family)?;
        Some(&attribute.kind)
    }
}

/// Of the attributes of the rows that move.
pub(super) fn of_move<'m>(
    model: &'m Model,
    name: &str,
) -> impl Fn(&str) -> Option<&'m Kind> + use<'m> {
    let declared = model.moves.iter().find(|moving| moving.name.value == name);
    let entity = declared.map_or("", |moving| &model.entity(moving.of).name.value);
    of_entity(model, entity)
}

/// Of the key of a repository: the attributes of its head.
pub(super) fn of_repository<'m>(
    model: &'m Model,
    name: &str,
) -> impl Fn(&str) -> Option<&'m Kind> + use<'m> {
    let declared = Declared::named(model, name);
    of_entity(model, declared.map_or("", |known| &known.head().name.value))
}

/// Of what a revision of a repository says.
pub(super) fn of_revision<'m>(
    model: &'m Model,
    name: &str,
) -> impl Fn(&str) -> Option<&'m Kind> + use<'m> {
    let declared = Declared::named(model, name);
    of_entity(model, declared.map_or("", |known| &known.log().name.value))
}

/// Of the parameters of a pattern; a range has two ends.
pub(super) fn of_pattern<'m>(
    model: &'m Model,
    pattern: &str,
) -> impl Fn(&str) -> Option<&'m Kind> + use<'m> {
    let access = model.pattern_named(pattern).map(|(_, access)| access);
    let parameters: &[Parameter] = access.map_or(&[], |access| &access.parameters);
    move |name| {
        let end = name
            .strip_suffix(".from")
            .or_else(|| name.strip_suffix(".to"));
        let found = parameters.iter().find(|parameter| match parameter.mode {
            Mode::Range => end == Some(&parameter.name) || parameter.name == name,
            Mode::Plain | Mode::Optional | Mode::Open => parameter.name == name,
        })?;
        // A beginning of a number need not be one.
        (found.mode != Mode::Open).then_some(&found.kind)
    }
}

/// Of attributes that stand in a list.
pub(super) fn of_attributes<'m>(
    attributes: &'m [Attribute],
) -> impl Fn(&str) -> Option<&'m Kind> + use<'m> {
    move |name| {
        let mut attributes = attributes.iter();
        let found = attributes.find(|attribute| attribute.name.value == name)?;
        Some(&found.kind)
    }
}
