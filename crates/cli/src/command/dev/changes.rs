//! What two versions of a model's text differ in, section by section.

use std::fmt;
use toml::{Table, Value};

/// How a member of a model differs between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    Added,
    Removed,
    Changed,
}

/// One member of a model that differs, such as `entity.Note.attributes.topic`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    path: String,
    difference: Difference,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, path) = match self.difference {
            Difference::Added => ('+', &self.path),
            Difference::Removed => ('-', &self.path),
            Difference::Changed => ('~', &self.path),
        };
        write!(f, "{sign} {path}")
    }
}

/// Everything that differs, in the order of names. A section that is new or gone is one change; of others every member is.
pub(super) fn compare(old: &str, new: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    if let (Ok(old), Ok(new)) = (old.parse::<Table>(), new.parse::<Table>()) {
        compare_tables("", &old, &new, &mut changes);
    }
    changes
}

fn compare_tables(path: &str, old: &Table, new: &Table, changes: &mut Vec<Change>) {
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        let difference = match (old.get(name), new.get(name)) {
            (Some(Value::Table(old)), Some(Value::Table(new))) => {
                compare_tables(&path, old, new, changes);
                continue;
            }
            (Some(old), Some(new)) if old == new => continue,
            (Some(_), Some(_)) => Difference::Changed,
            (None, _) => Difference::Added,
            (_, None) => Difference::Removed,
        };
        changes.push(Change { path, difference });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_members_and_keys() {
        let old = "[entity.A]\nkey = ['A#{x}']\n[entity.A.attributes]\nx = 'text'\n[entity.B]\nkey = ['B']";
        let new = "[entity.A]\nkey = ['A#{x}#{y}']\n[entity.A.attributes]\nx = 'text'\ny = 'text'\n[access.a]\nkey = ['A']";
        let shown: Vec<String> = compare(old, new).iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "+ access",
                "+ entity.A.attributes.y",
                "~ entity.A.key",
                "- entity.B",
            ]
        );
    }

    #[test]
    fn comments_and_order_do_not_count() {
        let old = "a = 1\nb = 2 # two";
        assert_eq!(compare(old, "b = 2\na = 1"), []);
    }
}
