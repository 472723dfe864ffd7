//! Access policies: who may do what, in the JSON of AWS's IAM.
//!
//! Layout, in the order in which a request is judged:
//! - [`Policy`] is a document, parsed and checked (`json.rs`, `document.rs`, `statement.rs`, `action.rs`, `pattern/`,
//!   `condition/`). What is not understood is refused with its place ([`PolicyError`]): a policy that is half understood
//!   protects nothing. What is understood but probably not meant is a [`Warning`].
//! - [`Demand`] is what a request asks for, taken from the typed requests of `monotable-api` (`demand/`): actions,
//!   resources, partition keys, attributes. Which attribute is the partition key only the tables know ([`TableKeys`]), so a
//!   demand says which tables it needs ([`Demand::tables`]) and becomes a list of [`Access`]es with them.
//! - [`Identity`] has a [`Principal`] and policies, and judges each access: denied by a statement, allowed by one, or
//!   allowed by none ([`Decision`]).
//! - `wording.rs`: what AWS says when it refuses.
//!
//! Nothing here does IO or knows a clock: [`Circumstances`] come in from outside.
//!
//! ```
//! use monotable_api::{GetItemInput, KeyRole, KeySchemaElement, Request, TableDescription};
//! use monotable_item::Item;
//! use monotable_policy::{Circumstances, Demand, Identity, Policy, Principal, Scope, TableKeys};
//!
//! let policy = Policy::parse(
//!     "own-rows",
//!     r#"{"Version": "2012-10-17", "Statement": {
//!         "Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "arn:aws:dynamodb:*:*:table/Games",
//!         "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}}}"#,
//! )?;
//! let ada = Identity::new(Principal::user("ada"), vec![policy])?;
//!
//! let keys = TableKeys::from_description(&TableDescription {
//!     key_schema: Some(vec![KeySchemaElement::new("UserId", KeyRole::Hash)]),
//!     ..TableDescription::default()
//! });
//! let judge = |user: &str| {
//!     let request = GetItemInput::new("Games", Item::new().with("UserId", user));
//!     let demand = Demand::new(&Request::from(request)).unwrap();
//!     let accesses = demand.accesses(&Scope::default(), |_| Some(&keys));
//!     ada.judge(&accesses, &Circumstances::default()).refusal()
//! };
//! assert_eq!(judge("ada"), None);
//! assert_eq!(
//!     judge("eve").unwrap(),
//!     "User: arn:aws:iam::000000000000:user/ada is not authorized to perform: dynamodb:GetItem on resource: \
//!      arn:aws:dynamodb:local:000000000000:table/Games because no identity-based policy allows the dynamodb:GetItem action",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod action;
mod circumstances;
mod condition;
mod decision;
mod demand;
mod document;
mod error;
mod identity;
mod json;
mod key;
mod pattern;
mod principal;
mod scope;
mod statement;
mod table_keys;
mod warning;
mod wording;

pub use access::Access;
pub use circumstances::{Circumstances, Transport};
pub use decision::{Decision, Judgement, Mismatch, StatementPlace, Verdict};
pub use demand::Demand;
pub use document::Policy;
pub use error::PolicyError;
pub use identity::Identity;
pub use principal::{Principal, UnknownContextKey};
pub use scope::Scope;
pub use statement::Effect;
pub use table_keys::TableKeys;
pub use warning::Warning;
