//! Which mechanism a change goes through, by its cause: one exhaustive table, with a reason for everything that is skipped.

use super::Cause;

/// The mechanisms, in the order in which a change goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MechanismId {
    Numbers,
    Times,
    Values,
    Collections,
    Keys,
    Claims,
    Relations,
    References,
    Checks,
    Counters,
    Derived,
    Paths,
    Archive,
    Audit,
}

impl MechanismId {
    pub(crate) const ALL: [Self; 14] = [
        Self::Numbers,
        Self::Times,
        Self::Values,
        Self::Collections,
        Self::Keys,
        Self::Claims,
        Self::Relations,
        Self::References,
        Self::Checks,
        Self::Counters,
        Self::Derived,
        Self::Paths,
        Self::Archive,
        Self::Audit,
    ];
}

/// The causes, without what they say of one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CauseKind {
    Caller,
    Cascade,
    Rekeyed,
    Carried,
    MovedAway,
    MovedBack,
    Purged,
    Mirrored,
    Derived,
    Path,
    Noted,
    Committed,
    Snapshot,
}

impl CauseKind {
    pub(crate) const fn of(cause: &Cause) -> Self {
        use super::Direction;
        match cause {
            Cause::Caller(_) => Self::Caller,
            Cause::Cascade(_) => Self::Cascade,
            Cause::Rekeyed(_) => Self::Rekeyed,
            Cause::Carried(_) => Self::Carried,
            Cause::Moved(Direction::Away) => Self::MovedAway,
            Cause::Moved(Direction::Back) => Self::MovedBack,
            Cause::Moved(Direction::Purge) => Self::Purged,
            Cause::Mirrored => Self::Mirrored,
            Cause::Derived => Self::Derived,
            Cause::Path => Self::Path,
            Cause::Noted => Self::Noted,
            Cause::Committed => Self::Committed,
            Cause::Snapshot => Self::Snapshot,
        }
    }
}

/// What a mechanism does for a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    Applied,
    /// By the nature of the cause there is nothing to do.
    Nothing,
    Skipped(Reason),
}

/// Why a mechanism leaves a change alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A row about another row is filled in and never refused, or a write would fail because of its own note. What it
    /// names may be gone.
    Note,
    /// One operation is noted once, for the row that the caller named; the log row of a revision is its note.
    NotedOnce,
    /// A row in the bin keeps its unique values and its number, and is kept itself: it can be taken back.
    KeptInTheBin,
    /// The rows of a snapshot are held against each other before anything is written, and written in batches; what makes
    /// them known is the log row.
    Snapshot,
    /// It follows from a row that was asked and kept.
    Follows,
}

/// What a mechanism does for changes of a cause.
pub(crate) const fn treatment(mechanism: MechanismId, cause: CauseKind) -> Treatment {
    use CauseKind as C;
    use MechanismId as M;
    use Reason::{Follows, KeptInTheBin, Note, NotedOnce, Snapshot};
    use Treatment::{Applied, Nothing, Skipped};
    match (mechanism, cause) {
        (M::Numbers, C::Caller | C::Cascade | C::Rekeyed | C::Carried | C::Derived | C::Path) => {
            Applied
        }
        (M::Numbers, C::MovedAway | C::MovedBack) => Skipped(KeptInTheBin),
        (M::Numbers, C::Purged | C::Mirrored | C::Committed) => Nothing,
        (M::Numbers, C::Noted) => Skipped(Note),
        (M::Numbers, C::Snapshot) => Skipped(Snapshot),

        (M::Times, C::Caller | C::Derived | C::Path | C::Noted) => Applied,
        (
            M::Times,
            C::Cascade | C::Rekeyed | C::Carried | C::MovedAway | C::MovedBack | C::Purged,
        ) => Nothing,
        (M::Times, C::Mirrored | C::Committed) => Nothing,
        (M::Times, C::Snapshot) => Skipped(Snapshot),

        (M::Values, C::Caller | C::Rekeyed | C::Carried | C::MovedBack) => Applied,
        (M::Values, C::Cascade | C::MovedAway | C::Purged | C::Mirrored) => Nothing,
        (M::Values, C::Derived | C::Path | C::Committed) => Skipped(Follows),
        (M::Values, C::Noted) => Skipped(Note),
        (M::Values, C::Snapshot) => Skipped(Snapshot),

        (M::Collections, C::Caller | C::Cascade | C::Mirrored) => Applied,
        (M::Collections, C::Rekeyed | C::Carried | C::MovedAway | C::MovedBack | C::Purged) => {
            Nothing
        }
        (M::Collections, C::Derived | C::Path | C::Noted | C::Committed) => Nothing,
        (M::Collections, C::Snapshot) => Skipped(Snapshot),

        (
            M::Keys,
            C::Caller | C::Cascade | C::Rekeyed | C::Carried | C::MovedAway | C::MovedBack,
        ) => Applied,
        (M::Keys, C::Purged | C::Mirrored | C::Derived | C::Path | C::Noted) => Applied,
        (M::Keys, C::Committed) => Applied,
        (M::Keys, C::Snapshot) => Skipped(Snapshot),

        (M::Claims, C::Caller | C::Cascade | C::Rekeyed | C::Carried | C::Mirrored) => Applied,
        (M::Claims, C::Purged | C::Derived | C::Path | C::Noted | C::Committed) => Applied,
        (M::Claims, C::MovedAway | C::MovedBack) => Skipped(KeptInTheBin),
        (M::Claims, C::Snapshot) => Skipped(Snapshot),

        (
            M::Relations,
            C::Caller | C::Cascade | C::Rekeyed | C::Carried | C::MovedBack | C::Derived,
        ) => Applied,
        (M::Relations, C::Path) => Applied,
        (M::Relations, C::MovedAway | C::Purged | C::Committed) => Nothing,
        (M::Relations, C::Mirrored) => Skipped(Follows),
        (M::Relations, C::Noted) => Skipped(Note),
        (M::Relations, C::Snapshot) => Skipped(Snapshot),

        (M::References, C::Caller | C::Rekeyed | C::Carried | C::MovedBack | C::Derived) => Applied,
        (M::References, C::Path | C::Snapshot) => Applied,
        (M::References, C::Cascade | C::MovedAway | C::Purged | C::Committed) => Nothing,
        (M::References, C::Mirrored) => Skipped(Follows),
        (M::References, C::Noted) => Skipped(Note),

        (
            M::Checks,
            C::Caller | C::Cascade | C::Rekeyed | C::Carried | C::MovedAway | C::MovedBack,
        ) => Applied,
        (M::Checks, C::Purged | C::Committed) => Nothing,
        (M::Checks, C::Mirrored | C::Derived | C::Path) => Skipped(Follows),
        (M::Checks, C::Noted) => Skipped(Note),
        (M::Checks, C::Snapshot) => Skipped(Snapshot),

        (
            M::Counters,
            C::Caller | C::Cascade | C::Rekeyed | C::Carried | C::MovedAway | C::MovedBack,
        ) => Applied,
        (M::Counters, C::Mirrored | C::Derived | C::Path | C::Noted | C::Committed) => Applied,
        (M::Counters, C::Purged) => Applied,
        (M::Counters, C::Snapshot) => Skipped(Snapshot),

        (
            M::Derived,
            C::Caller | C::Cascade | C::Rekeyed | C::Carried | C::MovedAway | C::MovedBack,
        ) => Applied,
        (M::Derived, C::Purged | C::Mirrored | C::Derived | C::Path | C::Noted) => Applied,
        (M::Derived, C::Committed) => Applied,
        (M::Derived, C::Snapshot) => Skipped(Snapshot),

        (
            M::Paths,
            C::Caller | C::Cascade | C::Rekeyed | C::Carried | C::MovedAway | C::MovedBack,
        ) => Applied,
        (M::Paths, C::Derived | C::Mirrored) => Applied,
        (M::Paths, C::Purged | C::Path | C::Noted | C::Committed) => Nothing,
        (M::Paths, C::Snapshot) => Skipped(Snapshot),

        (M::Archive, C::Caller | C::Cascade | C::Rekeyed | C::Carried) => Applied,
        (M::Archive, C::MovedAway | C::MovedBack) => Skipped(KeptInTheBin),
        (M::Archive, C::Purged | C::Committed) => Nothing,
        (M::Archive, C::Mirrored | C::Derived | C::Path) => Skipped(Follows),
        (M::Archive, C::Noted) => Skipped(Note),
        (M::Archive, C::Snapshot) => Skipped(Snapshot),

        (M::Audit, C::Caller | C::MovedAway | C::MovedBack | C::Purged) => Applied,
        (M::Audit, C::Rekeyed) => Applied,
        (M::Audit, C::Carried | C::Cascade | C::Mirrored | C::Derived | C::Path) => {
            Skipped(NotedOnce)
        }
        (M::Audit, C::Noted | C::Committed | C::Snapshot) => Skipped(NotedOnce),
    }
}
