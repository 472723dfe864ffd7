//! What must hold of an item for a write, and what it means if it does not.

use super::expression::{AND, Expression};
use crate::address::Address;
use crate::error::Error;
use crate::interrupt::Interrupt;
use monotable_expr::predicate::ConditionText;
use monotable_item::{AttributeType, AttributeValue, EncodedItem, Item, Number};
use monotable_model::model::Table;

/// What must hold of an item.
#[derive(Clone, Debug)]
pub(crate) enum Demand {
    /// There is no such item.
    Absent,
    /// There is one.
    Present,
    /// An attribute has this value, or is absent.
    Is {
        attribute: String,
        value: Option<AttributeValue>,
    },
    /// An attribute is absent or has this value.
    AbsentOrIs {
        attribute: String,
        value: AttributeValue,
    },
    /// There is no such item, or all of these hold.
    NoneOr(Vec<Demand>),
    /// An attribute has a value of this type.
    HasType {
        attribute: String,
        of: AttributeType,
    },
    /// A number is at least this.
    AtLeast { attribute: String, least: Number },
    /// A number is at most this.
    AtMost { attribute: String, most: Number },
    /// A predicate of the model holds.
    Holds(Box<ConditionText>),
}

/// What it means that a demand does not hold.
#[derive(Clone, Debug)]
pub(crate) enum Blame {
    /// This error.
    Fail(Error),
    /// What was read has changed: the operation begins anew.
    Changed,
    /// This error, unless something else has changed: then that is why.
    FailUnlessChanged(Error),
    /// The item at this place is not the operation's to delete: it begins anew and leaves it alone.
    Avoid(Address),
}

impl Blame {
    /// The one that counts of several: what is wrong in any case, then what has changed, then what is wrong if nothing
    /// has changed.
    pub(super) fn worst(blames: &[Self]) -> Option<&Self> {
        let rank = |blame: &&Self| match blame {
            Self::Fail(_) => 0,
            Self::Changed => 1,
            Self::Avoid(_) => 2,
            Self::FailUnlessChanged(_) => 3,
        };
        blames.iter().min_by_key(rank)
    }
}

impl From<Error> for Blame {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

impl Demand {
    pub(crate) fn is(attribute: impl Into<String>, value: Option<AttributeValue>) -> Self {
        let attribute = attribute.into();
        Self::Is { attribute, value }
    }

    /// Whether it holds of an item.
    pub(crate) fn holds(&self, item: Option<&Item>) -> bool {
        let found = |attribute: &str| item.and_then(|item| item.get(attribute));
        match self {
            Self::Absent => item.is_none(),
            Self::Present => item.is_some(),
            Self::Is { attribute, value } => found(attribute) == value.as_ref(),
            Self::AbsentOrIs { attribute, value } => {
                found(attribute).is_none_or(|found| found == value)
            }
            Self::NoneOr(demands) => {
                item.is_none() || demands.iter().all(|demand| demand.holds(item))
            }
            Self::HasType { attribute, of } => {
                found(attribute).is_some_and(|found| found.attribute_type() == *of)
            }
            Self::AtLeast { attribute, least } => {
                matches!(found(attribute), Some(AttributeValue::N(number)) if number >= least)
            }
            Self::AtMost { attribute, most } => {
                matches!(found(attribute), Some(AttributeValue::N(number)) if number <= most)
            }
            Self::Holds(condition) => {
                let item = EncodedItem::from(item.cloned().unwrap_or_default());
                condition.condition.matches(item.view())
            }
        }
    }

    /// The attributes it looks at; none if it is about the item as a whole.
    pub(super) fn attributes(&self) -> Vec<&str> {
        match self {
            Self::Absent | Self::Present | Self::Holds(_) => Vec::new(),
            Self::Is { attribute, .. }
            | Self::AbsentOrIs { attribute, .. }
            | Self::HasType { attribute, .. }
            | Self::AtLeast { attribute, .. }
            | Self::AtMost { attribute, .. } => vec![attribute],
            Self::NoneOr(demands) => demands.iter().flat_map(Self::attributes).collect(),
        }
    }

    /// Writes it as a condition expression.
    pub(super) fn write(&self, table: &Table, to: &mut Expression, text: &mut String) {
        match self {
            Self::Absent => {
                write_call("attribute_not_exists", &table.hash.value, to, text);
                if let Some(range) = &table.range {
                    text.push_str(AND);
                    write_call("attribute_not_exists", &range.value, to, text);
                }
            }
            Self::Present => write_call("attribute_exists", &table.hash.value, to, text),
            Self::Is {
                attribute,
                value: Some(value),
            } => write_comparison(attribute, " = ", value.clone(), to, text),
            Self::Is {
                attribute,
                value: None,
            } => write_call("attribute_not_exists", attribute, to, text),
            Self::AbsentOrIs { attribute, value } => {
                text.push('(');
                write_call("attribute_not_exists", attribute, to, text);
                text.push_str(" OR ");
                write_comparison(attribute, " = ", value.clone(), to, text);
                text.push(')');
            }
            Self::NoneOr(demands) => write_none_or(demands, table, to, text),
            Self::HasType { attribute, of } => {
                text.push_str("attribute_type(");
                to.write_name(attribute, text);
                text.push_str(", ");
                to.write_value(of.name(), text);
                text.push(')');
            }
            Self::AtLeast { attribute, least } => {
                write_comparison(attribute, " >= ", *least, to, text);
            }
            Self::AtMost { attribute, most } => {
                write_comparison(attribute, " <= ", *most, to, text);
            }
            Self::Holds(condition) => to.embed(condition, text),
        }
    }
}

/// Writes that there is no item, or that all of these hold of it.
fn write_none_or(demands: &[Demand], table: &Table, to: &mut Expression, text: &mut String) {
    if demands.is_empty() {
        return write_call("attribute_not_exists", &table.hash.value, to, text);
    }
    let is_several = demands.len() > 1;
    text.push('(');
    write_call("attribute_not_exists", &table.hash.value, to, text);
    text.push_str(if is_several { " OR (" } else { " OR " });
    let mut lead = "";
    for demand in demands {
        text.push_str(lead);
        demand.write(table, to, text);
        lead = AND;
    }
    text.push_str(if is_several { "))" } else { ")" });
}

fn write_call(function: &str, attribute: &str, to: &mut Expression, text: &mut String) {
    text.push_str(function);
    text.push('(');
    to.write_name(attribute, text);
    text.push(')');
}

fn write_comparison(
    attribute: &str,
    operator: &str,
    value: impl Into<AttributeValue>,
    to: &mut Expression,
    text: &mut String,
) {
    to.write_name(attribute, text);
    text.push_str(operator);
    to.write_value(value, text);
}

impl From<Blame> for Interrupt {
    fn from(blame: Blame) -> Self {
        match blame {
            Blame::Fail(error) | Blame::FailUnlessChanged(error) => Self::Fail(error),
            Blame::Changed => Self::Restart,
            Blame::Avoid(address) => Self::RestartAvoiding(address),
        }
    }
}
