//! Rules of a model about one row, decided by the evaluator of the rights matrix, which has nothing of the store's code.

use crate::plain::{Values, read_item};
use crate::predicate::{Finding, Rule, Truth};
use crate::sample::{Sample, SampleItem};
use monotable_item::Item;
use monotable_model::model::{Entity, Predicate};

/// The condition that a row breaks after a damage, or whose answer differs from the one before.
pub(crate) enum Broken {
    /// It contradicts this declaration.
    By(&'static str),
    /// A rule speaks of more than the row.
    Unknown,
    Nothing,
}

/// Holds the conditions of a row's entity against what the row says after a damage.
pub(crate) fn judge_conditions(sample: &Sample, stored: &SampleItem, after: &Item) -> Broken {
    let Some(id) = stored.entity else {
        return Broken::Nothing;
    };
    let entity = sample.model().entity(id);
    let (before, after) = (read_item(&stored.values), read_item(after));
    let mut is_unknown = false;
    for attribute in &entity.attributes {
        let is_there = after.contains_key(&attribute.name.value);
        let is_made = attribute.default.is_some() || attribute.top.is_some();
        let required = attribute.presence.required_if.iter();
        for (rule, wanted) in required
            .map(|rule| (rule, true))
            .chain(attribute.presence.only_if.iter().map(|rule| (rule, false)))
        {
            match (decide(rule, entity, &after), wanted) {
                (Truth::True, true) if !is_there && !is_made => return Broken::By("presence"),
                (Truth::False, false) if is_there => return Broken::By("presence"),
                (Truth::Unknown, _) => is_unknown = true,
                _ => {}
            }
        }
    }
    for must in &entity.must {
        match decide(&must.predicate, entity, &after) {
            Truth::False => return Broken::By("must"),
            Truth::Unknown => is_unknown = true,
            Truth::True => {}
        }
    }
    let keys = entity.keys.iter().filter_map(|key| key.when.as_ref());
    let claims = entity.claims.iter().filter_map(|claim| claim.when.as_ref());
    for when in keys.chain(claims) {
        let (old, new) = (decide(when, entity, &before), decide(when, entity, &after));
        if old == Truth::Unknown || new == Truth::Unknown {
            is_unknown = true;
        } else if old != new {
            return Broken::By("condition of a key or of a unique value");
        }
    }
    if is_unknown {
        Broken::Unknown
    } else {
        Broken::Nothing
    }
}

/// Decides a rule of the row alone; what leads to other rows, and to more than the row, is unknown.
fn decide(rule: &Predicate, entity: &Entity, values: &Values) -> Truth {
    let find = |path: &[String]| match path {
        [name] if entity.attribute(name).is_some() => Finding::from(values.get(name)),
        _ => Finding::Unknown,
    };
    Rule::parse(&rule.to_string()).decide(&find)
}
