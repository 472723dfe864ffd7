//! Rows of older shapes, read in the shape of today.

use super::presence::Conditions;
use super::{Circumstances, Record};
use crate::template;
use monotable_item::{AttributeValue, Number};
use monotable_model::model::{Assigned, Model, Upgrade};

/// Applies the model's upgrade steps, one version after the other. The stored item stays as it is until it is written.
pub(crate) fn upgrade(model: &Model, record: &mut Record, circumstances: &Circumstances) {
    let entity = model.entity(record.entity);
    if entity.upgrades.is_empty() {
        return;
    }
    let mut attributes = entity.attributes.iter();
    let version = attributes.find(|attribute| attribute.version.is_some());
    let Some(version) = version.map(|attribute| attribute.name.value.clone()) else {
        return;
    };
    for step in &entity.upgrades {
        let at = match record.values.get(&version) {
            Some(AttributeValue::N(number)) => *number,
            // Rows from before there were versions.
            _ => Number::from(1),
        };
        if at >= Number::from(step.to) {
            continue;
        }
        let conditions = Conditions::new(model, &record.values, circumstances);
        let applies = step
            .when
            .as_ref()
            .is_none_or(|when| conditions.holds(entity, when) == Some(true));
        if applies {
            apply(model, record, step, circumstances);
        }
        record.values.insert(version.clone(), Number::from(step.to));
    }
}

fn apply(model: &Model, record: &mut Record, step: &Upgrade, circumstances: &Circumstances) {
    for (old, new) in &step.rename {
        if let Some(value) = record.values.remove(&old.value) {
            record.values.insert(new.value.clone(), value);
        }
    }
    for assignment in &step.set {
        let value = match &assignment.value {
            Assigned::Flag(flag) => Some(AttributeValue::Bool(*flag)),
            Assigned::Number(number) => number.parse().ok().map(AttributeValue::N),
            Assigned::Template(template) => {
                template::render(model, &record.values, template, circumstances)
                    .map(AttributeValue::S)
            }
        };
        if let Some(value) = value {
            record.values.insert(assignment.name.value.clone(), value);
        }
    }
    for name in &step.drop {
        record.values.remove(&name.value);
    }
}
