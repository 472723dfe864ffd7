//! What is wrong with a row that is stored.

use super::{Circumstances, Record, presence};
use crate::field_error::{FieldError, Problem};
use crate::{secret, value};
use monotable_item::AttributeValue;
use monotable_model::compiled::CompiledModel;
use monotable_model::model::Model;

/// Everything about a row that the model does not allow, as if it were written now.
pub(crate) fn problems(
    model: &CompiledModel,
    row: &Record,
    circumstances: &Circumstances,
) -> Vec<FieldError> {
    let entity = model.model().entity(row.entity);
    let mut errors = broken_rules(model.model(), row, circumstances);
    for attribute in &entity.attributes {
        let name = &attribute.name.value;
        // Ids of references and of old rows are taken as they are.
        let checked = attribute.reference.is_none() && attribute.hashed.is_none();
        let kept = row.values.get(name).and_then(secret::digested);
        if kept.is_some() && entity.digest_of(attribute).is_some() {
            continue;
        }
        if let (true, Some(found)) = (checked, row.values.get(name))
            && let Err(problem) = value::refuse_blank(&attribute.kind, found)
                .and_then(|()| value::accept(&attribute.kind, found.clone()))
        {
            errors.push(FieldError::new(name, problem));
        }
        if attribute.reference.is_some()
            && let Some(found) = row.values.get(name)
            && !value::has_type_of(&attribute.kind, found)
        {
            let wanted = attribute.kind.to_string();
            errors.push(FieldError::new(name, Problem::Wrong { wanted }));
        }
        if attribute.distinct && row.values.get(name).is_some_and(repeats_an_element) {
            let wanted = "a list without repetitions".to_owned();
            errors.push(FieldError::new(name, Problem::Wrong { wanted }));
        }
    }
    errors
}

fn repeats_an_element(value: &AttributeValue) -> bool {
    let AttributeValue::L(elements) = value else {
        return false;
    };
    let mut before = elements.iter().enumerate();
    before.any(|(position, element)| elements.iter().take(position).any(|known| known == element))
}

/// What is missing, forbidden or against a rule. Old rows lack what has a default or is generated since.
pub(crate) fn broken_rules(
    model: &Model,
    row: &Record,
    circumstances: &Circumstances,
) -> Vec<FieldError> {
    let entity = model.entity(row.entity);
    let mut errors = presence::whole(model, row, circumstances);
    errors.retain(|error| {
        let attribute = entity.attribute(&error.attribute);
        let made = attribute.is_some_and(|attribute| {
            attribute.default.is_some()
                || attribute.generated.is_some()
                || attribute.numbered.is_some()
                || attribute.version.is_some()
        });
        error.problem != Problem::Missing || !made
    });
    errors
}
