//! M002: a prefix that a value can outgrow. `{id}*` is refused when the model is read; here are prefixes whose
//! delimiter the value itself may contain.

use super::{Report, Subject};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::language::{Assignment, Verdict, ambiguity};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, access, _, key, condition) in subject.conditions() {
        let Some(range) = key.range.as_ref().filter(|range| range.open_end) else {
            continue;
        };
        let Some(pattern) = condition.patterns.get(1) else {
            continue;
        };
        let shown = |assignment: &Assignment| {
            let values: Vec<_> = assignment
                .iter()
                .filter_map(|(variable, value)| {
                    Some(format!(
                        "{} = \"{value}\"",
                        condition.variables.name(*variable)?
                    ))
                })
                .collect();
            values.join(", ")
        };
        let help =
            "keep the delimiter out of the value: `without = #`, or a pattern with `matches`";
        match ambiguity(pattern) {
            Verdict::Proven => {}
            Verdict::Refuted(clash) => {
                let message = format!(
                    "the prefix of `{}` also finds rows of other values",
                    access.name.value
                );
                let text = clash.texts.first().cloned().unwrap_or_default();
                let diagnostic = Diagnostic::new(Code::OpenPrefix, range.span, message)
                    .example("asked for", shown(&clash.left))
                    .example("also found", shown(&clash.right))
                    .example("sort key", format!("\"{text}\""))
                    .help(help);
                report.access(id, diagnostic);
            }
            Verdict::NotProven(reason) => {
                let message = format!(
                    "it is not proven that the prefix of `{}` finds only what is asked for: {reason}",
                    access.name.value
                );
                let diagnostic = Diagnostic::new(Code::OpenPrefix, range.span, message)
                    .severity(Severity::Warning)
                    .help(help);
                report.access(id, diagnostic);
            }
        }
    }
}
