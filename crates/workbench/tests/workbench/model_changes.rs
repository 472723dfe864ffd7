//! Fixes and acceptances: shown first, written to the file of a model that `dev` serves, and to nothing else.

use crate::bench::{Bench, read_model};
use http::{HeaderMap, Method};
use monotable_workbench::{Mode, ModelSource};
use std::fs;
use std::path::PathBuf;

const CHANGE: &str = "/ui/yggdrasil/change";

/// A model with two findings at one place, in a file of its own.
struct Draft {
    bench: Bench,
    folder: PathBuf,
    text: String,
}

impl Draft {
    async fn new(name: &str, mode: Mode) -> Self {
        let bench = Bench::of_family(mode).await;
        let folder = std::env::temp_dir().join(format!("monotable-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = read_model("yggdrasil").replace(
            "GSI1    = [\"PERSON#{PersonId}\", \"TREE#*\"]",
            "GSI1    = [\"PERSON#{PersonId}\"]",
        );
        let draft = Self {
            bench,
            folder,
            text,
        };
        fs::write(draft.file(), &draft.text).unwrap();
        draft.publish(Some(draft.file()));
        draft
    }

    fn file(&self) -> PathBuf {
        self.folder.join("model.toml")
    }

    fn publish(&self, path: Option<PathBuf>) {
        self.bench.workbench.publish(vec![ModelSource {
            name: "yggdrasil".to_owned(),
            file: "model.toml".to_owned(),
            argument: "yggdrasil".to_owned(),
            path,
            text: self.text.clone(),
        }]);
    }

    fn read(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    /// The mark of the text that the page shows.
    async fn mark(&self) -> String {
        let page = self.bench.page("/ui/yggdrasil/model").await;
        let mark = page.split("name=\"text\" value=\"").nth(1).unwrap();
        mark.split('"').next().unwrap().to_owned()
    }

    async fn send(&self, words: &str) -> (u16, String) {
        let mark = self.mark().await;
        let body = format!("text={mark}&finding=0&{words}");
        self.bench.send(CHANGE, &body).await
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[tokio::test]
async fn a_fix_is_shown_first_and_then_written() {
    let draft = Draft::new("fix", Mode::On).await;
    let page = draft.bench.page("/ui/yggdrasil/model").await;
    assert!(page.contains("Close it with"), "{page}");
    // Findings of one rule and place are one card.
    assert_eq!(page.matches("<article").count(), 1, "{page}");
    let (status, shown) = draft.send("fix=0&dry=1").await;
    assert_eq!(status, 200, "{shown}");
    assert!(shown.contains("data-outcome=\"Dry run\""), "{shown}");
    assert!(shown.contains("The finding is gone"), "{shown}");
    assert_eq!(draft.read(), draft.text, "a dry run writes nothing");
    let (status, written) = draft.send("fix=0").await;
    assert_eq!(status, 200, "{written}");
    assert!(written.contains("data-outcome=\"Written\""), "{written}");
    let expected = draft.text.replace(
        "GSI1    = [\"PERSON#{PersonId}\"]",
        "GSI1    = [\"PERSON#{PersonId}\", \"TREE#*\"]",
    );
    assert_eq!(draft.read(), expected);
}

#[tokio::test]
async fn an_acceptance_is_one_line_with_its_reason() {
    let draft = Draft::new("accept", Mode::On).await;
    let reason = "reason=A+%22person%22+is+told+from+relations+by+%3Cthe+program%3E";
    let (_, shown) = draft.send(&format!("{reason}&dry=1")).await;
    assert!(shown.contains("accept"), "{shown}");
    assert!(!shown.contains("<the program>"), "{shown}");
    let (status, _) = draft.send(reason).await;
    assert_eq!(status, 200);
    let written = draft.read();
    let added: Vec<&str> = written
        .lines()
        .filter(|line| !draft.text.contains(line))
        .collect();
    assert_eq!(
        added,
        ["accept.stranger_in_query = 'A \"person\" is told from relations by <the program>'"]
    );
    // One acceptance takes both findings out, and every remark is where it was.
    assert!(monotable_check::check(&written).diagnostics.is_empty());
    let remarks = |text: &str| text.matches(" # ").count();
    assert_eq!(remarks(&written), remarks(&draft.text));
}

#[tokio::test]
async fn a_reason_is_wanted() {
    let draft = Draft::new("reason", Mode::On).await;
    let long = format!("reason={}", "x".repeat(501));
    for words in ["reason=", "reason=++", "reason=two%0Alines", &long] {
        let (_, text) = draft.send(words).await;
        assert!(text.contains("A reason is wanted"), "{words}: {text}");
    }
    assert_eq!(draft.read(), draft.text);
}

#[tokio::test]
async fn a_file_that_was_saved_meanwhile_is_not_touched() {
    let draft = Draft::new("meanwhile", Mode::On).await;
    let theirs = format!("# Saved by an editor.\n{}", draft.text);
    fs::write(draft.file(), &theirs).unwrap();
    // The server has not looked at the file yet.
    let (_, text) = draft.send("fix=0").await;
    assert!(text.contains("The file has changed since"), "{text}");
    assert_eq!(draft.read(), theirs);
    // It has, but the page shows the text before.
    let (_, text) = draft
        .bench
        .send(CHANGE, "text=0123456789abcdef&finding=0&fix=0")
        .await;
    assert!(text.contains("The file has changed since"), "{text}");
    assert_eq!(draft.read(), theirs);
}

#[tokio::test]
async fn only_files_that_dev_serves_are_changed() {
    let draft = Draft::new("served", Mode::On).await;
    let mark = draft.mark().await;
    draft.bench.workbench.publish(vec![ModelSource {
        name: "yggdrasil".to_owned(),
        file: "model.toml".to_owned(),
        argument: "yggdrasil".to_owned(),
        path: None,
        text: format!("{}\n", draft.text),
    }]);
    let page = draft.bench.page("/ui/yggdrasil/model").await;
    assert!(!page.contains("Close it with"), "{page}");
    assert!(!page.contains("Open in editor"), "{page}");
    for words in ["fix=0", "fix=0&dry=1", "reason=why&path=/etc/passwd"] {
        let body = format!("text={mark}&finding=0&{words}");
        let (status, text) = draft.bench.send(CHANGE, &body).await;
        assert_eq!(status, 403, "{text}");
    }
    assert_eq!(draft.read(), draft.text);
}

#[tokio::test]
async fn a_page_that_only_reads_changes_no_file() {
    let draft = Draft::new("read-only", Mode::ReadOnly).await;
    let page = draft.bench.page("/ui/yggdrasil/model").await;
    assert!(!page.contains("Close it with") && !page.contains("Accept with a reason"));
    assert!(
        page.contains("Open in editor"),
        "an editor may still open it"
    );
    for words in ["fix=0", "fix=0&dry=1"] {
        let (status, text) = draft
            .bench
            .send(CHANGE, &format!("text=x&finding=0&{words}"))
            .await;
        assert_eq!(status, 403, "{text}");
        assert!(text.contains("read only"), "{text}");
    }
    assert_eq!(draft.read(), draft.text);
}

#[tokio::test]
async fn a_caller_or_a_foreign_page_changes_no_file() {
    let draft = Draft::new("foreign", Mode::On).await;
    let body = format!("text={}&finding=0&fix=0", draft.mark().await);
    let (status, _, _) = draft
        .bench
        .request(Method::POST, CHANGE, HeaderMap::new(), &body)
        .await;
    assert_eq!(status, 403);
    let as_eve = format!("{CHANGE}?as.UserId=eve");
    let (status, text) = draft.bench.send(&as_eve, &body).await;
    assert_eq!(status, 403, "{text}");
    let page = draft.bench.page("/ui/yggdrasil/model?as.UserId=eve").await;
    assert!(!page.contains("Close it with"), "{page}");
    assert_eq!(draft.read(), draft.text);
}

#[tokio::test]
async fn a_form_that_names_nothing_is_refused() {
    let draft = Draft::new("nothing", Mode::On).await;
    let mark = draft.mark().await;
    for words in [
        "finding=99&fix=0",
        "finding=0&fix=99",
        "finding=x&fix=0",
        "",
    ] {
        let body = format!("text={mark}&{words}");
        let (status, text) = draft.bench.send(CHANGE, &body).await;
        assert_eq!(status, 400, "{words}: {text}");
    }
    assert_eq!(draft.read(), draft.text);
}

#[tokio::test]
async fn a_text_is_tried_and_never_saved() {
    let bench = Bench::of_family(Mode::ReadOnly).await;
    let page = bench.page("/ui/yggdrasil/model/try").await;
    assert!(page.contains("<textarea"), "{page}");
    let (status, text) = bench
        .send(
            "/ui/yggdrasil/try",
            "dry=1&model=monotable+%3D+1%0D%0A%5Btable.%3Cb%3E%5D",
        )
        .await;
    assert_eq!(status, 200);
    assert!(text.contains("M1") && !text.contains("<b>]"), "{text}");
    let model = bench.page("/ui/yggdrasil/model").await;
    assert!(model.contains("Every rule holds"), "{model}");
    let (status, _) = bench
        .send("/ui/yggdrasil/try?as.UserId=eve", "dry=1&model=x")
        .await;
    assert_eq!(status, 404, "only the program tries texts");
}
