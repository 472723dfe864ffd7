//! Conditions.

use super::path::document_path;
use super::truth;
use super::{misplaced, parameter, value};
use crate::Problem;
use crate::check::{Function, Operator, assemble};
use crate::partiql::error::{StatementError, StatementProblem};
use crate::partiql::syntax::{Expression, Node};
use crate::tree::{Operand, Predicate};
use monotable_item::limits::{MAX_EXPRESSION_OPERATORS, MAX_IN_OPERANDS};
use monotable_item::{AttributeType, AttributeValue, EncodedValue};

/// The condition that a WHERE clause makes.
pub(in crate::partiql) fn condition(
    clause: Option<&Expression>,
    parameters: &[EncodedValue],
) -> Result<Option<Predicate>, StatementError> {
    let Some(expression) = clause else {
        return Ok(None);
    };
    let mut lowering = Lowering {
        parameters,
        operators: 0,
    };
    match lowering.term(expression)? {
        Term::Condition(predicate) => Ok(Some(predicate)),
        Term::Operand(_) => Err(StatementProblem::NoCondition.into()),
    }
}

/// What an expression is: true or false of an item, or something to compare.
enum Term {
    Condition(Predicate),
    Operand(Operand),
}

struct Lowering<'p> {
    parameters: &'p [EncodedValue],
    /// How many operators and functions the tree has so far.
    operators: usize,
}

impl Lowering<'_> {
    /// AWS stops counting at the first operator too many.
    fn count(&mut self, operators: usize) -> Result<(), StatementError> {
        self.operators = self.operators.saturating_add(operators);
        if self.operators > MAX_EXPRESSION_OPERATORS {
            return Err(Problem::TooManyOperators {
                count: MAX_EXPRESSION_OPERATORS + 1,
            }
            .into());
        }
        Ok(())
    }

    fn term(&mut self, expression: &Expression) -> Result<Term, StatementError> {
        let condition = match &expression.node {
            Node::All(parts) => self.joined(parts, Predicate::and)?,
            Node::Any(parts) => self.joined(parts, Predicate::or)?,
            Node::Not(operand) => {
                self.count(1)?;
                match self.term(operand)? {
                    Term::Condition(predicate) => predicate.negated(),
                    Term::Operand(_) => return Err(StatementProblem::NotOperand.into()),
                }
            }
            Node::Compare {
                comparator,
                left,
                right,
            } => {
                self.count(1)?;
                let (left, right) = (self.term(left)?, self.term(right)?);
                self.compare(Operator::Compare(*comparator), left, vec![right])?
            }
            Node::In { operand, list } => {
                self.count(1)?;
                self.in_list(operand, list)?
            }
            Node::Between {
                operand,
                lower,
                upper,
            } => {
                self.count(1)?;
                let operands =
                    [operand, lower, upper].map(|operand| self.operand(operand, "BETWEEN"));
                let [operand, lower, upper] = operands;
                assemble(Operator::Between, vec![operand?, lower?, upper?])?
            }
            Node::IsType { operand, type_name } => {
                self.count(1)?;
                self.is_type(operand, type_name, expression)?
            }
            Node::Call { name, arguments } => {
                self.count(1)?;
                return self.call(name, arguments, expression);
            }
            Node::Sum(..) => return Err(StatementProblem::ConditionOperator("+").into()),
            Node::Difference(..) => return Err(StatementProblem::ConditionOperator("-").into()),
            Node::Operation(operator) => {
                return Err(StatementProblem::ConditionOperator(operator).into());
            }
            _ => return self.leaf(expression).map(Term::Operand),
        };
        Ok(Term::Condition(condition))
    }

    /// A path or a value.
    fn leaf(&self, expression: &Expression) -> Result<Operand, StatementError> {
        match &expression.node {
            Node::Identifier(_) | Node::Path { .. } => document_path(expression).map(Operand::Path),
            Node::Parameter(position) => parameter(*position, self.parameters).map(Operand::Value),
            Node::Missing => Err(StatementProblem::MissingLiteral.into()),
            Node::Statement(_) => Err(misplaced(expression)),
            _ => value::literal(expression).map(Operand::Value),
        }
    }

    /// An operand of an operator that takes no conditions.
    fn operand(
        &mut self,
        expression: &Expression,
        operator: &'static str,
    ) -> Result<Operand, StatementError> {
        match self.term(expression)? {
            Term::Operand(operand) => Ok(operand),
            Term::Condition(_) => Err(Problem::OperandType {
                operator,
                attribute_type: AttributeType::Bool,
            }
            .into()),
        }
    }

    fn joined(
        &mut self,
        parts: &[Expression],
        join: impl Fn(Predicate, Predicate) -> Predicate,
    ) -> Result<Predicate, StatementError> {
        self.count(parts.len().saturating_sub(1))?;
        let mut joined: Option<Predicate> = None;
        for part in parts {
            let Term::Condition(predicate) = self.term(part)? else {
                return Err(StatementProblem::AndOrOperand.into());
            };
            joined = Some(match joined {
                Some(before) => join(before, predicate),
                None => predicate,
            });
        }
        joined.ok_or_else(|| StatementProblem::AndOrOperand.into())
    }

    fn in_list(
        &mut self,
        operand: &Expression,
        list: &Expression,
    ) -> Result<Predicate, StatementError> {
        let (Node::List(elements) | Node::Bag(elements)) = &list.node else {
            return Err(StatementProblem::InOperand.into());
        };
        if elements.is_empty() {
            return Err(StatementProblem::InOperand.into());
        }
        if elements.len() > MAX_IN_OPERANDS {
            let count = elements.len();
            return Err(Problem::TooManyCandidates { count }.into());
        }
        let operand = self.term(operand)?;
        let candidates = elements.iter().map(|element| self.term(element));
        let candidates = candidates.collect::<Result<Vec<_>, _>>()?;
        self.compare(Operator::In, operand, candidates)
    }

    /// A comparison of paths and values, or of something that is true or false itself.
    fn compare(
        &mut self,
        operator: Operator,
        first: Term,
        rest: Vec<Term>,
    ) -> Result<Predicate, StatementError> {
        let mut terms = vec![first];
        terms.extend(rest);
        let has_condition = terms.iter().any(|term| matches!(term, Term::Condition(_)));
        if has_condition {
            return self.compare_conditions(operator, terms);
        }
        let operands = terms.into_iter().filter_map(|term| match term {
            Term::Operand(operand) => Some(operand),
            Term::Condition(_) => None,
        });
        Ok(assemble(operator, operands.collect())?)
    }

    fn compare_conditions(
        &mut self,
        operator: Operator,
        terms: Vec<Term>,
    ) -> Result<Predicate, StatementError> {
        let mut truths = terms.into_iter().map(|term| match term {
            Term::Condition(predicate) => truth::Truth::Condition(predicate),
            Term::Operand(operand) => truth::Truth::Operand(operand),
        });
        let first = truths.next().ok_or(StatementProblem::NoCondition)?;
        let mut any: Option<Predicate> = None;
        for other in truths {
            // What is compared is part of the outcome more than once.
            self.count(first.weight() + other.weight())?;
            let equal = truth::equal(first.clone(), other)?;
            any = Some(match any {
                Some(before) => before.or(equal),
                None => equal,
            });
        }
        let any = any.ok_or(StatementProblem::NoCondition)?;
        truth::compare(operator, any)
    }

    fn is_type(
        &mut self,
        operand: &Expression,
        type_name: &'static str,
        expression: &Expression,
    ) -> Result<Predicate, StatementError> {
        let operand = match &operand.node {
            Node::Identifier(_)
            | Node::Path { .. }
            | Node::Text(_)
            | Node::Number(_)
            | Node::Bool(_)
            | Node::Null => self.leaf(operand)?,
            _ => return Err(StatementProblem::IsOperand.into()),
        };
        let (function, other) = match type_name {
            "missing" => (Operator::Function(Function::AttributeNotExists), None),
            "null" => (
                Operator::Compare(crate::tree::Comparator::Equal),
                Some(AttributeValue::Null),
            ),
            name => {
                let wanted = match name {
                    "boolean" => "BOOL",
                    "numeric" => "N",
                    "string" => "S",
                    "blob" => "B",
                    "struct" | "tuple" => "M",
                    "list" => "L",
                    _ => return Err(StatementProblem::IsType(name).at(expression.at)),
                };
                (
                    Operator::Function(Function::AttributeType),
                    Some(AttributeValue::from(wanted)),
                )
            }
        };
        let other = other.map(|value| Operand::Value(EncodedValue::from(value)));
        Ok(assemble(
            function,
            std::iter::once(operand).chain(other).collect(),
        )?)
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Expression],
        call: &Expression,
    ) -> Result<Term, StatementError> {
        let function = Function::named(&name.to_ascii_lowercase())
            .ok()
            .filter(|function| !function.is_of_updates())
            .ok_or_else(|| StatementProblem::UnknownFunction(name.to_owned()).at(call.at))?;
        let operands = arguments
            .iter()
            .map(|argument| self.operand(argument, function.name()))
            .collect::<Result<Vec<_>, _>>()?;
        function.check_operand_count(operands.len())?;
        if function != Function::Size {
            let predicate = assemble(Operator::Function(function), operands)?;
            return Ok(Term::Condition(predicate));
        }
        let operand = operands.into_iter().next();
        let operand = operand.ok_or(StatementProblem::NoCondition)?;
        Ok(Term::Operand(Operand::Size(Box::new(operand))))
    }
}
