//! What a form asks for: a dry run, or a write. The answer is what was changed and why, with the requests.

use crate::activity::{CallKind, CallRecord};
use crate::address::Words;
use crate::conflict;
use crate::context::{Context, OpenModel};
use crate::mode::Mode;
use crate::model_change;
use crate::part::{changes, note, requests};
use crate::reply;
use crate::screen::entities;
use crate::value::parse_item;
use crate::workbench::Verified;
use http::StatusCode;
use jiff::Timestamp;
use maud::{Markup, html};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Entity;
use monotable_rest::{Request, Response, read_word};
use monotable_store::wire::read_value;
use monotable_store::{
    AnyOperation, At, Change, Create, Delete, MoveRow, Options, Parent, Revert, Rollback, Sweep,
    Trace, Update,
};
use std::time::{Duration, Instant};

/// Commits that are older than this have ended, one way or the other.
const SWEPT_AFTER: Duration = Duration::from_secs(3600);

/// Answers what a form of a screen sends.
pub(crate) async fn answer(
    context: &Context<'_>,
    open: &OpenModel,
    request: &Request,
    below: &[&str],
) -> Response {
    match below {
        ["verify"] if open.is_program => verify(context, open).await,
        ["write"] => write(context, open, request).await,
        ["change"] => model_change::answer(context, open, request).await,
        ["try"] if open.is_program => model_change::try_text(open, request).await,
        _ => reply::html(StatusCode::NOT_FOUND, html! { "There is no such form." }),
    }
}

async fn verify(context: &Context<'_>, open: &OpenModel) -> Response {
    let outcome = open.store.verify().await.map_err(|error| error.to_string());
    let is_well = outcome.is_ok();
    context.bench.note_verification(
        &open.name,
        Verified {
            at: Timestamp::now(),
            outcome,
        },
    );
    reply::json(&serde_json::json!({ "verified": is_well }))
}

async fn write(context: &Context<'_>, open: &OpenModel, request: &Request) -> Response {
    if context.bench.mode() != Mode::On {
        let markup = html! {
            div class="note err" role="alert" { b { "This page is read only." } p { "Start the server with --workbench on to change rows." } }
        };
        return reply::html(StatusCode::FORBIDDEN, markup);
    }
    let text = String::from_utf8_lossy(&request.body);
    let words = Words::parse(&text);
    let Some(operation) = read_operation(open, &words) else {
        let markup = html! { div class="note err" role="alert" { b { "This form is not complete." } p { "It names no operation, or a row by a key that cannot be read." } } };
        return reply::html(StatusCode::BAD_REQUEST, markup);
    };
    let options = Options {
        dry_run: words.has("dry"),
        expected: read_expected(&words),
        ..Options::default()
    };
    let is_dry = options.dry_run;
    let begin = Instant::now();
    let trace = open.store.trace(operation, options).await;
    if !is_dry {
        let caller = open.caller().unwrap_or_else(|| "the program".to_owned());
        let refused = trace.outcome.as_ref().err();
        let refused = refused.map(|error| note::name_kind(error.kind()));
        let word = |name| words.get(name).unwrap_or_default();
        let record = CallRecord::new(Some(&open.name), CallKind::Write)
            .with_operation(word("do"), word("of"))
            .with_caller(&format!("workbench, as {caller}"))
            .with_time(begin.elapsed())
            .with_refusal(refused)
            .with_trace(&trace);
        context.bench.note(record);
    }
    // A refusal is an answer that was asked for: the page shows it where it happened.
    let conflict = conflict::show(open, &words, &trace).await;
    reply::html(StatusCode::OK, show(open, &words, &trace, is_dry, conflict))
}

/// What came of a form.
fn show(
    open: &OpenModel,
    words: &Words,
    trace: &Trace,
    is_dry: bool,
    conflict: Option<Markup>,
) -> Markup {
    let title = match (&trace.outcome, is_dry) {
        (Err(_), _) => "Refused",
        (Ok(_), true) => "Dry run",
        (Ok(_), false) => "Written",
    };
    let entity = words
        .get("of")
        .and_then(|name| open.model().entity_named(name))
        .map(|(_, entity)| entity);
    html! {
        section class="sec" aria-label=(title) data-outcome=(title) data-summary=(summarise(trace, is_dry)) {
            h2 { (title) span class="grow mute" { @if is_dry { "nothing is written yet" } } }
            @match (&trace.outcome, conflict) {
                (Err(_), Some(conflict)) => (conflict),
                (Err(error), None) => (note::refusal(error)),
                (Ok(_), _) => (changes::list(open, &trace.changes)),
            }
        }
        (requests::panel_of_write(&trace.requests))
        @if let (Err(error), Some("create"), Some(entity)) = (&trace.outcome, words.get("do"), entity) {
            template data-form { (entities::create_form(open, entity, words, Some(error))) }
        }
    }
}

fn summarise(trace: &Trace, is_dry: bool) -> String {
    if trace.outcome.is_err() {
        return "refused, nothing was written".to_owned();
    }
    let what = changes::summarise(&trace.changes);
    let (_, write) = trace.total();
    let verb = if is_dry { "would write" } else { "written" };
    format!(
        "{verb}: {what}, {} write units",
        crate::value::show_units(write)
    )
}

/// The operation that a form asks for; none if it is not complete.
fn read_operation(open: &OpenModel, words: &Words) -> Option<AnyOperation> {
    let of = words.filled("of")?.to_owned();
    let key = || words.get("key").and_then(parse_item);
    let declared = open.model().entity_named(&of).map(|(_, entity)| entity);
    Some(match words.get("do")? {
        "create" => AnyOperation::Create(Create {
            values: read_values(declared?, words),
            entity: of,
        }),
        "update" => AnyOperation::Update(Update {
            change: read_change(declared?, words),
            key: key()?,
            entity: of,
        }),
        "delete" => AnyOperation::Delete(Delete {
            key: key()?,
            entity: of,
        }),
        "move" => {
            let moved = open
                .model()
                .moves
                .iter()
                .find(|known| known.name.value == of);
            let entity = moved.map(|known| open.model().entity(known.of));
            AnyOperation::MoveRow(MoveRow {
                set: entity
                    .map(|entity| read_values(entity, words))
                    .unwrap_or_default(),
                key: key()?,
                name: of,
            })
        }
        "rollback" => AnyOperation::Rollback(Rollback {
            key: key()?,
            to: words.filled("to")?.to_owned(),
            from: words.filled("head").map(str::to_owned),
            repository: of,
        }),
        "revert" => {
            let repository = open
                .model()
                .repositories
                .iter()
                .find(|known| known.name.value == of)?;
            AnyOperation::Revert(Revert {
                key: key()?,
                to: At::Revision(words.filled("to")?.to_owned()),
                values: read_values(open.model().entity(repository.log), words),
                parent: Parent::Head,
                repository: of,
            })
        }
        "sweep" => AnyOperation::Sweep(Sweep {
            key: key()?,
            older_than: SWEPT_AFTER,
            repository: of,
        }),
        _ => return None,
    })
}

/// The values that a form gives; an empty field gives none.
fn read_values(entity: &Entity, words: &Words) -> Item {
    let given = words.under("set.").filter(|(_, text)| !text.is_empty());
    given
        .map(|(name, text)| {
            let kind = entity.attribute(name).map(|attribute| &attribute.kind);
            (name.to_owned(), read_word(kind, name, text.to_owned()))
        })
        .collect()
}

/// The values that a form sets, and those that it takes away.
fn read_change(entity: &Entity, words: &Words) -> Change {
    let empty = words.under("set.").filter(|(_, text)| text.is_empty());
    Change {
        set: read_values(entity, words),
        unset: empty.map(|(name, _)| name.to_owned()).collect(),
        ..Change::default()
    }
}

/// The values that the page has shown: a row that has others meanwhile is not changed.
fn read_expected(words: &Words) -> Item {
    let shown = words.under("was.");
    shown
        .map(|(name, text)| {
            let value = read_value(name, text).unwrap_or(AttributeValue::Null);
            (name.to_owned(), value)
        })
        .collect()
}
