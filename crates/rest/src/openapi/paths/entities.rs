//! Rows of entities, and relations.

use super::super::schema::{Components, RowForm, refer};
use super::Paths;
use super::builder::OperationBuilder;
use super::parameters::describe_key;
use crate::call::MERGE_PATCH;
use crate::response::JSON;
use crate::surface::EntitySurface;
use http::Method;
use monotable_model::model::{EntityId, Model};
use serde_json::Value;

pub(super) fn add(model: &Model, components: &mut Components<'_>, paths: &mut Paths) {
    for (id, _) in model.stored() {
        let surface = EntitySurface::new(model, id);
        add_entity(components, paths, id, &surface);
    }
}

/// What several operations of an entity need.
struct Addressed<'s> {
    name: &'s str,
    path: String,
    key: Vec<Value>,
}

fn add_entity(
    components: &mut Components<'_>,
    paths: &mut Paths,
    id: EntityId,
    surface: &EntitySurface<'_>,
) {
    let name = surface.entity.name.value.as_str();
    let (segments, key) = describe_key(&surface.key());
    let row = components.refer_row(id, RowForm::Read);
    let addressed = Addressed {
        name,
        path: format!("/entities/{name}{segments}"),
        key,
    };
    let get = OperationBuilder::new(
        &format!("get{name}"),
        name,
        &format!("Read the {name} with a key"),
    )
    .parameters(&addressed.key)
    .share(&["Consistent"])
    .answer("200", row.clone(), &["ETag"])
    .with_cache();
    paths.add(&addressed.path, Method::GET, get);
    if surface.creates {
        let new = components.refer_row(id, RowForm::New);
        let create =
            OperationBuilder::new(&format!("create{name}"), name, &format!("Create a {name}"))
                .writes()
                .share(&["IfNoneMatch"])
                .body(&[(JSON, new)])
                .answer("200", row.clone(), &["ETag"])
                .answer("201", row.clone(), &["ETag", "Location"]);
        paths.add(&format!("/entities/{name}"), Method::POST, create);
    }
    add_changes(components, paths, id, surface, &addressed);
    for attribute in surface.hashed() {
        let secret = &attribute.name.value;
        let check = OperationBuilder::new(
            &format!("check{name}{secret}"),
            name,
            &format!("Whether a text is the {secret} of a {name}"),
        )
        .parameters(&addressed.key)
        .body(&[(JSON, refer("Secret"))])
        .answer("200", refer("SecretHolds"), &[]);
        paths.add(
            &format!("{}/secrets/{secret}", addressed.path),
            Method::POST,
            check,
        );
    }
    if surface.relates {
        add_relation(components, paths, (id, surface), &addressed, &segments);
    }
}

fn add_changes(
    components: &mut Components<'_>,
    paths: &mut Paths,
    id: EntityId,
    surface: &EntitySurface<'_>,
    addressed: &Addressed<'_>,
) {
    let Addressed { name, path, key } = addressed;
    let row = components.refer_row(id, RowForm::Read);
    if surface.puts() {
        let replacement = components.refer_row(id, RowForm::Replacement);
        let put = OperationBuilder::new(
            &format!("put{name}"),
            name,
            &format!("Create a {name}, or make the one that is there equal to this"),
        )
        .parameters(key)
        .writes()
        .with_conditions()
        .body(&[(JSON, replacement)])
        .answer("200", row.clone(), &["ETag"]);
        paths.add(path, Method::PUT, put);
    }
    if surface.updates {
        let patch = components.refer_row(id, RowForm::Patch);
        let change = components.refer_row(id, RowForm::Change);
        let update = OperationBuilder::new(
            &format!("update{name}"),
            name,
            &format!("Change some attributes of a {name}"),
        )
        .parameters(key)
        .writes()
        .with_conditions()
        .body(&[(MERGE_PATCH, patch), (JSON, change)])
        .answer("200", row.clone(), &["ETag"]);
        paths.add(path, Method::PATCH, update);
    }
    if surface.deletes {
        let delete = OperationBuilder::new(
            &format!("delete{name}"),
            name,
            &format!("Delete a {name}, with everything that goes with it"),
        )
        .describe("The answer is the row as it was.")
        .parameters(key)
        .writes()
        .with_conditions()
        .answer("200", row, &[]);
        paths.add(path, Method::DELETE, delete);
    }
}

fn add_relation(
    components: &mut Components<'_>,
    paths: &mut Paths,
    (id, surface): (EntityId, &EntitySurface<'_>),
    addressed: &Addressed<'_>,
    segments: &str,
) {
    let Addressed { name, key, .. } = addressed;
    let row = components.refer_row(id, RowForm::Read);
    if surface.creates {
        let new = components.refer_row(id, RowForm::New);
        let attach = OperationBuilder::new(
            &format!("attach{name}"),
            name,
            &format!("Relate two rows by a {name}"),
        )
        .writes()
        .share(&["IfNoneMatch"])
        .body(&[(JSON, new)])
        .answer("200", row.clone(), &["ETag"])
        .answer("201", row.clone(), &["ETag", "Location"]);
        paths.add(&format!("/relations/{name}"), Method::POST, attach);
    }
    if !surface.deletes {
        return;
    }
    let detach = OperationBuilder::new(
        &format!("detach{name}"),
        name,
        &format!("End the {name} of two rows"),
    )
    .parameters(key)
    .writes()
    .with_conditions()
    .answer("200", row, &[]);
    paths.add(
        &format!("/relations/{name}{segments}"),
        Method::DELETE,
        detach,
    );
}
