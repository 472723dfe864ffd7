//! What a text that is not TOML seems to be.

/// The kind; none if nothing speaks for one. Only asked of texts that are not TOML.
pub(super) fn of(text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.contains('\0') {
        return Some("a binary file");
    }
    let opening = ["{", "[{", "[\n", "[\r\n"];
    if opening.iter().any(|opening| text.starts_with(opening)) {
        return Some("JSON");
    }
    if text.starts_with('<') {
        return Some("XML or HTML");
    }
    if text.starts_with("#!") {
        return Some("a script");
    }
    if first_line(text).is_some_and(is_yaml) {
        return Some("YAML");
    }
    None
}

/// The first line that says something.
fn first_line(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with('#'))
}

fn is_yaml(line: &str) -> bool {
    let is_key =
        |key: &str| !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
    let has_key = line
        .split_once(':')
        .is_some_and(|(key, value)| is_key(key) && (value.is_empty() || value.starts_with(' ')));
    line == "---" || line.starts_with("%YAML") || has_key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_tells_the_kind() {
        for (text, kind) in [
            ("\u{feff} {\"a\": 1}", "JSON"),
            ("[\n 1]", "JSON"),
            ("<html>", "XML or HTML"),
            ("# comment\n\nAWSTemplateFormatVersion: '2010'", "YAML"),
            ("---\nx", "YAML"),
            ("Resources:\n", "YAML"),
            ("#!/bin/sh\nx", "a script"),
            ("\u{7f}ELF\0", "a binary file"),
        ] {
            assert_eq!(of(text), Some(kind), "{text:?}");
        }
    }

    #[test]
    fn broken_toml_is_no_other_kind() {
        for text in [
            "",
            "monotable = \n",
            "[table.A\nkey = 1",
            "a = \"x: y\"",
            "# a: b",
        ] {
            assert_eq!(of(text), None, "{text:?}");
        }
    }
}
