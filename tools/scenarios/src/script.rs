//! A script as statements with their places, loops included.

use std::fmt;

/// A statement with what is expected of it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The line it begins on, from 1.
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) expected: Vec<String>,
    /// What is inside, if it is a block.
    pub(crate) inside: Vec<Entry>,
}

/// A script that cannot be read.
#[derive(Debug)]
pub(crate) struct ScriptError {
    pub(crate) line: usize,
    pub(crate) problem: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

const MARKS: [&str; 11] = [
    "= ",
    "== ",
    "~ ",
    "! ",
    "# ",
    "followed = ",
    "followed ~ ",
    "dangling = ",
    "more",
    "end",
    "contains ",
];

/// Reads a script.
pub(crate) fn parse(text: &str) -> Result<Vec<Entry>, ScriptError> {
    let mut blocks: Vec<Vec<Entry>> = vec![Vec::new()];
    let mut heads: Vec<Entry> = Vec::new();
    for (position, raw) in text.lines().enumerate() {
        let line = position + 1;
        let wrong = |problem: &str| ScriptError {
            line,
            problem: problem.to_owned(),
        };
        if raw.trim().is_empty()
            || raw.trim_start().starts_with("# ") && !raw.starts_with("  # ")
            || raw == "#"
        {
            continue;
        }
        let entries = blocks.last_mut().ok_or_else(|| wrong("nothing is open"))?;
        if let Some(rest) = raw.strip_prefix("  ") {
            let rest = rest.trim_start();
            let last = entries
                .last_mut()
                .ok_or_else(|| wrong("nothing to expect of"))?;
            let is_new = MARKS
                .iter()
                .any(|mark| rest.starts_with(mark) || rest == mark.trim());
            match (is_new, last.expected.last_mut()) {
                (true, _) => last.expected.push(rest.to_owned()),
                (false, Some(expected)) => {
                    expected.push(' ');
                    expected.push_str(rest);
                }
                (false, None) => {
                    last.text.push(' ');
                    last.text.push_str(rest);
                }
            }
            continue;
        }
        let entry = Entry {
            line,
            text: raw.trim_end().to_owned(),
            expected: Vec::new(),
            inside: Vec::new(),
        };
        let word = raw.split_whitespace().next().unwrap_or_default();
        match word {
            "for" | "parallel" | "transact" | "commit" | "commits" => {
                heads.push(entry);
                blocks.push(Vec::new());
            }
            "done" => {
                let inside = blocks.pop().unwrap_or_default();
                let mut head = heads.pop().ok_or_else(|| wrong("`done` without a block"))?;
                head.inside = inside;
                let outer = blocks
                    .last_mut()
                    .ok_or_else(|| wrong("`done` without a block"))?;
                outer.push(head);
            }
            _ => entries.push(entry),
        }
    }
    if let Some(head) = heads.pop() {
        return Err(ScriptError {
            line: head.line,
            problem: "this block has no `done`".to_owned(),
        });
    }
    Ok(blocks.pop().unwrap_or_default())
}
