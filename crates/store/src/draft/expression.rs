//! Expressions with their names and values.

use super::{Demand, Edit};
use monotable_expr::predicate::ConditionText;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Table;
use std::collections::BTreeMap;
use std::ops::Range;

/// As much room as most expressions need, in bytes.
const USUAL_BYTES: usize = 64;

pub(super) const AND: &str = " AND ";

/// The names and values of the expressions of one request.
#[derive(Debug, Default)]
pub(crate) struct Expression {
    pub(crate) names: BTreeMap<String, String>,
    pub(crate) values: Item,
    embedded: usize,
}

impl Expression {
    /// Writes the placeholder of a name; one for each name.
    pub(super) fn write_name(&mut self, name: &str, text: &mut String) {
        if let Some((placeholder, _)) = self.names.iter().find(|(_, known)| *known == name) {
            text.push_str(placeholder);
            return;
        }
        let placeholder = number_placeholder('#', self.names.len());
        text.push_str(&placeholder);
        self.names.insert(placeholder, name.to_owned());
    }

    /// Writes the placeholder of a value.
    pub(super) fn write_value(&mut self, value: impl Into<AttributeValue>, text: &mut String) {
        let value = value.into();
        if let Some((placeholder, _)) = self.values.iter().find(|(_, known)| **known == value) {
            text.push_str(placeholder);
            return;
        }
        let placeholder = number_placeholder(':', self.values.len());
        text.push_str(&placeholder);
        self.values.insert(placeholder, value);
    }

    /// A finished condition, under placeholders of its own.
    pub(super) fn embed(&mut self, condition: &ConditionText, text: &mut String) {
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
        let embedded = condition
            .text
            .replace("#n", &own("#n"))
            .replace(":v", &own(":v"));
        text.push('(');
        text.push_str(&embedded);
        text.push(')');
    }

    /// All demands, as one condition; none if nothing is demanded.
    pub(super) fn condition<'d>(
        &mut self,
        table: &Table,
        demands: impl IntoIterator<Item = &'d Demand>,
    ) -> Option<String> {
        let mut text = String::with_capacity(USUAL_BYTES);
        let mut parts: Vec<Range<usize>> = Vec::new();
        for demand in demands {
            let before = text.len();
            if before > 0 {
                text.push_str(AND);
            }
            let start = text.len();
            demand.write(table, self, &mut text);
            // What is demanded twice is said once.
            let part = text.get(start..);
            if parts.iter().any(|known| text.get(known.clone()) == part) {
                text.truncate(before);
            } else {
                parts.push(start..text.len());
            }
        }
        (!text.is_empty()).then_some(text)
    }

    /// An edit as an update expression.
    pub(super) fn update(&mut self, edit: &Edit) -> String {
        let mut text = String::with_capacity(USUAL_BYTES);
        let mut lead = "SET ";
        for (name, value) in edit.set.iter() {
            text.push_str(lead);
            self.write_name(name, &mut text);
            text.push_str(" = ");
            self.write_value(value.clone(), &mut text);
            lead = ", ";
        }
        lead = clause(&text, "REMOVE ", " REMOVE ");
        for name in &edit.remove {
            text.push_str(lead);
            self.write_name(name, &mut text);
            lead = ", ";
        }
        lead = clause(&text, "ADD ", " ADD ");
        for (name, number) in &edit.add {
            text.push_str(lead);
            self.write_name(name, &mut text);
            text.push(' ');
            self.write_value(*number, &mut text);
            lead = ", ";
        }
        text
    }
}

/// How a clause begins: the first of an expression, or another one.
const fn clause(text: &str, first: &'static str, next: &'static str) -> &'static str {
    if text.is_empty() { first } else { next }
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
