//! A model as a document for people.
//!
//! [`markdown()`] and [`html()`] are two views of one page: tables, tenancy, keys, entities, access patterns with
//! the requests they become, mechanisms, and an index of the requirements that the model covers.
//! [`relations_svg`] draws what refers to what. [`json()`] shows one request of a plan.
//! [`iam_policy`] gives the isolation rule as AWS enforces it.
//!
//! The page is built once, as blocks (`page`), and each view only writes blocks. So the two cannot differ in
//! what they say.

mod anchor;
mod attributes;
mod block;
mod claims;
mod covers;
mod diagram;
mod entity;
mod grants;
mod history;
mod html;
mod inline;
mod keys;
mod markdown;
mod movement;
mod page;
mod patterns;
mod policy;
mod references;
mod repositories;
mod requests;
mod rows;
mod rules;
mod sentence;
mod tables;
mod templates;
mod tenancy;
#[cfg(test)]
mod tests;

pub use diagram::relations_svg;
pub use html::html;
pub use markdown::markdown;
pub use policy::{PolicyScope, iam_policy};
pub use requests::json;
