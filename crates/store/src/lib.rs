//! The data layer: what a model says, done to items.
//!
//! So far its ground floor: rows. A [`record::Record`] is a row as the model speaks of it, attributes by their names
//! in the model. [`record::create`] makes one of what a caller gives: every value is checked, all that is wrong is
//! reported at once, ids and times are made, defaults and computed values filled in. [`record::encode`] makes the item
//! that is stored, with every key its templates give, [`record::decode`] reads one back, also from other layouts and
//! spellings, and [`record::change`] says what a partial update writes.
//! Nothing here talks to a database.
//!
//! ```
//! use monotable_item::Item;
//! use monotable_model::compiled::CompiledModel;
//! use monotable_store::record::{self, Surroundings};
//!
//! let text = include_str!("../../../models/authorization/model.toml");
//! let model = CompiledModel::new(monotable_model::check(text).model.unwrap());
//! let (tenant, _) = model.model().entity_named("Tenant").unwrap();
//!
//! let surroundings = Surroundings::at_micros(1_763_467_200_000_000).entropy(7);
//! let acme = record::create(&model, tenant, Item::new().with("name", "acme"), &surroundings).unwrap();
//! let item = record::encode(&model, &acme, &surroundings).unwrap();
//! assert_eq!(item.get("Type"), Some(&"Tenant".into()));
//! assert_eq!(item.get("GSI1PK"), Some(&"TENANT_NAME#acme".into()));
//! assert_eq!(item.get("PK"), item.get("SK"));
//! ```

mod anatomy;
mod call;
mod caller;
mod clock;
mod draft;
mod error;
mod execute;
mod explain;
pub mod field_error;
mod ids;
mod operation;
mod place;
mod read;
pub mod record;
mod row;
mod run;
mod secret;
mod session;
mod steps;
mod store;
mod value;
mod whole;
mod write;

pub use call::{Answered, Call};
pub use error::{Clash, Error, ErrorKind, Failure};
pub use execute::Retry;
pub use explain::{Explained, Explanation, Units};
pub use field_error::{FieldError, Problem};
pub use operation::{Operation, Options, Outcome, Page, Query};
pub use record::Change;
pub use row::Row;
pub use steps::{Answer, Machine, Step};
pub use store::Store;
pub use whole::{Loaded, Made, Repaired, Verification, Violation, Wrong};
