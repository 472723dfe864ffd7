//! A diagnostic as people read it: the lines of the text with what is wrong underlined.
//!
//! The renderer makes source and title fit for a terminal, but not names of files, labels and notes.

use super::lines::Lines;
use crate::output::visible;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use monotable_model::diagnostic::{Diagnostic, Example, Severity};
use monotable_model::span::Span;
use std::iter;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Draws it with colours; whoever prints it takes them away where they are not wanted.
pub(super) fn draw(lines: &Lines<'_>, name: &str, diagnostic: &Diagnostic) -> String {
    let id = format!("{} {}", diagnostic.code.id(), diagnostic.code.name());
    let title = level(diagnostic.severity)
        .primary_title(visible(&diagnostic.message))
        .id(id);
    let mut group = title.element(snippet(lines, name, diagnostic));
    group = examples(group, &diagnostic.counterexample);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(visible_lines(help)));
    }
    Renderer::styled().render(&[group])
}

const fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    }
}

/// Only the lines that matter: a large model with many errors would be read whole for each of them.
fn snippet<'t>(
    lines: &Lines<'t>,
    name: &str,
    diagnostic: &Diagnostic,
) -> Snippet<'t, Annotation<'t>> {
    let labels = diagnostic.labels.iter().map(|label| label.span);
    let spans = iter::once(diagnostic.span).chain(labels);
    let ranges: Vec<Range<usize>> = spans.map(|span| lines.underlined(span)).collect();
    let extract = lines.extract(&ranges);
    let within = |span: Span| {
        let range = lines.underlined(span);
        range.start - extract.offset..range.end - extract.offset
    };
    let labels = diagnostic.labels.iter().map(|label| {
        let place = AnnotationKind::Context.span(within(label.span));
        place.label(visible(&label.text))
    });
    Snippet::source(extract.text)
        .path(visible(name))
        .line_start(extract.line)
        .annotation(AnnotationKind::Primary.span(within(diagnostic.span)))
        .annotations(labels)
}

fn examples<'t>(group: Group<'t>, examples: &'t [Example]) -> Group<'t> {
    if examples.is_empty() {
        return group;
    }
    let names: Vec<String> = examples
        .iter()
        .map(|example| visible(&example.what))
        .collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let line = |(name, example): (&String, &Example)| {
        let gap = " ".repeat(widest - name.width());
        format!("{name}: {gap}{}", visible(&example.text))
    };
    let text: Vec<String> = names.iter().zip(examples).map(line).collect();
    group.element(Level::NOTE.with_name("example").message(text.join("\n")))
}

fn visible_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(visible).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_model::diagnostic::Code;

    const TEXT: &str = "[entity.A]\nkey = [\"A#{a}\", \"X\"]\n\n# much\n# between\n\n[entity.B]\nkey = [\"A#{b}\", \"X\"]\n";

    fn plain(drawing: &str) -> String {
        anstream::adapter::strip_str(drawing).to_string()
    }

    fn span_of(part: &str) -> Span {
        let start = TEXT.find(part).unwrap();
        let end = start + part.len();
        Span { start, end }
    }

    #[test]
    fn everything_a_diagnostic_says_is_drawn() {
        let diagnostic = Diagnostic::new(Code::SameKey, span_of("\"A#{b}\""), "the same key")
            .label(span_of("\"A#{a}\""), "the other one")
            .example("B.key", "A#x, X")
            .example("A.a", "x\u{1b}[2J")
            .help("use another prefix\nor another partition");
        let drawing = draw(&Lines::of(TEXT), "m.toml", &diagnostic);
        assert!(drawing.contains('\x1b'));
        assert_eq!(
            plain(&drawing),
            r#"error[M014 same_key]: the same key
 --> m.toml:8:8
  |
2 | key = ["A#{a}", "X"]
  |        ------- the other one
...
8 | key = ["A#{b}", "X"]
  |        ^^^^^^^
  |
  = example: B.key: A#x, X
             A.a:   x\u{1b}[2J
  = help: use another prefix
          or another partition"#
        );
    }

    #[test]
    fn no_span_breaks_the_drawing() {
        for text in ["", "\n", "é", "é\r\n日本", "a\tb\n\n"] {
            let lines = Lines::of(text);
            for start in 0..text.len() + 2 {
                for end in 0..text.len() + 2 {
                    let span = Span { start, end };
                    let other = Span {
                        start: end,
                        end: start,
                    };
                    let diagnostic = Diagnostic::new(Code::BadToml, span, "x").label(other, "y");
                    let drawing = plain(&draw(&lines, "m", &diagnostic));
                    assert!(drawing.contains("error[M100 bad_toml]: x\n"), "{drawing}");
                }
            }
        }
    }

    #[test]
    fn nothing_in_a_model_moves_the_cursor() {
        const EVIL: &str = "a\u{1b}[2J\u{202e}";
        let text = format!("{EVIL} = 1\n");
        let span = Span { start: 0, end: 1 };
        let diagnostic = Diagnostic::new(Code::BadToml, span, EVIL)
            .label(span, EVIL)
            .example(EVIL, EVIL)
            .help(EVIL);
        let drawing = draw(&Lines::of(&text), EVIL, &diagnostic);
        assert!(drawing.matches("[2J").count() >= 7, "{drawing:?}");
        assert!(!drawing.contains("\u{1b}[2J"), "{drawing:?}");
        assert!(!drawing.contains('\u{202e}'), "{drawing:?}");
    }

    #[test]
    fn a_far_line_has_its_own_number_and_column() {
        let text = format!("{}x = 'é' + 1\n", "# line\n".repeat(999));
        let start = text.find('+').unwrap();
        let span = Span {
            start,
            end: start + 1,
        };
        let diagnostic = Diagnostic::new(Code::BadToml, span, "no sum");
        let drawing = plain(&draw(&Lines::of(&text), "m", &diagnostic));
        assert!(drawing.contains("--> m:1000:9\n"), "{drawing}");
        assert!(
            drawing.contains("1000 | x = 'é' + 1\n     |         ^"),
            "{drawing}"
        );
    }
}
