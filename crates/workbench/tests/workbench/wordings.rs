//! A call in the words of other tools.

use crate::bench::{Bench, read_model};
use monotable_item::Item;
use monotable_store::Store;
use monotable_workbench::{Mode, ModelSource};

/// The page's words for Rust stand here as code: they are compiled, and compared with the page.
async fn count_rows(store: &Store) -> Result<usize, Box<dyn std::error::Error>> {
    let mut count = 0;
    // begin
    let parameters = Item::new().with("TreeId", "byron");
    let page = store.query("persons_of_tree", parameters).limit(5).await?;
    for row in page.rows {
        println!("{row:?}");
        // end
        count += 1;
    }
    Ok(count)
}

#[tokio::test]
async fn the_words_for_rust_are_a_program() {
    let bench = Bench::of_family(Mode::On).await;
    let page = bench
        .page("/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=byron&limit=5&run=1")
        .await;
    let words = page.split("data-chosen=\"Rust\"").nth(1).unwrap();
    let words = words.split("<pre>").nth(1).unwrap();
    let words = words.split("</pre>").next().unwrap();
    let words = words.replace("&quot;", "\"");
    let code = include_str!("wordings.rs");
    let code = code.split("// begin").nth(1).unwrap();
    let code = code.split("// end").next().unwrap();
    let squeeze = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(squeeze(&words), format!("{}}}", squeeze(code)));
    assert_eq!(count_rows(&bench.stores[0]).await.unwrap(), 2);
}

/// The words of a page for a tool, as they are copied.
fn read_words(page: &str, tool: &str) -> String {
    let words = page
        .split(&format!("data-chosen=\"{tool}\""))
        .nth(1)
        .unwrap();
    let words = words.split("<pre>").nth(1).unwrap();
    let words = words.split("</pre>").next().unwrap();
    words.replace("&quot;", "\"").replace("&amp;", "&")
}

/// Whoever copies a call gets the rows that the page shows: with the caller's rights, and in the same order.
#[tokio::test]
async fn the_words_for_a_caller_have_its_rights() {
    let bench = Bench::of_family(Mode::On).await;
    let page = bench
        .page("/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=byron&order=descending&limit=x&as.UserId=ada&run=1")
        .await;
    assert_eq!(
        read_words(&page, "monotable"),
        "monotable query -m yggdrasil persons_of_tree TreeId=byron --descending --as UserId=ada"
    );
    assert_eq!(
        read_words(&page, "curl"),
        "curl -s 'http://127.0.0.1:8000/v1/yggdrasil/patterns/persons_of_tree?TreeId=byron&descending=true' \\\n  \
         -H 'Monotable-Principal: {\"UserId\":\"ada\"}'"
    );
    let typescript = read_words(&page, "TypeScript");
    let call = r#"db.as({ "UserId": "ada" }).query.personsOfTree({ "TreeId": "byron" }, { order: "desc" })"#;
    assert!(typescript.contains(call), "{typescript}");
    let rust = read_words(&page, "Rust");
    let call = r#"store.as_principal(principal).query("persons_of_tree", parameters).descending()"#;
    assert!(rust.contains(call), "{rust}");
}

/// A model is named as the command takes it, which for a file is its path.
#[tokio::test]
async fn commands_name_the_file_of_a_model() {
    let bench = Bench::of_family(Mode::On).await;
    bench.workbench.publish(vec![ModelSource {
        path: None,
        name: "yggdrasil".to_owned(),
        file: "my models/trees.toml".to_owned(),
        argument: "my models/trees.toml".to_owned(),
        text: format!("{}\n", read_model("yggdrasil")),
    }]);
    let page = bench
        .page("/ui/yggdrasil/patterns/persons_of_tree?p.TreeId=byron&run=1")
        .await;
    let command = read_words(&page, "monotable");
    assert!(
        command.starts_with("monotable query -m 'my models/trees.toml' persons_of_tree"),
        "{command}"
    );
}
