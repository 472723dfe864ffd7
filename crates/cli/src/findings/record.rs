//! A diagnostic as programs read it.

use super::lines::Lines;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::span::Span;
use serde::Serialize;

/// One diagnostic; its fields are what users of `--output json` rely on.
#[derive(Debug, Serialize)]
pub(crate) struct Record {
    file: String,
    code: &'static str,
    rule: &'static str,
    severity: String,
    message: String,
    #[serde(flatten)]
    place: Place,
    labels: Vec<LabelRecord>,
    counterexample: Vec<ExampleRecord>,
    help: Option<String>,
}

/// Lines and columns from 1, columns in characters; bytes from 0; ends are behind the last one.
#[derive(Debug, Serialize)]
struct Place {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: usize,
    end: usize,
}

#[derive(Debug, Serialize)]
struct LabelRecord {
    text: String,
    #[serde(flatten)]
    place: Place,
}

#[derive(Debug, Serialize)]
struct ExampleRecord {
    what: String,
    text: String,
}

impl Record {
    pub(super) fn new(lines: &Lines<'_>, file: &str, diagnostic: &Diagnostic) -> Self {
        let labels = diagnostic.labels.iter().map(|label| LabelRecord {
            text: label.text.clone(),
            place: Place::of(lines, label.span),
        });
        let examples = diagnostic.counterexample.iter().map(|line| ExampleRecord {
            what: line.what.clone(),
            text: line.text.clone(),
        });
        Self {
            file: file.to_owned(),
            code: diagnostic.code.id(),
            rule: diagnostic.code.name(),
            severity: diagnostic.severity.to_string(),
            message: diagnostic.message.clone(),
            place: Place::of(lines, diagnostic.span),
            labels: labels.collect(),
            counterexample: examples.collect(),
            help: diagnostic.help.clone(),
        }
    }
}

impl Place {
    fn of(lines: &Lines<'_>, span: Span) -> Self {
        let range = lines.range(span);
        let start = lines.position(range.start);
        let end = lines.position(range.end);
        Self {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            start: range.start,
            end: range.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_model::diagnostic::Code;

    #[test]
    fn every_field_is_there() {
        let text = "é = 1\nb = 2\n";
        let span = |start, end| Span { start, end };
        let diagnostic = Diagnostic::new(Code::OpenPrefix, span(5, 8), "open")
            .label(span(0, 2), "here")
            .example("id", "n1");
        let record = Record::new(&Lines::of(text), "m", &diagnostic);
        assert_eq!(
            serde_json::to_value(record).unwrap(),
            serde_json::json!({
                "file": "m", "code": "M002", "rule": "open_prefix", "severity": "error", "message": "open",
                "line": 1, "column": 5, "end_line": 2, "end_column": 2, "start": 5, "end": 8,
                "labels": [{
                    "text": "here", "line": 1, "column": 1, "end_line": 1, "end_column": 2, "start": 0, "end": 2
                }],
                "counterexample": [{ "what": "id", "text": "n1" }],
                "help": null
            })
        );
    }
}
