//! Documentation comments.

const WIDTH: usize = 110;

/// A comment of sentences, wrapped; `mark` is `///` or `//!`.
pub(super) fn write_comment(indent: &str, mark: &str, sentences: &[String]) -> String {
    let text = sentences.join(" ");
    let mut comment = String::new();
    let mut row = String::new();
    for word in text.split_whitespace() {
        if !row.is_empty() && indent.len() + row.chars().count() + word.chars().count() > WIDTH {
            comment.push_str(&format!("{indent}{mark} {row}\n"));
            row.clear();
        }
        if !row.is_empty() {
            row.push(' ');
        }
        row.push_str(&escape(word));
    }
    if !row.is_empty() {
        comment.push_str(&format!("{indent}{mark} {row}\n"));
    }
    comment
}

/// A name of the model inside a comment, which a line break in it would end.
pub(super) fn quote_name(name: &str) -> String {
    format!("`{}`", name.replace(char::is_control, " "))
}

/// What rustdoc would take for a link or for HTML.
fn escape(word: &str) -> String {
    if word.contains('`') {
        return word.to_owned();
    }
    let word = word.replace('[', "\\[").replace(']', "\\]");
    word.replace('<', "\\<").replace('>', "\\>")
}
