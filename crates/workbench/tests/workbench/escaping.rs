//! Stored values are never markup: scripts in every attribute and key of every model, on every screen.

use crate::bench::{Bench, MODELS, list_links, read_model};
use http::{HeaderMap, Method};
use monotable_api::PutItemInput;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Entity, Field, Model, Part, Table, Template};
use monotable_rest::percent;
use monotable_workbench::Mode;

/// Closes texts, attributes and scripts, wherever it stands.
const SCRIPT: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>";
/// What a page would have in it if the text were markup.
const MARKUP: [&str; 3] = ["<script>alert", "<img src=x", "onerror=alert(2)>\""];

/// Items as programs past the model could write them: the keys of every entity with a script in each of its values.
fn write_hostile_items(model: &Model) -> Vec<(String, Item)> {
    let entities = model.stored().map(|(_, entity)| {
        let table = model.table(entity.table);
        (table.physical.clone(), write_item(entity, table))
    });
    let mut items: Vec<(String, Item)> = entities.collect();
    for (_, table) in model.tables() {
        let mut item = Item::new().with(SCRIPT, SCRIPT);
        item.insert(table.hash.value.clone(), SCRIPT);
        if let Some(range) = &table.range {
            item.insert(range.value.clone(), SCRIPT);
        }
        items.push((table.physical.clone(), item));
    }
    items
}

fn write_item(entity: &Entity, table: &Table) -> Item {
    let mut item = Item::new();
    for attribute in &entity.attributes {
        item.insert(attribute.stored.clone(), SCRIPT);
    }
    item.insert("list".to_owned(), AttributeValue::L(vec![SCRIPT.into()]));
    item.insert("map".to_owned(), Item::new().with(SCRIPT, SCRIPT));
    for known in &entity.is {
        item.insert(known.attribute.value.clone(), known.written.as_str());
    }
    for key in &entity.keys {
        let names = table
            .partition_attributes(key.place)
            .chain(table.sort_attributes(key.place));
        for (name, template) in names.zip(key.templates()) {
            item.insert(name.value.clone(), render(template));
        }
    }
    item
}

fn render(template: &Template) -> String {
    let parts = template.parts.iter().map(|part| match part {
        Part::Literal(text) => text.value.clone(),
        Part::Field(Field { .. }) => SCRIPT.to_owned(),
    });
    parts.collect()
}

#[track_caller]
fn check(address: &str, page: &str) {
    for markup in MARKUP {
        assert!(!page.contains(markup), "{address} has {markup}");
    }
}

#[tokio::test]
async fn scripts_in_every_attribute_and_key_stay_text() {
    for name in MODELS {
        let bench = Bench::new(Mode::On, &[(name, read_model(name))]).await;
        let mut shown = 0;
        for (table, item) in write_hostile_items(bench.stores[0].model()) {
            let input = PutItemInput {
                table_name: Some(table),
                item: Some(item.into()),
                ..PutItemInput::default()
            };
            // Keys of numbers and the like do not take a script.
            shown += usize::from(bench.engine.put_item(input).is_ok());
        }
        assert!(shown > 0, "{name}");
        let mut addresses = vec!["/ui/".to_owned()];
        for screen in [
            "patterns",
            "items",
            "entities",
            "model",
            "model/keys",
            "model/rules",
            "repositories",
        ] {
            addresses.push(format!("/ui/{name}/{screen}"));
        }
        let script = percent::encode(SCRIPT);
        for word in [
            "q",
            "partition",
            "item",
            "row",
            "delete",
            "from",
            "cursor",
            "key",
            "after",
        ] {
            for screen in ["find", "items", "entities", "repositories"] {
                addresses.push(format!("/ui/{name}/{screen}?{word}={script}"));
            }
        }
        let mut seen = 0;
        while let Some(address) = addresses.pop() {
            let (status, _, page) = bench
                .request(Method::GET, &address, HeaderMap::new(), "")
                .await;
            assert!(status < 500, "{address}");
            check(&address, &page);
            seen += 1;
            if seen < 60 {
                addresses.extend(list_links(&page).into_iter().take(40));
            }
            if seen > 400 {
                break;
            }
        }
        assert!(seen > 60, "{name}: {seen}");
        for form in ["create", "update", "delete", "move", "rollback", "revert"] {
            let body = format!(
                "do={form}&of={script}&key=%7B%22a%22%3A%22{script}%22%7D&to={script}&set.a={script}"
            );
            let (_, page) = bench.send(&format!("/ui/{name}/write"), &body).await;
            check(form, &page);
        }
    }
}

#[tokio::test]
async fn a_script_that_the_model_takes_is_shown_as_text() {
    let bench = Bench::of_family(Mode::On).await;
    let script = percent::encode(SCRIPT);
    let body = format!(
        "do=update&of=Tree&key=%7B%22UserId%22%3A%22ada%22%2C%22TreeId%22%3A%22byron%22%7D&set.TreeName={script}"
    );
    let (_, answer) = bench.send("/ui/yggdrasil/write", &body).await;
    assert!(answer.contains("data-outcome=\"Written\""), "{answer}");
    check("write", &answer);
    for address in [
        "/ui/yggdrasil/entities/Tree",
        "/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron",
        "/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron&view=json",
        "/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron&view=stored",
        "/ui/yggdrasil/find?q=script",
    ] {
        let page = bench.page(address).await;
        assert!(page.contains("&lt;script&gt;"), "{address}: {page}");
        check(address, &page);
    }
}
