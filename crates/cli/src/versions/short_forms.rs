//! Changes on the command line: `--create 'ENTITY {..}'`, in the order in which they are given.

use super::change_line::item;
use crate::notation::Notation;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use monotable_item::Item;
use monotable_store::{AnyOperation, Change, Create, Delete, Update};
use serde_json::value::RawValue;

/// The changes as they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShortForms {
    given: Vec<(Form, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Create,
    Update,
    Delete,
}

impl Form {
    const ALL: [Self; 3] = [Self::Create, Self::Update, Self::Delete];

    const fn option(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }

    const fn looks(self) -> &'static str {
        match self {
            Self::Create | Self::Delete => "ENTITY {..}",
            Self::Update => "ENTITY {key} {set}",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::Create => "A new row: its entity and its attributes as JSON",
            Self::Update => "A changed row: its entity, its key and its new values, as JSON",
            Self::Delete => "A deleted row: its entity and its key as JSON",
        }
    }
}

impl ShortForms {
    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// The changes; what is wrong with the first that is none.
    pub(super) fn read(&self, notation: Notation) -> Result<Vec<AnyOperation>, String> {
        let changes = self.given.iter().map(|(form, text)| {
            change(*form, text, notation)
                .map_err(|problem| format!("--{} '{text}': {problem}", form.option()))
        });
        changes.collect()
    }
}

fn change(form: Form, text: &str, notation: Notation) -> Result<AnyOperation, String> {
    let looks = || format!("it looks like '{}'", form.looks());
    let text = text.trim();
    let (entity, rest) = text.split_once(['{', ' ']).ok_or_else(looks)?;
    let rest = text.get(entity.len()..).unwrap_or(rest);
    let objects = objects(rest, notation)?;
    let entity = entity.to_owned();
    match (form, <[Item; 1]>::try_from(objects)) {
        (Form::Create, Ok([values])) => Ok(AnyOperation::Create(Create { entity, values })),
        (Form::Delete, Ok([key])) => Ok(AnyOperation::Delete(Delete { entity, key })),
        (Form::Update, Err(objects)) => match <[Item; 2]>::try_from(objects) {
            Ok([key, set]) => {
                let change = Change {
                    set,
                    ..Change::default()
                };
                Ok(AnyOperation::Update(Update {
                    entity,
                    key,
                    change,
                }))
            }
            Err(_) => Err(looks()),
        },
        _ => Err(looks()),
    }
}

/// JSON objects, one behind the other.
fn objects(text: &str, notation: Notation) -> Result<Vec<Item>, String> {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Box<RawValue>>();
    let items = values.map(|raw| {
        let raw = raw.map_err(|error| format!("not JSON: {error}"))?;
        item(raw.get(), notation)
    });
    items.collect()
}

impl FromArgMatches for ShortForms {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given: Vec<(usize, Form, String)> = Vec::new();
        for form in Form::ALL {
            let indices = matches.indices_of(form.option()).into_iter().flatten();
            let texts = matches.get_many::<String>(form.option());
            let texts = texts.into_iter().flatten().cloned();
            given.extend(indices.zip(texts).map(|(index, text)| (index, form, text)));
        }
        given.sort_by_key(|(index, ..)| *index);
        let given = given.into_iter().map(|(_, form, text)| (form, text));
        Ok(Self {
            given: given.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for ShortForms {
    fn augment_args(command: Command) -> Command {
        Form::ALL.into_iter().fold(command, |command, form| {
            let argument = Arg::new(form.option())
                .long(form.option())
                .value_name(form.looks())
                .help(form.help())
                .action(ArgAction::Append);
            command.arg(argument)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Vec<AnyOperation>, String> {
        let command = ShortForms::augment_args(Command::new("commit").no_binary_name(true));
        let matches = command.try_get_matches_from(arguments).unwrap();
        let forms = ShortForms::from_arg_matches(&matches).unwrap();
        forms.read(Notation::Plain)
    }

    #[test]
    fn changes_come_in_the_order_in_which_they_are_given() {
        let found = read(&[
            "--delete",
            r#"Node {"id": "a"}"#,
            "--create",
            r#"Node{"id": "b"}"#,
            "--update",
            r#"Node {"id": "c"} {"n": 1}"#,
            "--delete",
            r#"Node {"id": "d"}"#,
        ]);
        let entity = || "Node".to_owned();
        let key = |id: &str| Item::new().with("id", id);
        let change = Change {
            set: Item::new().with("n", 1),
            ..Change::default()
        };
        let expected = vec![
            AnyOperation::Delete(Delete {
                entity: entity(),
                key: key("a"),
            }),
            AnyOperation::Create(Create {
                entity: entity(),
                values: key("b"),
            }),
            AnyOperation::Update(Update {
                entity: entity(),
                key: key("c"),
                change,
            }),
            AnyOperation::Delete(Delete {
                entity: entity(),
                key: key("d"),
            }),
        ];
        assert_eq!(found, Ok(expected));
    }

    #[test]
    fn bad_ones_are_refused() {
        for (option, text, problem) in [
            ("--create", "Node", "it looks like 'ENTITY {..}'"),
            ("--create", "Node {} {}", "it looks like"),
            ("--update", "Node {}", "it looks like 'ENTITY {key} {set}'"),
            ("--delete", "Node {", "not JSON"),
            ("--delete", "Node 1", "not a JSON object"),
        ] {
            let found = read(&[option, text]).unwrap_err();
            assert!(found.contains(problem), "{found}");
        }
    }
}
