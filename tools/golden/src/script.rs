//! The text of a script.

use std::fmt;

const ARROW: &str = "-> ";
/// Before an answer that comes in time: the request is sent again until it does.
const AWAITED: &str = "~> ";

/// A script: requests with their answers, and what stands between them.
#[derive(Debug, Default)]
pub struct Script {
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    /// A comment or an empty line.
    Text(String),
    Entry(Entry),
}

/// A request and its expected answer.
#[derive(Debug)]
pub struct Entry {
    /// The line of the request, from 1.
    pub line: usize,
    /// The operation.
    pub operation: String,
    /// The request's JSON, line by line as it was written.
    lines: Vec<String>,
    /// The answer; empty if the script has none yet.
    pub answer: String,
    /// Whether the request is sent again until the answer comes.
    pub is_awaited: bool,
}

impl Entry {
    /// The request's JSON.
    pub fn body(&self) -> String {
        self.lines.join("\n")
    }
}

/// A line that is neither a comment, a request nor an answer to one.
#[derive(Debug)]
pub struct ScriptError {
    line: usize,
    what: &'static str,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ScriptError {}

impl Script {
    /// Reads a script.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut script = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line_number = index + 1;
            script
                .read_line(line_number, line)
                .map_err(|what| ScriptError {
                    line: line_number,
                    what,
                })?;
        }
        Ok(script)
    }

    fn read_line(&mut self, number: usize, line: &str) -> Result<(), &'static str> {
        if line.trim().is_empty() || line.starts_with('#') {
            self.parts.push(Part::Text(line.to_owned()));
            return Ok(());
        }
        if line.starts_with(' ') {
            let entry = self
                .open_entry()
                .ok_or("goes on with no request before it")?;
            entry.lines.push(line.to_owned());
            return Ok(());
        }
        for (arrow, is_awaited) in [(ARROW, false), (AWAITED, true)] {
            let Some(answer) = line.strip_prefix(arrow) else {
                continue;
            };
            let entry = self
                .open_entry()
                .ok_or("an answer with no request before it")?;
            entry.answer = answer.to_owned();
            entry.is_awaited = is_awaited;
            return Ok(());
        }
        let (operation, json) = line
            .split_once(' ')
            .ok_or("a request is an operation and its JSON")?;
        self.parts.push(Part::Entry(Entry {
            line: number,
            operation: operation.to_owned(),
            lines: vec![json.to_owned()],
            answer: String::new(),
            is_awaited: false,
        }));
        Ok(())
    }

    /// The last request, as long as it has no answer.
    fn open_entry(&mut self) -> Option<&mut Entry> {
        match self.parts.last_mut() {
            Some(Part::Entry(entry)) if entry.answer.is_empty() => Some(entry),
            _ => None,
        }
    }

    /// The requests, in order.
    pub fn entries_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.parts.iter_mut().filter_map(|part| match part {
            Part::Entry(entry) => Some(entry),
            Part::Text(_) => None,
        })
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => writeln!(f, "{text}")?,
                Part::Entry(entry) => {
                    writeln!(f, "{} {}", entry.operation, entry.body())?;
                    let arrow = if entry.is_awaited { AWAITED } else { ARROW };
                    writeln!(f, "{arrow}{}", entry.answer)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_prints_as_it_was_read() {
        let text = "# Music\n\nPutItem {\"a\":\n  1}\n-> {}\nListTables {}\n~> x\n";
        let mut script = Script::parse(text).unwrap();
        assert_eq!(script.to_string(), text);
        assert_eq!(script.entries_mut().count(), 2);
        assert_eq!(script.entries_mut().next().unwrap().body(), "{\"a\":\n  1}");
    }

    #[test]
    fn a_stray_line_is_named() {
        let error = Script::parse("ListTables {}\n-> {}\n-> {}\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 3: an answer with no request before it"
        );
    }
}
