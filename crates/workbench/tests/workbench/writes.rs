//! Forms: dry runs, writes, and refusals with their reason.

use crate::bench::Bench;
use monotable_workbench::Mode;

const WRITE: &str = "/ui/yggdrasil/write";
const TREE: &str = "%7B%22UserId%22%3A%22ada%22%2C%22TreeId%22%3A%22byron%22%7D";
const GEORGE: &str = "%7B%22UserId%22%3A%22ada%22%2C%22PersonId%22%3A%22george%22%7D";

#[tokio::test]
async fn a_dry_run_tells_and_does_not_write() {
    let bench = Bench::of_family(Mode::On).await;
    let (_, text) = bench
        .send(
            WRITE,
            &format!("do=update&of=Tree&key={TREE}&set.TreeName=Milbanke&dry=1"),
        )
        .await;
    assert!(
        text.contains("data-outcome=\"Dry run\"")
            && text.contains("Milbanke")
            && text.contains("nothing is written yet"),
        "{text}"
    );
    assert!(
        bench
            .page("/ui/yggdrasil/entities/Tree")
            .await
            .contains(">Byron<")
    );
    let (_, text) = bench
        .send(
            WRITE,
            &format!("do=update&of=Tree&key={TREE}&set.TreeName=Milbanke"),
        )
        .await;
    assert!(
        text.contains("data-outcome=\"Written\"") && text.contains("write units"),
        "{text}"
    );
    let page = bench.page("/ui/yggdrasil/entities/Tree").await;
    assert!(
        page.contains(">Milbanke<") && !page.contains(">Byron<"),
        "{page}"
    );
    assert!(
        bench
            .page("/ui/activity")
            .await
            .contains("workbench, as the program")
    );
}

#[tokio::test]
async fn a_row_that_changed_meanwhile_is_not_changed_again() {
    let bench = Bench::of_family(Mode::On).await;
    let (_, text) = bench
        .send(
            WRITE,
            &format!("do=update&of=Tree&key={TREE}&set.TreeName=Mine&was.TreeName=%22Theirs%22"),
        )
        .await;
    assert!(
        text.contains("data-outcome=\"Refused\"") && text.contains("Conflict"),
        "{text}"
    );
    assert!(
        bench
            .page("/ui/yggdrasil/entities/Tree")
            .await
            .contains(">Byron<")
    );
}

#[tokio::test]
async fn all_errors_of_a_form_stand_at_their_fields() {
    let bench = Bench::of_family(Mode::On).await;
    let body = "do=create&of=Person&set.UserId=ada&set.TreeId=byron&set.FirstName=Medora&set.BirthDate=1814-13-15&set.PhotoUrl=medora.jpg";
    let (_, text) = bench.send(WRITE, body).await;
    assert!(text.contains("data-outcome=\"Refused\""), "{text}");
    let form = text
        .split("<template data-form>")
        .nth(1)
        .expect("the form again");
    assert!(form.matches("aria-invalid=\"true\"").count() >= 3, "{form}");
    assert!(form.contains("value=\"Medora\""), "{form}");
}

#[tokio::test]
async fn a_value_that_is_taken_is_refused_with_its_declaration() {
    let bench = Bench::of_family(Mode::On).await;
    let (_, text) = bench
        .send(
            WRITE,
            "do=create&of=User&set.UserId=eve&set.Email=ADA%40example.com&set.PasswordHash=x",
        )
        .await;
    assert!(
        text.contains("Another user has this e-mail address")
            && text.contains("entity.User.unique.Email"),
        "{text}"
    );
}

#[tokio::test]
async fn a_delete_shows_its_cascade_before_it_happens() {
    let bench = Bench::of_family(Mode::On).await;
    let page = bench
        .page(&format!("/ui/yggdrasil/entities/Person?delete={GEORGE}"))
        .await;
    for text in [
        "Delete George Byron?",
        "ParentChild",
        "cascade",
        "entity.ParentChild.attributes.ParentId",
        "This is a dry run",
        "Delete 2 rows",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let (_, text) = bench
        .send(WRITE, &format!("do=delete&of=Person&key={GEORGE}"))
        .await;
    assert!(text.contains("data-outcome=\"Written\""), "{text}");
    let page = bench
        .page("/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron")
        .await;
    assert!(
        page.contains("2 rows") && !page.contains("george"),
        "{page}"
    );
    let (status, text) = bench.send("/ui/yggdrasil/verify", "").await;
    assert_eq!((status, text.as_str()), (200, r#"{"verified":true}"#));
    assert!(
        bench
            .page("/ui/")
            .await
            .contains("yggdrasil agrees with its model")
    );
}

#[tokio::test]
async fn a_form_that_is_not_complete_is_refused() {
    let bench = Bench::of_family(Mode::On).await;
    for body in [
        "",
        "do=delete&of=Person",
        "do=delete&of=Person&key=%7B",
        "do=fly&of=Person",
        "do=update&of=Nobody&key=%7B%7D",
    ] {
        let (status, text) = bench.send(WRITE, body).await;
        assert_eq!(status, 400, "{body}: {text}");
    }
}
