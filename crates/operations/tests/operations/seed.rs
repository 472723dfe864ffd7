//! Rows that are made up, of all entities of the five models.

use crate::shop::store_of;
use monotable_engine::Engine;
use monotable_migrate::Plan;
use monotable_operations::{Generator, Migrator};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Entities that no operation creates alone, with what makes their rows.
const FOLLOWING: &[(&str, &str)] = &[
    (
        "ClassificationAllowedValue",
        "what the schema of a classification says",
    ),
    (
        "ClassificationAttributeKey",
        "what the schema of a classification says",
    ),
    (
        "ClassificationCompositeKey",
        "what the schema of a classification says",
    ),
    ("DocumentActivityV", "rows that older releases have written"),
    ("DocumentAttributeVersion", "a change of an attribute"),
    ("DocumentMetadataVersion", "a change of a document"),
    ("DocumentVersion", "a change of a document"),
    ("Intent", "a commit that never finished"),
    (
        "SiteAttributeAllowedValue",
        "what the schema of a site says",
    ),
    ("SiteAttributeKey", "what the schema of a site says"),
    ("SiteCompositeKey", "what the schema of a site says"),
    ("SoftDeletedDocument", "a delete"),
    ("SoftDeletedRow", "a delete"),
    ("TreeShare", "sharing a tree, where the setting is on"),
];

/// Entities whose rules made-up values seldom or never meet. The report says why there are none.
const REFUSED: &[&str] = &["DocumentAttribute", "DocumentTagMultiValue", "Folder"];

#[tokio::test]
async fn every_entity_of_every_model_gets_rows() {
    let mut missing = BTreeMap::new();
    for name in [
        "authorization",
        "formkiq",
        "processproof",
        "values",
        "yggdrasil",
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
        let engine = Engine::in_memory().unwrap();
        let store = store_of(&text, engine.clone());
        store.setup().await.unwrap();
        let report = Generator::new(&store, 3)
            .generate(400, &|_| {})
            .await
            .unwrap();
        let found = store.verify().await.unwrap();
        assert!(
            found.violations.is_empty(),
            "{name}: {:?}",
            found.violations
        );
        let following: BTreeSet<&str> = FOLLOWING.iter().map(|(entity, _)| *entity).collect();
        let plan = Plan::new(store.model(), store.model(), None);
        let counted = Migrator::new(&store, &store, &plan)
            .measure()
            .await
            .unwrap();
        for (_, entity) in store.model().stored() {
            let entity = &entity.name.value;
            if !counted.entities.contains_key(entity) && !following.contains(entity.as_str()) {
                let reason = report.given_up.get(entity).cloned();
                if !REFUSED.contains(&entity.as_str()) || reason.is_none() {
                    missing.insert(format!("{name} {entity}"), reason);
                }
            }
        }
    }
    assert_eq!(missing, BTreeMap::new());
}
