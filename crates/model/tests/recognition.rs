//! Rows of the five models are recognised for what they are, by their keys alone and by their discriminators.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_model::compiled::{
    CompiledKey, CompiledModel, KeyTemplate, Shown, SourcePath, StoredKey,
};
use monotable_model::model::{Attribute, EntityId, Format, KeyPlace, Kind, Model, Root, Source};

fn compiled(name: &str) -> CompiledModel {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
    CompiledModel::new(monotable_model::read(&text).model.unwrap())
}

/// Values of an attribute: a few words of its language, times that are real.
fn samples(attribute: &Attribute) -> Vec<Shown> {
    match &attribute.kind {
        Kind::Date => vec![Shown::One("2025-09-20".to_owned())],
        Kind::Timestamp(format) => {
            let time =
                monotable_model::compiled::Instant::parse("2025-09-20T10:11:12.345678Z").unwrap();
            vec![Shown::One(time.show(*format))]
        }
        Kind::List { of, .. } => {
            let words = of.language().unwrap().words(2);
            vec![Shown::Many(words)]
        }
        kind => kind
            .language()
            .unwrap()
            .words(3)
            .into_iter()
            .map(Shown::One)
            .collect(),
    }
}

/// What a template asks for, in the `turn`th variant.
fn value(model: &Model, entity: EntityId, path: &SourcePath<'_>, turn: usize) -> Option<Shown> {
    let pick = |attribute: &Attribute| {
        let samples = samples(attribute);
        samples.get(turn % samples.len().max(1)).cloned()
    };
    match path.root {
        None => {
            let attribute = model.entity(entity).attribute(path.names[0])?;
            match (&attribute.computed, path.names.len()) {
                (Some(template), _) => {
                    let rendered = KeyTemplate::new(model, entity, template)
                        .render(|path| value(model, entity, path, turn));
                    rendered.ok().map(Shown::One)
                }
                (None, 1) => pick(attribute),
                (None, _) => None,
            }
        }
        Some(Root::Setting) => pick(
            model
                .settings
                .iter()
                .find(|setting| setting.name.value == path.names[0])?,
        ),
        Some(Root::Row) => Some(Shown::One("docs#1".to_owned())),
        Some(_) => None,
    }
}

fn render(
    model: &Model,
    entity: EntityId,
    key: &CompiledKey,
    turn: usize,
) -> Option<(String, Option<String>)> {
    let hash = key
        .hash
        .render(|path| value(model, entity, path, turn))
        .ok()?;
    let range = match &key.range {
        Some(range) => Some(range.render(|path| value(model, entity, path, turn)).ok()?),
        None => None,
    };
    Some((hash, range))
}

#[test]
fn every_entity_is_recognised_by_its_key() {
    for name in [
        "authorization",
        "formkiq",
        "processproof",
        "values",
        "yggdrasil",
    ] {
        let compiled = compiled(name);
        let model = compiled.model();
        for (id, entity) in model.stored() {
            let key = &compiled.entity(id).unwrap().keys[0];
            assert_eq!(key.place, KeyPlace::Primary);
            let mut rendered = 0;
            for turn in 0..3 {
                let Some((hash, range)) = render(model, id, key, turn) else {
                    continue;
                };
                rendered += 1;
                let stored = StoredKey {
                    hash: &hash,
                    range: range.as_deref(),
                };
                let found = compiled.recognise(entity.table, stored, |_| None);
                assert_eq!(
                    found.map(|found| found.entity),
                    Some(id),
                    "{} by {stored:?}",
                    entity.name.value
                );
                let told = |attribute: &str| {
                    entity
                        .is
                        .iter()
                        .find(|is| is.attribute.value == attribute)
                        .map(|is| is.written.as_str())
                };
                let found = compiled.recognise(entity.table, stored, told).unwrap();
                assert_eq!(
                    (found.entity, found.layout),
                    (id, None),
                    "{}",
                    entity.name.value
                );
            }
            assert!(
                rendered > 0,
                "no key of {} could be made",
                entity.name.value
            );
        }
    }
}

#[test]
fn rows_of_other_layouts_are_recognised() {
    let mut seen = 0;
    for name in ["formkiq", "values"] {
        let compiled = compiled(name);
        let model = compiled.model();
        for (id, entity) in model.stored() {
            for (layout, table, keys) in &compiled.entity(id).unwrap().layouts {
                let shows_prefix = keys[0]
                    .hash
                    .template()
                    .fields()
                    .flat_map(|field| &field.sources)
                    .any(|source| {
                        matches!(
                            source,
                            Source::Path {
                                root: Some(Root::Tenant),
                                ..
                            }
                        )
                    });
                if shows_prefix {
                    continue;
                }
                let (hash, range) = render(model, id, &keys[0], 0)
                    .unwrap_or_else(|| panic!("{} {layout}", entity.name.value));
                let stored = StoredKey {
                    hash: &hash,
                    range: range.as_deref(),
                };
                let found = compiled.recognise(*table, stored, |_| None);
                assert_eq!(
                    found.map(|found| found.entity),
                    Some(id),
                    "{} {layout} by {stored:?}",
                    entity.name.value
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 15, "{seen}");
}

#[test]
fn a_discriminator_outweighs_the_key_and_its_absence_does_not_matter() {
    let compiled = compiled("yggdrasil");
    let table = compiled.model().stored().next().unwrap().1.table;
    let key = StoredKey {
        hash: "USER#u1",
        range: Some("PERSON#p1"),
    };
    let name = |text: Option<&'static str>| {
        let found = compiled.recognise(table, key, |attribute| {
            text.filter(|_| attribute == "EntityType")
        });
        found.map(|found| compiled.model().entity(found.entity).name.value.clone())
    };
    assert_eq!(name(None).as_deref(), Some("Person"));
    assert_eq!(name(Some("Person")).as_deref(), Some("Person"));
    // A person's key with another entity's word is a row that the model does not know.
    assert_eq!(name(Some("Pet")), None);
}

#[test]
fn unknown_rows_are_not_recognised() {
    let compiled = compiled("formkiq");
    let table = compiled.model().entity_named("Document").unwrap().1.table;
    for range in ["review#1", "document#", "", "tags"] {
        let key = StoredKey {
            hash: "docs#1",
            range: Some(range),
        };
        assert_eq!(compiled.recognise(table, key, |_| None), None, "{range}");
    }
}

/// What a template shows comes back where its formats can be undone, in every key of every model.
#[test]
fn keys_give_their_attributes_back() {
    let mut read = 0;
    for name in [
        "authorization",
        "formkiq",
        "processproof",
        "values",
        "yggdrasil",
    ] {
        let compiled = compiled(name);
        let model = compiled.model();
        for (id, entity) in model.stored() {
            for key in &compiled.entity(id).unwrap().keys {
                for template in std::iter::once(&key.hash).chain(&key.range) {
                    let lossy = template.template().fields().any(|field| {
                        field
                            .formats
                            .iter()
                            .any(|format| !matches!(format.value, Format::Pad(_)))
                    });
                    let Ok(text) = template.render(|path| value(model, id, path, 1)) else {
                        continue;
                    };
                    if lossy || !template.is_invertible() {
                        continue;
                    }
                    for (attribute, found) in template.parse(&text).unwrap() {
                        let expected = value(
                            model,
                            id,
                            &SourcePath {
                                root: None,
                                names: vec![&attribute],
                            },
                            1,
                        );
                        assert_eq!(
                            Some(Shown::One(found)),
                            expected,
                            "{} {attribute} in {text}",
                            entity.name.value
                        );
                        read += 1;
                    }
                }
            }
        }
    }
    assert!(read > 200, "{read}");
}
