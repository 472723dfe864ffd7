//! Whether the data contains what a finding is about.

use crate::bench::{Bench, read_model};
use monotable_workbench::{Mode, ModelSource};

fn publish_mistake(bench: &Bench) {
    let text = read_model("yggdrasil").replace(
        "GSI1    = [\"PERSON#{PersonId}\", \"TREE#*\"]",
        "GSI1    = [\"PERSON#{PersonId}\"]",
    );
    bench.workbench.publish(vec![ModelSource {
        path: None,
        name: "yggdrasil".to_owned(),
        file: "model.toml".to_owned(),
        argument: "yggdrasil".to_owned(),
        text,
    }]);
}

#[tokio::test]
async fn a_finding_says_which_stored_rows_it_is_about() {
    let bench = Bench::of_family(Mode::On).await;
    publish_mistake(&bench);
    let page = bench.page("/ui/yggdrasil/model").await;
    // The parent link stands beside the child in GSI1, and nobody is married.
    assert!(page.contains("In your data"), "{page}");
    assert!(page.contains("data-witnesses=\"1\""), "{page}");
    assert!(page.contains("data-witnesses=\"0\""), "{page}");
    assert!(page.contains("no such rows yet"), "{page}");
    let card = page.split("data-witnesses=\"1\"").nth(1).unwrap();
    let card = card.split("1 row").next().unwrap();
    assert!(
        card.contains("PARENT#") && card.contains("george"),
        "{card}"
    );
}

#[tokio::test]
async fn rows_of_everybody_are_not_told_to_a_caller() {
    let bench = Bench::of_family(Mode::On).await;
    publish_mistake(&bench);
    let page = bench.page("/ui/yggdrasil/model?as.UserId=eve").await;
    assert!(page.contains("stranger_in_query"), "{page}");
    assert!(!page.contains("In your data"), "{page}");
}
