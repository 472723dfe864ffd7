//! The comparison operators: what they take and what they mean.

use crate::choice::choices;
use crate::{Error, wording};
use monotable_expr::SortCondition;
use monotable_expr::tree::{Comparator, DocumentPath, Operand, Predicate};
use monotable_item::{AttributeType, EncodedValue, GivenValue};

choices! {
    /// How an attribute is compared with the values of a legacy condition.
    pub enum ComparisonOperator {
        /// It is one of the values.
        In = "IN",
        /// It does not exist.
        Null = "NULL",
        /// It is between the two values, or one of them.
        Between = "BETWEEN",
        /// It is less than the value.
        Lt = "LT",
        /// It exists, and does not contain the value.
        NotContains = "NOT_CONTAINS",
        /// It equals the value.
        Eq = "EQ",
        /// It is greater than the value.
        Gt = "GT",
        /// It exists.
        NotNull = "NOT_NULL",
        /// It does not exist, or does not equal the value.
        Ne = "NE",
        /// It is less than the value, or equals it.
        Le = "LE",
        /// It begins with the value.
        BeginsWith = "BEGINS_WITH",
        /// It is greater than the value, or equals it.
        Ge = "GE",
        /// It has the value as a part or as an element.
        Contains = "CONTAINS",
    }
}

impl ComparisonOperator {
    /// Whether the operator compares with values of this type.
    const fn takes(self, attribute_type: AttributeType) -> bool {
        match self {
            Self::Eq | Self::Ne | Self::Null | Self::NotNull => true,
            Self::BeginsWith => matches!(attribute_type, AttributeType::S | AttributeType::B),
            Self::Lt
            | Self::Le
            | Self::Gt
            | Self::Ge
            | Self::Between
            | Self::In
            | Self::Contains
            | Self::NotContains => attribute_type.is_key_type(),
        }
    }
}

/// An operator with its values.
#[derive(Clone, Debug)]
pub(super) enum Comparison {
    Compare(Comparator, EncodedValue),
    Between(EncodedValue, EncodedValue),
    In(Vec<EncodedValue>),
    BeginsWith(EncodedValue),
    Contains(EncodedValue),
    NotContains(EncodedValue),
    Exists,
    NotExists,
}

impl Comparison {
    /// The comparison, if AWS takes it: values of DynamoDB's, as many as the operator wants, of one
    /// type, of a type that the operator takes, and bounds in order.
    pub(super) fn check(
        operator: ComparisonOperator,
        values: &[GivenValue],
    ) -> Result<Self, Error> {
        let values = values
            .iter()
            .map(|value| value.checked().cloned().map_err(Error::validation))
            .collect::<Result<Vec<_>, _>>()?;
        let comparison = Self::new(operator, values)?;
        comparison.check_types(operator)?;
        comparison.check_bounds()?;
        Ok(comparison)
    }

    fn new(operator: ComparisonOperator, values: Vec<EncodedValue>) -> Result<Self, Error> {
        use ComparisonOperator as Op;
        let compare = |comparator, values| {
            exactly(operator, values).map(|[value]| Self::Compare(comparator, value))
        };
        match operator {
            Op::Eq => compare(Comparator::Equal, values),
            Op::Ne => compare(Comparator::NotEqual, values),
            Op::Lt => compare(Comparator::Less, values),
            Op::Le => compare(Comparator::LessOrEqual, values),
            Op::Gt => compare(Comparator::Greater, values),
            Op::Ge => compare(Comparator::GreaterOrEqual, values),
            Op::Between => {
                exactly(operator, values).map(|[lower, upper]| Self::Between(lower, upper))
            }
            Op::In if values.is_empty() => Err(wrong_count(operator)),
            Op::In => Ok(Self::In(values)),
            Op::BeginsWith => exactly(operator, values).map(|[prefix]| Self::BeginsWith(prefix)),
            Op::Contains => exactly(operator, values).map(|[element]| Self::Contains(element)),
            Op::NotContains => {
                exactly(operator, values).map(|[element]| Self::NotContains(element))
            }
            Op::NotNull => exactly(operator, values).map(|[]| Self::Exists),
            Op::Null => exactly(operator, values).map(|[]| Self::NotExists),
        }
    }

    fn check_types(&self, operator: ComparisonOperator) -> Result<(), Error> {
        let mut types = self.values().map(|value| value.view().attribute_type());
        let Some(first) = types.next() else {
            return Ok(());
        };
        if types.any(|other| other != first) {
            return Err(Error::validation(wording::VALUES_OF_TWO_TYPES));
        }
        if !operator.takes(first) {
            return Err(Error::validation(wording::comparison_of_type(
                operator, first,
            )));
        }
        Ok(())
    }

    fn check_bounds(&self) -> Result<(), Error> {
        match self {
            Self::Between(lower, upper)
                if lower
                    .view()
                    .compare(&upper.view())
                    .is_some_and(|order| order.is_gt()) =>
            {
                Err(Error::validation(wording::BOUNDS_OUT_OF_ORDER))
            }
            _ => Ok(()),
        }
    }

    fn values(&self) -> impl Iterator<Item = &EncodedValue> {
        let (one, other, many): (_, _, &[EncodedValue]) = match self {
            Self::Compare(_, value)
            | Self::BeginsWith(value)
            | Self::Contains(value)
            | Self::NotContains(value) => (Some(value), None, &[]),
            Self::Between(lower, upper) => (Some(lower), Some(upper), &[]),
            Self::In(values) => (None, None, values),
            Self::Exists | Self::NotExists => (None, None, &[]),
        };
        one.into_iter().chain(other).chain(many)
    }

    /// What the comparison says of an attribute.
    ///
    /// An attribute that is not there is not equal to anything, as in an expression, but it also does
    /// not "not contain" anything.
    pub(super) fn of_attribute(self, name: &str) -> Predicate {
        let path = || DocumentPath::new(name);
        let operand = Operand::Path(path());
        match self {
            Self::Compare(comparator, value) => Predicate::Compare {
                comparator,
                left: operand,
                right: Operand::Value(value),
            },
            Self::Between(lower, upper) => Predicate::Between {
                operand,
                lower: Operand::Value(lower),
                upper: Operand::Value(upper),
            },
            Self::In(values) => Predicate::In {
                operand,
                candidates: values.into_iter().map(Operand::Value).collect(),
            },
            Self::BeginsWith(prefix) => Predicate::BeginsWith {
                operand,
                prefix: Operand::Value(prefix),
            },
            Self::Contains(element) => Predicate::Contains {
                operand,
                element: Operand::Value(element),
            },
            Self::NotContains(element) => {
                let contains = Self::Contains(element).of_attribute(name);
                Predicate::Exists(path()).and(contains.negated())
            }
            Self::Exists => Predicate::Exists(path()),
            Self::NotExists => Predicate::NotExists(path()),
        }
    }

    /// What the comparison says of a key attribute; none for a comparison that no key answers.
    pub(super) fn of_key(self) -> Option<SortCondition> {
        match self {
            Self::Compare(Comparator::Equal, value) => Some(SortCondition::Equal(value)),
            Self::Compare(Comparator::Less, value) => Some(SortCondition::Less(value)),
            Self::Compare(Comparator::LessOrEqual, value) => {
                Some(SortCondition::LessOrEqual(value))
            }
            Self::Compare(Comparator::Greater, value) => Some(SortCondition::Greater(value)),
            Self::Compare(Comparator::GreaterOrEqual, value) => {
                Some(SortCondition::GreaterOrEqual(value))
            }
            Self::Between(lower, upper) => Some(SortCondition::Between(lower, upper)),
            Self::BeginsWith(prefix) => Some(SortCondition::BeginsWith(prefix)),
            Self::Compare(Comparator::NotEqual, _)
            | Self::In(_)
            | Self::Contains(_)
            | Self::NotContains(_)
            | Self::Exists
            | Self::NotExists => None,
        }
    }
}

fn exactly<const N: usize>(
    operator: ComparisonOperator,
    values: Vec<EncodedValue>,
) -> Result<[EncodedValue; N], Error> {
    values.try_into().map_err(|_| wrong_count(operator))
}

fn wrong_count(operator: ComparisonOperator) -> Error {
    Error::validation(wording::wrong_number_of_arguments(operator))
}
