//! `Name=value` as values of the kinds that the model says.

use super::problems::Problems;
use super::vocabulary::{Term, Vocabulary};
use crate::plain_json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Kind;

/// The values of all words, each name once. A text that is no value of its kind stays a text, so that what else is
/// wrong can be found out, too.
pub(super) fn read_item(
    words: &[String],
    vocabulary: &Vocabulary<'_>,
    problems: &mut Problems,
) -> Item {
    let mut item = Item::new();
    for word in words {
        let Some((name, text)) = split(word, problems) else {
            continue;
        };
        let value = read_value(name, vocabulary.find(name), text, problems);
        if item.insert(name, value).is_some() {
            problems.add_repeated(name);
        }
    }
    item
}

/// Adds secrets that are given as what is stored of them.
pub(super) fn add_hashes(item: &mut Item, words: &[String], problems: &mut Problems) {
    for word in words {
        let Some((name, hash)) = split(word, problems) else {
            continue;
        };
        let hash = AttributeValue::M(Item::new().with("bcrypt", hash));
        if item.insert(name, hash).is_some() {
            problems.add_repeated(name);
        }
    }
}

/// Values for the ends of lists; a name may come several times.
pub(super) fn read_elements(
    words: &[String],
    vocabulary: &Vocabulary<'_>,
    problems: &mut Problems,
) -> Item {
    let mut item = Item::new();
    for word in words {
        let Some((name, text)) = split(word, problems) else {
            continue;
        };
        let term = vocabulary.find(name).map(|term| match term.kind {
            Some(Kind::List { of, .. }) => Term {
                kind: Some(&**of),
                ..term
            },
            _ => term,
        });
        let value = read_value(name, term, text, problems);
        match item.get_mut(name) {
            Some(AttributeValue::L(values)) => values.push(value),
            _ => {
                item.insert(name, vec![value]);
            }
        }
    }
    item
}

/// Values to compare with: a name alone stands for no value at all.
pub(super) fn read_expected(
    words: &[String],
    vocabulary: &Vocabulary<'_>,
    problems: &mut Problems,
) -> Item {
    let mut item = Item::new();
    for word in words {
        let (name, value) = match word.split_once('=') {
            Some((name, text)) => {
                let term = vocabulary.find(name);
                (name, read_value(name, term, text, problems))
            }
            None => (word.as_str(), AttributeValue::Null),
        };
        item.insert(name, value);
    }
    item
}

fn split<'w>(word: &'w str, problems: &mut Problems) -> Option<(&'w str, &'w str)> {
    match word.split_once('=') {
        Some((name, text)) if !name.is_empty() => Some((name, text)),
        _ => {
            problems.add_word(word);
            None
        }
    }
}

/// What the model does not know is sent as text, and refused by the store.
fn read_value(
    name: &str,
    term: Option<Term<'_>>,
    text: &str,
    problems: &mut Problems,
) -> AttributeValue {
    let Some(term) = term else {
        return text.into();
    };
    match parse(name, term.kind, text) {
        Ok(value) => value,
        Err(why) => {
            problems.add_value(name, &term, text, &why);
            text.into()
        }
    }
}

/// The value of a text, or why it is none of that kind.
fn parse(name: &str, kind: Option<&Kind>, text: &str) -> Result<AttributeValue, String> {
    match kind {
        Some(Kind::Integer(_) | Kind::Number(_) | Kind::Epoch) => match text.parse() {
            Ok(number) => Ok(AttributeValue::N(number)),
            Err(error) => Err(format!("not a number: {error}")),
        },
        Some(Kind::Boolean) => match text.parse() {
            Ok(flag) => Ok(AttributeValue::Bool(flag)),
            Err(_) => Err("neither true nor false".to_owned()),
        },
        Some(Kind::List { .. }) => plain_json::read_value(name, text)
            .map_err(|error| format!("{error}; a list is JSON: {name}='[\"a\", \"b\"]'")),
        Some(Kind::Map) => plain_json::read_value(name, text)
            .map_err(|error| format!("{error}; a map is JSON: {name}='{{\"a\": 1}}'")),
        Some(Kind::Binary) => match STANDARD.decode(text) {
            Ok(bytes) => Ok(AttributeValue::B(bytes)),
            Err(error) => Err(format!("not base64: {error}")),
        },
        _ => Ok(AttributeValue::S(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_model::model::Bounds;

    const ANY: Bounds = Bounds {
        least: None,
        most: None,
    };

    fn read(kind: Option<&Kind>, text: &str) -> Option<AttributeValue> {
        parse("a", kind, text).ok()
    }

    #[test]
    fn values_are_of_the_kinds_of_the_model() {
        let number = Kind::Integer(ANY);
        assert_eq!(read(Some(&number), "-5"), Some((-5).into()));
        assert_eq!(read(Some(&number), "five"), None);
        assert_eq!(read(Some(&Kind::Boolean), "true"), Some(true.into()));
        assert_eq!(read(Some(&Kind::Boolean), "yes"), None);
        assert_eq!(read(Some(&Kind::Date), "5"), Some("5".into()));
        assert_eq!(read(None, ""), Some("".into()));
        let list = Kind::List {
            of: Box::new(Kind::Date),
            length: ANY,
        };
        assert_eq!(read(Some(&list), "[1]"), Some(vec![1.into()].into()));
        assert_eq!(read(Some(&list), "a"), None);
        assert_eq!(read(Some(&list), r#"1],"b":[2"#), None);
        let bytes = AttributeValue::B(vec![1]);
        assert_eq!(read(Some(&Kind::Binary), "AQ=="), Some(bytes));
    }

    #[test]
    fn words_are_names_and_values() {
        let words = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>()
        };
        let nothing = Vocabulary::default();
        let mut problems = Problems::default();
        let read = read_item(&words(&["a==", "b="]), &nothing, &mut problems);
        assert_eq!(read, Item::new().with("a", "=").with("b", ""));
        let absent = read_expected(&words(&["a"]), &nothing, &mut problems);
        assert_eq!(absent, Item::new().with("a", AttributeValue::Null));
        let list = read_elements(&words(&["a=1", "a=2"]), &nothing, &mut problems);
        assert_eq!(list, Item::new().with("a", vec!["1".into(), "2".into()]));
        assert!(problems.is_empty());
        for bad in [&["a"][..], &["=a"], &["a=1", "a=2"]] {
            let mut problems = Problems::default();
            read_item(&words(bad), &nothing, &mut problems);
            assert!(!problems.is_empty(), "{bad:?}");
        }
    }
}
