//! The compiled model: templates that render and parse.
//!
//! A [`KeyTemplate`] is a template bound to the entity whose attributes it shows. It renders values to a text
//! and, as far as its formats can be undone, parses a text back to values. What a template must not render, an
//! empty or too long key, an overflowing number, is an error here and never reaches DynamoDB.
//!
//! A [`CompiledModel`] has every key of a model bound, and recognises rows: by what tells an entity from others, or by
//! the shape of the key. With its plans it can be written as bytes ([`CompiledModel::to_bytes`]) or as text
//! ([`CompiledModel::to_text`]), and bound from them alone.

mod bytes;
mod field_languages;
mod format;
mod key;
mod key_template;
mod rows;
mod text;
mod time;

pub use bytes::BytesProblem;
pub use format::{FormatProblem, Shown, shard_names};
pub use key::{CompiledKey, KeyPart};
pub use key_template::{KeyTemplate, RenderProblem, SourcePath, render, render_parts};
pub use rows::{CompiledEntity, CompiledModel, Recognised, Spelling, StoredKey};
pub use time::{Instant, TimeProblem};

pub use format::apply;
