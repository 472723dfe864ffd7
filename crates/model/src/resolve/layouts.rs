//! The layouts that a model chooses to write: their keys become the entities', and those that the entities declare are
//! only read from then on.

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Entity, Layout, Model};
use crate::span::{Name, Spanned};
use crate::suggest::did_you_mean;

/// Gives every entity the keys of the layout that is written.
pub(super) fn choose(model: &mut Model, findings: &mut Findings) {
    for layout in model.entities.iter().flat_map(|entity| &entity.layouts) {
        if layout.name.value == Layout::DECLARED {
            let message = "`default` is the name of the keys that an entity declares";
            findings.error(Code::Contradiction, layout.name.span, message);
        }
    }
    for chosen in &model.layout {
        let mut layouts = model.entities.iter().flat_map(|entity| &entity.layouts);
        if !layouts.any(|layout| layout.name.value == chosen.value) {
            findings.push(unknown(model, chosen));
        }
    }
    for entity in &mut model.entities {
        let has = |chosen: &&Name| position(entity, chosen).is_some();
        if let Some(chosen) = model.layout.iter().find(has) {
            exchange(entity, chosen);
        }
    }
}

fn position(entity: &Entity, chosen: &Name) -> Option<usize> {
    let mut layouts = entity.layouts.iter();
    layouts.position(|layout| layout.name.value == chosen.value)
}

fn exchange(entity: &mut Entity, chosen: &Name) {
    let Some(layout) = position(entity, chosen).and_then(|place| entity.layouts.get_mut(place))
    else {
        return;
    };
    std::mem::swap(&mut entity.table, &mut layout.table);
    std::mem::swap(&mut entity.keys, &mut layout.keys);
    layout.name = Spanned::new(Layout::DECLARED.to_owned(), layout.name.span);
    entity.layout = Some(chosen.clone());
}

fn unknown(model: &Model, chosen: &Name) -> Diagnostic {
    let layouts = model.entities.iter().flat_map(|entity| &entity.layouts);
    let known = layouts.map(|layout| layout.name.value.as_str());
    let message = format!("no entity has a layout `{}`", chosen.value);
    Diagnostic::new(Code::UnknownName, chosen.span, message)
        .help_if(did_you_mean(&chosen.value, known))
}
