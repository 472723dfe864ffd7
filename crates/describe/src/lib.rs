//! A model as a document for people.
//!
//! [`markdown()`] and [`html()`] are two views of one page: tables, tenancy, keys, entities, access patterns with
//! the requests they become, mechanisms, and an index of the requirements that the model covers.
//! [`relations_svg`] draws what refers to what. [`json()`] shows one request of a plan.
//! [`iam_policy`] gives the isolation rule as AWS enforces it, and [`role_policy`] what other parts may do.
//! [`cloudformation()`], [`terraform()`] and [`cdk()`] make the tables and alarms with other tools; [`workbench()`] is for NoSQL Workbench.
//! [`quote_word`] writes words of commands to paste.
//!
//! The page is built once, as blocks (`page`), and each view only writes blocks. So the two cannot differ in
//! what they say.

mod anchor;
mod attributes;
mod block;
mod claims;
mod covers;
mod deployment;
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
mod shell;
mod tables;
mod templates;
mod tenancy;
#[cfg(test)]
mod tests;
mod workbench;

pub use deployment::{AlarmOptions, Deployment, Encryption, cdk, cloudformation, terraform, yaml};
pub use diagram::relations_svg;
pub use html::html;
pub use markdown::markdown;
pub use policy::{PolicyScope, Role, RoleError, iam_policy, role_policy};
pub use requests::json;
pub use shell::quote_word;
pub use workbench::{SampleRow, WorkbenchModel, workbench};
