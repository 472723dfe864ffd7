//! Changes of the text of a model that keep everything else as it is: remarks, order and spaces.

use monotable_model::diagnostic::Edit;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// The text with a change; none if the text has no place for it.
pub(crate) fn apply(text: &str, edit: &Edit) -> Option<String> {
    match edit {
        Edit::Replace { span, text: new } => {
            let (before, after) = (text.get(..span.start)?, text.get(span.end..)?);
            Some(format!("{before}{new}{after}"))
        }
        Edit::Set { path, text: new } => rewrite(text, path, |section, key| {
            section.insert(key, toml_edit::value(new.as_str()));
            Some(())
        }),
        Edit::Append { path, text: new } => rewrite(text, path, |section, key| {
            let list = section.get_mut(key)?.as_array_mut()?;
            list.push(new.as_str());
            Some(())
        }),
        Edit::Remove { path } => rewrite(text, path, |section, key| {
            section.remove(key)?;
            Some(())
        }),
    }
}

/// Changes the section that a path leads to. Sections below the declaration are made if they are not there.
fn rewrite(
    text: &str,
    path: &[String],
    change: impl FnOnce(&mut dyn TableLike, &str) -> Option<()>,
) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let (key, [kind, name, below @ ..]) = path.split_last()? else {
        return None;
    };
    let declared = document.get_mut(kind)?.get_mut(name)?;
    let mut section = declared.as_table_like_mut()?;
    for word in below {
        if !section.contains_key(word) {
            section.insert(word, new_section());
        }
        section = section.get_mut(word)?.as_table_like_mut()?;
    }
    change(section, key)?;
    drop_empty(document.get_mut(kind)?.get_mut(name)?, below);
    Some(restore_line_ends(text, document.to_string()))
}

/// Written as a part of the key of each line: `accept.rule = "reason"`.
fn new_section() -> Item {
    let mut table = Table::new();
    table.set_dotted(true);
    Item::Table(table)
}

/// Takes away sections that have become empty.
fn drop_empty(declared: &mut Item, below: &[String]) {
    let Some(section) = declared.as_table_like_mut() else {
        return;
    };
    if let [word] = below
        && section.get(word).is_some_and(is_empty)
    {
        section.remove(word);
    }
}

fn is_empty(item: &Item) -> bool {
    match item {
        Item::Value(Value::InlineTable(table)) => table.is_empty(),
        Item::Table(table) => table.is_empty(),
        _ => false,
    }
}

/// Lines end as they did: the reader of TOML lets all of them end in the same way.
fn restore_line_ends(before: &str, after: String) -> String {
    if before.contains("\r\n") && !after.contains("\r\n") {
        return after.replace('\n', "\r\n");
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_model::span::Span;

    const TEXT: &str = "# A library.\nmonotable = 1\n\n[entity.Book] # of paper\nkey = [\"BOOK#{isbn}\"]   # one\n\n[entity.Book.attributes]\nisbn = 'text'\n\n[access.books]\nreturns = [ \"Book\" ] # all\n";

    fn path(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn set(words: &[&str], text: &str) -> Edit {
        Edit::Set {
            path: path(words),
            text: text.to_owned(),
        }
    }

    #[test]
    fn an_acceptance_is_one_line_and_everything_else_stays() {
        let edit = set(&["entity", "Book", "accept", "hot_partition"], "say \"so\"");
        let changed = apply(TEXT, &edit).unwrap();
        let added: Vec<&str> = changed
            .lines()
            .filter(|line| !TEXT.contains(line))
            .collect();
        assert_eq!(added, [r#"accept.hot_partition = 'say "so"'"#]);
        assert_eq!(changed.replace(&format!("{}\n", added[0]), ""), TEXT);
        let section = changed.find("[entity.Book.attributes]").unwrap();
        assert!(changed.find("accept.").unwrap() < section, "{changed}");
    }

    #[test]
    fn a_second_acceptance_stands_beside_the_first_in_every_form() {
        for form in [
            "accept.same_key = \"a\"",
            "accept = { same_key = \"a\" }",
            "[entity.Book.accept]\nsame_key = \"a\"",
        ] {
            let text = format!("[entity.Book]\nkey = \"x\"\n{form}\n");
            let added = apply(&text, &set(&["entity", "Book", "accept", "time_tie"], "b")).unwrap();
            let read: toml_edit::DocumentMut = added.parse().unwrap();
            let accept = &read["entity"]["Book"]["accept"];
            assert_eq!(accept["same_key"].as_str(), Some("a"), "{added}");
            assert_eq!(accept["time_tie"].as_str(), Some("b"), "{added}");
            let rules = [["time_tie"], ["same_key"]];
            let gone = rules.iter().fold(added, |text, [rule]| {
                let path = path(&["entity", "Book", "accept", rule]);
                apply(&text, &Edit::Remove { path }).unwrap()
            });
            assert!(!gone.contains("accept"), "{gone}");
        }
    }

    #[test]
    fn lists_grow_and_parts_are_replaced() {
        let edit = Edit::Append {
            path: path(&["access", "books", "returns"]),
            text: "Copy".to_owned(),
        };
        let changed = apply(TEXT, &edit).unwrap();
        assert!(
            changed.contains("\"Book\" , \"Copy\"] # all")
                || changed.contains("\"Book\", \"Copy\""),
            "{changed}"
        );
        let start = TEXT.find("{isbn}").unwrap();
        let span = Span {
            start,
            end: start + 6,
        };
        let edit = Edit::Replace {
            span,
            text: "{isbn:upper}".to_owned(),
        };
        assert!(apply(TEXT, &edit).unwrap().contains("BOOK#{isbn:upper}"));
    }

    #[test]
    fn lines_of_windows_stay_such_lines() {
        let text = TEXT.replace('\n', "\r\n");
        let edit = set(&["entity", "Book", "accept", "time_tie"], "why");
        let changed = apply(&text, &edit).unwrap();
        assert_eq!(
            changed.matches('\n').count(),
            changed.matches("\r\n").count()
        );
        assert_eq!(changed.lines().count(), text.lines().count() + 1);
    }

    #[test]
    fn what_is_not_there_is_not_changed() {
        for edit in [
            set(&["entity", "Nothing", "accept", "time_tie"], "why"),
            set(&["monotable"], "2"),
            Edit::Remove {
                path: path(&["entity", "Book", "nothing"]),
            },
            Edit::insert(100_000, "x"),
        ] {
            assert_eq!(apply(TEXT, &edit), None, "{edit:?}");
        }
        assert_eq!(apply("not toml", &set(&["a", "b", "c"], "d")), None);
    }
}
