//! Keys: literals are grey, and each id has the colour of the entity that it names.

use crate::context::OpenModel;
use maud::{Markup, html};
use monotable_model::model::{EntityId, Field, Key, KeyPlace, Part, Template};

/// A template, as the model has it.
pub(crate) fn template(open: &OpenModel, entity: Option<EntityId>, template: &Template) -> Markup {
    html! {
        @for part in &template.parts {
            @match part {
                Part::Literal(text) => i { (text.value) },
                Part::Field(field) => span class={ "ph " (field_class(open, entity, field)) } { (field) },
            }
        }
        @if template.open_end { b { "*" } }
    }
}

/// Both sides of a key, as the model has it.
pub(crate) fn templates(open: &OpenModel, entity: Option<EntityId>, key: &Key) -> Markup {
    let sides: Vec<&Template> = key.templates().collect();
    html! {
        span class="key" {
            @for (position, side) in sides.into_iter().enumerate() {
                @if position > 0 { span class="sep" { "/" } }
                (template(open, entity, side))
            }
        }
    }
}

fn field_class<'o>(open: &'o OpenModel, entity: Option<EntityId>, field: &Field) -> &'o str {
    let named = find_named(open, entity, field);
    named.map_or("", |name| open.hues.class(name))
}

/// The entity that a parameter or an attribute of this name stands for, whatever entity has it.
pub(crate) fn find_entity_of<'o>(open: &'o OpenModel, name: &str) -> Option<&'o str> {
    let mut stored = open.model().stored();
    stored.find_map(|(id, _)| open.named_entity(id, name))
}

fn find_named<'o>(open: &'o OpenModel, entity: Option<EntityId>, field: &Field) -> Option<&'o str> {
    let name = field.attributes().next()?;
    match entity {
        Some(entity) => open.named_entity(entity, &name.value),
        // A parameter of a pattern has the name of the attribute that it stands for.
        None => find_entity_of(open, &name.value),
    }
}

/// A piece of a stored key.
struct Piece<'t> {
    text: &'t str,
    /// The entity that it names.
    names: Option<&'t str>,
    is_value: bool,
}

/// The text of a stored key of an entity, in its colours. A text that no template of the place fits is shown plainly.
pub(crate) fn text(
    open: &OpenModel,
    entity: Option<EntityId>,
    place: KeyPlace,
    side: Side,
    text: &str,
) -> Markup {
    let template = entity.and_then(|id| {
        let key = open.model().entity(id).key(place)?;
        match side {
            Side::Partition => Some(&key.hash),
            Side::Sort => key.range.as_ref(),
        }
    });
    written(open, entity, template, text)
}

/// A text that a template of an entity has written, in its colours.
pub(crate) fn written(
    open: &OpenModel,
    entity: Option<EntityId>,
    template: Option<&Template>,
    text: &str,
) -> Markup {
    let pieces = template.and_then(|template| cut(open, entity?, template, text));
    html! {
        span class="key" {
            @match pieces {
                None => span class="v" { (text) },
                Some(pieces) => @for piece in pieces {
                    @match (piece.is_value, piece.names) {
                        (false, _) => i { (piece.text) },
                        (true, None) => span class="v" { (piece.text) },
                        (true, Some(name)) => span class={ "v " (open.hues.class(name)) } { (piece.text) },
                    }
                },
            }
        }
    }
}

/// Which part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Partition,
    Sort,
}

/// Cuts a text where the literals of the template stand; none if they do not stand in it.
fn cut<'t>(
    open: &'t OpenModel,
    entity: EntityId,
    template: &'t Template,
    text: &'t str,
) -> Option<Vec<Piece<'t>>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut field: Option<&Field> = None;
    let mut is_first = true;
    for part in &template.parts {
        match part {
            Part::Literal(literal) => {
                let at = rest.find(&literal.value)?;
                let (before, after) = rest.split_at_checked(at)?;
                // What stands before everything else is the tenant's.
                if !before.is_empty() {
                    pieces.push(piece(open, entity, field, before));
                } else if field.is_none() && !is_first {
                    return None;
                }
                let (literal, after) = after.split_at_checked(literal.value.len())?;
                pieces.push(Piece {
                    text: literal,
                    names: None,
                    is_value: false,
                });
                rest = after;
                field = None;
            }
            Part::Field(next) => field = Some(next),
        }
        is_first = false;
    }
    if !rest.is_empty() {
        pieces.push(piece(open, entity, field, rest));
    }
    Some(pieces)
}

fn piece<'t>(
    open: &'t OpenModel,
    entity: EntityId,
    field: Option<&Field>,
    text: &'t str,
) -> Piece<'t> {
    Piece {
        text,
        names: field.and_then(|field| find_named(open, Some(entity), field)),
        is_value: field.is_some(),
    }
}
