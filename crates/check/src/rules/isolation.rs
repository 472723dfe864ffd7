//! M020: every partition belongs to exactly one principal.

use super::subject::RowKind;
use super::{Report, Subject, witness};
use monotable_language::{Clash, Language, Pattern, Verdict, ambiguity, is_subset, meet, parse};
use monotable_model::diagnostic::{Code, Diagnostic, Severity};
use monotable_model::model::{Isolation, Mode, Part, Template};
use monotable_model::shape::{Variables, field_language};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let Some(isolation) = &subject.model.isolation else {
        return;
    };
    let mut variables = Variables::default();
    let allowed: Vec<Pattern> = isolation
        .partitions
        .iter()
        .map(|template| partition(subject, template, &mut variables))
        .collect();
    outside(subject, &allowed, report);
    shared(isolation, &allowed, report);
}

/// An allowed partition as a pattern of what is known of the principal.
fn partition(subject: &Subject<'_>, template: &Template, variables: &mut Variables) -> Pattern {
    let mut shown = Pattern::default();
    for part in &template.parts {
        shown = match part {
            Part::Literal(text) => shown.literal(&text.value),
            Part::Field(field) if field.mode == Mode::Plain => {
                let language = field_language(field, usize::MAX, &subject.vocabulary);
                shown.variable(variables.of_field(field), &language)
            }
            Part::Field(_) => return shown.anything(),
        };
    }
    if template.open_end {
        shown.anything()
    } else {
        shown
    }
}

/// Rows whose partition no principal has.
fn outside(subject: &Subject<'_>, allowed: &[Pattern], report: &mut Report) {
    let union = allowed
        .iter()
        .map(Pattern::language)
        .reduce(|all, one| all.union(&one));
    let union = union.unwrap_or_else(Language::nothing);
    for row in subject
        .rows
        .iter()
        .filter(|row| !matches!(row.kind, RowKind::Layout(_)))
    {
        let Some(hash) = row.patterns.first() else {
            continue;
        };
        let name = subject.name(row);
        if row.key.partition_count() > 1 {
            let message = format!(
                "it is not proven that a policy keeps {name} apart: its partition key has several attributes, and it is \
                 not known which of them a policy compares"
            );
            let diagnostic = Diagnostic::new(Code::OutsideIsolation, row.key.hash.span, message);
            let help = "let the first attribute alone be the partition key, and the others begin the sort key";
            let diagnostic = diagnostic.severity(Severity::Warning).help(help);
            report.entity(row.entity, diagnostic);
        }
        let unproven = |reason: &str| {
            let message = format!(
                "it is not proven that every partition key of {name} is one a principal may touch: {reason}"
            );
            Diagnostic::new(Code::OutsideIsolation, row.key.hash.span, message)
                .severity(Severity::Warning)
        };
        let diagnostic = match is_subset(&hash.language(), &union) {
            Verdict::Proven => continue,
            Verdict::NotProven(reason) => unproven(&reason),
            Verdict::Refuted(word) => {
                let values = parse(hash, &word)
                    .and_then(|values| witness::partition(row, &values, &subject.vocabulary));
                match values {
                    Some(values) => {
                        let message =
                            format!("{name} can have a partition key that no principal may touch");
                        Diagnostic::new(Code::OutsideIsolation, row.key.hash.span, message)
                            .example("partition key", format!("\"{word}\""))
                            .example(name, witness::shown(&values))
                    }
                    None => unproven("no row was found that shows it"),
                }
            }
        };
        report.entity(
            row.entity,
            diagnostic.help("let the key begin as [isolation] says"),
        );
    }
}

/// Partitions that two principals may touch. What is known of a principal is shown as it is, so that every witness is one.
fn shared(isolation: &Isolation, allowed: &[Pattern], report: &mut Report) {
    for (position, left) in allowed.iter().enumerate() {
        judge(isolation, ambiguity(left), report);
        for right in allowed.iter().skip(position + 1) {
            judge(
                isolation,
                meet(std::slice::from_ref(left), std::slice::from_ref(right)),
                report,
            );
        }
    }
}

fn judge(isolation: &Isolation, verdict: Verdict<Clash>, report: &mut Report) {
    match verdict {
        Verdict::Proven => {}
        // One principal may touch a partition by two of its patterns.
        Verdict::Refuted(clash) if clash.left == clash.right => {}
        Verdict::Refuted(clash) => report.model(both(isolation, &clash)),
        Verdict::NotProven(reason) => {
            let message = format!(
                "it is not proven that no two principals may touch the same partition: {reason}"
            );
            report.model(
                Diagnostic::new(Code::OutsideIsolation, isolation.span, message)
                    .severity(Severity::Warning),
            );
        }
    }
}

fn both(isolation: &Isolation, clash: &Clash) -> Diagnostic {
    let principal = |assignment: &monotable_language::Assignment| {
        let values: Vec<_> = assignment
            .values()
            .map(|value| format!("\"{value}\""))
            .collect();
        values.join(", ")
    };
    Diagnostic::new(
        Code::OutsideIsolation,
        isolation.span,
        "two principals may touch the same partition",
    )
    .example("principal", principal(&clash.left))
    .example("principal", principal(&clash.right))
    .example("partition key", super::subject::shown_key(&clash.texts))
    .help("keep the delimiter out of what is known of the principal")
}
