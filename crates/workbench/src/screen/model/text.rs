//! The text of a model with its findings underlined, and the findings beside it.

use super::example::Painter;
use super::{finding, toml};
use crate::context::{Context, OpenModel};
use crate::part::icon::icon;
use crate::proof::Proof;
use crate::value::counted;
use crate::witness::Witnesses;
use maud::{Markup, html};
use monotable_model::diagnostic::Diagnostic;
use monotable_model::span::Span;
use std::collections::BTreeSet;
use std::ops::Range;

/// Lines around a finding that are shown with it.
const AROUND: usize = 4;

/// A line of the text.
struct Line<'t> {
    number: usize,
    text: &'t str,
    range: Range<usize>,
}

/// Text and findings.
pub(super) fn show(
    context: &Context<'_>,
    open: &OpenModel,
    proof: &Proof,
    is_whole: bool,
    witnesses: &[Option<Witnesses>],
) -> Markup {
    let findings = proof.findings();
    let painter = Painter::new(open, &proof.source.text, findings);
    let lines = split(&proof.source.text);
    // A text without findings is shown as a whole: there is nothing that it could hide.
    let shown = if is_whole || findings.is_empty() {
        lines.iter().map(|line| line.number).collect()
    } else {
        choose_lines(&lines, findings)
    };
    html! {
        div class="model" {
            div class="src" tabindex="0" role="region" aria-label="Text of the model" data-scroll="source" { (source(open, &lines, &shown, findings)) }
            aside class="panel" id="evidence" aria-label="Findings" {
                section class="sec" {
                    h2 { "Findings" span class="grow mute" { (proof.tally()) } }
                    @if findings.is_empty() { (finding::proved()) }
                    @for group in finding::group(findings) {
                        (finding::card(&painter, &proof.source.text, &group, witnesses, &finding::actions(context, open, proof, &group)))
                    }
                }
            }
        }
    }
}

fn split(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for (position, line) in text.split('\n').enumerate() {
        lines.push(Line {
            number: position + 1,
            text: line.trim_end_matches('\r'),
            range: start..start + line.len(),
        });
        start += line.len() + 1;
    }
    lines
}

/// The lines of findings and of what has to do with them, with some around each.
fn choose_lines(lines: &[Line<'_>], findings: &[Diagnostic]) -> BTreeSet<usize> {
    let spans = findings.iter().flat_map(|found| {
        std::iter::once(found.span).chain(found.labels.iter().map(|label| label.span))
    });
    let mut shown = BTreeSet::new();
    for span in spans {
        let hit = lines.iter().filter(|line| touches(line, span));
        for line in hit {
            shown.extend(line.number.saturating_sub(AROUND).max(1)..=line.number + AROUND);
            // The heading says which declaration it is.
            let mut before = lines.iter().take(line.number).rev();
            let heading = before.find(|line| line.text.starts_with('['));
            shown.extend(heading.map(|line| line.number));
        }
    }
    shown
        .into_iter()
        .filter(|number| *number <= lines.len())
        .collect()
}

fn touches(line: &Line<'_>, span: Span) -> bool {
    span.start <= line.range.end && span.end > line.range.start
}

fn source(
    open: &OpenModel,
    lines: &[Line<'_>],
    shown: &BTreeSet<usize>,
    findings: &[Diagnostic],
) -> Markup {
    let mut folded = 0;
    let mut parts = Vec::new();
    for line in lines {
        if !shown.contains(&line.number) {
            folded += 1;
            continue;
        }
        if folded > 0 {
            parts.push(fold(open, folded));
            folded = 0;
        }
        parts.push(draw_line(open, line, findings));
    }
    if folded > 0 {
        parts.push(fold(open, folded));
    }
    html! { @for part in parts { (part) } }
}

fn fold(open: &OpenModel, count: usize) -> Markup {
    html! {
        a class="fold" href=(open.link(&["model"]).with("all", "1")) { (icon("right")) (counted(count, "line")) " without findings" }
    }
}

fn draw_line(open: &OpenModel, line: &Line<'_>, findings: &[Diagnostic]) -> Markup {
    let found = findings.iter().find(|found| touches(line, found.span));
    let labels = findings
        .iter()
        .flat_map(|found| &found.labels)
        .filter(|label| touches(line, label.span));
    let labels: Vec<&str> = labels.map(|label| label.text.as_str()).collect();
    let class = match found {
        Some(found) if found.is_error() => "ln f",
        Some(_) => "ln w",
        None if !labels.is_empty() => "ln l",
        None => "ln",
    };
    html! {
        div class=(class) id={ "L" (line.number) } {
            span class="no" { (line.number) }
            span class="tx" { (colour(open, line, found)) }
        }
        @for label in labels { div class="lnote" { (label) } }
    }
}

/// A line of TOML: headings, names, texts and remarks told apart, and what is wrong underlined.
fn colour(open: &OpenModel, line: &Line<'_>, found: Option<&Diagnostic>) -> Markup {
    let text = line.text;
    if let Some(found) = found {
        let start = found
            .span
            .start
            .saturating_sub(line.range.start)
            .min(text.len());
        let end = found
            .span
            .end
            .saturating_sub(line.range.start)
            .min(text.len());
        if let (Some(before), Some(wrong), Some(after)) =
            (text.get(..start), text.get(start..end), text.get(end..))
            && !wrong.is_empty()
        {
            let class = if found.is_error() { "ul" } else { "ul w" };
            return html! { (toml::code(open, before)) span class=(class) { (toml::code(open, wrong)) } (toml::code(open, after)) };
        }
    }
    toml::line(open, text)
}
