//! Texts in which nothing can be seen.

/// Whether a text has characters, and none of them leaves a mark: white space, control characters, and characters of no
/// width. The empty text is not blank: whether there may be one is said by its length.
pub(super) fn is_blank(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_invisible)
}

fn is_invisible(c: char) -> bool {
    c.is_whitespace() || c.is_control() || is_ignorable(c)
}

/// Unicode's characters that are not shown (`Default_Ignorable_Code_Point`), and the blank pattern of Braille.
const fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_a_mark_are_blank() {
        for text in [
            " ",
            "\t\n",
            "\u{a0}",
            "\u{3000}",
            "\u{200b}\u{feff}",
            "\u{2060} \u{ad}",
            "\0",
        ] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["", "a", " a ", "\u{200b}.", "\u{301}", "\u{1f600}"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }
}
