//! The pictures of the README are what the product draws.
//!
//! `MONOTABLE_BLESS=1 cargo test -p monotable-cli --test cli pictures` draws them anew.

use crate::pasted::root;
use crate::sandbox::{Outcome, Sandbox};

/// A model with the mistake of a real design: relationships of a person stand in the same partition of the index as the person.
const MISTAKEN: &str = r##"monotable = 1
model     = "family"

[type]
id = "text, matches = /[a-z0-9-]{1,64}/"

[table.Family]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Person]
is   = { EntityType = "Person" }
key  = ["USER#{UserId}",     "PERSON#{PersonId}"]
GSI1 = ["PERSON#{PersonId}", "TREE#{TreeId}"]

[entity.Person.attributes]
UserId   = "id"
PersonId = "id"
TreeId   = "id"

[entity.ParentChild]
is   = { EntityType = "ParentChild" }
key  = ["USER#{UserId}",    "PERSON#{ParentId}#CHILD#{ChildId}"]
GSI1 = ["PERSON#{ChildId}", "PARENT#{ParentId}"]

[entity.ParentChild.attributes]
UserId   = "id"
ParentId = "id"
ChildId  = "id"

[access.person_by_id]
GSI1    = ["PERSON#{PersonId}"]
returns = ["Person"]
"##;

#[track_caller]
fn compare(name: &str, drawn: &str) {
    let path = root().join("docs/pictures").join(name);
    if std::env::var_os("MONOTABLE_BLESS").is_some() {
        std::fs::write(&path, drawn).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == drawn,
        "docs/pictures/{name} is not what is drawn; \
         MONOTABLE_BLESS=1 cargo test -p monotable-cli --test cli pictures draws it anew"
    );
}

#[test]
fn the_picture_of_an_error_is_what_check_prints() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", MISTAKEN);
    let mut check = sandbox.command();
    check
        .args(["check", "model.toml"])
        .env("CLICOLOR_FORCE", "1");
    let shown = Outcome::of(check.output().unwrap()).failed(253, "person_by_id");
    let text = format!("$ monotable check model.toml\n{}", shown.stderr);
    compare("check.svg", &anstyle_svg::Term::new().render_svg(&text));
}

#[test]
fn the_picture_of_a_model_is_what_describe_draws() {
    let path = root().join("models/yggdrasil/model.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let model = monotable_model::read(&text).model.unwrap();
    compare("yggdrasil.svg", &monotable_describe::relations_svg(&model));
}
