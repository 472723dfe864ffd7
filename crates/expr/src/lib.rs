//! DynamoDB's expressions: condition, filter, key condition, projection and update.
//!
//! A request's expressions are parsed once and then run on any number of stored items, which are read in
//! place ([`monotable_item::ItemView`]). Everything AWS would refuse is refused while parsing, in AWS's
//! order and in AWS's words ([`ExpressionError`]); only an update can still fail on the item it meets
//! ([`UpdateError`]).
//!
//! Layout, in the order an expression travels:
//! - `lexer`, `parser` -> `syntax`: text to a flat list of nodes; nothing recurses, so nothing overflows;
//! - `check`: AWS's rules on that list, [`Placeholders`] filled in -> [`tree`];
//! - `evaluate`: a [`tree::Predicate`] on an item;
//! - [`Condition`], [`KeyCondition`], [`Projection`], [`Update`]: what callers hold;
//! - [`predicate`]: conditions of a model, with literals in the text: the same way with other leaves;
//! - [`partiql`]: statements, which are another notation for the same trees;
//! - `wording`: every sentence AWS says, in one place.
//!
//! ```
//! use monotable_expr::{Condition, ExpressionKind, Placeholders, Update};
//! use monotable_item::{AttributeValue, EncodedItem, Item};
//! use std::collections::BTreeMap;
//!
//! let stored = EncodedItem::from(Item::new().with("Visits", 41));
//! let names = BTreeMap::from([("#v".to_owned(), "Visits".to_owned())]);
//! let values = EncodedItem::from(Item::new().with(":one", 1).with(":limit", 100));
//!
//! let mut placeholders = Placeholders::new(&names, &values);
//! placeholders.check_keys()?;
//! let update = Update::parse("SET #v = #v + :one", &mut placeholders)?;
//! let condition =
//!     Condition::parse(ExpressionKind::Condition, "#v < :limit", &mut placeholders)?;
//! placeholders.check_all_used()?;
//!
//! assert!(condition.matches(stored.view()));
//! let updated = update.apply(stored.view())?;
//! assert_eq!(updated.item.to_item(), Item::new().with("Visits", 42));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod condition;
mod error;
mod evaluate;
mod key_condition;
mod kind;
mod lexer;
mod mark;
mod parser;
mod part;
pub mod partiql;
mod path_tree;
mod placeholders;
pub mod predicate;
mod projection;
mod reserved;
mod syntax;
mod token;
pub mod tree;
mod update;
mod wording;

pub use condition::Condition;
pub use error::{ExpressionError, KeyConditionProblem, PlaceholderProblem, Problem};
pub use key_condition::{KeyClause, KeyCondition, KeyRange, SortCondition};
pub use kind::ExpressionKind;
pub use placeholders::Placeholders;
pub use projection::Projection;
pub use update::{Update, UpdateError, Updated};
