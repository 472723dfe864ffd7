//! Parameters from before DynamoDB had expressions: `KeyConditions`, `QueryFilter`, `ScanFilter`,
//! `Expected`, `ConditionalOperator`, `AttributeUpdates` and `AttributesToGet`.
//!
//! They are checked by rules and in words of their own, and become the trees that expressions become,
//! so that nothing after this knows which of the two a request had:
//! - `mixing`: which parameters may stand beside which;
//! - `comparison`: the thirteen comparison operators, what they take and what they mean;
//! - `conditions`: `QueryFilter`, `ScanFilter` and `KeyConditions`;
//! - `expected`: `Expected`;
//! - `attribute_updates`: `AttributeUpdates`;
//! - `attributes_to_get`: `AttributesToGet`.
//!
//! AWS looks at the entries of a map in the order of a hash table. Here it is that of the names.

pub(crate) mod attribute_updates;
pub(crate) mod attributes_to_get;
mod comparison;
pub(crate) mod conditions;
pub(crate) mod expected;
pub(crate) mod mixing;

pub use attribute_updates::{AttributeAction, AttributeUpdates, AttributeValueUpdate};
pub use comparison::ComparisonOperator;
pub use conditions::{AttributeCondition, AttributeConditions};
pub use expected::{ExpectedAttributeValue, ExpectedAttributes};
pub use mixing::ConditionalOperator;
