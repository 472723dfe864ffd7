//! The mechanisms, one file each. A new one is a file here and a line in `mechanism.rs`; where it makes no sense is a
//! line in `impossible.rs`.

pub(crate) mod archive;
pub(crate) mod audit;
pub(crate) mod checks;
pub(crate) mod claims;
pub(crate) mod collections;
pub(crate) mod counters;
pub(crate) mod derived;
pub(crate) mod each;
pub(crate) mod history;
pub(crate) mod keys;
pub(crate) mod numbers;
pub(crate) mod pairs;
pub(crate) mod paths;
pub(crate) mod references;
pub(crate) mod referrers;
pub(crate) mod relations;
pub(crate) mod singles;
pub(crate) mod times;
pub(crate) mod tombstones;
pub(crate) mod types;
pub(crate) mod values;
