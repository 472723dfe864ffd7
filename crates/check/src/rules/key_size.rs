//! M017: keys that are longer than DynamoDB allows.

use super::subject::{RowKind, RowShape};
use super::{Report, Subject};
use monotable_item::limits;
use monotable_language::Pattern;
use monotable_model::diagnostic::{Code, Diagnostic, Severity};
use monotable_model::model::Template;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for row in subject
        .rows
        .iter()
        .filter(|row| !matches!(row.kind, RowKind::Layout(_)) && !row.key.implied)
    {
        let count = row.key.partition_count();
        let partition = row.patterns.iter().zip(row.key.templates()).take(count);
        let sort = row.patterns.iter().zip(row.key.templates()).skip(count);
        judge(
            row,
            &partition.collect::<Vec<_>>(),
            limits::MAX_PARTITION_KEY_BYTES,
            report,
        );
        judge(
            row,
            &sort.collect::<Vec<_>>(),
            limits::MAX_SORT_KEY_BYTES,
            report,
        );
    }
}

/// Judges one part of a key: all its attributes together are held against the limit.
fn judge(row: &RowShape<'_>, part: &[(&Pattern, &Template)], most: usize, report: &mut Report) {
    let Some((_, first)) = part.first() else {
        return;
    };
    let lengths = || part.iter().map(|(pattern, _)| pattern.byte_length());
    let least: usize = lengths().map(|length| length.min).sum();
    let longest: Option<usize> = lengths().map(|length| length.max).sum();
    let severity = match (least > most, longest) {
        (true, _) => Severity::Error,
        (false, Some(longest)) if longest > most => Severity::Warning,
        _ => return,
    };
    let (what, have) = match part.len() {
        1 => ("this key", "has"),
        _ => ("the attributes of this part of the key together", "have"),
    };
    let message = match severity {
        Severity::Error => {
            format!("{what} {have} at least {least} bytes; DynamoDB allows {most}")
        }
        Severity::Warning => format!(
            "{what} may have {} bytes; DynamoDB allows {most}",
            longest.unwrap_or(most)
        ),
    };
    let diagnostic = Diagnostic::new(Code::LongKey, first.span, message)
        .severity(severity)
        .help("shorten its attributes, or let long values end in a hash: `{value:fit(900)}`");
    report.entity(row.entity, diagnostic);
}
