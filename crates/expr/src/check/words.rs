//! Names, indexes and sizes: rules on single words of an expression.

use crate::mark::Mark;
use crate::reserved::is_reserved;
use crate::syntax::{PathSyntax, Step, Syntax};
use crate::tree::{DocumentPath, PathStep};
use crate::{Placeholders, Problem};
use monotable_item::limits::{MAX_EXPRESSION_OPERATORS, MAX_NESTING};

/// No attribute may be a reserved word, no index above what Java's `int` holds.
pub(super) fn check_words(syntax: &Syntax<'_>) -> Result<(), Problem> {
    for step in syntax.all_steps() {
        match step {
            Step::Word(word) if is_reserved(word) => {
                return Err(Problem::ReservedWord {
                    word: (*word).to_owned(),
                });
            }
            Step::Index(digits) => {
                index(digits)?;
            }
            Step::Word(_) | Step::Name(_) => {}
        }
    }
    Ok(())
}

/// AWS stops counting at the first operator too many.
pub(crate) fn check_operator_count<M: Mark>(syntax: &Syntax<'_, M>) -> Result<(), Problem> {
    if syntax.operator_count() > MAX_EXPRESSION_OPERATORS {
        return Err(Problem::TooManyOperators {
            count: MAX_EXPRESSION_OPERATORS + 1,
        });
    }
    Ok(())
}

/// The path with its `#names` filled in.
pub(super) fn resolve_path(
    syntax: &Syntax<'_>,
    path: PathSyntax,
    placeholders: &mut Placeholders<'_>,
) -> Result<DocumentPath, Problem> {
    let steps = syntax.steps_of(path);
    let mut resolved: Option<DocumentPath> = None;
    for step in steps {
        let step = resolve_step(step, placeholders)?;
        resolved = Some(match (resolved, step) {
            (Some(path), step) => path.with(step),
            (None, PathStep::Name(name)) => DocumentPath::new(name),
            // INVARIANT: the parser starts every path with a name.
            (None, PathStep::Index(_)) => return Err(Problem::Empty),
        });
    }
    if steps.len() > MAX_NESTING {
        return Err(Problem::PathTooDeep {
            levels: steps.len(),
        });
    }
    resolved.ok_or(Problem::Empty)
}

fn resolve_step(step: &Step<'_>, placeholders: &mut Placeholders<'_>) -> Result<PathStep, Problem> {
    match step {
        Step::Word(word) => Ok(PathStep::Name((*word).to_owned())),
        Step::Index(digits) => index(digits).map(PathStep::Index),
        Step::Name(key) => match placeholders.name(key) {
            Some(name) => Ok(PathStep::Name(name.to_owned())),
            None => Err(Problem::UndefinedName {
                key: (*key).to_owned(),
            }),
        },
    }
}

pub(crate) fn index(digits: &str) -> Result<usize, Problem> {
    let out_of_range = || Problem::ListIndex {
        index: digits.to_owned(),
    };
    let index: i32 = digits.parse().map_err(|_| out_of_range())?;
    usize::try_from(index).map_err(|_| out_of_range())
}
