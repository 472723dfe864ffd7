//! Expressions as they were written: names not looked up, nothing checked but the grammar.
//!
//! An expression is a flat list of nodes in postfix order: a node stands after its operands and takes
//! them off the end of what stands before it. `a = :v AND NOT b < c` is
//!
//! ```text
//! a  :v  =  b  c  <  NOT  AND
//! ```
//!
//! Walking it is a loop and dropping it frees two vectors, so the 4 KB that AWS allows cannot exhaust
//! the stack, be they 2,000 parentheses or 1,000 `NOT`s.

use crate::mark::Mark;
use crate::tree::Comparator;
use std::ops::Range;

/// The nodes of one expression, with a mark for each.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Syntax<'t, M = ()> {
    nodes: Vec<Node<'t>>,
    /// Where each node is written.
    marks: Vec<M>,
    steps: Vec<Step<'t>>,
    /// Whether some parentheses directly enclose others.
    pub(crate) redundant_parentheses: bool,
}

/// One node, in postfix order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Node<'t> {
    Path(PathSyntax),
    /// A `:value`, or a literal as it is written.
    Value(&'t str),
    Call {
        name: &'t str,
        arguments: usize,
        /// Whether the call stands where a condition does, not an operand.
        is_condition: bool,
    },
    Compare(Comparator),
    Between,
    In {
        candidates: usize,
    },
    Not,
    And,
    Or,
    Plus,
    Minus,
}

/// A document path: a range of steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PathSyntax {
    start: usize,
    end: usize,
}

/// One element of a document path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step<'t> {
    /// A name, as written.
    Word(&'t str),
    /// A `#name`, or a name in backquotes.
    Name(&'t str),
    /// A list index, in digits.
    Index(&'t str),
}

/// The clauses of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    Set,
    Remove,
    Add,
    Delete,
}

/// One action of an update; its value is a range of nodes, empty for `REMOVE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ActionSyntax {
    pub(crate) clause: Clause,
    pub(crate) path: PathSyntax,
    pub(crate) value: Range<usize>,
}

/// An update.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct UpdateSyntax<'t> {
    pub(crate) syntax: Syntax<'t>,
    /// The clauses in the order they are written, repeated ones too.
    pub(crate) clauses: Vec<Clause>,
    pub(crate) actions: Vec<ActionSyntax>,
}

/// A projection.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ProjectionSyntax<'t> {
    pub(crate) syntax: Syntax<'t>,
    pub(crate) paths: Vec<PathSyntax>,
}

impl<'t> Syntax<'t> {
    pub(crate) fn push(&mut self, node: Node<'t>) {
        self.push_marked(node, ());
    }
}

impl<'t, M: Mark> Syntax<'t, M> {
    pub(crate) fn nodes(&self) -> &[Node<'t>] {
        &self.nodes
    }

    pub(crate) fn nodes_in(&self, range: Range<usize>) -> &[Node<'t>] {
        self.nodes.get(range).unwrap_or_default()
    }

    /// Every step of every path, in the order they are written.
    pub(crate) fn all_steps(&self) -> &[Step<'t>] {
        &self.steps
    }

    pub(crate) fn steps_of(&self, path: PathSyntax) -> &[Step<'t>] {
        self.steps.get(path.start..path.end).unwrap_or_default()
    }

    /// How many operators and functions the expression has.
    pub(crate) fn operator_count(&self) -> usize {
        let is_operator = |node: &&Node<'_>| !matches!(node, Node::Path(_) | Node::Value(_));
        self.nodes.iter().filter(is_operator).count()
    }

    pub(crate) fn push_marked(&mut self, node: Node<'t>, mark: M) {
        self.nodes.push(node);
        self.marks.push(mark);
    }

    /// The marks of all nodes.
    pub(crate) fn marks(&self) -> &[M] {
        &self.marks
    }

    /// Says of the newest node that it ends here.
    pub(crate) fn newest_ends_at(&mut self, end: usize) {
        if let Some(mark) = self.marks.last_mut() {
            *mark = mark.until(end);
        }
    }

    /// Starts a path, without steps.
    pub(crate) fn open_path(&self) -> PathSyntax {
        let end = self.steps.len();
        PathSyntax { start: end, end }
    }

    /// Adds a step to `path`, which must be the newest one.
    pub(crate) fn push_step(&mut self, path: &mut PathSyntax, step: Step<'t>) {
        self.steps.push(step);
        path.end = self.steps.len();
    }

    /// The path that the newest node is.
    pub(crate) fn newest_path(&mut self) -> Option<&mut PathSyntax> {
        match self.nodes.last_mut() {
            Some(Node::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// Says of the newest node, a call, that it is a condition.
    pub(crate) fn newest_call_is_condition(&mut self) {
        if let Some(Node::Call { is_condition, .. }) = self.nodes.last_mut() {
            *is_condition = true;
        }
    }
}
