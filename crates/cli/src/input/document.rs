//! Items that go over several lines: objects one after another, or in one array.
//!
//! Only brackets and quotes are looked at here; whether the text between them is JSON is found out when
//! it is read.

use super::{ItemText, MAX_TEXT, Unreadable};
use std::collections::VecDeque;

/// Cuts text into objects.
#[derive(Debug, Default)]
pub(super) struct Document {
    found: VecDeque<Result<ItemText, Unreadable>>,
    /// The object being read.
    text: String,
    /// The line it began on.
    begun: u64,
    /// Brackets that are open in it.
    depth: usize,
    string: InString,
    array: Array,
}

#[derive(Debug, Default)]
enum InString {
    #[default]
    No,
    Yes,
    /// After a backslash.
    Escaped,
}

/// The array around the objects.
#[derive(Debug, Default, PartialEq)]
enum Array {
    #[default]
    None,
    Open {
        line: u64,
    },
    Closed,
}

impl Document {
    /// Takes in one more line.
    pub(super) fn push(&mut self, line: u64, text: &str) {
        for c in text.chars() {
            if self.depth == 0 {
                if !self.between(line, c) {
                    let what = format!("expected an item in {{}}, found {c:?}");
                    self.found.push_back(Err(Unreadable::new(line, what)));
                    return;
                }
            } else {
                self.within(c);
            }
        }
        if self.text.len() as u64 > MAX_TEXT {
            let what = "longer than any item can be";
            self.found.push_back(Err(Unreadable::new(self.begun, what)));
        }
    }

    /// An object or a problem that is complete. After a problem nothing more makes sense.
    pub(super) fn next(&mut self) -> Option<Result<ItemText, Unreadable>> {
        self.found.pop_front()
    }

    /// What is missing at the end of the text.
    pub(super) fn unfinished(&self) -> Option<Unreadable> {
        match self.array {
            _ if self.depth > 0 => Some(Unreadable::new(self.begun, "the item never ends")),
            Array::Open { line } => Some(Unreadable::new(line, "the array never ends")),
            Array::None | Array::Closed => None,
        }
    }

    /// A character outside of objects; whether it may stand there.
    fn between(&mut self, line: u64, c: char) -> bool {
        match (c, &self.array) {
            ('{', Array::None | Array::Open { .. }) => {
                self.text.push(c);
                self.begun = line;
                self.depth = 1;
            }
            ('[', Array::None) => self.array = Array::Open { line },
            (']', Array::Open { .. }) => self.array = Array::Closed,
            (',', Array::Open { .. }) => {}
            _ => return c.is_whitespace(),
        }
        true
    }

    /// A character of an object.
    fn within(&mut self, c: char) {
        self.text.push(c);
        match (&self.string, c) {
            (InString::No, '"') | (InString::Escaped, _) => self.string = InString::Yes,
            (InString::No, _) => self.bracket(c),
            (InString::Yes, '"') => self.string = InString::No,
            (InString::Yes, '\\') => self.string = InString::Escaped,
            (InString::Yes, _) => {}
        }
    }

    fn bracket(&mut self, c: char) {
        match c {
            '{' | '[' => self.depth += 1,
            '}' | ']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 {
            let text = std::mem::take(&mut self.text);
            let line = self.begun;
            self.found.push_back(Ok(ItemText { line, text }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The items' lines and texts, then what is wrong.
    fn cut(text: &str) -> (Vec<(u64, String)>, Option<String>) {
        let mut document = Document::default();
        let mut items = Vec::new();
        for (line, text) in (1..).zip(text.split_inclusive('\n')) {
            document.push(line, text);
            while let Some(found) = document.next() {
                match found {
                    Ok(given) => items.push((given.line, given.text)),
                    Err(problem) => return (items, Some(problem.to_string())),
                }
            }
        }
        (
            items,
            document.unfinished().map(|problem| problem.to_string()),
        )
    }

    #[test]
    fn objects_in_an_array_or_one_after_another() {
        let items = vec![
            (2, r#"{"a":"}\"]"}"#.to_owned()),
            (3, "{\"b\":\n[{}]}".to_owned()),
        ];
        assert_eq!(
            cut("[\n{\"a\":\"}\\\"]\"},\n{\"b\":\n[{}]}]\n"),
            (items.clone(), None)
        );
        assert_eq!(cut("\n{\"a\":\"}\\\"]\"}\n{\"b\":\n[{}]}"), (items, None));
        assert_eq!(cut("[]"), (vec![], None));
    }

    #[test]
    fn what_is_no_item() {
        let problem = |text| cut(text).1.unwrap();
        assert_eq!(
            problem("[\n{},\n5]"),
            "line 3: expected an item in {}, found '5'"
        );
        assert_eq!(
            problem("[]\n{}"),
            "line 2: expected an item in {}, found '{'"
        );
        assert_eq!(problem("[\n{\"a\":1"), "line 2: the item never ends");
        assert_eq!(problem("\n[{}"), "line 2: the array never ends");
    }
}
