//! The pieces that screens are made of.

pub(crate) mod changes;
pub(crate) mod copy_as;
pub(crate) mod form;
pub(crate) mod frame;
pub(crate) mod grid;
pub(crate) mod icon;
pub(crate) mod json;
pub(crate) mod key;
pub(crate) mod mark;
pub(crate) mod note;
pub(crate) mod prose;
pub(crate) mod requests;
pub(crate) mod sentence;
pub(crate) mod signin;
