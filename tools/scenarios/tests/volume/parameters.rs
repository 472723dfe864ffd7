//! Parameters for every access pattern of the documents' model.

use super::documents::id;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Access, Kind, Mode};

/// A value for a parameter: that of a row that is there, where it matters.
fn value(name: &str, kind: &Kind) -> AttributeValue {
    let text = match name {
        "documentId" | "belongsToDocumentId" => id(1),
        "tagKey" => "color".to_owned(),
        "tagValue" => "red".to_owned(),
        "key" => "client".to_owned(),
        "value" => "client 0000001".to_owned(),
        "queueId" => "q1".to_owned(),
        "path" => "legal/2025/a.pdf".to_owned(),
        "keys" => return AttributeValue::L(vec!["a".into(), "b".into()]),
        "low" | "high" => return AttributeValue::N(10.into()),
        "inserteddate" => "2025-09-20T10:00:00Z".to_owned(),
        "apiKey" => "A".repeat(51),
        "userId" => "ann".to_owned(),
        "locale" => "en".to_owned(),
        _ => return of_kind(kind),
    };
    match kind {
        kind if kind.is_number() => of_kind(kind),
        Kind::Date => "2025-09-20".into(),
        _ => text.into(),
    }
}

fn of_kind(kind: &Kind) -> AttributeValue {
    match kind {
        kind if kind.is_number() => AttributeValue::N(1.into()),
        Kind::Enum(words) => words[0].word.as_str().into(),
        Kind::Date => "2025-09-20".into(),
        Kind::Timestamp(_) => "2025-09-20T10:00:00Z".into(),
        Kind::Uuid | Kind::UuidV7 => "8f4c0000-0000-4000-8000-000000000001".into(),
        Kind::Ulid => "01HZX9KQ7T0000000000000001".into(),
        _ => "x".into(),
    }
}

/// Everything that a pattern takes; ranges have both ends.
pub(crate) fn given(access: &Access) -> Item {
    let mut given = Item::new();
    for parameter in &access.parameters {
        let name = &parameter.name;
        match parameter.mode {
            Mode::Range => {
                let (from, to) = match name.as_str() {
                    "inserteddate" | "deletedDate" => {
                        ("2025-09-20T00:00:00Z".into(), "2025-09-20T23:59:59Z".into())
                    }
                    _ => (value(name, &parameter.kind), value(name, &parameter.kind)),
                };
                given.insert(format!("{name}.from"), from);
                given.insert(format!("{name}.to"), to);
            }
            Mode::Plain | Mode::Optional | Mode::Open => {
                let value = match (access.name.value.as_str(), name.as_str()) {
                    ("entity_type_by_name", "name") => "Invoice".into(),
                    ("documents_by_attribute_number", "key") => "amount".into(),
                    _ => value(name, &parameter.kind),
                };
                given.insert(name.clone(), value);
            }
        }
    }
    given
}
