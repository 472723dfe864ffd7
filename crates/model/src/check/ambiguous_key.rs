//! M007: two different sets of values with the same key.
//!
//! Of the primary key, partition and sort key together must tell the values. Of every partition key alone too:
//! a query by it would return the rows of other values.

use super::subject::{RowKind, RowShape, shown_key};
use super::{Report, Subject, witness};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::language::{Clash, Pattern, Verdict, ambiguity, ambiguity_of_pair};
use crate::model::KeyPlace;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for row in &subject.rows {
        let written = matches!(row.kind, RowKind::Main | RowKind::Guard(_));
        if !written || row.key.implied {
            continue;
        }
        if row.place == KeyPlace::Primary {
            let verdict = ambiguity_of_pair(&row.patterns);
            if !verdict.is_proven() {
                judge(subject, row, verdict, "the primary key", report);
                continue;
            }
        }
        // A guard is never asked for by its partition alone.
        if let (RowKind::Main, Some(hash)) = (row.kind, row.patterns.first()) {
            judge(subject, row, single(hash), "the partition key", report);
        }
    }
}

fn single(hash: &Pattern) -> Verdict<Clash> {
    ambiguity(hash)
}

fn judge(
    subject: &Subject<'_>,
    row: &RowShape<'_>,
    verdict: Verdict<Clash>,
    what: &str,
    report: &mut Report,
) {
    let name = subject.name(row);
    let help = "keep the delimiter out of the values before it: `without = #`, or a pattern with `matches`";
    let unproven = |reason: &str| {
        let message =
            format!("it is not proven that {what} of {name} tells its values apart: {reason}");
        Diagnostic::new(Code::AmbiguousKey, subject.span(row), message)
            .severity(Severity::Warning)
            .help(help)
    };
    match verdict {
        Verdict::Proven => {}
        Verdict::NotProven(reason) => report.entity(row.entity, unproven(&reason)),
        Verdict::Refuted(clash) => {
            // Of the partition key alone only its own fields have values.
            let texts = clash.texts.clone();
            let values = |assignment| named(row, assignment);
            let message = format!(
                "two different sets of values have the same {}: {what} of {name} is ambiguous",
                what.trim_start_matches("the ")
            );
            let diagnostic = Diagnostic::new(Code::AmbiguousKey, subject.span(row), message)
                .example("one", values(&clash.left))
                .example("other", values(&clash.right))
                .example("both", shown_key(&texts))
                .help(help);
            let real = renders(subject, row, &clash);
            report.entity(
                row.entity,
                if real {
                    diagnostic
                } else {
                    unproven("no values were found that show it")
                },
            );
        }
    }
}

/// Whether both sets of values can really be had.
fn renders(subject: &Subject<'_>, row: &RowShape<'_>, clash: &Clash) -> bool {
    let whole = clash.texts.len() == row.patterns.len();
    match whole {
        true => [&clash.left, &clash.right]
            .into_iter()
            .all(|assignment| witness::row(row, assignment, &subject.vocabulary).is_some()),
        // The sort key's values are free, so any will do.
        false => true,
    }
}

fn named(row: &RowShape<'_>, assignment: &crate::language::Assignment) -> String {
    let values: Vec<_> = assignment
        .iter()
        .filter_map(|(variable, value)| {
            Some(format!("{} = \"{value}\"", row.variables.name(*variable)?))
        })
        .collect();
    values.join(", ")
}
