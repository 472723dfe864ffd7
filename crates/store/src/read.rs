//! Reads: rows by key and access patterns.

mod afterwards;
mod answer;
mod buried_ends;
mod by_instant;
mod composite;
mod cursor;
mod fan_out;
mod fetch;
mod follow;
mod get;
mod omitted;
mod overlay;
mod pointer;
mod query;
mod resolve;
mod shown;
mod tenancy;
mod visible;
mod walk;

pub(crate) use answer::cut_down;
pub(crate) use cursor::{Position, Question};
pub(crate) use get::{Sight, get, look};
pub(crate) use omitted::Omitted;
pub(crate) use overlay::{Overlay, whole_over};
pub(crate) use query::{PatternQuery, query, read_all};
pub(crate) use shown::keep_shown;
pub(crate) use tenancy::belonging::{is_row_unsaid as is_unsaid, owners_of_row};
pub(crate) use tenancy::row_tenant::{RowTenant, tenant_of_row};
pub(crate) use visible::{has_expired, has_tombstone, see_alive, see_rows};

use crate::record::StoredRow;
