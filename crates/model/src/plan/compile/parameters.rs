//! What callers give to patterns.

use crate::model::{Access, Field, Format, Key, Kind, Mode, Model, Parameter, Template, Way};
use crate::plan::shape::{PlanParameter, Within};

/// The parameters of a pattern.
pub(super) fn compile(model: &Model, access: &Access) -> Vec<PlanParameter> {
    let refused = find_unasked(access);
    let parameters = access.parameters.iter();
    parameters
        .map(|parameter| PlanParameter {
            name: parameter.name.clone(),
            kind: parameter.kind.clone(),
            mode: parameter.mode,
            takes_mask: is_shown(access, parameter, |format| {
                matches!(format, Format::Mask { .. })
            }),
            takes_day: is_shown(access, parameter, |format| matches!(format, Format::Date)),
            generated: access.returns.iter().find_map(|id| {
                let attribute = model.entity(*id).attribute(&parameter.name)?;
                attribute.generated
            }),
            is_refused: refused.as_ref() == Some(&parameter.name),
        })
        .collect()
}

/// The texts that are compared again once rows were read: those that the key shows as they are, or as much as fits.
pub(super) fn compile_within(access: &Access) -> Vec<Within> {
    let texts = access.parameters.iter().filter(|parameter| {
        matches!(parameter.kind, Kind::Text(_) | Kind::Any) && is_plain(access, &parameter.name)
    });
    texts
        .filter_map(|parameter| match parameter.mode {
            Mode::Range => Some(Within::Range(parameter.name.clone())),
            Mode::Open => Some(Within::Begins(parameter.name.clone())),
            Mode::Plain | Mode::Optional => None,
        })
        .collect()
}

/// The key that a pattern asks for itself.
fn own_key(access: &Access) -> Option<&Key> {
    match &access.way {
        Way::Get { key, .. } | Way::Query { key, .. } => Some(key),
        _ => None,
    }
}

fn own_fields(access: &Access) -> impl Iterator<Item = &Field> {
    let templates = own_key(access).into_iter().flat_map(Key::templates);
    templates.flat_map(Template::fields)
}

/// Whether a pattern's key shows a parameter in a format.
fn is_shown(access: &Access, parameter: &Parameter, wanted: fn(&Format) -> bool) -> bool {
    own_fields(access).any(|field| {
        let mut formats = field.formats.iter();
        field.name() == parameter.name && formats.any(|format| wanted(&format.value))
    })
}

fn is_plain(access: &Access, name: &str) -> bool {
    let as_it_is = |field: &Field| {
        let mut formats = field.formats.iter();
        formats.all(|format| matches!(format.value, Format::Fit(_)))
    };
    let mut fields = own_fields(access);
    own_key(access).is_some() && fields.all(|field| field.name() != name || as_it_is(field))
}

/// The name of a range of shards that nothing else asks for.
fn find_unasked(access: &Access) -> Option<String> {
    let Way::Query { key, .. } = &access.way else {
        return None;
    };
    if access.filter.is_some() {
        return None;
    }
    let is_shard = |field: &&Field| {
        let last = field.formats.last().map(|format| &format.value);
        field.mode == Mode::Range && matches!(last, Some(Format::Shard(_)))
    };
    let name = key.hash.fields().find(is_shard)?.name();
    let further = key.further.hash.iter();
    let mut others = further
        .chain(key.sort_templates())
        .flat_map(Template::fields);
    (!others.any(|field| field.name() == name)).then_some(name)
}
