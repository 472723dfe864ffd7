//! Projections.

use super::words::{check_words, resolve_path};
use crate::syntax::ProjectionSyntax;
use crate::tree::DocumentPath;
use crate::{Placeholders, Problem};

/// Checks the words of a projection and fills it in; its paths are yet to be compared.
pub(crate) fn check_projection(
    projection: &ProjectionSyntax<'_>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Vec<DocumentPath>, Problem> {
    check_words(&projection.syntax)?;
    projection
        .paths
        .iter()
        .map(|path| resolve_path(&projection.syntax, *path, placeholders))
        .collect()
}
