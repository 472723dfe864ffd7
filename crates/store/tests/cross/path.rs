//! Every way in which things come, change and go: what is there before, what is done, and what gives the same rows in
//! an empty store.

use crate::case::Case;
use crate::design::{Design, Role};
use crate::mechanism::State;
use crate::paths as all;
use monotable_item::Item;
use monotable_store::AnyOperation;

/// One call, or something else that is done to a store.
#[derive(Clone)]
pub(crate) enum Step {
    Call(AnyOperation),
    /// A call with a token.
    Token(AnyOperation, &'static str),
    /// The first revision made the newest again.
    Revert,
    /// All items written to a backup, and loaded into an empty store.
    Reload,
    /// Rows of old layouts written as the model writes them.
    Convert,
    /// What something else does to the raw items.
    Damage(Vec<fn(&mut Vec<Item>)>),
    /// Rows that something else has written taken over.
    Adopt,
}

/// A way.
pub(crate) struct Path {
    pub(crate) name: &'static str,
    /// What things are on this way.
    pub(crate) role: Role,
    /// Declared before the mechanisms.
    pub(crate) declare: fn(&mut Design),
    /// Declared after them.
    pub(crate) complete: fn(&mut Design),
    pub(crate) begin: fn(&Case) -> Vec<Step>,
    pub(crate) act: fn(&Case) -> Vec<Step>,
    pub(crate) same: fn(&Case) -> Vec<Step>,
    /// The things that are alive in the end.
    pub(crate) standing: &'static [(u32, State)],
    /// How many old things an archive keeps of what is done, if that is decided.
    pub(crate) versions: Option<usize>,
    /// How often an audit of things notes what is done.
    pub(crate) notes: Option<usize>,
    /// How many things there are, if they are many.
    pub(crate) things: u32,
    /// The layout that is written before the way begins.
    pub(crate) layout: Option<&'static str>,
}

impl Path {
    /// A way on which nothing happens.
    pub(crate) const NONE: Self = Self {
        name: "",
        role: Role::Row,
        declare: |_| {},
        complete: |_| {},
        begin: |_| Vec::new(),
        act: |_| Vec::new(),
        same: |_| Vec::new(),
        standing: &[],
        versions: None,
        notes: None,
        things: 0,
        layout: None,
    };
}

/// Calls, one after the other.
pub(crate) fn calls(operations: impl IntoIterator<Item = AnyOperation>) -> Vec<Step> {
    operations.into_iter().map(Step::Call).collect()
}

/// Shelves and other surroundings, and then things with what belongs to them.
pub(crate) fn scene(case: &Case, things: &[(u32, State)]) -> Vec<Step> {
    let mut operations = case.surroundings(&["s1", "s2"]);
    for (thing, state) in things {
        operations.extend(case.arrive(*thing, *state));
    }
    calls(operations)
}

/// All of them.
pub(crate) const PATHS: &[&Path] = &[
    &all::rows::CREATE,
    &all::rows::PUT_NEW,
    &all::rows::PUT,
    &all::rows::UPDATE,
    &all::rows::UNSET,
    &all::rows::EACH,
    &all::rows::DELETE,
    &all::rows::CASCADE,
    &all::rows::LARGE_CASCADE,
    &all::rows::CLEAR,
    &all::rows::TRANSACT,
    &all::rows::TOKEN,
    &all::rows::TOKEN_DELETE,
    &all::moves::MOVE,
    &all::moves::LARGE_MOVE,
    &all::moves::REKEY,
    &all::moves::SOFT_DELETE,
    &all::moves::RESTORE,
    &all::moves::PURGE,
    &all::links::ATTACH,
    &all::links::DETACH,
    &all::origins::DERIVED_CHANGE,
    &all::origins::DERIVED_LOSS,
    &all::origins::PATH_CHANGE,
    &all::origins::PATH_LOSS,
    &all::snapshots::COMMIT,
    &all::snapshots::REVERT,
    &all::snapshots::CARRY,
    &all::whole::LOAD,
    &all::whole::CONVERT,
    &all::whole::ADOPT,
    &all::whole::REPAIR,
];
