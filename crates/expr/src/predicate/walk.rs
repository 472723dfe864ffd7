//! Looking at a predicate without running it.

use super::{Literal, Operand, Path, Predicate, Span, Tree};
use crate::tree::Comparator;

/// A condition without `AND`, `OR` and `NOT`, and where it is written.
#[derive(Clone, Copy, Debug)]
pub struct SimpleCondition<'p> {
    /// The condition.
    pub condition: &'p Tree,
    /// Its operator, or the name of its function.
    pub operator: Span,
    /// All of it.
    pub span: Span,
}

/// A path next to literals.
#[derive(Clone, Debug)]
pub struct Comparison<'p> {
    /// The path.
    pub path: &'p Path,
    /// What of the path is compared.
    pub measure: Measure,
    /// How, as if the path stood left: `5 < a` is `a > 5`.
    pub relation: Relation,
    /// The literals, from left to right; at least one.
    pub literals: Vec<&'p Literal>,
    /// Where the operator is written, or the name of the function.
    pub operator: Span,
}

/// What of a path is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Its value.
    Value,
    /// `size(path)`, a number.
    Size,
}

/// How a path is compared with literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `path = literal` and its kin.
    Compare(Comparator),
    /// `path BETWEEN literal AND literal`; only one literal if the other bound is a path.
    Between,
    /// `path IN (literals)`; other candidates may be paths.
    In,
    /// `literal IN (path, ..)`.
    InListOf,
    /// `begins_with(path, literal)`.
    BeginsWith,
    /// `begins_with(literal, path)`.
    PrefixOf,
    /// `contains(path, literal)`.
    Contains,
    /// `contains(literal, path)`.
    ElementOf,
}

impl Predicate {
    /// Every condition without `AND`, `OR` and `NOT`, from left to right.
    pub fn conditions(&self) -> Vec<SimpleCondition<'_>> {
        let mut conditions = Vec::with_capacity(self.simple_conditions.len());
        collect(&self.tree, &mut conditions);
        // INVARIANT: joining conditions never changes their order, so the two lists go together.
        conditions
            .into_iter()
            .zip(&self.simple_conditions)
            .map(|(condition, written)| SimpleCondition {
                condition,
                operator: written.token,
                span: written.whole,
            })
            .collect()
    }

    /// Every path that stands next to literals, from left to right.
    pub fn comparisons(&self) -> Vec<Comparison<'_>> {
        let conditions = self.conditions().into_iter();
        conditions
            .flat_map(|simple| {
                let found = comparisons(simple.condition).into_iter();
                found.map(move |(subject, relation, literals)| Comparison {
                    path: subject.path,
                    measure: subject.measure,
                    relation,
                    literals,
                    operator: simple.operator,
                })
            })
            .collect()
    }
}

fn collect<'p>(tree: &'p Tree, conditions: &mut Vec<&'p Tree>) {
    match tree {
        Tree::Not(inner) => collect(inner, conditions),
        Tree::All(parts) | Tree::Any(parts) => {
            for part in parts {
                collect(part, conditions);
            }
        }
        simple => conditions.push(simple),
    }
}

#[derive(Clone, Copy)]
struct Subject<'p> {
    path: &'p Path,
    measure: Measure,
}

type Found<'p> = (Subject<'p>, Relation, Vec<&'p Literal>);

fn comparisons(condition: &Tree) -> Vec<Found<'_>> {
    match condition {
        Tree::Compare {
            comparator,
            left,
            right,
        } => {
            let relation = Relation::Compare(*comparator);
            let flipped = Relation::Compare(comparator.flipped());
            either(left, relation, right, flipped)
        }
        Tree::Between {
            operand,
            lower,
            upper,
        } => between(operand, lower, upper),
        Tree::In {
            operand,
            candidates,
        } => candidates_of(operand, candidates),
        Tree::BeginsWith { operand, prefix } => {
            either(operand, Relation::BeginsWith, prefix, Relation::PrefixOf)
        }
        Tree::Contains { operand, element } => {
            either(operand, Relation::Contains, element, Relation::ElementOf)
        }
        Tree::Exists(_)
        | Tree::NotExists(_)
        | Tree::HasType { .. }
        | Tree::Not(_)
        | Tree::All(_)
        | Tree::Any(_) => Vec::new(),
    }
}

/// A path and a literal, in either order.
fn either<'p>(
    left: &'p Operand,
    relation: Relation,
    right: &'p Operand,
    flipped: Relation,
) -> Vec<Found<'p>> {
    let straight = pair(left, relation, right);
    straight
        .or_else(|| pair(right, flipped, left))
        .into_iter()
        .collect()
}

fn pair<'p>(path: &'p Operand, relation: Relation, value: &'p Operand) -> Option<Found<'p>> {
    Some((subject(path)?, relation, vec![literal(value)?]))
}

fn between<'p>(operand: &'p Operand, lower: &'p Operand, upper: &'p Operand) -> Vec<Found<'p>> {
    if literal(operand).is_some() {
        let above = Relation::Compare(Comparator::LessOrEqual);
        let below = Relation::Compare(Comparator::GreaterOrEqual);
        let bounds = [pair(lower, above, operand), pair(upper, below, operand)];
        return bounds.into_iter().flatten().collect();
    }
    with_literals(operand, Relation::Between, [lower, upper])
}

fn candidates_of<'p>(operand: &'p Operand, candidates: &'p [Operand]) -> Vec<Found<'p>> {
    if literal(operand).is_some() {
        return candidates
            .iter()
            .filter_map(|candidate| pair(candidate, Relation::InListOf, operand))
            .collect();
    }
    with_literals(operand, Relation::In, candidates)
}

fn with_literals<'p>(
    operand: &'p Operand,
    relation: Relation,
    others: impl IntoIterator<Item = &'p Operand>,
) -> Vec<Found<'p>> {
    let literals: Vec<_> = others.into_iter().filter_map(literal).collect();
    match subject(operand) {
        Some(subject) if !literals.is_empty() => vec![(subject, relation, literals)],
        _ => Vec::new(),
    }
}

fn subject(operand: &Operand) -> Option<Subject<'_>> {
    let measure = match operand {
        Operand::Size(_) => Measure::Size,
        Operand::Path(_) | Operand::Value(_) => Measure::Value,
    };
    let path = operand.read_path()?;
    Some(Subject { path, measure })
}

const fn literal(operand: &Operand) -> Option<&Literal> {
    match operand {
        Operand::Value(literal) => Some(literal),
        Operand::Path(_) | Operand::Size(_) => None,
    }
}
