//! The page as HTML: one file, no other resources, and it works without its script.

mod blocks;
mod contents;
mod document;

pub use document::html;

/// Text as text: nothing in it is markup, in an element or in an attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
