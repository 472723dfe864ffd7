//! TOML as people read it: headings, names, texts and remarks told apart, and placeholders in the colour of what they name.

use crate::context::OpenModel;
use crate::part::key;
use maud::{Markup, html};

/// A whole line.
pub(super) fn line(open: &OpenModel, text: &str) -> Markup {
    let trimmed = text.trim_start();
    if trimmed.starts_with('#') {
        return html! { span class="cm" { (text) } };
    }
    let (before, remark) = split_remark(text);
    html! {
        @if trimmed.starts_with('[') { span class="sec-h" { (before) } } @else { (code(open, before)) }
        span class="cm" { (remark) }
    }
}

/// A part of a line without its remark.
pub(super) fn code(open: &OpenModel, text: &str) -> Markup {
    html! {
        @match text.split_once('=') {
            Some((name, value)) => { span class="kw" { (name) "=" } (self::value(open, value)) }
            None => (value(open, text)),
        }
    }
}

fn value(open: &OpenModel, text: &str) -> Markup {
    let word = text.trim();
    let is_plain = matches!(word, "true" | "false") || word.parse::<f64>().is_ok();
    html! {
        @if is_plain { span class="nm" { (text) } }
        @else {
            span class="st" {
                @for piece in split_placeholders(text) {
                    @match find_name(piece).and_then(|name| key::find_entity_of(open, name)) {
                        Some(entity) => span class={ "ph " (open.hues.class(entity)) } { (piece) },
                        None => (piece),
                    }
                }
            }
        }
    }
}

/// The text before, inside and behind each pair of braces.
fn split_placeholders(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let Some(end) = rest.get(start..).and_then(|inside| inside.find('}')) else {
            break;
        };
        let (before, inside) = rest.split_at_checked(start).unwrap_or((rest, ""));
        let (inside, after) = inside.split_at_checked(end + 1).unwrap_or((inside, ""));
        pieces.extend([before, inside]);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// The name in a placeholder such as `{UserId}` or `{n:06}`.
fn find_name(piece: &str) -> Option<&str> {
    let inside = piece.strip_prefix('{')?.strip_suffix('}')?;
    let name = inside.split([':', '.']).next().unwrap_or(inside).trim();
    (!name.is_empty()).then_some(name)
}

/// The text of a line before its remark, and the remark.
fn split_remark(text: &str) -> (&str, &str) {
    let mut quote = None;
    for (place, character) in text.char_indices() {
        match (quote, character) {
            (None, '#') => return text.split_at_checked(place).unwrap_or((text, "")),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_remarks_are_told_apart() {
        let (code, remark) = split_remark("key = [\"USER#{UserId}\"] # of a user");
        assert_eq!(
            (code, remark),
            ("key = [\"USER#{UserId}\"] ", "# of a user")
        );
        let pieces = split_placeholders(code);
        assert_eq!(pieces, ["key = [\"USER#", "{UserId}", "\"] "]);
        assert_eq!(find_name("{n:06}"), Some("n"));
        assert_eq!(find_name("{}"), None);
    }
}
