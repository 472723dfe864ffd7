//! M014: two entities with the same primary key: one overwrites the other.

use super::subject::{RowKind, RowShape, shown_key};
use super::{Report, Subject, witness};
use monotable_language::{Clash, Verdict, meet};
use monotable_model::diagnostic::{Code, Diagnostic, Severity};
use monotable_model::model::KeyPlace;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let primary: Vec<_> = subject
        .rows
        .iter()
        .filter(|row| row.place == KeyPlace::Primary)
        .collect();
    for (position, left) in primary.iter().enumerate() {
        for right in primary.iter().skip(position + 1) {
            if left.table == right.table && may_not_meet(left, right) {
                compare(subject, left, right, report);
            }
        }
    }
}

/// Layouts of one entity are the same rows; guards of one are other rows.
fn may_not_meet(left: &RowShape<'_>, right: &RowShape<'_>) -> bool {
    let guard = |row: &RowShape<'_>| matches!(row.kind, RowKind::Guard(_));
    left.entity != right.entity || guard(left) || guard(right)
}

fn compare(subject: &Subject<'_>, left: &RowShape<'_>, right: &RowShape<'_>, report: &mut Report) {
    let (one, other) = (subject.name(left), subject.name(right));
    let unproven = |reason: &str| {
        let message =
            format!("it is not proven that {one} and {other} never have the same key: {reason}");
        Diagnostic::new(Code::SameKey, subject.span(right), message)
            .severity(Severity::Warning)
            .label(subject.span(left), format!("the key of {one}"))
    };
    match meet(&left.patterns, &right.patterns) {
        Verdict::Proven => {}
        Verdict::NotProven(reason) => report.entity(right.entity, unproven(&reason)),
        Verdict::Refuted(clash) => {
            let diagnostic = collision(subject, left, right, &clash);
            report.entity(
                right.entity,
                diagnostic.unwrap_or_else(|| unproven("no rows were found that show it")),
            );
        }
    }
}

fn collision(
    subject: &Subject<'_>,
    left: &RowShape<'_>,
    right: &RowShape<'_>,
    clash: &Clash,
) -> Option<Diagnostic> {
    let (one, other) = (subject.name(left), subject.name(right));
    let left_values = witness::row(left, &clash.left, &subject.vocabulary)?;
    let right_values = witness::row(right, &clash.right, &subject.vocabulary)?;
    let message = format!("{one} and {other} can have the same primary key");
    Some(
        Diagnostic::new(Code::SameKey, subject.span(right), message)
            .label(subject.span(left), format!("the key of {one}"))
            .example("key", shown_key(&clash.texts))
            .example(one, witness::shown(&left_values))
            .example(other, witness::shown(&right_values))
            .help("give one of them a prefix of its own, or keep the delimiter out of its values"),
    )
}
