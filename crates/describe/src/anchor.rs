//! The names of places on the page.

/// A kind of thing with a place on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Table,
    Entity,
    Claim,
    Pattern,
    Repository,
    Derive,
    Check,
    Grant,
    Move,
    Path,
    Carry,
    Audit,
    Archive,
    PatternsOf,
}

impl Place {
    const fn word(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Entity => "entity",
            Self::Claim => "claim",
            Self::Pattern => "access",
            Self::Repository => "repository",
            Self::Derive => "derive",
            Self::Check => "check",
            Self::Grant => "grant",
            Self::Move => "move",
            Self::Path => "path",
            Self::Carry => "carry",
            Self::Audit => "audit",
            Self::Archive => "archive",
            Self::PatternsOf => "patterns-of",
        }
    }
}

/// The anchor of a thing. Names in a model are words, but nothing else may break out of an attribute.
pub(crate) fn anchor(place: Place, name: &str) -> String {
    let sound = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '.';
    let name: String = name
        .chars()
        .map(|c| if sound(c) { c } else { '-' })
        .collect();
    format!("{}-{name}", place.word())
}
