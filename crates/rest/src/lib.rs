//! The operations of models as REST and JSON.
//!
//! Nothing here opens a socket: [`Rest::answer`] takes a parsed [`Request`] and gives a [`Response`]. Layout, along the way of
//! a request:
//! - `rest.rs` holds a store for each model, by its name, and finds the one that a request is for; `authentication.rs` says
//!   who calls, by a token, by a key, or because it is this machine;
//! - `target.rs` says what an address names, `call.rs` what is asked of it: an operation of the store's public list with its
//!   options; `word.rs` reads values in addresses, `merge_patch.rs` and `precondition.rs` what HTTP adds to updates;
//! - `carry_out.rs` calls the store, `lines.rs` page after page; `json.rs` writes the answer, `etag.rs` the tag of a row;
//! - `problem.rs` is every refusal, with the declaration of the model that refuses; `call_facts.rs` is what a log tells of a call,
//!   `answer_size.rs` how much an answer may need;
//! - `surface.rs` says what a model offers, and `openapi.rs` makes the document of it; `page.rs` shows the same to people.

mod answer_size;
mod authentication;
mod call;
mod call_facts;
mod caller;
mod carry_out;
mod etag;
mod json;
mod lines;
mod merge_patch;
pub mod openapi;
mod page;
pub mod percent;
mod precondition;
mod problem;
mod query;
mod rate_limit;
mod request;
mod response;
mod rest;
mod surface;
mod target;
mod word;

pub use answer_size::AnswerSize;
pub use authentication::{
    Authentication, AuthenticationFile, FetchKeys, FetchedKeys, FileError, KeyPlace,
};
pub use call_facts::CallFacts;
pub use request::Request;
pub use response::{Body, Response};
pub use rest::{Entrance, Rest};
pub use word::read_word;
