//! What the Model screen asks for: a fix of a finding, an acceptance with its reason, or a text that is only tried.
//!
//! A change is shown first, with what the checker says of the changed text, and written when the reader applies it. Only `dev`
//! names files that may be changed, and a file is changed only while it has the text that the reader saw.

use crate::address::Words;
use crate::context::{Context, OpenModel};
use crate::mode::Mode;
use crate::model_edit;
use crate::model_file::{self, FileRefusal};
use crate::part::prose::prose;
use crate::proof::{Proof, Tally};
use crate::reply;
use crate::screen::model::{draw_difference, draw_findings};
use http::StatusCode;
use maud::{Markup, html};
use monotable_check::check;
use monotable_model::diagnostic::{Diagnostic, Edit};
use monotable_rest::{Request, Response};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A reason is a sentence or two.
const LONGEST_REASON: usize = 500;
/// A text that is tried may be as long as this.
const LONGEST_TEXT: usize = 1 << 20;
/// `dev` looks at its files every 300 ms; the answer waits until it has seen the change.
const LOOK: Duration = Duration::from_millis(50);
const LOOKS: usize = 40;

/// What a form asks to be changed.
struct Change {
    title: String,
    edit: Edit,
    found: Diagnostic,
}

/// Shows what a change of the file would be, or makes it.
pub(crate) async fn answer(context: &Context<'_>, open: &OpenModel, request: &Request) -> Response {
    match decide(context, open, request).await {
        Ok(markup) => reply::html(StatusCode::OK, markup),
        Err(Refusal {
            status,
            title,
            text,
        }) => reply::html(status, refuse(title, &text)),
    }
}

/// Why a change is not made.
struct Refusal {
    status: StatusCode,
    title: &'static str,
    text: String,
}

impl Refusal {
    fn new(status: StatusCode, title: &'static str, text: impl Into<String>) -> Self {
        Self {
            status,
            title,
            text: text.into(),
        }
    }

    fn changed() -> Self {
        let text = "Nothing was written. The page follows the file: look at the finding again, if it is still there.";
        Self::new(
            StatusCode::OK,
            "The file has changed since this page was shown.",
            text,
        )
    }
}

fn refuse(title: &str, text: &str) -> Markup {
    html! {
        section class="sec" aria-label="Refused" data-outcome="Refused" data-summary="refused, nothing was written" {
            h2 { "Refused" }
            div class="note err" role="alert" { b { (title) } p { (text) } }
        }
    }
}

async fn decide(
    context: &Context<'_>,
    open: &OpenModel,
    request: &Request,
) -> Result<Markup, Refusal> {
    let (proof, path) = find_file(context, open)?;
    let body = String::from_utf8_lossy(&request.body);
    let words = Words::parse(&body);
    if words.get("text") != Some(&proof.mark()) {
        return Err(Refusal::changed());
    }
    let change = read_change(&proof, &words)?;
    let Some(text) = model_edit::apply(&proof.source.text, &change.edit) else {
        let text = "The text has no place for this change. Open it in an editor.";
        return Err(Refusal::new(
            StatusCode::OK,
            "This cannot be written.",
            text,
        ));
    };
    if words.has("dry") {
        return Ok(show(open, &proof, &words, &change, &text).await);
    }
    write(context, open, &proof, path, text).await?;
    Ok(html! {
        section class="sec" aria-label="Written" data-outcome="Written" data-summary="written" {
            h2 { "Written" span class="grow mute" { (proof.source.file) } }
            p class="mute" { (prose(&change.title)) "." }
        }
    })
}

/// The file of a model that the page may change.
fn find_file(context: &Context<'_>, open: &OpenModel) -> Result<(Arc<Proof>, PathBuf), Refusal> {
    let forbidden = |title, text| Err(Refusal::new(StatusCode::FORBIDDEN, title, text));
    if context.bench.mode() != Mode::On {
        return forbidden(
            "This page is read only.",
            "Start the server with --workbench on to change the file of a model.",
        );
    }
    if !open.is_program {
        return forbidden(
            "Only the program itself changes its model.",
            "Look as the program, and not as a caller, to change the file.",
        );
    }
    match &open.proof {
        Some(proof) => match proof.source.path.clone() {
            Some(path) => Ok((Arc::clone(proof), path)),
            None => forbidden(
                "This server does not change files of models.",
                "`monotable dev model.toml` does.",
            ),
        },
        None => forbidden("The text of this model is not known.", ""),
    }
}

fn read_change(proof: &Proof, words: &Words) -> Result<Change, Refusal> {
    let incomplete = || {
        let text = "It names no finding of the text, or no fix of the finding.";
        Refusal::new(StatusCode::BAD_REQUEST, "This form is not complete.", text)
    };
    let number = |name| words.get(name).and_then(|word| word.parse::<usize>().ok());
    let found = number("finding").and_then(|position| proof.findings().get(position));
    let found = found.ok_or_else(incomplete)?.clone();
    if let Some(fix) = number("fix").and_then(|position| found.fixes.get(position)) {
        return Ok(Change {
            title: fix.title.clone(),
            edit: fix.edit.clone(),
            found,
        });
    }
    let acceptor = found.acceptor.as_ref().ok_or_else(incomplete)?;
    let reason = words.get("reason").ok_or_else(incomplete)?.trim();
    let is_line = !reason.chars().any(char::is_control);
    if reason.is_empty() || reason.chars().count() > LONGEST_REASON || !is_line {
        let text = format!(
            "Say in one line of up to {LONGEST_REASON} characters why `{}` is right here. Whoever reads the model later has only this.",
            found.code.name()
        );
        return Err(Refusal::new(StatusCode::OK, "A reason is wanted.", text));
    }
    Ok(Change {
        title: format!("`{acceptor}` accepts `{}`", found.code.name()),
        edit: Edit::Set {
            path: acceptor.path(found.code),
            text: reason.to_owned(),
        },
        found,
    })
}

/// The changed lines, what the checker says of the changed text, and the button that writes it.
async fn show(
    open: &OpenModel,
    proof: &Proof,
    words: &Words,
    change: &Change,
    text: &str,
) -> Markup {
    let findings = check_aside(text.to_owned()).await;
    let is_same = |found: &&Diagnostic| {
        found.code == change.found.code && found.message == change.found.message
    };
    let remains = findings.iter().any(|found| is_same(&found));
    let tally = Tally::new(&findings);
    html! {
        section class="sec" aria-label="Dry run" data-outcome="Dry run" data-summary=(tally.to_string()) {
            h2 { "Dry run" span class="grow mute" { "nothing is written yet" } }
            p { (prose(&change.title)) "." }
            (draw_difference(open, &proof.source.text, text))
            @if remains {
                p class="status-warn" { "The finding stays. " (tally) "." }
            } @else {
                p class="mute" { "The finding is gone. Then the model is " @if tally.errors == 0 { "proved" } @else { "not proved" } ": " (tally) "." }
            }
            form class="row" data-write-form=(open.link(&["change"])) {
                @for name in ["text", "finding", "fix", "reason"] {
                    @if let Some(value) = words.get(name) { input type="hidden" name=(name) value=(value); }
                }
                button class="btn pri s" type="submit" { "Write it to " (proof.source.file) }
                a class="btn ghost s" href=(open.link(&["model"])) { "Leave it" }
            }
        }
    }
}

async fn write(
    context: &Context<'_>,
    open: &OpenModel,
    proof: &Arc<Proof>,
    path: PathBuf,
    text: String,
) -> Result<(), Refusal> {
    let _alone = context.bench.lock_files().await;
    let before = Arc::clone(proof);
    let after = text.clone();
    let replacing = move || model_file::replace(&path, &before.source.text, &after);
    let outcome = tokio::task::spawn_blocking(replacing).await;
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(FileRefusal::Changed)) => return Err(Refusal::changed()),
        Ok(Err(FileRefusal::System(error))) => {
            let text = format!("{error}. The file is as it was.");
            return Err(Refusal::new(
                StatusCode::OK,
                "The file cannot be written.",
                text,
            ));
        }
        Err(error) => {
            let text = error.to_string();
            return Err(Refusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "Writing ended early.",
                text,
            ));
        }
    }
    for _ in 0..LOOKS {
        let is_seen = context
            .bench
            .proof(&open.name)
            .is_none_or(|proof| proof.source.text == text);
        if is_seen {
            break;
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}

/// Proving takes the processor, so others do not wait for it.
async fn check_aside(text: String) -> Vec<Diagnostic> {
    let checking = tokio::task::spawn_blocking(move || check(&text).diagnostics);
    checking.await.unwrap_or_default()
}

/// Checks a text that is never saved.
pub(crate) async fn try_text(open: &OpenModel, request: &Request) -> Response {
    let body = String::from_utf8_lossy(&request.body);
    let words = Words::parse(&body);
    let text = words.get("model").unwrap_or_default().replace("\r\n", "\n");
    if text.len() > LONGEST_TEXT {
        let markup = refuse(
            "This text is too long.",
            "A model of up to 1 MB is checked here.",
        );
        return reply::html(StatusCode::OK, markup);
    }
    let findings = check_aside(text.clone()).await;
    let tally = Tally::new(&findings);
    let markup = html! {
        section class="sec" aria-label="Findings" data-outcome="Dry run" data-summary=(tally.to_string()) {
            h2 { "Findings" span class="grow mute" { (tally) } }
            (draw_findings(open, &text, &findings))
        }
    };
    reply::html(StatusCode::OK, markup)
}
