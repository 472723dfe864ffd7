//! Predicates of a model: DynamoDB's conditions with the values written in them.
//!
//! ```text
//! status IN ('open', 'it''s late') AND dueAt < now AND ownerId = principal.userId
//! ```
//!
//! The grammar, the tree, the rules on operands and the evaluator are those of DynamoDB's conditions; only
//! the leaves differ. A leaf is a [`Path`], which may start at a [`Root`] other than the item, or a
//! [`Literal`]; both know where they are written. Names need no placeholders: reserved words are names
//! here, and whatever is not a word stands in backquotes, as in `` `md#x` ``.
//!
//! What can be done with one: look at it ([`Predicate::paths`], [`Predicate::comparisons`]), ask it
//! ([`Predicate::matches`], or [`Predicate::decide`] where not everything is known), or have DynamoDB ask it
//! ([`Predicate::to_condition`]).
//!
//! ```
//! use monotable_expr::predicate::{Context, Predicate, Root};
//! use monotable_item::{EncodedItem, Item};
//!
//! let predicate = Predicate::parse("state <> 'closed' and owner = principal.id")?;
//! let row = EncodedItem::from(Item::new().with("state", "open").with("owner", "u1"));
//! let caller = EncodedItem::from(Item::new().with("id", "u1"));
//! let context = Context::new(row.view()).with(Root::Principal, caller.view());
//! assert!(predicate.matches(|path| context.get(path)));
//! assert_eq!(predicate.to_string(), "state <> 'closed' AND owner = principal.id");
//! # Ok::<(), monotable_expr::predicate::PredicateError>(())
//! ```

mod build;
mod condition_text;
mod context;
mod decide;
mod error;
mod hint;
mod literal;
mod path;
mod print;
mod span;
mod translate;
mod walk;

pub use condition_text::ConditionText;
pub use context::Context;
pub use decide::{Finding, Truth};
pub use error::{PredicateError, PredicateProblem};
pub use literal::Literal;
pub use path::{Path, Root};
pub use span::Span;
pub use translate::{Meaning, TranslateError, Translation};
pub use walk::{Comparison, Measure, Relation, SimpleCondition};

use crate::evaluate::is_true;
use monotable_item::ValueView;
use serde::{Deserialize, Serialize};
use span::Written;
use std::fmt;
use std::str::FromStr;

/// Longest text of a predicate. Literals count here but not in DynamoDB's 4 KB, so it is longer.
pub const MAX_PREDICATE_BYTES: usize = 16 * 1024;

/// What a predicate says: DynamoDB's tree with a predicate's leaves.
pub type Tree = crate::tree::Predicate<Path, Literal>;

/// An operand of a predicate.
pub type Operand = crate::tree::Operand<Path, Literal>;

/// A parsed predicate. Two are equal if they say the same, wherever it is written.
///
/// Displays in normal form: keywords in capitals, one blank between words, only the parentheses that are
/// needed. The normal form parses to an equal predicate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Predicate {
    tree: Tree,
    /// Where the simple conditions of the tree are written, from left to right.
    simple_conditions: Vec<Written>,
    operators: Vec<Span>,
    span: Span,
}

impl Predicate {
    /// Parses and checks a predicate.
    pub fn parse(text: &str) -> Result<Self, PredicateError> {
        build::build(text)
    }

    /// What the predicate says.
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Where the predicate is written: all of its text but the blanks around it.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Where the operators, functions and keywords are written, in the order of the text.
    pub fn operators(&self) -> &[Span] {
        &self.operators
    }

    /// Every path that the predicate reads, `now` too, from left to right; one may come more than once.
    pub fn paths(&self) -> Vec<&Path> {
        let mut paths = Vec::new();
        self.tree.for_each_path(&mut |path| paths.push(path));
        paths
    }

    /// Whether the predicate is true where `lookup` finds what paths lead to; nothing is an absent
    /// attribute. `now` is a path with [`Root::Now`].
    pub fn matches<'v>(&self, lookup: impl Fn(&Path) -> Option<ValueView<'v>>) -> bool {
        is_true(&self.tree, &lookup)
    }

    /// `self AND other`. Spans remain those in the own text of each part.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.joined(other, Tree::and)
    }

    /// `self OR other`. Spans remain those in the own text of each part.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.joined(other, Tree::or)
    }

    /// `NOT self`.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            tree: self.tree.negated(),
            ..self
        }
    }

    fn joined(mut self, other: Self, join: impl FnOnce(Tree, Tree) -> Tree) -> Self {
        self.tree = join(self.tree, other.tree);
        self.simple_conditions.extend(other.simple_conditions);
        self.operators.extend(other.operators);
        self
    }
}

impl PartialEq for Predicate {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree
    }
}

impl Eq for Predicate {}

impl FromStr for Predicate {
    type Err = PredicateError;

    fn from_str(text: &str) -> Result<Self, PredicateError> {
        Self::parse(text)
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::print(&self.tree, f, &mut print::inline)
    }
}
