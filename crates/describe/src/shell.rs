//! Words of a shell, for commands to paste.

/// A text as one word of a shell.
#[must_use]
pub fn quote_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell_are_one_word_each() {
        assert_eq!(quote_word("TreeId=byron"), "TreeId=byron");
        assert_eq!(quote_word("a b"), "'a b'");
        assert_eq!(quote_word("it's"), r"'it'\''s'");
        assert_eq!(quote_word(""), "''");
        assert_eq!(quote_word("$(rm)"), "'$(rm)'");
    }
}
