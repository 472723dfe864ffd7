//! Repositories: what changed, when, and how to go back.

mod compare;
mod graph;
mod history;
mod slider;

use crate::address::Link;
use crate::context::{Context, OpenModel};
use crate::mode::Mode;
use crate::part::frame::{self, Tab};
use crate::part::note;
use crate::value::{parse_item, show_value, write_item};
use history::History;
use maud::{Markup, html};
use monotable_item::Item;
use monotable_model::model::Repository;
use monotable_rest::{Response, read_word};

/// The screen: `/repositories/{name}?key=..&from=..&to=..`.
pub(crate) async fn show(context: &Context<'_>, open: &OpenModel, name: Option<&str>) -> Response {
    let model = open.model();
    let found = match name {
        Some(name) => model
            .repositories
            .iter()
            .find(|repository| repository.name.value == name),
        None => model.repositories.first(),
    };
    if name.is_some() && found.is_none() {
        return super::missing::show(context, "There is no such repository");
    }
    let Some(repository) = found else {
        let text = "A [repository] section of a model keeps every revision of its rows: commit, log, diff, rollback.";
        let body = note::blank("This model keeps no versions.", text, &html! {});
        return frame::page(context, Tab::Repositories, "Repositories", &body);
    };
    let heads = list_heads(open, repository);
    let key = context
        .words
        .filled("key")
        .and_then(parse_item)
        .or_else(|| read_key(context, open, repository))
        .or_else(|| longest(open, repository, &heads));
    let history = match &key {
        Some(key) => Some(History::read(open, repository, key).await),
        None => None,
    };
    let body = html! {
        @match (&key, &history) {
            (Some(key), Some(Ok(history))) => {
                @let choice = history.choose(context.words.filled("from"), context.words.filled("to"));
                (body(context, open, repository, &heads, key, history, choice).await)
            }
            (_, Some(Err(error))) => div class="pad" { (note::refusal(error)) },
            _ if !open.census.is_taken || !open.is_program => (ask_for_key(open, repository)),
            _ => (note::blank("Nothing was committed yet.", "A commit makes the first revision.", &html! {})),
        }
    };
    frame::page(context, Tab::Repositories, &repository.name.value, &body)
}

/// What stands before an attribute of the key of a head in addresses that a form makes.
const KEY_PREFIX: &str = "k.";

/// The key of a head as the form of [`ask_for_key`] gives it.
fn read_key(context: &Context<'_>, open: &OpenModel, repository: &Repository) -> Option<Item> {
    let head = open.model().entity(repository.head);
    let names = head.key_attributes().into_iter();
    let values = names.map(|name| {
        let text = context.words.filled(&format!("{KEY_PREFIX}{name}"))?;
        let kind = head.attribute(name).map(|attribute| &attribute.kind);
        Some((name.to_owned(), read_word(kind, name, text.to_owned())))
    });
    values
        .collect::<Option<Item>>()
        .filter(|key| !key.is_empty())
}

/// Asks which repository is meant, where heads are not listed because that would read the whole table.
fn ask_for_key(open: &OpenModel, repository: &Repository) -> Markup {
    let head = open.model().entity(repository.head);
    html! {
        form class="params" method="get" action=(open.link(&["repositories", &repository.name.value])) data-run {
            @for (name, value) in open.carried() { input type="hidden" name=(name) value=(value); }
            @for name in head.key_attributes() {
                label class="field" { span class="lab" { (name) } input class="in mono" name={ (KEY_PREFIX) (name) } required autocomplete="off"; }
            }
            button class="btn pri" type="submit" { "Show its revisions" }
        }
        (note::blank("Whose revisions?", why_not_listed(open), &html! {}))
    }
}

fn why_not_listed(open: &OpenModel) -> &'static str {
    if open.is_program {
        "Repositories are not listed: that would read the whole table. Nothing was read yet."
    } else {
        "Repositories are listed for the program itself, and not for a caller with rights of its own. Nothing was read yet."
    }
}

/// The keys of heads that exist, as far as they were counted.
fn list_heads(open: &OpenModel, repository: &Repository) -> Vec<Item> {
    let head = open.model().entity(repository.head);
    let rows = open.census.samples(&head.name.value).iter();
    rows.map(|row| crate::part::grid::find_key(head, row))
        .collect()
}

/// The head with most revisions, as far as they were counted.
fn longest(open: &OpenModel, repository: &Repository, heads: &[Item]) -> Option<Item> {
    let log = &open.model().entity(repository.log).name.value;
    let revisions = |key: &Item| {
        let rows = open.census.samples(log).iter();
        let own = rows.filter(|row| key.iter().all(|(name, value)| row.get(name) == Some(value)));
        own.count()
    };
    let mut heads = heads.iter().rev();
    let first = heads.next()?;
    let longest = heads.fold(first, |best, head| {
        if revisions(head) >= revisions(best) {
            head
        } else {
            best
        }
    });
    Some(longest.clone())
}

/// The address of two revisions of a repository.
fn address(
    open: &OpenModel,
    repository: &Repository,
    key: &Item,
    from: Option<&str>,
    to: Option<&str>,
) -> Link {
    open.link(&["repositories", &repository.name.value])
        .with("key", &write_item(key))
        .with_some("from", from)
        .with_some("to", to)
}

async fn body(
    context: &Context<'_>,
    open: &OpenModel,
    repository: &Repository,
    heads: &[Item],
    key: &Item,
    history: &History,
    choice: history::Choice<'_>,
) -> Markup {
    let compared = compare::read(open, repository, key, &choice).await;
    html! {
        div class="three wide-side" data-live="rows" {
            nav class="side" aria-label="Revisions" data-list {
                div class="side-head" { (choose(open, repository, heads, key)) }
                div class="side-scroll" { (graph::show(open, repository, key, history, &choice)) }
            }
            div class="mid" {
                div class="head" {
                    div class="row wrap" {
                        h1 { (repository.name.value) " of " (name_key(key)) }
                        span class="mute" { (compare::count(&compared)) }
                    }
                }
                (slider::show(open, repository, key, history, &choice))
                (compare::tree(open, &compared, history, &choice))
            }
            aside class="panel" aria-label="Changes" id="evidence" {
                (compare::changes(open, &compared))
                @if context.bench.mode() == Mode::On {
                    (go_back(open, repository, key, history, &choice))
                    (sweep(open, repository, key))
                }
                (compare::copy(open, repository, key, &choice))
            }
        }
    }
}

fn name_key(key: &Item) -> String {
    let values: Vec<String> = key.iter().map(|(_, value)| show_value(value)).collect();
    values.join(", ")
}

fn choose(open: &OpenModel, repository: &Repository, heads: &[Item], key: &Item) -> Markup {
    let model = open.model();
    html! {
        @if model.repositories.len() > 1 {
            select class="in" data-go-to aria-label="Repository" {
                @for other in &model.repositories {
                    option value=(open.link(&["repositories", &other.name.value])) selected[other.name.value == repository.name.value] { (other.name.value) }
                }
            }
        }
        select class="in mono" data-go-to aria-label="Head" {
            @if !heads.contains(key) { option selected { (name_key(key)) } }
            @for head in heads {
                option value=(address(open, repository, head, None, None)) selected[head == key] { (name_key(head)) }
            }
        }
    }
}

/// Rollback and revert, with what each does. Both are dry runs first.
fn go_back(
    open: &OpenModel,
    repository: &Repository,
    key: &Item,
    history: &History,
    choice: &history::Choice<'_>,
) -> Markup {
    let Some(to) = choice.from else {
        return html! {};
    };
    html! {
        section class="sec" aria-label="Go back" {
            h2 { "Go back to " (to.title) }
            p class="mute" {
                "A rollback moves the head; nothing is removed, and the revisions after it stay in the log. A revert makes a new revision with the old rows."
            }
            form class="stack" data-write-form=(open.link(&["write"])) {
                input type="hidden" name="do" value="rollback";
                (hidden(repository, key, &to.id, history.head.as_deref()))
                div class="row" {
                    button class="btn" type="submit" name="dry" value="1" { "Dry run of a rollback" }
                    button class="btn" type="submit" { "Roll back" }
                }
            }
            form class="stack" data-write-form=(open.link(&["write"])) {
                input type="hidden" name="do" value="revert";
                (hidden(repository, key, &to.id, None))
                @for attribute in history.list_asked(open, repository) {
                    label class="field" { span class="lab" { (attribute.name.value) " " span class="faint" { (attribute.kind) } } input class="in" name={ "set." (attribute.name.value) } autocomplete="off"; }
                }
                div class="row" {
                    button class="btn" type="submit" name="dry" value="1" { "Dry run of a revert" }
                    button class="btn" type="submit" { "Revert" }
                }
            }
        }
    }
}

/// Commits that never came to their end leave rows behind that no revision names.
fn sweep(open: &OpenModel, repository: &Repository, key: &Item) -> Markup {
    html! {
        section class="sec" aria-label="Unfinished commits" {
            h2 { "Unfinished commits" }
            p class="mute" { "A program that was stopped in the middle of a commit leaves rows that no revision names. A sweep removes those that are older than an hour." }
            form class="stack" data-write-form=(open.link(&["write"])) {
                input type="hidden" name="do" value="sweep";
                input type="hidden" name="of" value=(repository.name.value);
                input type="hidden" name="key" value=(write_item(key));
                div class="row" {
                    button class="btn" type="submit" name="dry" value="1" { "Dry run of a sweep" }
                    button class="btn" type="submit" { "Sweep" }
                }
            }
        }
    }
}

fn hidden(repository: &Repository, key: &Item, to: &str, head: Option<&str>) -> Markup {
    html! {
        input type="hidden" name="of" value=(repository.name.value);
        input type="hidden" name="key" value=(write_item(key));
        input type="hidden" name="to" value=(to);
        @if let Some(head) = head { input type="hidden" name="head" value=(head); }
    }
}
