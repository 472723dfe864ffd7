//! A line of a change set: `{"create": "ValuesNode", "values": {..}}`, or a whole commit.

use crate::notation::Notation;
use monotable_item::Item;
use monotable_store::{
    AnyOperation, Attach, Change, Commit, Create, Delete, Detach, Parent, Put, Update,
};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    /// A change of the repository that the command line names.
    Change(AnyOperation),
    /// A commit of its own.
    Commit(Commit),
}

/// What a line of a change set may be about. Exactly one of these is a member of it.
const CHANGES: [&str; 5] = ["create", "put", "update", "delete", "commit"];
/// What a line of a transaction may be about.
const WRITES: [&str; 6] = ["create", "put", "update", "delete", "attach", "detach"];

/// A line of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WriteLine {
    pub(crate) entity: String,
    pub(crate) operation: AnyOperation,
}

/// Reads a line of a transaction.
pub(crate) fn read_write(text: &str, notation: Notation) -> Result<WriteLine, String> {
    let mut members = Members::read(text, notation)?;
    let (verb, entity) = members.subject(&WRITES)?;
    let operation = change(&mut members, verb, entity.clone())?;
    members.end()?;
    Ok(WriteLine { entity, operation })
}

/// Reads a line.
pub(super) fn read(text: &str, notation: Notation) -> Result<Line, String> {
    let mut members = Members::read(text, notation)?;
    let line = match members.subject(&CHANGES)? {
        ("commit", repository) => Line::Commit(commit(&mut members, repository)?),
        (verb, entity) => Line::Change(change(&mut members, verb, entity)?),
    };
    members.end()?;
    Ok(line)
}

fn change(members: &mut Members, verb: &str, entity: String) -> Result<AnyOperation, String> {
    Ok(match verb {
        "create" => {
            let values = members.required("values")?;
            AnyOperation::Create(Create { entity, values })
        }
        "put" => {
            let values = members.required("values")?;
            AnyOperation::Put(Put { entity, values })
        }
        "update" => AnyOperation::Update(Update {
            entity,
            key: members.required("key")?,
            change: changed(members)?,
        }),
        "attach" => {
            let values = members.required("values")?;
            AnyOperation::Attach(Attach { entity, values })
        }
        "detach" => {
            let key = members.required("key")?;
            AnyOperation::Detach(Detach { entity, key })
        }
        _ => {
            let key = members.required("key")?;
            AnyOperation::Delete(Delete { entity, key })
        }
    })
}

fn changed(members: &mut Members) -> Result<Change, String> {
    let change = Change {
        set: members.item("set")?,
        unset: members
            .parsed("unset", "a list of names")?
            .unwrap_or_default(),
        add: members.item("add")?,
        append: members.item("append")?,
    };
    if change == Change::default() {
        Err("nothing changes: give `set`, `unset`, `add` or `append`".to_owned())
    } else {
        Ok(change)
    }
}

fn commit(members: &mut Members, repository: String) -> Result<Commit, String> {
    Ok(Commit {
        repository,
        key: members.required("key")?,
        values: members.item("values")?,
        parent: parent(members)?,
        changes: changes(members)?,
    })
}

/// A revision, null for the first commit; or a revision that was seen, whatever was committed since.
fn parent(members: &mut Members) -> Result<Parent, String> {
    let parent: Option<Option<String>> = members.nullable("parent")?;
    let rebase: Option<String> = members.parsed("rebase", "a revision")?;
    match (parent, rebase) {
        (None, None) => Ok(Parent::Head),
        (Some(None), None) => Ok(Parent::None),
        (Some(Some(revision)), None) => Ok(Parent::Is(revision)),
        (None, Some(revision)) => Ok(Parent::Rebased(revision)),
        (Some(_), Some(_)) => Err("`parent` and `rebase` cannot both be given".to_owned()),
    }
}

fn changes(members: &mut Members) -> Result<Vec<AnyOperation>, String> {
    let lines: Option<Vec<Box<RawValue>>> = members.parsed("changes", "a list of changes")?;
    let lines = lines.unwrap_or_default().into_iter().enumerate();
    let changes = lines.map(|(position, line)| {
        let told = |what: String| format!("changes[{position}]: {what}");
        match read(line.get(), members.notation).map_err(told)? {
            Line::Change(change) => Ok(change),
            Line::Commit(_) => Err(told("a commit has no commits in it".to_owned())),
        }
    });
    changes.collect()
}

/// The members of a line that were not looked at yet.
struct Members {
    left: BTreeMap<String, Box<RawValue>>,
    notation: Notation,
}

impl Members {
    fn read(text: &str, notation: Notation) -> Result<Self, String> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax(&error))?;
        let left = serde_json::from_str(raw.get()).map_err(|_| {
            "not a JSON object: a change looks like {\"create\": \"Entity\", \"values\": {..}}"
                .to_owned()
        })?;
        Ok(Self { left, notation })
    }

    /// What the line is about: the verb and its entity or repository.
    fn subject(&mut self, subjects: &[&'static str]) -> Result<(&'static str, String), String> {
        let found: Vec<_> = subjects
            .iter()
            .copied()
            .filter(|name| self.left.contains_key(*name))
            .collect();
        let [verb] = found.as_slice() else {
            let known = subjects.join(", ");
            return Err(format!("a line has exactly one of {known}"));
        };
        let name = self.parsed(verb, "a name")?;
        Ok((verb, name.unwrap_or_default()))
    }

    fn parsed<T: serde::de::DeserializeOwned>(
        &mut self,
        name: &str,
        wanted: &str,
    ) -> Result<Option<T>, String> {
        let raw = self.left.remove(name);
        let parsed = raw.map(|raw| serde_json::from_str(raw.get()));
        let parsed = parsed.transpose();
        parsed.map_err(|_| format!("`{name}` must be {wanted}"))
    }

    /// A text or null, if it is there.
    fn nullable(&mut self, name: &str) -> Result<Option<Option<String>>, String> {
        let raw = self.left.remove(name);
        let parsed = raw.map(|raw| serde_json::from_str::<Option<String>>(raw.get()));
        let parsed = parsed.transpose();
        parsed.map_err(|_| format!("`{name}` must be a revision, or null for the first commit"))
    }

    fn required(&mut self, name: &str) -> Result<Item, String> {
        if self.left.contains_key(name) {
            self.item(name)
        } else {
            Err(format!("`{name}` is missing"))
        }
    }

    /// Attributes; none if they are not there.
    fn item(&mut self, name: &str) -> Result<Item, String> {
        match self.left.remove(name) {
            Some(raw) => {
                item(raw.get(), self.notation).map_err(|problem| format!("`{name}`: {problem}"))
            }
            None => Ok(Item::new()),
        }
    }

    /// A member that means nothing would be ignored without a word.
    fn end(&self) -> Result<(), String> {
        match self.left.keys().next() {
            Some(name) => Err(format!("`{name}` means nothing here")),
            None => Ok(()),
        }
    }
}

/// The line of an error is one of this text, which is told by its own.
fn syntax(error: &serde_json::Error) -> String {
    let what = error.to_string();
    match error.line() {
        1 => format!(
            "not JSON: {}",
            what.replace(" at line 1 column ", " at column ")
        ),
        _ => format!("not JSON: {what}"),
    }
}

/// A JSON object as attributes.
pub(super) fn item(text: &str, notation: Notation) -> Result<Item, String> {
    Ok(notation.read(text)?.to_item())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Result<Line, String> {
        read(text, Notation::Plain)
    }

    fn key() -> Item {
        Item::new().with("id", "a")
    }

    #[test]
    fn changes_are_read() {
        let entity = || "Node".to_owned();
        let create = plain(r#"{"create": "Node", "values": {"id": "a", "n": 1.50}}"#);
        let values = key().with("n", "1.5".parse::<monotable_item::Number>().unwrap());
        assert_eq!(
            create,
            Ok(Line::Change(AnyOperation::Create(Create {
                entity: entity(),
                values
            })))
        );
        let update =
            plain(r#"{"update": "Node", "key": {"id": "a"}, "unset": ["b"], "set": {"c": null}}"#);
        let change = Change {
            set: Item::new().with("c", monotable_item::AttributeValue::Null),
            unset: vec!["b".to_owned()],
            ..Change::default()
        };
        let update_of = AnyOperation::Update(Update {
            entity: entity(),
            key: key(),
            change,
        });
        assert_eq!(update, Ok(Line::Change(update_of)));
        let delete = AnyOperation::Delete(Delete {
            entity: entity(),
            key: key(),
        });
        let text = r#"{"delete": "Node", "key": {"id": "a"}}"#;
        assert_eq!(plain(text), Ok(Line::Change(delete.clone())));
        let typed = read(
            r#"{"delete": "Node", "key": {"id": {"S": "a"}}}"#,
            Notation::Typed,
        );
        assert_eq!(typed, Ok(Line::Change(delete.clone())));

        let commit = |parent: &str| {
            plain(&format!(
                r#"{{"commit": "plan", "key": {{"id": "a"}}, {parent} "changes": [{text}]}}"#
            ))
        };
        let whole = |parent| {
            Ok(Line::Commit(
                Commit::new("plan", key())
                    .after(parent)
                    .change(delete.clone()),
            ))
        };
        assert_eq!(commit(""), whole(Parent::Head));
        assert_eq!(commit(r#""parent": null,"#), whole(Parent::None));
        assert_eq!(
            commit(r#""parent": "r","#),
            whole(Parent::Is("r".to_owned()))
        );
        assert_eq!(
            commit(r#""rebase": "r","#),
            whole(Parent::Rebased("r".to_owned()))
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let problems = [
            ("{", "not JSON"),
            ("[]", "not a JSON object"),
            ("{}", "exactly one of create, put"),
            (r#"{"create": "A", "put": "A"}"#, "exactly one of"),
            (r#"{"create": 1, "values": {}}"#, "`create` must be a name"),
            (r#"{"create": "A"}"#, "`values` is missing"),
            (
                r#"{"create": "A", "values": 1}"#,
                "`values`: not a JSON object",
            ),
            (
                r#"{"create": "A", "values": {}, "key": {}}"#,
                "`key` means nothing here",
            ),
            (r#"{"update": "A", "key": {}}"#, "nothing changes"),
            (
                r#"{"commit": "A", "key": {}, "changes": [{"put": "A"}]}"#,
                "changes[0]: `values` is missing",
            ),
            (
                r#"{"commit": "A", "key": {}, "parent": "a", "rebase": "b"}"#,
                "cannot both",
            ),
        ];
        for (text, problem) in problems {
            let found = plain(text).unwrap_err();
            assert!(found.contains(problem), "{text}: {found}");
        }
    }
}
