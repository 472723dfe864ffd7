//! A condition, said of another key.

use super::bindings::{Binding, Bindings, Side, ends_condition, formats};
use crate::model::{Field, Format, Key, KeyPlace, Mode, Part, Template};

/// The condition on a key that asks for what the bindings say; none if the key cannot tell it. `whole`: of all rows of the
/// partition.
pub(super) fn condition(
    bindings: &Bindings<'_>,
    key: &Key,
    whole: bool,
) -> Option<(KeyPlace, Template, Option<Template>)> {
    let mut used = vec![false; bindings.all.len()];
    let hash = hash(bindings, &key.hash, &mut used)?;
    let is_left = |used: &[bool]| {
        let mut all = bindings.all.iter().zip(used);
        all.any(|(binding, used)| binding.is_given() && !used)
    };
    let range = match &key.range {
        Some(range) if !whole || is_left(&used) => range_of(bindings, range, &mut used)?,
        _ => None,
    };
    (!is_left(&used)).then_some((key.place, hash, range))
}

/// A partition is told whole, or is one of some shards.
fn hash(bindings: &Bindings<'_>, template: &Template, used: &mut [bool]) -> Option<Template> {
    let mut parts = Vec::new();
    for part in &template.parts {
        match part {
            Part::Literal(_) => parts.push(part.clone()),
            Part::Field(field) => match said(bindings, Side::Hash, field, used)? {
                Said::Parts(said) => parts.extend(said),
                Said::Nothing if is_shard(field) => parts.push(Part::Field(Field {
                    mode: Mode::Range,
                    ..field.clone()
                })),
                Said::Nothing => return None,
            },
        }
    }
    Some(Template::of_parts(parts, false, template.span))
}

/// As much of a sort key as is told; nothing if nothing is.
#[expect(clippy::option_option, reason = "no condition, and no answer")]
fn range_of(
    bindings: &Bindings<'_>,
    template: &Template,
    used: &mut [bool],
) -> Option<Option<Template>> {
    let mut parts: Vec<Part> = Vec::new();
    let mut open_end = false;
    for part in &template.parts {
        let Part::Field(field) = part else {
            parts.push(part.clone());
            continue;
        };
        match said(bindings, Side::Range, field, used)? {
            Said::Parts(said) => parts.extend(said),
            Said::Nothing => {
                open_end = true;
                break;
            }
        }
        if matches!(parts.last(), Some(Part::Field(last)) if ends_condition(last.mode)) {
            let template = Template::of_parts(parts, false, template.span);
            return Some(Some(template));
        }
    }
    let fields = || parts.iter().filter_map(field_of);
    open_end |= fields().any(|field| field.mode == Mode::Optional);
    // A prefix that stops inside a value would find longer ones too.
    if open_end && matches!(parts.last(), Some(Part::Field(_))) {
        return None;
    }
    let template = Template::of_parts(parts, open_end, template.span);
    Some((!template.parts.is_empty()).then_some(template))
}

const fn field_of(part: &Part) -> Option<&Field> {
    match part {
        Part::Field(field) => Some(field),
        Part::Literal(_) => None,
    }
}

enum Said {
    Parts(Vec<Part>),
    Nothing,
}

/// What is said of a field of the layout's key; none if it cannot be said there.
fn said(bindings: &Bindings<'_>, side: Side, field: &Field, used: &mut [bool]) -> Option<Said> {
    let Some((position, binding)) = bindings.find(side, field) else {
        // What the row does not tell, like the tenant, is known without being asked.
        let own = field.attributes().next().is_some() || field.name().starts_with("row.");
        return Some(if own {
            Said::Nothing
        } else {
            Said::Parts(vec![Part::Field(field.clone())])
        });
    };
    *used.get_mut(position)? = true;
    match binding.said.as_slice() {
        [Part::Field(given)] if given.name() == binding.field.name() => {
            let part = Part::Field(shown_as(binding, given, field)?);
            Some(Said::Parts(vec![part]))
        }
        parts if formats(binding.field) == formats(field) => Some(Said::Parts(parts.to_vec())),
        _ => None,
    }
}

/// What is given for a field, shown as the layout shows it.
fn shown_as(binding: &Binding<'_>, given: &Field, field: &Field) -> Option<Field> {
    let mut shown = given.clone();
    // An absent value is what the layout takes it for.
    if given.has_fallback() && given.mode == Mode::Plain {
        shown.sources.clone_from(&field.sources);
    }
    if formats(binding.field) == formats(field) {
        return Some(shown);
    }
    let as_declared = formats(given) == formats(binding.field);
    let in_order = field.formats.iter().all(|format| {
        matches!(
            format.value,
            Format::Date | Format::Time(_) | Format::Pad(_)
        )
    });
    shown.formats.clone_from(&field.formats);
    (as_declared && (in_order || !ends_condition(given.mode))).then_some(shown)
}

fn is_shard(field: &Field) -> bool {
    let last = field.formats.last();
    last.is_some_and(|format| matches!(format.value, Format::Shard(_)))
}
