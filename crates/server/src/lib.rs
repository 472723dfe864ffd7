//! DynamoDB's protocol over HTTP, in front of anything that is a [`Dynamo`](monotable_api::Dynamo).
//!
//! Layout, along the way of a request:
//! - [`ServerOptions`] binds a [`Server`]; `server.rs` accepts connections, `connection.rs` serves one
//!   and closes it when its client is too slow;
//! - `exchange.rs` turns one request into one answer, counts it and logs it; `route.rs` says what it
//!   asks for, `origin.rs` whether a browser may have sent it for a foreign page;
//! - `crowd.rs` knows the open connections, and which must go when there are too many; `memory.rs` is the memory of requests and
//!   answers that all share; `tls.rs` has the certificate, `access_log.rs` tells who asked for what;
//! - `dynamodb.rs` is the protocol: what the head tells of the signature is checked, the body is read (`body.rs`), its signature
//!   verified (`signature.rs`), its coding undone (`coding.rs`), then decoded, called and encoded by the one
//!   table of operations in `monotable-api`. There is no code for any single operation. Before the call, `authorization.rs`
//!   asks the policies of the caller;
//! - `mount.rs` is what is served beside the protocol below a path of its own, and `mounted.rs` a request for that;
//! - `data_sets.rs` finds the [`Dynamo`](monotable_api::Dynamo): one for all, or one for the region that was signed for;
//! - `refusal.rs` lists every answer that does not come from the [`Dynamo`](monotable_api::Dynamo);
//! - `answer.rs` puts on the headers that all answers have.
//!
//! Everything a client can make grow has a limit ([`Limits`]), which holds while bytes arrive and
//! before anything is parsed. Time and randomness of signatures come in from outside
//! ([`ServerOptions::clock`]).
//!
//! ```
//! use monotable_engine::Engine;
//! use monotable_server::ServerOptions;
//! use std::sync::Arc;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let engine = Engine::in_memory()?;
//! let server = ServerOptions::new().port(0).bind(Arc::new(engine)).await?;
//! println!("listening on http://{}", server.address());
//! server.run(async { /* until, say, a signal comes */ }).await;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access_log;
mod answer;
mod aside;
mod authorization;
mod bind;
mod body;
mod coding;
mod connection;
mod credentials;
mod crowd;
mod crowded;
mod data_sets;
mod denied_statements;
mod dynamodb;
mod encoded_answer;
mod exchange;
mod gauge;
mod lanes;
mod limits;
mod memory;
mod metrics;
mod mount;
mod mounted;
mod options;
mod origin;
mod pages;
mod panics;
mod readers;
mod readiness;
mod refusal;
mod request_id;
mod route;
mod server;
mod shared;
mod signature;
mod tls;

pub use access_log::AccessLog;
pub use bind::BindError;
pub use connection::EVENT_INTERVAL;
pub use credentials::{Credentials, CredentialsError};
pub use data_sets::FindRegion;
pub use gauge::{Gauge, GaugeKind, Sample};
pub use limits::Limits;
pub use mount::{AnswerForecast, Mount, MountBody, MountFacts, MountRequest, Screening};
pub use options::ServerOptions;
pub use server::{KeyHolder, Server};
pub use tls::{Certificate, CertificateError};
