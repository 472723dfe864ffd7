//! PartiQL, as much of it as DynamoDB has: statements become the trees that expressions become.
//!
//! Layout, in the order a statement travels:
//! - `lexer`, `parser` -> `syntax`: text to a tree, with the place of every token, because AWS names places in its
//!   messages. The grammar and its error messages are those of the parser that AWS uses, `partiql-lang`.
//! - [`Statement`]: what callers hold. Its table is known, nothing else of it is judged yet: AWS looks the table up first.
//! - `lower`: the parts of a statement as trees: a condition ([`crate::tree::Predicate`]), an update
//!   ([`crate::Update`]), an item, columns ([`Columns`]).
//! - [`ReadPlan`], [`KeyEqualities`]: which items a condition can only hold of, given the key.
//! - `wording`: every sentence AWS says about statements, in one place.
//!
//! ```
//! use monotable_expr::partiql::{ReadPlan, Reads, Statement};
//!
//! let text = "SELECT Title FROM Music WHERE Artist IN ['Nina', 'Miles'] AND Year > 1960";
//! let Statement::Select(select) = Statement::parse(text)? else { panic!() };
//! assert_eq!(select.target().table, "Music");
//! let condition = select.condition(&[])?.unwrap();
//! let plan = ReadPlan::new(condition, "Artist", Some("Year"));
//! let Reads::Partitions(partitions) = plan.reads(50)? else { panic!() };
//! assert_eq!(partitions.len(), 2);
//! # Ok::<(), monotable_expr::partiql::StatementError>(())
//! ```

mod columns;
mod error;
mod key_equalities;
mod keyword;
mod lexer;
mod lower;
mod parser;
mod position;
mod read_plan;
mod statement;
mod syntax;
mod token;
mod wording;

pub use columns::Columns;
pub use error::{StatementError, StatementProblem};
pub use key_equalities::{KeyEqualities, RepeatedKey};
pub use position::SourcePosition;
pub use read_plan::{KeyValue, PartitionRead, ReadPlan, Reads};
pub use statement::{
    DeleteStatement, InsertStatement, OrderTerm, Returning, SelectStatement, Statement, Target,
    UpdateStatement,
};
