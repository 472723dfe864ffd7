//! What can be wrong with a history.

use std::fmt;

/// One thing that no serializable store does.
#[derive(Clone, Debug)]
pub struct Anomaly {
    /// What it is.
    pub kind: AnomalyKind,
    /// The operations that show it, for people.
    pub evidence: String,
}

/// The kinds of anomalies, those of Adya's theory by their names there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnomalyKind {
    /// A history in which a value is appended twice proves nothing.
    Malformed,
    /// A value was seen that nobody appended.
    PhantomValue,
    /// A value is in a list twice.
    DuplicatedAppend,
    /// G1a: a value was seen whose operation was refused.
    AbortedRead,
    /// G1b: a part of the values was seen that one operation appended to one list.
    IntermediateRead,
    /// Two reads of a list of which neither begins with the other.
    IncompatibleOrder,
    /// An acknowledged value that no later read has.
    LostAppend,
    /// G0: operations that wrote after each other, in a circle.
    DirtyWrite,
    /// G1c: a circle of writes and reads of them.
    CircularInformation,
    /// G-single: a circle with one read of what was replaced, such as a read skew.
    ReadSkew,
    /// G2: a circle with several reads of what was replaced, such as a write skew.
    WriteSkew,
    /// A circle that exists because an operation began after another had ended: a read of what was replaced long ago.
    StaleRead,
}

impl AnomalyKind {
    /// Its short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed history",
            Self::PhantomValue => "phantom value",
            Self::DuplicatedAppend => "duplicated append",
            Self::AbortedRead => "G1a, aborted read",
            Self::IntermediateRead => "G1b, intermediate read",
            Self::IncompatibleOrder => "incompatible order",
            Self::LostAppend => "lost append",
            Self::DirtyWrite => "G0, dirty write",
            Self::CircularInformation => "G1c, circular information flow",
            Self::ReadSkew => "G-single, read skew",
            Self::WriteSkew => "G2, anti-dependency cycle",
            Self::StaleRead => "stale read in real time",
        }
    }
}

impl fmt::Display for Anomaly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.evidence)
    }
}
