//! Documentation comments.

const WIDTH: usize = 118;

/// A comment of sentences: on one line if they fit, else a paragraph.
pub(super) fn write_comment(indent: &str, sentences: &[String]) -> String {
    let text = sentences.join(" ").replace("*/", "*\\/");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return String::new();
    }
    let line = format!("{indent}/** {text} */\n");
    if line.chars().count() <= WIDTH + 1 {
        return line;
    }
    let mut comment = format!("{indent}/**\n");
    let width = WIDTH - indent.len() - 3;
    let mut row = String::new();
    for word in text.split(' ') {
        if !row.is_empty() && row.chars().count() + 1 + word.chars().count() > width {
            comment.push_str(&format!("{indent} * {row}\n"));
            row.clear();
        }
        if !row.is_empty() {
            row.push(' ');
        }
        row.push_str(word);
    }
    comment.push_str(&format!("{indent} * {row}\n{indent} */\n"));
    comment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_cannot_end_early() {
        let comment = write_comment("", &["matches /a*/ and more".to_owned()]);
        assert_eq!(comment, "/** matches /a*\\/ and more */\n");
        assert_eq!(write_comment("", &[]), "");
    }

    #[test]
    fn long_comments_are_paragraphs() {
        let comment = write_comment("  ", &["word ".repeat(60)]);
        assert!(comment.lines().count() > 3);
        assert!(comment.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(comment.starts_with("  /**\n   * word"));
        assert!(comment.ends_with("word\n   */\n"));
    }
}
