//! Whether the data contains what a finding is about.

use crate::bench::{Bench, read_model};
use monotable_workbench::{Mode, ModelSource};

pub(crate) fn publish_mistake(bench: &Bench) {
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

/// In `("PERSON#a", "PARENT#a")` both ids are Person's, and so are the values of the link's two ends.
#[tokio::test]
async fn counterexamples_have_the_colours_of_keys() {
    let bench = Bench::of_family(Mode::On).await;
    let keys = bench.page("/ui/yggdrasil/model/keys").await;
    let person = keys.split(">Person</a>").next().unwrap();
    let person = person.rsplit("class=\"ent ").next().unwrap();
    let person = person.split('"').next().unwrap();
    publish_mistake(&bench);
    let page = bench.page("/ui/yggdrasil/model").await;
    let card = page.split("class=\"wit\"").nth(1).unwrap();
    let lines: Vec<&str> = card
        .split("In your data")
        .next()
        .unwrap()
        .split("class=\"lab\"")
        .collect();
    let id = format!("<span class=\"v {person}\">");
    for (line, literals) in [(lines[1], 2), (lines[2], 0)] {
        assert_eq!(line.matches(&id).count(), 2, "{person}: {line}");
        assert_eq!(line.matches("<i>").count(), literals, "{line}");
    }
}
