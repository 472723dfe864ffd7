//! The screens, one file each.

pub(crate) mod activity;
pub(crate) mod entities;
pub(crate) mod home;
pub(crate) mod items;
pub(crate) mod missing;
pub(crate) mod model;
pub(crate) mod palette;
pub(crate) mod patterns;
pub(crate) mod repositories;
