//! A request on one line: `Query GSI1: GSI1PK = TREE#{TreeId} AND begins_with(GSI1SK, PERSON#)`.

use super::request::{PlannedRequest, PlannedValue, Repeat};
use crate::plan::condition::LAST;
use std::fmt;

impl fmt::Display for PlannedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.operation.name())?;
        if let Some(index) = &self.index {
            write!(f, " {index}")?;
        }
        f.write_str(": ")?;
        match &self.key_condition {
            Some(condition) => f.write_str(&self.filled(condition))?,
            None => {
                let keys: Vec<_> = self.keys.iter().map(|key| key_line(key)).collect();
                f.write_str(&keys.join(" and "))?;
            }
        }
        f.write_str(&options(self))?;
        self.repeat.fmt(f)
    }
}

impl PlannedRequest {
    /// A key condition with names and values in the places of placeholders.
    fn filled(&self, condition: &str) -> String {
        let words = condition.split_inclusive([' ', '(', ')', ',']);
        let filled = words.map(|word| {
            let end = word.find([' ', '(', ')', ',']).unwrap_or(word.len());
            let (placeholder, rest) = word.split_at(end);
            let name = self.names.iter().find(|(known, _)| known == placeholder);
            let value = self.values.iter().find(|value| value.name == placeholder);
            match (name, value) {
                (Some((_, name)), _) => format!("{name}{rest}"),
                (None, Some(value)) => format!("{}{rest}", value_line(value)),
                (None, None) => word.to_owned(),
            }
        });
        filled.collect()
    }
}

fn value_line(value: &PlannedValue) -> String {
    value.text.to_string().replace(LAST, "<last>")
}

fn key_line(key: &[PlannedValue]) -> String {
    let parts = key.iter();
    let parts = parts.map(|value| format!("{} = {}", value.name, value_line(value)));
    parts.collect::<Vec<_>>().join(", ")
}

fn options(request: &PlannedRequest) -> String {
    let mut options = Vec::new();
    if request.consistent {
        options.push("strongly".to_owned());
    }
    if request.backwards {
        options.push("backwards".to_owned());
    }
    options.extend(request.limit.map(|limit| format!("limit {limit}")));
    if !request.projection.is_empty() {
        options.push(format!("only {}", request.projection.join(", ")));
    }
    let text = options.iter().map(|option| format!(", {option}"));
    text.collect()
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Once => Ok(()),
            Self::IfNothing { of } => write!(f, ", if {of} finds nothing"),
            Self::EachRow { of } => {
                let of: Vec<_> = of.iter().map(ToString::to_string).collect();
                write!(f, ", for each row of {}", of.join(", "))
            }
            Self::EachDay { parameter } => write!(f, ", for each day of {parameter}"),
            Self::EachShard { shards } => write!(f, ", for each of {shards} shards"),
            Self::EachSegment => f.write_str(", for each segment but the last"),
            Self::EachCurrent => f.write_str(", for each row come to"),
            Self::UntilNothingNew { from } => {
                write!(f, ", then from {from} until nothing is new")
            }
        }
    }
}
