//! M007: two different sets of values with the same key.
//!
//! Of the primary key, partition and sort key together must tell the values. Of every partition key alone too:
//! a query by it would return the rows of other values.

use super::subject::{RowKind, RowShape, shown_key};
use super::{Report, Subject, witness};
use monotable_language::{Assignment, Clash, Verdict, ambiguity_of_pair};
use monotable_model::diagnostic::{Code, Diagnostic, Severity};
use monotable_model::model::KeyPlace;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for row in &subject.rows {
        let written = matches!(row.kind, RowKind::Main | RowKind::Guard(_));
        if !written || row.key.implied {
            continue;
        }
        if row.place == KeyPlace::Primary {
            let verdict = ambiguity_of_pair(&row.patterns);
            if !verdict.is_proven() {
                judge(subject, row, verdict, Part::Whole, report);
                continue;
            }
        }
        // A guard is never asked for by its partition alone.
        if row.kind == RowKind::Main {
            let verdict = ambiguity_of_pair(row.partition());
            judge(subject, row, verdict, Part::Partition, report);
        }
    }
}

/// What of a key is ambiguous.
#[derive(Clone, Copy)]
enum Part {
    Whole,
    Partition,
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Self::Whole => "primary key",
            Self::Partition => "partition key",
        }
    }

    /// The values of one reading, if a row can have them.
    fn values(
        self,
        subject: &Subject<'_>,
        row: &RowShape<'_>,
        assignment: &Assignment,
    ) -> Option<String> {
        let values = match self {
            Self::Whole => witness::row(row, assignment, &subject.vocabulary),
            Self::Partition => witness::partition(row, assignment, &subject.vocabulary),
        };
        values.map(|values| witness::shown(&values))
    }
}

fn judge(
    subject: &Subject<'_>,
    row: &RowShape<'_>,
    verdict: Verdict<Clash>,
    part: Part,
    report: &mut Report,
) {
    let (what, name) = (part.name(), subject.name(row));
    let help = "keep the delimiter out of the values before it: `without = #`, or a pattern with `matches`";
    let unproven = |reason: &str| {
        let message =
            format!("it is not proven that the {what} of {name} tells its values apart: {reason}");
        Diagnostic::new(Code::AmbiguousKey, subject.span(row), message)
            .severity(Severity::Warning)
            .help(help)
    };
    let diagnostic = match verdict {
        Verdict::Proven => return,
        Verdict::NotProven(reason) => unproven(&reason),
        Verdict::Refuted(clash) => {
            let one = part.values(subject, row, &clash.left);
            let other = part.values(subject, row, &clash.right);
            match one.zip(other) {
                Some((one, other)) => {
                    let message = format!(
                        "two different sets of values have the same {what}: that of {name} is ambiguous"
                    );
                    Diagnostic::new(Code::AmbiguousKey, subject.span(row), message)
                        .example("one", one)
                        .example("other", other)
                        .example("both", shown_key(&clash.texts))
                        .help(help)
                }
                None => unproven("no values were found that show it"),
            }
        }
    };
    report.entity(row.entity, diagnostic);
}
