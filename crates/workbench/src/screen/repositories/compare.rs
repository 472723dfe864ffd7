//! The rows of a revision, and what two revisions differ in.

use super::history::{Choice, History};
use crate::context::OpenModel;
use crate::part::changes::differences;
use crate::part::copy_as::{self, Wording};
use crate::part::{grid, mark, note};
use crate::screen::items;
use crate::value::{counted, show_value};
use maud::{Markup, html};
use monotable_describe::quote_word;
use monotable_item::Item;
use monotable_model::model::Repository;
use monotable_store::{
    AnyOperation, AnyOutput, At, Diff, Difference, Differences, Error, Options, Row, Show, Snapshot,
};

/// What was read of two revisions.
pub(super) struct RevisionComparison {
    rows: Result<Snapshot, Error>,
    differences: Option<Result<Differences, Error>>,
}

/// Reads the rows of the later revision, and what it differs in from the earlier one.
pub(super) async fn read(
    open: &OpenModel,
    repository: &Repository,
    key: &Item,
    choice: &Choice<'_>,
) -> RevisionComparison {
    let at = choice.to.map_or(At::Head, |to| At::Revision(to.id.clone()));
    let show = Show {
        repository: repository.name.value.clone(),
        key: key.clone(),
        at: at.clone(),
        ..Show::default()
    };
    let rows = match open
        .store
        .run(AnyOperation::Show(show), Options::default())
        .await
    {
        Ok(AnyOutput::Snapshot(snapshot)) => Ok(snapshot),
        Ok(_) => Ok(Snapshot::default()),
        Err(error) => Err(error),
    };
    let differences = match choice.from {
        None => None,
        Some(from) => {
            let diff = Diff {
                repository: repository.name.value.clone(),
                key: key.clone(),
                from: At::Revision(from.id.clone()),
                to: at,
            };
            Some(
                match open
                    .store
                    .run(AnyOperation::Diff(diff), Options::default())
                    .await
                {
                    Ok(AnyOutput::Differences(differences)) => Ok(differences),
                    Ok(_) => Ok(Differences::default()),
                    Err(error) => Err(error),
                },
            )
        }
    };
    RevisionComparison { rows, differences }
}

impl RevisionComparison {
    fn differences(&self) -> &[Difference] {
        match &self.differences {
            Some(Ok(differences)) => &differences.rows,
            _ => &[],
        }
    }

    /// What became of a row: a class, and the word for it.
    fn mark(&self, open: &OpenModel, row: &Row) -> Option<(&'static str, &'static str)> {
        self.differences()
            .iter()
            .find_map(|difference| match difference {
                Difference::Added(other) if is_same(open, other, row) => Some(("add", "added")),
                Difference::Changed { after, .. } if is_same(open, after, row) => {
                    Some(("chg", "changed"))
                }
                Difference::Moved { after, .. } if is_same(open, after, row) => {
                    Some(("chg", "moved"))
                }
                _ => None,
            })
    }

    fn removed(&self) -> Vec<&Row> {
        let removed = self
            .differences()
            .iter()
            .filter_map(|difference| match difference {
                Difference::Removed(row) => Some(row),
                _ => None,
            });
        removed.collect()
    }
}

fn is_same(open: &OpenModel, one: &Row, other: &Row) -> bool {
    let Some((_, entity)) = open.model().entity_named(&one.entity) else {
        return false;
    };
    one.entity == other.entity && {
        // The revision is in the keys of snapshots, and differs between them.
        let revision = open
            .model()
            .repositories
            .iter()
            .map(|repository| repository.revision.value.as_str());
        let revisions: Vec<&str> = revision.collect();
        let names = entity
            .key_attributes()
            .into_iter()
            .filter(|name| !revisions.contains(name));
        names
            .map(|name| (one.get(name), other.get(name)))
            .all(|(one, other)| one == other)
    }
}

/// How many rows the later revision has.
pub(super) fn count(compared: &RevisionComparison) -> String {
    match &compared.rows {
        Ok(snapshot) => counted(snapshot.rows.len(), "row"),
        Err(_) => String::new(),
    }
}

/// The rows of the later revision as a tree, with what became of them.
pub(super) fn tree(
    open: &OpenModel,
    compared: &RevisionComparison,
    _history: &History,
    choice: &Choice<'_>,
) -> Markup {
    let snapshot = match &compared.rows {
        Ok(snapshot) => snapshot,
        Err(error) => return html! { div class="pad" { (note::refusal(error)) } },
    };
    let mut lines = Vec::new();
    let mut seen = vec![false; snapshot.rows.len()];
    for root in snapshot.roots() {
        walk(snapshot, root, 0, &mut seen, &mut lines);
    }
    html! {
        div class="bar" {
            @match (choice.from, choice.to) {
                (Some(from), Some(to)) => span { "From " b { (from.title) } " to " b { (to.title) } },
                (None, Some(to)) => span { b { (to.title) } ", the first revision" },
                _ => {}
            }
            span class="grow" {} span class="mute" { (counted(compared.differences().len(), "change")) }
        }
        div class="scroll" data-scroll="tree" tabindex="0" role="region" aria-label="Rows of the revision" {
            @for (index, depth) in &lines {
                @if let Some(row) = snapshot.rows.get(*index) { (node(open, row, *depth, compared.mark(open, row))) }
            }
            @for row in compared.removed() { (node(open, row, 0, Some(("del", "deleted")))) }
        }
    }
}

fn walk(
    snapshot: &Snapshot,
    index: usize,
    depth: usize,
    seen: &mut [bool],
    lines: &mut Vec<(usize, usize)>,
) {
    match seen.get_mut(index) {
        Some(seen) if !*seen => *seen = true,
        _ => return,
    }
    lines.push((index, depth));
    let children: Vec<usize> = snapshot.children(index).collect();
    for child in children {
        walk(snapshot, child, depth + 1, seen, lines);
    }
}

fn node(
    open: &OpenModel,
    row: &Row,
    depth: usize,
    mark: Option<(&'static str, &'static str)>,
) -> Markup {
    let class = mark.map_or("", |(class, _)| class);
    html! {
        div class={ "node " (class) } {
            span class="mk" { (mark.map_or("", |(_, word)| word)) }
            span class="rails" { @for _ in 0..depth { i {} } }
            span class={ "sw " (open.hues.class(&row.entity)) } {}
            span class="tt cut grow" { (items::name_row(open, row)) }
            span class="ty" { (row.entity) }
        }
    }
}

/// The exact attributes that differ.
pub(super) fn changes(open: &OpenModel, compared: &RevisionComparison) -> Markup {
    html! {
        section class="sec" aria-label="Changes" {
            h2 { "Changes" span class="grow mute" { (counted(compared.differences().len(), "row")) } }
            @if let Some(Err(error)) = &compared.differences { (note::refusal(error)) }
            @for difference in compared.differences() {
                @match difference {
                    Difference::Added(row) => (one(open, "+", "op add", "added", row, &html! {})),
                    Difference::Removed(row) => (one(open, "−", "op del", "deleted", row, &html! {})),
                    Difference::Moved { before, after } => (one(open, "~", "op chg", "moved", after, &differences(Some(&without_revision(open, before)), Some(&without_revision(open, after))))),
                    Difference::Changed { before, after, .. } => (one(open, "~", "op chg", "changed", after, &differences(Some(&without_revision(open, before)), Some(&without_revision(open, after))))),
                }
            }
            @if compared.differences().is_empty() { p class="mute" { "These revisions have the same rows, or there is no earlier one." } }
        }
    }
}

fn one(open: &OpenModel, sign: &str, class: &str, word: &str, row: &Row, why: &Markup) -> Markup {
    let key = open
        .model()
        .entity_named(&row.entity)
        .map(|(_, entity)| grid::find_key(entity, row))
        .unwrap_or_default();
    let called = key
        .iter()
        .last()
        .map(|(_, value)| show_value(value))
        .unwrap_or_default();
    let id = open
        .model()
        .entity_named(&row.entity)
        .and_then(|(_, entity)| entity.id.as_deref());
    let called = id
        .and_then(|id| row.get(id))
        .map(show_value)
        .unwrap_or(called);
    html! {
        div class="eff" {
            span class=(class) aria-hidden="true" { (sign) }
            span class="cut" { (mark::entity(&open.hues, &row.entity)) " " code { (called) } }
            span class="role" { (word) }
            div class="why" { (why) }
        }
    }
}

/// The comparison as a command.
pub(super) fn copy(
    open: &OpenModel,
    repository: &Repository,
    key: &Item,
    choice: &Choice<'_>,
) -> Markup {
    let name = &repository.name.value;
    let keys: Vec<String> = key
        .iter()
        .map(|(name, value)| quote_word(&format!("{name}={}", show_value(value))))
        .collect();
    let keys = keys.join(" ");
    let mut wordings = vec![Wording {
        tool: "monotable",
        text: format!(
            "monotable log -m {} {name} {keys} --graph",
            quote_word(open.argument())
        ),
    }];
    if let (Some(from), Some(to)) = (choice.from, choice.to) {
        wordings.insert(
            0,
            Wording {
                tool: "diff",
                text: format!(
                    "monotable diff -m {} {name} {keys} {} {}",
                    quote_word(open.argument()),
                    quote_word(&from.id),
                    quote_word(&to.id)
                ),
            },
        );
    }
    copy_as::panel(&wordings)
}

/// The values of a row without the revision, which differs between any two.
fn without_revision(open: &OpenModel, row: &Row) -> Item {
    let mut values = row.values.clone();
    for repository in &open.model().repositories {
        values.remove(&repository.revision.value);
    }
    values
}
