//! `Name=value` as values of the kinds that the model says.

use crate::exit::Failure;
use crate::plain_json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Kind;

/// What the attribute of a name holds; none if the model does not know it.
pub(super) type KindOf<'m> = dyn Fn(&str) -> Option<&'m Kind> + 'm;

/// The values of all words, each name once.
pub(super) fn item(words: &[String], kind_of: &KindOf<'_>) -> Result<Item, Failure> {
    let mut item = Item::new();
    for word in words {
        let (name, text) = split(word)?;
        let value = value(name, kind_of(name), text)?;
        if item.insert(name, value).is_some() {
            return Err(Failure::usage(format_args!("{name} is given twice")));
        }
    }
    Ok(item)
}

/// The values, and secrets that are given as what is stored of them.
pub(super) fn add_hashes(mut item: Item, words: &[String]) -> Result<Item, Failure> {
    for word in words {
        let (name, hash) = split(word)?;
        let hash = AttributeValue::M(Item::new().with("bcrypt", hash));
        if item.insert(name, hash).is_some() {
            return Err(Failure::usage(format_args!("{name} is given twice")));
        }
    }
    Ok(item)
}

/// Values for the ends of lists; a name may come several times.
pub(super) fn elements(words: &[String], kind_of: &KindOf<'_>) -> Result<Item, Failure> {
    let mut item = Item::new();
    for word in words {
        let (name, text) = split(word)?;
        let kind = match kind_of(name) {
            Some(Kind::List { of, .. }) => Some(&**of),
            kind => kind,
        };
        let value = value(name, kind, text)?;
        match item.get_mut(name) {
            Some(AttributeValue::L(values)) => values.push(value),
            _ => {
                item.insert(name, vec![value]);
            }
        }
    }
    Ok(item)
}

/// Values to compare with: a name alone stands for no value at all.
pub(super) fn expected(words: &[String], kind_of: &KindOf<'_>) -> Result<Item, Failure> {
    let mut item = Item::new();
    for word in words {
        let (name, value) = match word.split_once('=') {
            Some((name, text)) => (name, value(name, kind_of(name), text)?),
            None => (word.as_str(), AttributeValue::Null),
        };
        item.insert(name, value);
    }
    Ok(item)
}

fn split(word: &str) -> Result<(&str, &str), Failure> {
    match word.split_once('=') {
        Some((name, text)) if !name.is_empty() => Ok((name, text)),
        _ => Err(Failure::usage(format_args!("{word} is not NAME=VALUE"))),
    }
}

/// What the model does not know is sent as text, and refused by the store.
fn value(name: &str, kind: Option<&Kind>, text: &str) -> Result<AttributeValue, Failure> {
    let wrong = |what: String| Failure::usage(format_args!("{name}: {what}"));
    match kind {
        Some(Kind::Integer(_) | Kind::Number(_) | Kind::Epoch) => match text.parse() {
            Ok(number) => Ok(AttributeValue::N(number)),
            Err(error) => Err(wrong(format!("not a number: {error}"))),
        },
        Some(Kind::Boolean) => match text.parse() {
            Ok(flag) => Ok(AttributeValue::Bool(flag)),
            Err(_) => Err(wrong(format!("{text} is neither true nor false"))),
        },
        Some(Kind::List { .. } | Kind::Map) => plain_json::read_value(name, text)
            .map_err(|error| wrong(error.to_string()).help(example(name, kind))),
        Some(Kind::Binary) => match STANDARD.decode(text) {
            Ok(bytes) => Ok(AttributeValue::B(bytes)),
            Err(error) => Err(wrong(format!("not base64: {error}"))),
        },
        _ => Ok(AttributeValue::S(text.to_owned())),
    }
}

fn example(name: &str, kind: Option<&Kind>) -> String {
    match kind {
        Some(Kind::Map) => format!("a map is JSON: {name}='{{\"a\": 1}}'"),
        _ => format!("a list is JSON: {name}='[\"a\", \"b\"]'"),
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
        value("a", kind, text).ok()
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
        let nothing = |_: &str| None;
        let read = item(&words(&["a==", "b="]), &nothing).unwrap();
        assert_eq!(read, Item::new().with("a", "=").with("b", ""));
        for bad in [&["a"][..], &["=a"], &["a=1", "a=2"]] {
            assert!(item(&words(bad), &nothing).is_err(), "{bad:?}");
        }
        let absent = expected(&words(&["a"]), &nothing).unwrap();
        assert_eq!(absent, Item::new().with("a", AttributeValue::Null));
        let list = elements(&words(&["a=1", "a=2"]), &nothing).unwrap();
        assert_eq!(list, Item::new().with("a", vec!["1".into(), "2".into()]));
    }
}
