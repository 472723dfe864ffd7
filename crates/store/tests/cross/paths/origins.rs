//! Things that follow from other rows: derived ones, and leaves of paths.

use crate::design::Role;
use crate::mechanism::State::{First, Second};
use crate::path::{Path, calls, scene};

/// What things are derived from changes.
pub(crate) const DERIVED_CHANGE: Path = Path {
    name: "derived change",
    role: Role::Derived,
    begin: |case| scene(case, &[(1, First), (2, Second)]),
    act: |case| calls([case.update(1, First, Second)]),
    same: |case| scene(case, &[(1, Second), (2, Second)]),
    standing: &[(1, Second), (2, Second)],
    notes: Some(0),
    ..Path::NONE
};

/// What things are derived from goes.
pub(crate) const DERIVED_LOSS: Path = Path {
    name: "derived loss",
    act: |case| calls([case.delete(1)]),
    same: |case| scene(case, &[(2, Second)]),
    standing: &[(2, Second)],
    ..DERIVED_CHANGE
};

/// A path changes, and with it the thing that is its leaf.
pub(crate) const PATH_CHANGE: Path = Path {
    name: "path change",
    role: Role::Leaf,
    ..DERIVED_CHANGE
};

/// A row with a path goes, and with it the thing that is its leaf.
pub(crate) const PATH_LOSS: Path = Path {
    name: "path loss",
    role: Role::Leaf,
    ..DERIVED_LOSS
};
