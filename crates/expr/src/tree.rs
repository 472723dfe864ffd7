//! Expressions with everything filled in: the trees that are evaluated.
//!
//! Placeholders and reserved words exist only in the text; these trees hold attribute names and values.
//! Whoever has another notation for the same things (the legacy parameters, predicates of a model)
//! builds the same trees: [`crate::Condition::from`] a [`Predicate`], [`crate::Projection::from_paths`],
//! [`crate::Update::from_actions`].
//!
//! The predicates of a model are the same tree with other leaves: see [`crate::predicate`].

mod action;
mod comparator;
mod constant;
mod operand;
mod path;
mod predicate;

pub use action::{Action, NewValue};
pub use comparator::Comparator;
pub use constant::Constant;
pub use operand::Operand;
pub(crate) use path::descend;
pub use path::{DocumentPath, PathStep};
pub use predicate::Predicate;
