//! What refers to what, as a drawing.
//!
//! A box is an entity; its lines are its references, each with what a delete of the other row does. Rows that
//! are referred to stand left of those that refer. References of one kind to one entity share a line, which
//! goes around boxes: between columns in lanes, through columns in places kept free for it.

mod component;
mod draw;
mod graph;
mod order;
mod packing;
mod route;
mod text_width;

pub(crate) use draw::linked_svg;
pub use draw::relations_svg;

#[cfg(test)]
pub(crate) use packing::{Frame, frames};
