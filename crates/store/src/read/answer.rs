//! What an answer shows of rows.

use crate::operation::{AnyOperation, AnyOutput};
use crate::scope::Scope;

/// Leaves of each row what `only` of the pattern names. This is done when everything that is noted of a read is noted.
pub(crate) fn cut_down(
    scope: &Scope,
    operation: &AnyOperation,
    mut output: AnyOutput,
) -> AnyOutput {
    let (AnyOperation::Query(query), AnyOutput::Page(page)) = (operation, &mut output) else {
        return output;
    };
    let plan = scope.plans().pattern_named(&query.pattern);
    let Some(only) = plan
        .map(|plan| &plan.shape.only)
        .filter(|only| !only.is_empty())
    else {
        return output;
    };
    for row in &mut page.rows {
        let names: Vec<_> = row.values.iter().map(|(name, _)| name.clone()).collect();
        for name in names.iter().filter(|name| !only.contains(name)) {
            row.values.remove(name);
        }
    }
    output
}
