//! DynamoDB over HTTP: Amazon's service, or anything that speaks its API, as a
//! [`Dynamo`](monotable_api::Dynamo).
//!
//! [`RemoteOptions`] says where and as whom; what it does not say comes from where every AWS tool
//! takes it (environment, profiles, single sign-on, the machine's role). [`Remote`] is a cheap handle
//! that carries out any request of [`monotable_api`]: there is no code per operation here, a request
//! is written and an answer is read by the same codec that the server uses.
//!
//! Layout, in the order in which a call passes through:
//! - `options.rs`, `connect.rs`, `endpoint.rs`: from options and surroundings to a [`Remote`];
//! - `remote.rs`: the call, its token, its attempts;
//! - `retry.rs`: which failures are tried again, when, and how often;
//! - `credentials.rs`, `clock.rs`, `signature.rs`: who signs, at what time, how;
//! - `transport.rs`, `connections.rs`, `answer.rs`: bytes there and back, checked;
//! - `foreign.rs`: answers of something that is not a DynamoDB.
//!
//! # What a caller must know about retries
//!
//! As the AWS SDKs do, a call is tried up to three times when the service is throttling, fails, or
//! cannot be reached, and also when its answer is lost. A write whose answer was lost may have been
//! carried out; the second attempt then carries it out again. That changes nothing for puts, deletes
//! and most updates. It does for `ADD` and `list_append`, and a condition such as
//! `attribute_not_exists(pk)` fails on the item that the first attempt has written. Transactions are
//! safe: each one gets a token before its first attempt. Who wants to decide alone sets
//! [`max_attempts(1)`](RemoteOptions::max_attempts).
//!
//! # Runtime
//!
//! Calls need a tokio runtime, with time and IO enabled.
//!
//! ```no_run
//! use monotable_api::{DynamoExt, ListTablesInput};
//! use monotable_aws::RemoteOptions;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let remote = RemoteOptions::new()
//!     .endpoint_url("http://127.0.0.1:8000")
//!     .connect()
//!     .await?;
//! let tables = remote.list_tables(ListTablesInput::default()).await?;
//! assert!(tables.table_names.is_empty());
//! # Ok(())
//! # }
//! ```

mod answer;
mod clock;
mod connect;
mod connections;
mod credentials;
mod endpoint;
mod fetch;
mod foreign;
mod options;
mod remote;
mod retry;
mod signature;
mod token;
mod transport;

pub use connect::ConnectError;
pub use fetch::fetch_document;
pub use options::RemoteOptions;
pub use remote::{EndpointOwner, Remote};
