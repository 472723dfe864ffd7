//! Projections.

use crate::check::{check_projection, tree_of};
use crate::parser::parse_projection;
use crate::path_tree::PathTree;
use crate::tree::DocumentPath;
use crate::{ExpressionError, ExpressionKind, Placeholders};
use monotable_item::{EncodedItem, ItemView};

/// A parsed projection.
#[derive(Clone, Debug)]
pub struct Projection {
    paths: Vec<DocumentPath>,
    tree: PathTree<usize>,
}

impl Projection {
    /// Parses and checks a ProjectionExpression.
    pub fn parse(text: &str, placeholders: &mut Placeholders<'_>) -> Result<Self, ExpressionError> {
        parse_projection(text)
            .and_then(|syntax| check_projection(&syntax, placeholders))
            .map_err(|problem| problem.of(ExpressionKind::Projection))
            .and_then(Self::from_paths)
    }

    /// The projection on `paths`, of which no two may overlap or conflict.
    pub fn from_paths(paths: Vec<DocumentPath>) -> Result<Self, ExpressionError> {
        let tree = tree_of(&paths.iter().collect::<Vec<_>>())
            .map_err(|problem| problem.of(ExpressionKind::Projection))?;
        Ok(Self { paths, tree })
    }

    /// The parts of `item` that the paths lead to, each inside the maps and lists that it is in there.
    /// Lists shrink to the elements that were asked for.
    pub fn project(&self, item: ItemView<'_>) -> EncodedItem {
        self.tree.project(item)
    }

    /// The attributes that the projection reads, each once, by name.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.tree.attributes().keys().map(String::as_str)
    }

    /// The document paths, as written.
    pub fn paths(&self) -> &[DocumentPath] {
        &self.paths
    }
}
