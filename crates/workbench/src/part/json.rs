//! JSON in colours.

use maud::{Markup, html};

/// A text that is JSON, with names, texts and numbers told apart.
pub(crate) fn coloured(text: &str) -> Markup {
    let mut rest = text;
    let mut pieces: Vec<(&str, &str)> = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (class, length) = match first {
            '"' => {
                let length = measure_text(rest);
                let behind = rest.get(length..).unwrap_or_default();
                let is_name = behind.trim_start().starts_with(':');
                (if is_name { "k" } else { "s" }, length)
            }
            '-' | '0'..='9' => (
                "n",
                measure(rest, |c| c.is_ascii_alphanumeric() || "+-.".contains(c)),
            ),
            't' | 'f' | 'n' => ("n", measure(rest, |c| c.is_ascii_alphabetic())),
            _ => ("p", measure(rest, |c| !"\"-0123456789tfn".contains(c))),
        };
        let (piece, after) = rest
            .split_at_checked(length.max(first.len_utf8()))
            .unwrap_or((rest, ""));
        pieces.push((class, piece));
        rest = after;
    }
    html! {
        @for (class, piece) in pieces { span class=(class) { (piece) } }
    }
}

fn measure(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|c| !fits(c)).unwrap_or(text.len())
}

/// The length of a text in quotes, quotes included.
fn measure_text(text: &str) -> usize {
    let mut escaped = false;
    for (place, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return place + 1,
            _ => {}
        }
    }
    text.len()
}

/// JSON over several lines, from JSON on one.
pub(crate) fn spread(text: &str) -> String {
    // Every number stays as it is written: the text is only laid out anew.
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0_usize;
    let mut characters = text.char_indices().peekable();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => {
                let length = measure_text(text.get(place..).unwrap_or_default());
                out.push_str(text.get(place..place + length).unwrap_or_default());
                while characters
                    .next_if(|(next, _)| *next < place + length)
                    .is_some()
                {}
            }
            '{' | '[' => {
                out.push(character);
                let closing = characters.next_if(|(_, next)| matches!(next, '}' | ']'));
                if let Some((_, closing)) = closing {
                    out.push(closing);
                } else {
                    depth += 1;
                    break_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                break_line(&mut out, depth);
                out.push(character);
            }
            ',' => {
                out.push(',');
                break_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

fn break_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_quotes_and_numbers_stay_as_they_are() {
        let text = r#"{"a":"b\"},<i>","n":[1.50e3,true],"o":{}}"#;
        let spread = spread(text);
        assert_eq!(
            spread,
            "{\n  \"a\": \"b\\\"},<i>\",\n  \"n\": [\n    1.50e3,\n    true\n  ],\n  \"o\": {}\n}"
        );
        let markup = coloured(&spread).into_string();
        assert!(
            markup.contains("&lt;i&gt;") && !markup.contains("<i>"),
            "{markup}"
        );
        assert!(
            markup.contains(r#"<span class="n">1.50e3</span>"#),
            "{markup}"
        );
    }
}
