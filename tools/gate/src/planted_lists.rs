//! The bugs of `tests/planted/*.toml` can still be planted: each text that a bug replaces occurs once in its file.
//!
//! `tests/planted/run` plants them, which takes long; a list whose texts are gone would prove nothing, and nobody would see it.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::metadata::Metadata;
use crate::problem::Problem;

const FOLDER: &str = "tests/planted";

/// What every bug says.
const MEMBERS: [&str; 5] = ["name", "file", "of", "to", "found_by"];

/// Checks all lists of the workspace.
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    let folder = metadata.workspace_root.join(FOLDER);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) => return vec![Problem::new(format!("{FOLDER} cannot be read: {error}"))],
    };
    let mut lists: Vec<_> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    lists.sort();
    if lists.is_empty() {
        return vec![Problem::new(format!("{FOLDER} has no list of bugs"))];
    }
    let problems = lists.iter().map(|list| {
        let name = list.file_name().unwrap_or_default().to_string_lossy();
        match std::fs::read_to_string(list) {
            Ok(text) => check_list(&metadata.workspace_root, &name, &text),
            Err(error) => vec![Problem::new(format!(
                "{FOLDER}/{name} cannot be read: {error}"
            ))],
        }
    });
    problems.collect::<Vec<_>>().concat()
}

fn check_list(root: &Path, name: &str, text: &str) -> Vec<Problem> {
    let refuse = |problem: String| vec![Problem::new(format!("{FOLDER}/{name}: {problem}"))];
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => return refuse(format!("not TOML: {error}")),
    };
    let Some(DeValue::Array(bugs)) = table.get_ref().get("bug").map(toml::Spanned::get_ref) else {
        return refuse("it has no [[bug]]".to_owned());
    };
    let found = bugs.iter().enumerate().filter_map(|(index, bug)| {
        let bug = bug.get_ref().as_table();
        let problem = bug.map_or_else(
            || Some("not a table".to_owned()),
            |bug| find_problem(root, bug),
        )?;
        Some(Problem::new(format!(
            "{FOLDER}/{name}: bug {} {problem}",
            index + 1
        )))
    });
    found.collect()
}

/// What keeps a bug from being planted.
fn find_problem(root: &Path, bug: &DeTable<'_>) -> Option<String> {
    let member = |name: &str| bug.get(name).and_then(|value| value.get_ref().as_str());
    if let Some(missing) = MEMBERS.iter().find(|name| member(name).is_none()) {
        return Some(format!("has no {missing}"));
    }
    let (name, file, of) = (member("name")?, member("file")?, member("of")?);
    let times =
        std::fs::read_to_string(root.join(file)).map_or(0, |source| source.matches(of).count());
    (times != 1).then(|| {
        format!(
            "({name}): its text is {times} times in {file}, and not once: bring the list up to date"
        )
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::planted::messages;

    fn check_text(text: &str) -> String {
        let root = Metadata::of_workspace().unwrap().workspace_root;
        messages(&check_list(&root, "x.toml", text))
    }

    const SOUND: &str = "[[bug]]\nname = 'a'\nfile = 'LICENSE-MIT'\nof = 'NONINFRINGEMENT'\nto = ''\nfound_by = 'cargo test'\n";

    #[test]
    fn a_text_that_occurs_once_is_fine() {
        assert_eq!(check_text(SOUND), "");
    }

    #[test]
    fn a_text_that_is_gone_or_comes_twice_is_told() {
        let gone = check_text(&SOUND.replace("NONINFRINGEMENT", "no such words"));
        assert!(
            gone.contains("bug 1 (a): its text is 0 times in LICENSE-MIT"),
            "{gone}"
        );
        let twice = check_text(&SOUND.replace("NONINFRINGEMENT", "the"));
        assert!(twice.contains("times in LICENSE-MIT"), "{twice}");
        let lost = check_text(&SOUND.replace("LICENSE-MIT", "nowhere.rs"));
        assert!(lost.contains("0 times in nowhere.rs"), "{lost}");
    }

    #[test]
    fn a_bug_says_what_finds_it() {
        let silent = check_text(&SOUND.replace("found_by", "found"));
        assert!(silent.contains("bug 1 has no found_by"), "{silent}");
    }
}
