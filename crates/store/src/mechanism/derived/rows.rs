//! The rows that follow from a row, worked out from what it says.

use crate::assignment::assigned_value;
use crate::interrupt::Interrupt;
use crate::record::{self, Conditions, Record};
use crate::scope::Scope;
use crate::template;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Assigned, Derive, Each, Kind, Part, Source};
use std::collections::BTreeMap;

/// The rows that follow from a row.
pub(crate) fn rows(scope: &Scope, row: &Record) -> Result<Vec<Record>, Interrupt> {
    let mut all = Vec::new();
    let derives = scope.model().derives.iter();
    for derive in derives.filter(|derive| derive.of == row.entity) {
        let conditions = Conditions::new(scope.model(), &row.values, &scope.circumstances);
        let holds = |when| conditions.holds(scope.entity(row.entity), when) == Some(true);
        if derive.when.as_ref().is_none_or(holds) {
            all.extend(derive_rows(scope, row, derive)?);
        }
    }
    Ok(all)
}

fn derive_rows(scope: &Scope, row: &Record, derive: &Derive) -> Result<Vec<Record>, Interrupt> {
    let target = scope.entity(derive.entity);
    let mut made = Vec::new();
    for elements in combinations(scope, row, &derive.each) {
        let mut values = Item::new();
        for attribute in &target.attributes {
            let name = &attribute.name.value;
            let assigned = derive
                .set
                .iter()
                .find(|assignment| assignment.name.value == *name);
            let value = match assigned {
                Some(assignment) => element_value(scope, row, &elements, &assignment.value),
                None if record::is_set_by_the_store(attribute) => None,
                None => row.values.get(name).cloned(),
            };
            if let Some(value) = value {
                values.insert(name.clone(), value);
            }
        }
        let record = record::create(
            scope.compiled(),
            derive.entity,
            values,
            &scope.circumstances,
        );
        made.push(record.map_err(|errors| scope.refused(derive.entity, errors))?);
    }
    Ok(made)
}

/// One element of each list, by the names that the model gives them.
type Elements = Vec<(String, AttributeValue)>;

/// What an assignment gives, from a row and the elements that were chosen. A bare name or path keeps its type.
fn element_value(
    scope: &Scope,
    row: &Record,
    elements: &Elements,
    assigned: &Assigned,
) -> Option<AttributeValue> {
    if let Assigned::Template(template) = assigned
        && let [Part::Field(field)] = template.parts.as_slice()
        && let (
            [
                Source::Path {
                    root: None, names, ..
                },
            ],
            true,
        ) = (field.sources.as_slice(), field.formats.is_empty())
        && let [first, rest @ ..] = names.as_slice()
        && let Some((_, element)) = elements.iter().find(|(name, _)| *name == first.value)
    {
        return descend(element.clone(), rest.iter().map(|name| name.value.as_str()));
    }
    let mut known = row.values.clone();
    let mut maps = BTreeMap::new();
    for (name, element) in elements {
        if let AttributeValue::M(map) = element {
            maps.insert(name.clone(), map.clone().into_iter().collect::<Item>());
        }
        known.insert(name.clone(), element.clone());
    }
    match assigned {
        Assigned::Template(template) => {
            let circumstances = scope.circumstances.with_referred(maps);
            template::render(scope.model(), &known, template, &circumstances).map(AttributeValue::S)
        }
        Assigned::Flag(_) | Assigned::Number(_) => assigned_value(scope, &known, assigned),
    }
}

fn descend<'n>(
    value: AttributeValue,
    names: impl Iterator<Item = &'n str>,
) -> Option<AttributeValue> {
    let mut value = value;
    for name in names {
        value = match value {
            AttributeValue::M(map) => map.get(name)?.clone(),
            _ => return None,
        };
    }
    Some(value)
}

/// Every choice of one element from each list; a list may be in an element that was chosen before.
fn combinations(scope: &Scope, row: &Record, each: &[Each]) -> Vec<Elements> {
    let mut all: Vec<Elements> = vec![Vec::new()];
    for each in each {
        let mut next = Vec::new();
        for before in all {
            for list in &each.lists {
                let [first, rest @ ..] = list.as_slice() else {
                    continue;
                };
                let chosen = before.iter().find(|(name, _)| *name == first.value);
                let start = match chosen {
                    Some((_, element)) => Some(element.clone()),
                    None => opened(scope, row, &first.value),
                };
                let names = rest.iter().map(|name| name.value.as_str());
                let found = start.and_then(|start| descend(start, names));
                if let Some(AttributeValue::L(elements)) = found {
                    for element in elements {
                        let mut choice = before.clone();
                        choice.push((each.variable.value.clone(), element));
                        next.push(choice);
                    }
                }
            }
        }
        all = next;
    }
    all
}

/// An attribute of a row; JSON text as what it says.
fn opened(scope: &Scope, row: &Record, name: &str) -> Option<AttributeValue> {
    let value = row.values.get(name)?;
    let attribute = scope.entity(row.entity).attribute(name);
    let json = attribute.is_some_and(|attribute| matches!(attribute.kind, Kind::Json));
    match value {
        AttributeValue::S(text) if json => serde_json::from_str(text).ok().map(json_value),
        value => Some(value.clone()),
    }
}

fn json_value(json: serde_json::Value) -> AttributeValue {
    use serde_json::Value;
    match json {
        Value::Null => AttributeValue::Null,
        Value::Bool(flag) => AttributeValue::Bool(flag),
        Value::Number(number) => number
            .to_string()
            .parse()
            .map_or_else(|_| AttributeValue::S(number.to_string()), AttributeValue::N),
        Value::String(text) => AttributeValue::S(text),
        Value::Array(values) => AttributeValue::L(values.into_iter().map(json_value).collect()),
        Value::Object(map) => AttributeValue::M(
            map.into_iter()
                .map(|(name, value)| (name, json_value(value)))
                .collect(),
        ),
    }
}
