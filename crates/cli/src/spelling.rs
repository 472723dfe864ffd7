//! Spellings of earlier releases, which README and other people's scripts use. They are rewritten before the command
//! line is read, with a note on stderr that shows the spelling of today.

use std::ffi::{OsStr, OsString};

/// Commands on tables that once stood at the top, and their names of today.
const RENAMED: [(&str, [&str; 2]); 4] = [
    ("tables", ["table", "list"]),
    ("create-table", ["table", "create"]),
    ("delete-table", ["table", "delete"]),
    ("scan", ["table", "scan"]),
];

/// Commands that once were about a table unless a model was named.
const SHARED: [&str; 3] = ["get", "put", "query"];

/// Options of the former `monotable explain` that have no value. Every other option is followed by one.
const FLAGS: [&str; 8] = [
    "--in-memory",
    "--consistent",
    "--descending",
    "--tombstones",
    "--first",
    "--oldest-first",
    "--aws",
    "--ddb-json",
];

/// A command line in the spelling of today.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) arguments: Vec<OsString>,
    /// What to tell a user of an earlier spelling.
    pub(crate) note: Option<String>,
}

/// Whether there is a model that a command without -m would use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DefaultModel {
    Found,
    None,
}

/// Rewrites a command line that an earlier release understood.
pub(crate) fn modernize(arguments: Vec<OsString>, default_model: DefaultModel) -> Spelling {
    let command = arguments.get(1).and_then(|command| command.to_str());
    let rewritten = match command {
        Some("explain") => rewrite_explain(&arguments),
        Some(command) => {
            let mut renamed = RENAMED.iter();
            let renamed = renamed.find(|(old, _)| *old == command);
            if let Some((old, new)) = renamed {
                Some(rename(&arguments, old, *new))
            } else if SHARED.contains(&command) && is_about_table(&arguments, default_model) {
                let mut spelling = rename(&arguments, command, ["table", command]);
                // Somebody who means the rows of a model is told why this is about a table.
                if let Some(note) = &mut spelling.note {
                    note.push_str(&format!(
                        "\n  because there is no model.toml here; `monotable {command} -m FILE` is about the rows of a model"
                    ));
                }
                Some(spelling)
            } else {
                None
            }
        }
        None => None,
    };
    rewritten.unwrap_or(Spelling {
        arguments,
        note: None,
    })
}

fn rename(arguments: &[OsString], old: &str, new: [&str; 2]) -> Spelling {
    let (program, rest) = (arguments.iter().take(1), arguments.iter().skip(2));
    let new_words = new.map(OsString::from);
    let arguments = program.cloned().chain(new_words).chain(rest.cloned());
    Spelling {
        arguments: arguments.collect(),
        note: Some(format!(
            "`monotable {old}` is now `monotable {}`",
            new.join(" ")
        )),
    }
}

/// Without a model these commands can only be about a table. Somebody who asks for help means today's command.
fn is_about_table(arguments: &[OsString], default_model: DefaultModel) -> bool {
    let options = arguments.iter().skip(2).take_while(|word| *word != "--");
    let mut options = options.filter_map(|word| word.to_str());
    let has_words = arguments.len() > 2;
    let names_model_or_help = |word: &str| {
        let is_long = word == "--model" || word.starts_with("--model=");
        let is_short = word.starts_with("-m");
        is_long || is_short || word == "--help" || word == "-h"
    };
    default_model == DefaultModel::None && has_words && !options.any(names_model_or_help)
}

/// `explain [OPTIONS] VERB ...` is `VERB --explain [OPTIONS] ...`. Without a verb there is nothing to rewrite.
fn rewrite_explain(arguments: &[OsString]) -> Option<Spelling> {
    let rest = arguments.get(2..)?;
    let position = find_verb(rest)?;
    let verb = rest.get(position)?;
    let options = rest.iter().take(position);
    let after = rest.iter().skip(position + 1);
    let explain = OsString::from("--explain");
    let words = arguments.iter().take(1).chain([verb, &explain]);
    Some(Spelling {
        arguments: words.chain(options).chain(after).cloned().collect(),
        note: Some(format!(
            "`monotable explain {verb} ...` is now `monotable {verb} ... --explain`",
            verb = verb.display()
        )),
    })
}

/// The position of the first word that is neither an option nor the value of one.
fn find_verb(words: &[OsString]) -> Option<usize> {
    let mut is_value = false;
    for (position, word) in words.iter().enumerate() {
        let is_option = word.as_encoded_bytes().starts_with(b"-");
        if is_value {
            is_value = false;
        } else if is_option {
            is_value = takes_value(word);
        } else {
            return Some(position);
        }
    }
    None
}

/// Whether the word after an option is its value: not of `--name=value` and not of `-mFILE`.
fn takes_value(option: &OsStr) -> bool {
    let bytes = option.as_encoded_bytes();
    let is_long = bytes.starts_with(b"--");
    let has_value = if is_long {
        bytes.contains(&b'=')
    } else {
        bytes.len() > 2
    };
    !has_value && !FLAGS.iter().any(|flag| option == *flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(line: &str, default_model: DefaultModel) -> String {
        let words = line.split_whitespace().map(OsString::from).collect();
        let Spelling { arguments, note } = modernize(words, default_model);
        let words: Vec<_> = arguments
            .iter()
            .map(|word| word.to_str().unwrap())
            .collect();
        let words = words.join(" ");
        assert_eq!(note.is_some(), words != line, "{line}");
        words
    }

    #[test]
    fn commands_on_tables_stand_below_table() {
        for (old, new) in [
            ("m tables --output json", "m table list --output json"),
            ("m create-table A B", "m table create A B"),
            ("m delete-table A --yes", "m table delete A --yes"),
            ("m scan A", "m table scan A"),
            ("m query A b", "m table query A b"),
            ("m get A b -- -m", "m table get A b -- -m"),
            ("m query --limit 1 A b", "m table query --limit 1 A b"),
            ("m put A {}", "m table put A {}"),
        ] {
            assert_eq!(rewritten(old, DefaultModel::None), new);
        }
    }

    #[test]
    fn a_model_makes_them_commands_on_rows() {
        for line in [
            "m query -m model.toml a",
            "m query a -mmodel.toml",
            "m get A --model=x b=c",
            "m put A --model x b=c",
            "m query --help",
            "m query",
        ] {
            assert_eq!(rewritten(line, DefaultModel::None), line);
        }
        assert_eq!(rewritten("m get A b=c", DefaultModel::Found), "m get A b=c");
        assert_eq!(rewritten("m scan A", DefaultModel::Found), "m table scan A");
    }

    #[test]
    fn an_explanation_is_an_option_of_its_command() {
        for (old, new) in [
            (
                "m explain -m f get User UserId=a",
                "m get --explain -m f User UserId=a",
            ),
            (
                "m explain --in-memory --as UserId=a query p",
                "m query --explain --in-memory --as UserId=a p",
            ),
            (
                "m explain -mf --as=a delete User --expect a",
                "m delete --explain -mf --as=a User --expect a",
            ),
            ("m explain", "m explain"),
            ("m explain --help", "m explain --help"),
        ] {
            assert_eq!(rewritten(old, DefaultModel::Found), new);
        }
    }
}
