//! What the sort key must be, as users type it.

use crate::exit::Failure;
use crate::table_keys::typed;
use monotable_api::KeyAttribute;
use monotable_item::AttributeValue;
use monotable_item::key::KeyType;

/// A condition on the attribute `#sort_key`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SortCondition {
    expression: &'static str,
    values: Vec<(&'static str, AttributeValue)>,
}

/// Operators before a value; longer ones first.
const OPERATORS: &[(&str, &str)] = &[
    ("<=", "#sort_key <= :sort_key"),
    (">=", "#sort_key >= :sort_key"),
    ("<", "#sort_key < :sort_key"),
    (">", "#sort_key > :sort_key"),
    ("=", "#sort_key = :sort_key"),
];

impl SortCondition {
    /// Reads `value`, `prefix*`, `from..to`, or an operator and a value.
    pub(super) fn parse(attribute: &KeyAttribute, text: &str) -> Result<Self, Failure> {
        for (operator, expression) in OPERATORS {
            if let Some(value) = text.strip_prefix(operator) {
                return Self::one(expression, attribute, value);
            }
        }
        if let Some((from, to)) = text.split_once("..") {
            return Ok(Self {
                expression: "#sort_key BETWEEN :sort_key AND :sort_key_end",
                values: vec![
                    (":sort_key", typed(attribute, from)?),
                    (":sort_key_end", typed(attribute, to)?),
                ],
            });
        }
        match text.strip_suffix('*') {
            Some(prefix) if attribute.kind != KeyType::N => {
                Self::one("begins_with(#sort_key, :sort_key)", attribute, prefix)
            }
            _ => Self::one("#sort_key = :sort_key", attribute, text),
        }
    }

    fn one(
        expression: &'static str,
        attribute: &KeyAttribute,
        text: &str,
    ) -> Result<Self, Failure> {
        Ok(Self {
            expression,
            values: vec![(":sort_key", typed(attribute, text)?)],
        })
    }

    pub(super) const fn expression(&self) -> &'static str {
        self.expression
    }

    pub(super) fn into_values(self) -> Vec<(&'static str, AttributeValue)> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(kind: KeyType, text: &str) -> (String, Vec<AttributeValue>) {
        let attribute = KeyAttribute {
            name: "sk".to_owned(),
            kind,
        };
        let condition = SortCondition::parse(&attribute, text).unwrap();
        let values = condition.values.iter().map(|(_, value)| value.clone());
        (condition.expression.to_owned(), values.collect())
    }

    #[test]
    fn every_form() {
        let text = |text, expression: &str, values: &[&str]| {
            let values = values
                .iter()
                .map(|value| AttributeValue::from(*value))
                .collect();
            assert_eq!(
                parse(KeyType::S, text),
                (expression.to_owned(), values),
                "{text}"
            );
        };
        text("a b", "#sort_key = :sort_key", &["a b"]);
        text("=a*", "#sort_key = :sort_key", &["a*"]);
        text("=a..b", "#sort_key = :sort_key", &["a..b"]);
        text("a*", "begins_with(#sort_key, :sort_key)", &["a"]);
        text(
            "a..b",
            "#sort_key BETWEEN :sort_key AND :sort_key_end",
            &["a", "b"],
        );
        text("<a", "#sort_key < :sort_key", &["a"]);
        text("<=a", "#sort_key <= :sort_key", &["a"]);
        text(">a", "#sort_key > :sort_key", &["a"]);
        text(">=a", "#sort_key >= :sort_key", &["a"]);
        let range = parse(KeyType::N, "-1.5..2");
        assert_eq!(
            range.1,
            [
                "-1.5".parse::<monotable_item::Number>().unwrap().into(),
                2.into()
            ]
        );
    }
}
