//! M023: declarations that no mechanism carries out.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{EntityId, Model, Move, MoveKind};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let model = subject.model;
    for declared in &model.moves {
        check_removes(model, declared, report);
    }
}

/// What a move removes is found by the path that made it, and made again by it on the way back.
fn check_removes(model: &Model, declared: &Move, report: &mut Report) {
    let MoveKind::To { removes, .. } = &declared.kind else {
        return;
    };
    let is_leaf = |removed: EntityId| {
        let mut paths = model.paths.iter();
        paths.any(|path| path.leaf == removed && path.of == declared.of)
    };
    for removed in removes.iter().filter(|removed| !is_leaf(**removed)) {
        let name = &model.entity(*removed).name.value;
        let message = format!(
            "`{}` removes `{name}`, and nothing finds its rows: they are no leaves of a path of `{}`",
            declared.name.value,
            model.entity(declared.of).name.value
        );
        let diagnostic = Diagnostic::new(Code::NotCarriedOut, declared.span, message);
        report.model(
            diagnostic.help("let the rows go along: `owns` of the entity, and `rest` of the move"),
        );
    }
}
