//! M017: keys that are longer than DynamoDB allows.

use super::subject::RowKind;
use super::{Report, Subject};
use monotable_item::limits;
use monotable_model::diagnostic::{Code, Diagnostic, Severity};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for row in subject
        .rows
        .iter()
        .filter(|row| !matches!(row.kind, RowKind::Layout(_)) && !row.key.implied)
    {
        let most = [limits::MAX_PARTITION_KEY_BYTES, limits::MAX_SORT_KEY_BYTES];
        for ((pattern, template), most) in row.patterns.iter().zip(row.key.templates()).zip(most) {
            let length = pattern.byte_length();
            let severity = match (length.min > most, length.max) {
                (true, _) => Severity::Error,
                (false, Some(max)) if max > most => Severity::Warning,
                _ => continue,
            };
            let message = match severity {
                Severity::Error => format!(
                    "this key has at least {} bytes; DynamoDB allows {most}",
                    length.min
                ),
                Severity::Warning => format!(
                    "this key may have {} bytes; DynamoDB allows {most}",
                    length.max.unwrap_or(most)
                ),
            };
            let diagnostic = Diagnostic::new(Code::LongKey, template.span, message)
                .severity(severity)
                .help(
                    "shorten its attributes, or let long values end in a hash: `{value:fit(900)}`",
                );
            report.entity(row.entity, diagnostic);
        }
    }
}
