//! M002: a prefix that a value can outgrow. `{id}*` is refused when the model is read; here are prefixes whose
//! delimiter the value itself may contain.

use super::subject::shown_key;
use super::{Report, Subject, witness};
use monotable_language::{Assignment, Verdict, ambiguity};
use monotable_model::diagnostic::{Code, Diagnostic, Severity};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, access, _, key, condition) in subject.conditions() {
        let Some(range) = key.sort_templates().last().filter(|range| range.open_end) else {
            continue;
        };
        let Some(pattern) = condition.patterns.get(key.templates().count() - 1) else {
            continue;
        };
        // What is asked for, as values that some returned entity can have.
        let shown = |assignment: &Assignment| {
            let mut entities = access.returns.iter();
            let values = entities.find_map(|entity| {
                witness::template(
                    range,
                    *entity,
                    &condition.variables,
                    assignment,
                    &subject.vocabulary,
                )
            });
            values.map(|values| witness::shown(&values))
        };
        let help =
            "keep the delimiter out of the value: `without = #`, or a pattern with `matches`";
        let name = &access.name.value;
        let unproven = |reason: &str| {
            let message = format!(
                "it is not proven that the prefix of `{name}` finds only what is asked for: {reason}"
            );
            Diagnostic::new(Code::OpenPrefix, range.span, message)
                .severity(Severity::Warning)
                .help(help)
        };
        let diagnostic = match ambiguity(pattern) {
            Verdict::Proven => continue,
            Verdict::NotProven(reason) => unproven(&reason),
            Verdict::Refuted(clash) => match shown(&clash.left).zip(shown(&clash.right)) {
                Some((asked, also)) => {
                    let message = format!("the prefix of `{name}` also finds rows of other values");
                    Diagnostic::new(Code::OpenPrefix, range.span, message)
                        .example("asked for", asked)
                        .example("also found", also)
                        .example("sort key", shown_key(&clash.texts))
                        .help(help)
                }
                None => unproven("no values were found that show it"),
            },
        };
        report.access(id, diagnostic);
    }
}
