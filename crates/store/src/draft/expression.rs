//! Expressions with their names and values.

use super::{Demand, Edit};
use monotable_expr::predicate::ConditionText;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Table;
use std::collections::BTreeMap;

/// The names and values of the expressions of one request.
#[derive(Debug, Default)]
pub(crate) struct Expression {
    pub(crate) names: BTreeMap<String, String>,
    pub(crate) values: Item,
    embedded: usize,
}

impl Expression {
    /// The placeholder of a name; one for each name.
    pub(crate) fn name(&mut self, name: &str) -> String {
        if let Some((placeholder, _)) = self.names.iter().find(|(_, known)| *known == name) {
            return placeholder.clone();
        }
        let placeholder = number_placeholder('#', self.names.len());
        self.names.insert(placeholder.clone(), name.to_owned());
        placeholder
    }

    /// The placeholder of a value.
    pub(crate) fn value(&mut self, value: impl Into<AttributeValue>) -> String {
        let value = value.into();
        if let Some((placeholder, _)) = self.values.iter().find(|(_, known)| **known == value) {
            return placeholder.clone();
        }
        let placeholder = number_placeholder(':', self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// A finished condition, under placeholders of its own.
    pub(super) fn embed(&mut self, condition: &ConditionText) -> String {
        // Placeholders of predicates are `#n0`, `:v0`; a number of their own keeps two predicates apart.
        self.embedded += 1;
        let own = |placeholder: &str| {
            let (sign, rest) = placeholder.split_at(1);
            format!("{sign}e{}{rest}", self.embedded)
        };
        for (placeholder, name) in &condition.names {
            self.names.insert(own(placeholder), name.clone());
        }
        for (placeholder, value) in condition.values.iter() {
            self.values.insert(own(placeholder), value.clone());
        }
        let text = condition
            .text
            .replace("#n", &own("#n"))
            .replace(":v", &own(":v"));
        format!("({text})")
    }

    /// All demands, as one condition.
    pub(super) fn condition<'d>(
        &mut self,
        table: &Table,
        demands: impl IntoIterator<Item = &'d Demand>,
    ) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        for demand in demands {
            let part = demand.write(table, self);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }

    /// An edit as an update expression.
    pub(super) fn update(&mut self, edit: &Edit) -> String {
        let mut clauses = Vec::new();
        let sets: Vec<_> = edit
            .set
            .iter()
            .map(|(name, value)| format!("{} = {}", self.name(name), self.value(value.clone())))
            .collect();
        if !sets.is_empty() {
            clauses.push(format!("SET {}", sets.join(", ")));
        }
        let removes: Vec<_> = edit.remove.iter().map(|name| self.name(name)).collect();
        if !removes.is_empty() {
            clauses.push(format!("REMOVE {}", removes.join(", ")));
        }
        let adds: Vec<_> = edit
            .add
            .iter()
            .map(|(name, number)| format!("{} {}", self.name(name), self.value(*number)))
            .collect();
        if !adds.is_empty() {
            clauses.push(format!("ADD {}", adds.join(", ")));
        }
        clauses.join(" ")
    }
}

/// The placeholder of so many before it. Most have one digit, which needs no formatting.
fn number_placeholder(sign: char, number: usize) -> String {
    let digit = u32::try_from(number)
        .ok()
        .and_then(|number| char::from_digit(number, 10));
    match digit {
        Some(digit) => String::from_iter([sign, digit]),
        None => format!("{sign}{number}"),
    }
}
