//! Compares the shapes of `monotable-api` with AWS's own descriptions of DynamoDB and its streams, the
//! files `service-2.json` that botocore is made from.
//!
//! Nothing here knows how `api` is written. For every member that the description names, a request or
//! an answer is made that has it, and `api` is asked: does it come back out ([`Request::decode`],
//! `encode`), is a value of another type refused, and what does [`Request::check`] say without it, with
//! a word that is not on its list, with a length or a number just inside and just outside its limits?
//!
//! | module        | what it holds                                                            |
//! |---------------|--------------------------------------------------------------------------|
//! | `description` | the file                                                                 |
//! | `place`       | a way from a request or answer down to one member                        |
//! | `sample`      | values that fit a shape, or just do not                                  |
//! | `complaint`   | what a refusal says about which member                                   |
//! | `input`, `output` | the probes                                                           |
//! | `gaps`        | what we lack, where AWS departs from its description, and why            |
//!
//! What probing cannot see is a member that `api` has and the description has not.
//!
//! [`Request::decode`]: monotable_api::Request::decode
//! [`Request::check`]: monotable_api::Request::check

mod compare;
mod complaint;
mod description;
mod difference;
mod gaps;
mod input;
mod output;
mod place;
mod sample;

pub use compare::{compare, compare_with_gaps};
pub use description::{Description, DescriptionError};
pub use difference::Difference;
pub use gaps::{DEPARTURES, GAPS, Gap};
