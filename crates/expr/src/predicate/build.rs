//! Text to predicate: what the parser found, with DynamoDB's rules on it.

use super::hint;
use super::literal::unquoted;
use super::path::is_value_word;
use super::span::Written;
use super::{
    Literal, MAX_PREDICATE_BYTES, Operand, Path, Predicate, PredicateError, PredicateProblem, Root,
    Span, Tree,
};
use crate::Problem;
use crate::check::{
    Operator, assemble, check_function, check_operand_count, check_operator_count, index, join,
    operands,
};
use crate::parser::parse_predicate;
use crate::syntax::{Node, Step, Syntax};
use crate::tree::PathStep;
use monotable_item::limits::MAX_NESTING;
use std::ops::Range;

/// The predicate that `text` is.
pub(super) fn build(text: &str) -> Result<Predicate, PredicateError> {
    let span = trimmed(text);
    if text.len() > MAX_PREDICATE_BYTES {
        let problem = PredicateProblem::TooLong { size: text.len() };
        return Err(problem.at(span));
    }
    if span.start == span.end {
        return Err(PredicateProblem::Empty.at(span));
    }
    let syntax = parse_predicate::<Written>(text).map_err(|stuck| hint::explain(stuck, text))?;
    check_functions(&syntax)?;
    check_operator_count(&syntax).map_err(|problem| PredicateError::of(problem, span))?;
    let (tree, simple_conditions) = tree(&syntax)?;
    Ok(Predicate {
        tree,
        simple_conditions,
        operators: operators(&syntax),
        span,
    })
}

fn trimmed(text: &str) -> Span {
    let is_blank = |blank: char| matches!(blank, ' ' | '\t' | '\r' | '\n');
    let end = text.trim_end_matches(is_blank).len();
    let start = text.len() - text.trim_start_matches(is_blank).len();
    Span {
        start: start.min(end),
        end,
    }
}

fn check_functions(syntax: &Syntax<'_, Written>) -> Result<(), PredicateError> {
    for (node, mark) in syntax.nodes().iter().zip(syntax.marks()) {
        if let Node::Call {
            name, is_condition, ..
        } = node
        {
            check_function(name, *is_condition)
                .map_err(|problem| PredicateError::of(problem, mark.token))?;
        }
    }
    Ok(())
}

/// An error, also of the kind that the parser rules out and that has no place.
struct Refused(PredicateError);

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self(PredicateError::of(problem, Span::default()))
    }
}

fn tree(syntax: &Syntax<'_, Written>) -> Result<(Tree, Vec<Written>), PredicateError> {
    let mut places = Vec::new();
    let tree = join(syntax, |range| {
        let written = written(syntax, range.clone());
        places.push(written);
        simple_condition(syntax, range, written).map_err(Refused)
    });
    match tree {
        Ok(tree) => Ok((tree, places)),
        Err(Refused(error)) => Err(error),
    }
}

/// Where the simple condition in `range` is written: its operator, and all of it.
fn written(syntax: &Syntax<'_, Written>, range: Range<usize>) -> Written {
    let marks = syntax.marks().get(range).unwrap_or_default();
    let wholes = marks.iter().map(|mark| mark.whole);
    Written {
        token: marks.last().map(|mark| mark.token).unwrap_or_default(),
        whole: wholes.reduce(Span::to).unwrap_or_default(),
    }
}

fn simple_condition(
    syntax: &Syntax<'_, Written>,
    range: Range<usize>,
    written: Written,
) -> Result<Tree, PredicateError> {
    let nodes = syntax.nodes_in(range.clone());
    let marks = syntax.marks().get(range).unwrap_or_default();
    for (node, mark) in nodes.iter().zip(marks) {
        check_operand_count(node).map_err(|problem| PredicateError::of(problem, mark.token))?;
    }
    let mut leaves = Vec::with_capacity(nodes.len());
    for (node, mark) in nodes.iter().zip(marks) {
        leaves.extend(leaf(syntax, node, mark.whole)?);
    }
    let refused = |problem| PredicateError::of(problem, written.whole);
    let Some((last, before)) = nodes.split_last() else {
        return Err(refused(Problem::Empty));
    };
    let operator = Operator::of(last).map_err(refused)?;
    let tree = assemble(operator, operands(before, leaves)).map_err(refused)?;
    match &tree {
        Tree::Exists(path) | Tree::NotExists(path) if path.is_now() => {
            let operator = operator.name();
            let problem = Problem::PathRequired { operator };
            Err(PredicateError::of(problem, path.span()))
        }
        _ => Ok(tree),
    }
}

fn leaf(
    syntax: &Syntax<'_, Written>,
    node: &Node<'_>,
    span: Span,
) -> Result<Option<Operand>, PredicateError> {
    match node {
        Node::Path(path) => word_or_path(syntax.steps_of(*path), span).map(Some),
        Node::Value(text) => match Literal::read(text, span) {
            Ok(literal) => Ok(Some(Operand::Value(literal))),
            Err(error) => Err(PredicateProblem::Number(error).at(span)),
        },
        _ => Ok(None),
    }
}

fn word_or_path(steps: &[Step<'_>], span: Span) -> Result<Operand, PredicateError> {
    match steps {
        [Step::Word(word)] if word.eq_ignore_ascii_case("now") => {
            let now = Path::new(Some(Root::Now), Vec::new(), span);
            Ok(Operand::Path(now))
        }
        [Step::Word(word)] if is_value_word(word) => {
            let value = word.eq_ignore_ascii_case("true");
            Ok(Operand::Value(Literal::new(value, span)))
        }
        [Step::Word(word), ..] if is_value_word(word) => {
            let word = (*word).to_owned();
            Err(PredicateProblem::StepsIntoValue { word }.at(span))
        }
        _ => path(steps, span).map(Operand::Path),
    }
}

fn path(steps: &[Step<'_>], span: Span) -> Result<Path, PredicateError> {
    let (root, steps) = match steps {
        [Step::Word(word), rest @ ..] if starts_with_name(rest) => match Root::named(word) {
            Some(root) => (Some(root), rest),
            None => (None, steps),
        },
        _ => (None, steps),
    };
    if steps.len() > MAX_NESTING {
        let levels = steps.len();
        return Err(PredicateError::of(Problem::PathTooDeep { levels }, span));
    }
    let steps: Result<Vec<_>, _> = steps.iter().map(|one| step(one, span)).collect();
    Ok(Path::new(root, steps?, span))
}

const fn starts_with_name(steps: &[Step<'_>]) -> bool {
    matches!(steps, [Step::Word(_) | Step::Name(_), ..])
}

fn step(step: &Step<'_>, span: Span) -> Result<PathStep, PredicateError> {
    match step {
        Step::Word(word) => Ok(PathStep::Name((*word).to_owned())),
        Step::Index(digits) => match index(digits) {
            Ok(index) => Ok(PathStep::Index(index)),
            Err(problem) => Err(PredicateError::of(problem, span)),
        },
        Step::Name(quoted) => match unquoted(quoted, '`') {
            Some(name) if !name.is_empty() => Ok(PathStep::Name(name)),
            _ => Err(PredicateProblem::EmptyName.at(span)),
        },
    }
}

/// Where the operators are, in the order of the text.
fn operators(syntax: &Syntax<'_, Written>) -> Vec<Span> {
    let is_leaf = |node: &Node<'_>| matches!(node, Node::Path(_) | Node::Value(_));
    let pairs = syntax.nodes().iter().zip(syntax.marks());
    let mut spans: Vec<_> = pairs
        .filter(|(node, _)| !is_leaf(node))
        .map(|(_, mark)| mark.token)
        .collect();
    spans.sort_unstable();
    spans
}
