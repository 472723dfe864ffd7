//! Conditions on attributes, in both forms.

use crate::substitutions::Substitutions;
use crate::value;
use fastrand::Rng;
use serde_json::{Map, Value, json};

/// A comparison of an attribute with values.
pub(crate) struct Comparison {
    pub(crate) attribute: &'static str,
    operator: &'static str,
    values: Vec<Value>,
}

const OPERATORS: [&str; 13] = [
    "EQ",
    "NE",
    "LT",
    "LE",
    "GT",
    "GE",
    "BETWEEN",
    "IN",
    "BEGINS_WITH",
    "CONTAINS",
    "NOT_CONTAINS",
    "NULL",
    "NOT_NULL",
];

impl Comparison {
    pub(crate) fn new(attribute: &'static str, operator: &'static str, values: Vec<Value>) -> Self {
        Self {
            attribute,
            operator,
            values,
        }
    }

    /// Sometimes of a type that the operator refuses, where it does so in both forms.
    pub(crate) fn random(attribute: &'static str, random: &mut Rng) -> Self {
        let operator = random.choice(OPERATORS).unwrap();
        let values = match operator {
            "NULL" | "NOT_NULL" => vec![],
            "EQ" | "NE" => vec![value::any(random)],
            "BETWEEN" => bounds(random),
            "IN" => of_one_type(random),
            "CONTAINS" | "NOT_CONTAINS" => vec![value::scalar(random)],
            _ if random.u8(0..30) == 0 => vec![value::any(random)],
            "BEGINS_WITH" => vec![json!({"S": random.choice(["x", "", "y"]).unwrap()})],
            _ => vec![value::scalar(random)],
        };
        Self::new(attribute, operator, values)
    }

    pub(crate) fn legacy(&self) -> Value {
        json!({"ComparisonOperator": self.operator, "AttributeValueList": self.values})
    }

    pub(crate) fn expression(&self, substitutions: &mut Substitutions) -> String {
        let name = substitutions.name(self.attribute);
        let values: Vec<String> = self
            .values
            .iter()
            .map(|value| substitutions.value(value))
            .collect();
        match (self.operator, values.as_slice()) {
            ("EQ", [value]) => format!("{name} = {value}"),
            ("NE", [value]) => format!("{name} <> {value}"),
            ("LT", [value]) => format!("{name} < {value}"),
            ("LE", [value]) => format!("{name} <= {value}"),
            ("GT", [value]) => format!("{name} > {value}"),
            ("GE", [value]) => format!("{name} >= {value}"),
            ("BETWEEN", [lower, upper]) => format!("{name} BETWEEN {lower} AND {upper}"),
            ("IN", values) => format!("{name} IN ({})", values.join(", ")),
            ("BEGINS_WITH", [prefix]) => format!("begins_with({name}, {prefix})"),
            ("CONTAINS", [element]) => format!("contains({name}, {element})"),
            ("NOT_CONTAINS", [element]) => {
                let again = substitutions.name(self.attribute);
                format!("attribute_exists({name}) AND NOT contains({again}, {element})")
            }
            ("NULL", []) => format!("attribute_not_exists({name})"),
            ("NOT_NULL", []) => format!("attribute_exists({name})"),
            (operator, values) => panic!("{operator} of {values:?}"),
        }
    }
}

/// Mostly in order and of one type.
fn bounds(random: &mut Rng) -> Vec<Value> {
    if random.u8(0..30) == 0 {
        return vec![value::scalar(random), value::scalar(random)];
    }
    random
        .choice([
            vec![json!({"S": "x"}), json!({"S": "y"})],
            vec![json!({"N": "0"}), json!({"N": "1"})],
            vec![json!({"B": "AQ=="}), json!({"B": "AQI="})],
        ])
        .unwrap()
}

fn of_one_type(random: &mut Rng) -> Vec<Value> {
    random
        .choice([
            vec![json!({"S": "x"}), json!({"S": ""})],
            vec![json!({"N": "0"}), json!({"N": "1"}), json!({"N": "2"})],
            vec![json!({"B": "AQ=="})],
        ])
        .unwrap()
}

/// Conditions on up to three attributes, all or any of which must hold.
pub(crate) struct Conditions {
    comparisons: Vec<Comparison>,
    operator: Option<&'static str>,
}

impl Conditions {
    pub(crate) fn random(random: &mut Rng) -> Self {
        let mut names = value::ATTRIBUTES.to_vec();
        // A filter on a key is refused; a condition on one is not.
        names.extend(["p", "r"].into_iter().filter(|_| random.u8(0..30) == 0));
        random.shuffle(&mut names);
        let count = random.usize(1..4);
        let comparisons: Vec<_> = names
            .into_iter()
            .take(count)
            .map(|name| Comparison::random(name, random))
            .collect();
        let operator = random.choice([None, Some("AND"), Some("OR")]).unwrap();
        Self {
            operator: operator.filter(|_| comparisons.len() > 1),
            comparisons,
        }
    }

    /// Sets the legacy parameters; what is expected may also be said by `Value` and `Exists`.
    pub(crate) fn add_legacy(&self, parameter: &str, request: &mut Value, random: &mut Rng) {
        let mut conditions = Map::new();
        for comparison in &self.comparisons {
            let mut condition = comparison.legacy();
            if parameter == "Expected" && random.bool() {
                condition = match (comparison.operator, comparison.values.as_slice()) {
                    ("EQ", [value]) => json!({"Value": value}),
                    ("NULL", []) => json!({"Exists": false}),
                    _ => condition,
                };
            }
            conditions.insert(comparison.attribute.to_owned(), condition);
        }
        request[parameter] = Value::Object(conditions);
        if let Some(operator) = self.operator {
            request["ConditionalOperator"] = json!(operator);
        }
    }

    pub(crate) fn expression(&self, substitutions: &mut Substitutions) -> String {
        let comparisons: Vec<String> = self
            .comparisons
            .iter()
            .map(|comparison| format!("({})", comparison.expression(substitutions)))
            .collect();
        comparisons.join(match self.operator {
            Some("OR") => " OR ",
            _ => " AND ",
        })
    }
}
