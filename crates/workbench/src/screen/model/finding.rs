//! Findings as cards, with what can be done about each.

use super::example::Painter;
use super::open_in_editor;
use crate::context::{Context, OpenModel};
use crate::mode::Mode;
use crate::part::icon::icon;
use crate::part::key::{self, Side};
use crate::part::mark;
use crate::part::prose::prose;
use crate::proof::Proof;
use crate::value::counted;
use crate::witness::Witnesses;
use maud::{Markup, html};
use monotable_model::diagnostic::{Diagnostic, Fix, Severity};
use monotable_model::span::position;

/// The findings of a text that is only tried.
pub(crate) fn draw_findings(open: &OpenModel, text: &str, findings: &[Diagnostic]) -> Markup {
    let painter = Painter::new(open, text, findings);
    html! {
        @if findings.is_empty() { (proved()) }
        @for group in group(findings) { (card(&painter, text, &group, &[], &html! {})) }
    }
}

/// What a text without findings is.
pub(super) fn proved() -> Markup {
    html! {
        p class="mute" {
            "Every rule holds: no two entities can have the same key, no pattern returns rows that it does not name, and no prefix ends inside of an id. "
            "What the model accepts on purpose stands in its text as " code { "accept" } ", with the reason."
        }
    }
}

/// The fixes that the checker offers, the acceptance with a reason, and the way to the line. Files are changed by `dev` only.
pub(super) fn actions(
    context: &Context<'_>,
    open: &OpenModel,
    proof: &Proof,
    group: &[Numbered<'_>],
) -> Markup {
    let Some((number, first)) = group.first() else {
        return html! {};
    };
    let may_change =
        proof.source.path.is_some() && open.is_program && context.bench.mode() == Mode::On;
    let line = position(&proof.source.text, first.span.start).line;
    html! {
        div class="row wrap acts" {
            @if may_change {
                @for (number, choice, fix) in list_fixes(group) {
                    form data-write-form=(open.link(&["change"])) {
                        (named_finding(proof, number))
                        input type="hidden" name="fix" value=(choice);
                        button class="btn s" type="submit" { (prose(&fix.title)) }
                    }
                }
            }
            @if let Some(address) = open_in_editor(context, proof, Some(line)) {
                a class="btn ghost s" href=(address) data-outside { "Open in editor" }
            }
            @if let Some(acceptor) = first.acceptor.as_ref().filter(|_| may_change) {
                details class="accept" {
                    summary class="btn ghost s" { "Accept with a reason" }
                    form class="stack" data-write-form=(open.link(&["change"])) {
                        (named_finding(proof, *number))
                        label class="field" {
                            span class="lab" { "Why " code { (first.code.name()) } " is right in " code { (acceptor) } }
                            input class="in" name="reason" maxlength="500" required autocomplete="off";
                        }
                        div class="row" { button class="btn s" type="submit" { "Accept" } }
                    }
                }
            }
        }
    }
}

/// The fixes of findings, each once, with the finding and the place among its fixes.
fn list_fixes<'f>(group: &[Numbered<'f>]) -> Vec<(usize, usize, &'f Fix)> {
    let mut fixes: Vec<(usize, usize, &Fix)> = Vec::new();
    for (number, found) in group {
        for (choice, fix) in found.fixes.iter().enumerate() {
            if !fixes.iter().any(|(_, _, known)| *known == fix) {
                fixes.push((*number, choice, fix));
            }
        }
    }
    fixes
}

/// What every form about a finding sends: the text that was shown, and which of its findings. It is tried out first.
fn named_finding(proof: &Proof, number: usize) -> Markup {
    html! {
        input type="hidden" name="text" value=(proof.mark());
        input type="hidden" name="finding" value=(number);
        input type="hidden" name="dry" value="1";
    }
}

/// Findings of one rule at one place: the rule, and for each its sentence, its counterexample and what the data has of it; then
/// what can be done.
pub(super) fn card(
    painter: &Painter<'_>,
    text: &str,
    group: &[Numbered<'_>],
    witnesses: &[Option<Witnesses>],
    actions: &Markup,
) -> Markup {
    let Some((_, first)) = group.first() else {
        return html! {};
    };
    let line = position(text, first.span.start).line;
    let (class, badge) = match first.severity {
        Severity::Error => ("find-note", "badge err"),
        Severity::Warning => ("find-note w", "badge warn"),
    };
    html! {
        article class=(class) {
            div class="row" {
                span class=(badge) { (icon(if first.is_error() { "error" } else { "warning" })) (first.severity.to_string()) }
                code class="mute cut" { (first.code.id()) " " (first.code.name()) }
                span class="grow" {}
                a class="faint sm nw" href={ "#L" (line) } { "line " (line) }
            }
            @for (number, found) in group {
                h3 { (prose(&found.message)) }
                (counterexample(painter, found, witnesses.get(*number).and_then(Option::as_ref)))
            }
            @if let Some(help) = &first.help { p class="mute" { (prose(&begin_sentence(help))) } }
            (actions)
        }
    }
}

fn counterexample(
    painter: &Painter<'_>,
    found: &Diagnostic,
    witnesses: Option<&Witnesses>,
) -> Markup {
    let open = painter.open;
    html! {
        @if !found.counterexample.is_empty() || witnesses.is_some() {
            div class="wit" {
                @for example in &found.counterexample {
                    div { span class="lab" { (name_example(open, &example.what)) } (painter.draw(found, example)) }
                }
                @if let Some(witnesses) = witnesses { div { span class="lab" { "In your data" } (in_your_data(open, witnesses)) } }
            }
        }
    }
}

/// Helps are written to stand behind a word; here they stand alone.
fn begin_sentence(help: &str) -> String {
    let mut characters = help.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    let mut sentence: String = first.chain(characters).collect();
    if !sentence.ends_with(['.', '?']) {
        sentence.push('.');
    }
    sentence
}

/// A finding with its number among all of the text.
pub(super) type Numbered<'f> = (usize, &'f Diagnostic);

/// Findings of one rule at one place together, in the order of the text.
pub(super) fn group(findings: &[Diagnostic]) -> Vec<Vec<Numbered<'_>>> {
    let mut groups: Vec<Vec<Numbered<'_>>> = Vec::new();
    for (number, found) in findings.iter().enumerate() {
        let is_alike = |group: &&mut Vec<Numbered<'_>>| {
            group.first().is_some_and(|(_, first)| {
                first.code == found.code
                    && first.span == found.span
                    && first.severity == found.severity
            })
        };
        match groups.last_mut().filter(is_alike) {
            Some(group) => group.push((number, found)),
            None => groups.push(vec![(number, found)]),
        }
    }
    groups
}

/// What a line of a counterexample is: an entity with its mark, or a word.
fn name_example(open: &OpenModel, what: &str) -> Markup {
    html! {
        @match open.model().entity_named(what) {
            Some((_, entity)) if entity.is_stored() => (mark::entity_link(open, what)),
            _ => (what),
        }
    }
}

/// The stored rows that the finding is about.
fn in_your_data(open: &OpenModel, witnesses: &Witnesses) -> Markup {
    let among = if witnesses.is_complete {
        ""
    } else {
        " among the first items"
    };
    html! {
        span data-witnesses=(witnesses.count) {
            @for row in &witnesses.rows {
                div class="wrapkey" {
                    (key::text(open, Some(row.entity), row.place, Side::Partition, &row.partition))
                    @if !row.sort.is_empty() { span class="faint" { " / " } (key::text(open, Some(row.entity), row.place, Side::Sort, &row.sort)) }
                }
            }
            @match (witnesses.count, witnesses.rows.first()) {
                (count, Some(first)) => a class="under" href=(open.link(&["entities", &open.model().entity(first.entity).name.value])) { (counted(count, "row")) (among) },
                _ => span class="mute" { "no such rows yet" (among) },
            }
        }
    }
}
