//! DynamoDB's values, and the bytes they are stored as.
//!
//! Layout:
//! - [`AttributeValue`], [`Item`], [`Number`]: values as a tree, for people and for tests;
//! - [`EncodedItem`] and the borrowed views ([`ItemView`], [`ValueView`]): the stored encoding that the
//!   evaluator, the sizer, the projector and the JSON writer all read in place;
//! - [`GivenItem`]: an item as a request brought it, encoded while it was read;
//! - [`key`]: key values as bytes whose order is DynamoDB's order;
//! - [`limits`]: every limit of AWS, with its source.
//!
//! No IO, no async, no float anywhere.
//!
//! ```
//! use monotable_item::{AttributeValue, EncodedItem, Item};
//!
//! let item = Item::new()
//!     .with("PK", AttributeValue::S("USER#1".into()))
//!     .with("Age", AttributeValue::N("041.50".parse()?));
//! let encoded = EncodedItem::from(&item);
//! assert_eq!(
//!     serde_json::to_string(&encoded)?,
//!     r#"{"Age":{"N":"41.5"},"PK":{"S":"USER#1"}}"#,
//! );
//! assert_eq!(encoded.view().size(), 3 + 3 + 2 + 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attribute_type;
mod encoded;
mod item;
mod json;
pub mod key;
pub mod limits;
mod number;
mod problem;
mod value;
mod view;

pub use attribute_type::{AttributeType, UnknownType};
pub use encoded::{EncodedItem, EncodedValue, ItemBuilder};
pub use item::Item;
pub use json::{GivenItem, GivenValue, charge, read_within};
pub use number::{Number, NumberError};
pub use problem::{ValueProblem, check_attribute_name};
pub use value::AttributeValue;
pub use view::{ItemView, ListView, NumberView, SetView, ValueView};
