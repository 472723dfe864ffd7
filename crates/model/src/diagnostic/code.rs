//! The codes of diagnostics: rules with a name that a model can accept, and errors in its text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Usable, but likely a mistake, or not proven.
    Warning,
    /// The model cannot be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $id:literal, $name:literal, $severity:ident;)+) => {
        /// Which rule a diagnostic is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Code {
            /// Every code, by number.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// `M014`.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            /// `same_key`: what `accept` calls it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// How bad it usually is.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }

            /// What the rule says.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

codes! {
    /// A pattern can meet entities that it does not say it returns, or can never meet one that it does.
    StrangerInQuery = "M001", "stranger_in_query", Error;
    /// A key condition stops inside an identifier, so that `n1` also finds `n10`.
    OpenPrefix = "M002", "open_prefix", Error;
    /// A value is used as if it were unique, but neither a primary key nor a guard makes it so.
    UnguardedClaim = "M003", "unguarded_claim", Warning;
    /// An entity has one key attribute of an index, but can never have the other.
    NeverInIndex = "M004", "never_in_index", Warning;
    /// A number in a sort key without padding: 10 sorts before 9.
    UnpaddedNumber = "M005", "unpadded_number", Warning;
    /// A time ends the primary sort key: two writes in one tick are one row.
    TimeTie = "M006", "time_tie", Warning;
    /// Two different sets of values render the same key.
    AmbiguousKey = "M007", "ambiguous_key", Error;
    /// An attribute in the primary key may change, and no move is declared.
    MutableKey = "M008", "mutable_key", Error;
    /// All rows of an entity with many share one or a few partitions.
    HotPartition = "M009", "hot_partition", Error;
    /// A partition key without the tenant's prefix, in an entity that belongs to tenants.
    MissingTenant = "M010", "missing_tenant", Warning;
    /// Rows that a move, a delete or an expiry leaves behind.
    LeftBehind = "M011", "left_behind", Warning;
    /// An index, which lags behind, decides what must be certain.
    IndexDecides = "M012", "index_decides", Warning;
    /// A secret in a key, or copied to an index.
    ExposedSecret = "M013", "exposed_secret", Warning;
    /// Two entities can have the same primary key.
    SameKey = "M014", "same_key", Error;
    /// A key can be empty, which DynamoDB refuses.
    EmptyKey = "M015", "empty_key", Error;
    /// A generated value in the key of a row that is to be replaced.
    GeneratedKey = "M016", "generated_key", Warning;
    /// A key longer than DynamoDB allows.
    LongKey = "M017", "long_key", Warning;
    /// A write that cannot fit one transaction of 100 actions.
    LargeTransaction = "M018", "large_transaction", Warning;
    /// What a delete is to do to referring rows, but no key leads to them.
    NoPath = "M019", "no_path", Error;
    /// A partition key outside what the isolation rule allows.
    OutsideIsolation = "M020", "outside_isolation", Error;
    /// A required attribute that nobody can set: rows of its entity can never be created.
    NeverSet = "M021", "never_set", Error;
    /// The name of a table, an index or an attribute that DynamoDB refuses.
    RefusedName = "M022", "refused_name", Error;
    /// A declaration that no mechanism carries out.
    NotCarriedOut = "M023", "not_carried_out", Error;

    /// The text is not TOML.
    BadToml = "M100", "bad_toml", Error;
    /// A key that means nothing here.
    UnknownKey = "M101", "unknown_key", Error;
    /// A value of the wrong kind.
    WrongKind = "M102", "wrong_kind", Error;
    /// A key that must be there is not.
    MissingKey = "M103", "missing_key", Error;
    /// A name that nothing has.
    UnknownName = "M104", "unknown_name", Error;
    /// A template that cannot be read.
    BadTemplate = "M105", "bad_template", Error;
    /// An attribute that cannot be read.
    BadAttribute = "M106", "bad_attribute", Error;
    /// A predicate that cannot be read, or compares what cannot be compared.
    BadPredicate = "M107", "bad_predicate", Error;
    /// Things that refer to each other in a circle.
    Cycle = "M108", "cycle", Error;
    /// Two things that exclude each other.
    Contradiction = "M109", "contradiction", Error;
    /// An accepted finding that is not found.
    UnusedAccept = "M110", "unused_accept", Error;
    /// A version of the language that this release does not know.
    UnknownVersion = "M111", "unknown_version", Error;
    /// A model that is too large.
    TooLarge = "M112", "too_large", Error;
    /// A partition key that begins with `monotable#`, as those of the store's own items do.
    ReservedKey = "M113", "reserved_key", Error;
}

impl Code {
    /// Whether a model may accept it, with a reason.
    #[must_use]
    pub fn is_acceptable(self) -> bool {
        self < Self::BadToml
    }

    /// The rule of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_and_names_are_unique() {
        let ids: BTreeSet<_> = Code::ALL.iter().map(|code| code.id()).collect();
        let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(ids.len(), Code::ALL.len());
        assert_eq!(names.len(), Code::ALL.len());
        assert_eq!(Code::named("same_key"), Some(Code::SameKey));
        assert!(Code::SameKey.is_acceptable() && !Code::UnknownKey.is_acceptable());
    }
}
