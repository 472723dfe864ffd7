//! A call in the words of other tools.

use crate::bench::Bench;
use monotable_item::Item;
use monotable_store::Store;
use monotable_workbench::Mode;

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
