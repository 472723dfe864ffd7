//! Random conditions in both notations.

use crate::notation::{Notation, Text};
use crate::value;

/// Attributes that are in no key.
const ATTRIBUTES: [&str; 5] = ["a", "b", "c", "dotted.name", "size"];

/// A condition on attributes that are in no key.
pub(crate) fn condition(notation: &mut Notation<'_>) -> Text {
    let mut condition = part(notation);
    for _ in 0..notation.random.usize(0..3) {
        let joint = notation.random.choice(["AND", "OR"]).unwrap();
        condition = condition.grouped();
        condition = condition.join(joint, &part(notation).grouped());
    }
    condition
}

fn part(notation: &mut Notation<'_>) -> Text {
    let simple = simple(notation);
    match notation.random.u8(0..5) {
        0 => Text::new(
            format!("NOT {}", simple.expression),
            format!("NOT {}", simple.statement),
        ),
        _ => simple,
    }
}

fn simple(notation: &mut Notation<'_>) -> Text {
    let attribute = notation.random.choice(ATTRIBUTES).unwrap();
    let name = notation.name(attribute);
    match notation.random.u8(0..9) {
        0..3 => {
            let operator = notation
                .random
                .choice(["=", "<>", "<", "<=", ">", ">="])
                .unwrap();
            let operand = match operator {
                "=" | "<>" => value::any(notation.random),
                _ if notation.random.u8(0..20) == 0 => value::any(notation.random),
                _ => value::scalar(notation.random),
            };
            name.join(operator, &notation.value(&operand))
        }
        3 => {
            let [low, high] = [
                value::scalar(notation.random),
                value::scalar(notation.random),
            ];
            let low = notation.value(&low);
            let high = notation.value(&high);
            name.join("BETWEEN", &low).join("AND", &high)
        }
        4 => {
            let count = notation.random.usize(1..4);
            let values: Vec<_> = (0..count).map(|_| value::any(notation.random)).collect();
            let values: Vec<Text> = values.iter().map(|value| notation.value(value)).collect();
            let list = values
                .iter()
                .skip(1)
                .fold(values[0].clone(), |list, value| list.join(",", value));
            Text::new(
                format!("{} IN ({})", name.expression, list.expression),
                format!("{} IN [{}]", name.statement, list.statement),
            )
        }
        5 => {
            let function = notation.random.choice(["contains", "begins_with"]).unwrap();
            let operand = value::scalar(notation.random);
            let operand = notation.value(&operand);
            let list = name.join(",", &operand);
            Text::new(
                format!("{function}({})", list.expression),
                format!("{function}({})", list.statement),
            )
        }
        6 => {
            let operator = notation.random.choice(["=", ">", "<="]).unwrap();
            let size = value::sort(notation.random);
            let size = notation.value(&size);
            let call = Text::new(
                format!("size({})", name.expression),
                format!("size({})", name.statement),
            );
            call.join(operator, &size)
        }
        7 => {
            let kind = notation.random.choice(["S", "N", "L", "SS", "NULL", "X"]);
            let kind = serde_json::json!({"S": kind.unwrap()});
            let list = name.join(",", &notation.value(&kind));
            Text::new(
                format!("attribute_type({})", list.expression),
                format!("attribute_type({})", list.statement),
            )
        }
        _ => {
            let (function, is) = notation
                .random
                .choice([
                    ("attribute_exists", "IS NOT MISSING"),
                    ("attribute_not_exists", "IS MISSING"),
                ])
                .unwrap();
            let call = Text::new(
                format!("{function}({})", name.expression),
                format!("{function}({})", name.statement),
            );
            if notation.random.bool() {
                call
            } else {
                let is = format!("{} {is}", name.statement);
                Text::new(call.expression, is)
            }
        }
    }
}
