//! Conditions and filters.

use crate::check::check_condition;
use crate::evaluate::is_true;
use crate::parser::parse_condition;
use crate::tree::{DocumentPath, Predicate};
use crate::{ExpressionError, ExpressionKind, Placeholders};
use monotable_item::ItemView;

/// A parsed condition or filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    predicate: Predicate,
}

impl Condition {
    /// Parses and checks a condition; `kind` is the parameter it came in.
    pub fn parse(
        kind: ExpressionKind,
        text: &str,
        placeholders: &mut Placeholders<'_>,
    ) -> Result<Self, ExpressionError> {
        parse_condition(kind, text)
            .and_then(|syntax| check_condition(&syntax, placeholders))
            .map(Self::from)
            .map_err(|problem| problem.of(kind))
    }

    /// Whether the condition is true of `item`. An item that does not exist is the empty item.
    pub fn matches(&self, item: ItemView<'_>) -> bool {
        is_true(&self.predicate, &|path: &DocumentPath| path.resolve(item))
    }

    /// The attributes that the condition reads, from left to right; one may come more than once.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.paths().into_iter().map(DocumentPath::attribute)
    }

    /// The document paths that the condition reads, from left to right.
    pub fn paths(&self) -> Vec<&DocumentPath> {
        let mut paths = Vec::new();
        self.predicate.for_each_path(&mut |path| paths.push(path));
        paths
    }

    /// What the condition says.
    pub const fn predicate(&self) -> &Predicate {
        &self.predicate
    }
}

impl From<Predicate> for Condition {
    fn from(predicate: Predicate) -> Self {
        Self { predicate }
    }
}
