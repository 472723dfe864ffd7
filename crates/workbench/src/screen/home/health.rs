//! Health: what the last verification found, findings, and items that no model knows.

use crate::context::{Context, OpenModel};
use crate::part::icon::icon;
use crate::time::show_clock;
use crate::value::{counted, show_count};
use maud::{Markup, html};

/// A line about something, well or not.
struct Line {
    is_well: bool,
    title: String,
    text: String,
    to: Option<String>,
}

/// The block.
pub(super) fn show(context: &Context<'_>, models: &[OpenModel]) -> Markup {
    let mut lines = vec![say_findings(models)];
    lines.extend(models.iter().filter_map(|open| say_verified(context, open)));
    if models.iter().any(|open| open.is_program) {
        lines.push(say_unknown(models));
    }
    html! {
        section class="block" aria-label="Health" {
            h2 {
                "Health" span class="grow" {}
                @for open in models.iter().filter(|open| open.is_program).take(1) {
                    button type="button" class="btn s" data-verify=(models.iter().map(|open| open.link(&["verify"]).to_string()).collect::<Vec<_>>().join(" ")) data-first=(open.name) { "Verify now" }
                }
            }
            div class="frame" {
                @for line in lines {
                    div class="chk" {
                        span class=(if line.is_well { "status-ok" } else { "status-warn" }) {
                            (icon(if line.is_well { "check" } else { "warning" }))
                        }
                        div {
                            div { @match &line.to { Some(to) => a class="under" href=(to) { (line.title) }, None => (line.title) } }
                            p { (line.text) }
                        }
                    }
                }
            }
        }
    }
}

fn say_findings(models: &[OpenModel]) -> Line {
    let accepted: usize = models
        .iter()
        .map(|open| {
            let model = open.model();
            let entities = model.entities().map(|(_, entity)| entity.accepts.len());
            let patterns = model.patterns().map(|(_, access)| access.accepts.len());
            entities.chain(patterns).sum::<usize>()
        })
        .sum();
    let found: usize = models
        .iter()
        .filter_map(|open| open.proof.as_ref())
        .map(|proof| proof.findings().len())
        .sum();
    let text = format!(
        "{} accepted in the models, each with a reason",
        counted(accepted, "finding")
    );
    if found == 0 {
        return Line {
            is_well: true,
            title: "No findings".to_owned(),
            text,
            to: None,
        };
    }
    let faulty = models.iter().find(|open| {
        open.proof
            .as_ref()
            .is_some_and(|proof| !proof.findings().is_empty())
    });
    Line {
        is_well: false,
        title: counted(found, "finding"),
        text,
        to: faulty.map(|open| open.link(&["model"]).to_string()),
    }
}

fn say_verified(context: &Context<'_>, open: &OpenModel) -> Option<Line> {
    if !open.is_program {
        return None;
    }
    let verified = context.bench.verified(&open.name)?;
    let at = show_clock(verified.at);
    Some(match &verified.outcome {
        Err(error) => Line {
            is_well: false,
            title: format!("{} could not be verified", open.name),
            text: error.clone(),
            to: None,
        },
        Ok(found) => {
            let first = found
                .violations
                .first()
                .map(|violation| violation.message.clone());
            let unfinished = found
                .unfinished
                .first()
                .map(|unfinished| unfinished.message.clone());
            let looked = format!(
                "{} rows and {} guards",
                show_count(found.rows),
                show_count(found.guards)
            );
            match (first, unfinished) {
                (None, None) => Line {
                    is_well: true,
                    title: format!("{} agrees with its model", open.name),
                    text: format!(
                        "Verified at {at}: values, keys, guards, references and counters of {looked}"
                    ),
                    to: None,
                },
                (Some(first), _) => Line {
                    is_well: false,
                    title: format!(
                        "{}: {}",
                        open.name,
                        counted(found.violations.len(), "violation")
                    ),
                    text: format!("Verified at {at}. {first}"),
                    to: None,
                },
                (None, Some(first)) => Line {
                    is_well: false,
                    title: format!(
                        "{}: {} did not finish",
                        open.name,
                        counted(found.unfinished.len(), "operation")
                    ),
                    text: format!("Verified at {at}. {first}"),
                    to: None,
                },
            }
        }
    })
}

fn say_unknown(models: &[OpenModel]) -> Line {
    if models.iter().all(|open| !open.census.is_taken) {
        return Line {
            is_well: true,
            title: "Items are not counted".to_owned(),
            text: "Verify now reads every item of the tables, and says what no model knows."
                .to_owned(),
            to: None,
        };
    }
    let unknown: usize = models.iter().map(|open| open.census.unknown).sum();
    let items: usize = models.iter().map(|open| open.census.items).sum();
    let counted_at = models
        .first()
        .map(|open| show_clock(open.census.at))
        .unwrap_or_default();
    let text = format!(
        "{} items were counted by a scan at {counted_at}",
        show_count(items as u64)
    );
    if unknown == 0 {
        return Line {
            is_well: true,
            title: "No unknown items".to_owned(),
            text: format!("Every item is a row or a guard of a model. {text}"),
            to: None,
        };
    }
    let of = models.iter().find(|open| open.census.unknown > 0);
    Line {
        is_well: false,
        title: counted(unknown, "unknown item"),
        text,
        to: of.map(|open| open.link(&["items"]).to_string()),
    }
}
