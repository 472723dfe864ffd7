//! M113: partition keys that begin as those of the store's own items do.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{KeyPlace, Part};

/// How partition keys of the store's own items begin: its secret, and the rows of tokens.
const RESERVED: &str = "monotable#";

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let primary = subject.rows.iter();
    for row in primary.filter(|row| row.key.place == KeyPlace::Primary) {
        let Some(Part::Literal(first)) = row.key.hash.parts.first() else {
            continue;
        };
        if !first.value.starts_with(RESERVED) {
            continue;
        }
        let message = format!(
            "partition keys of {} begin with `{RESERVED}`, as those of the store's own items do",
            subject.name(row)
        );
        let diagnostic = Diagnostic::new(Code::ReservedKey, row.key.hash.span, message)
            .help("let the key begin with another text");
        report.entity(row.entity, diagnostic);
    }
}
