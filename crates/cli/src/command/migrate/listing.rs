//! A plan as people read it.

use crate::output::visible;
use monotable_migrate::{Actor, Counterexample, Difference, Estimate, Finding, Plan, SideBySide};
use std::fmt::Write;

/// The plan as text.
pub(super) fn show(plan: &Plan, estimate: Option<&Estimate>) -> String {
    let mut text = String::new();
    if plan.differences.is_empty() {
        text.push_str("nothing that rows or programs notice differs\n");
        return text;
    }
    for difference in &plan.differences {
        show_difference(&mut text, difference);
    }
    let sentence = match &plan.side_by_side {
        SideBySide::Together => "proved: programs of both versions may run at once".to_owned(),
        SideBySide::Bridge { layouts, gaps } => {
            let mut sentence = format!(
                "proved: the old version and the new one with `layout = {layouts:?}` may run at once"
            );
            if !gaps.is_empty() {
                let _ = write!(
                    sentence,
                    "; from the switch to the end of the backfill, {} miss rows",
                    gaps.join(", ")
                );
            }
            sentence
        }
        SideBySide::Apart { because } => {
            format!(
                "programs of the old version have to end before those of the new one begin, because of {}",
                because.join(", ")
            )
        }
    };
    let _ = writeln!(text, "\nside by side\n  {sentence}");
    if let Some(estimate) = estimate {
        let rows: Vec<_> = estimate
            .rows
            .iter()
            .map(|(entity, count)| format!("{count} {entity}"))
            .collect();
        let _ = writeln!(
            text,
            "\nestimate\n  rows that are written: {}\n  {} read units, {} write units, ${:.4} (on demand, us-east-1)",
            if rows.is_empty() {
                "none".to_owned()
            } else {
                rows.join(", ")
            },
            estimate.read_units,
            estimate.write_units,
            estimate.dollars,
        );
    }
    if !plan.refusals.is_empty() {
        text.push_str("\nthere is no way from the old version to the new one\n");
        for refusal in &plan.refusals {
            let _ = writeln!(text, "  {}", visible(refusal));
        }
        return text;
    }
    text.push_str("\nphases\n");
    for (number, phase) in plan.phases.iter().enumerate() {
        let actor = match phase.actor {
            Actor::Run => "migrate run",
            Actor::You => "you",
        };
        let _ = writeln!(
            text,
            "  {}. {} ({actor})\n     {}\n     programs: {}\n     checked: {}",
            number + 1,
            phase.name.name(),
            phase.what,
            phase.programs,
            phase.checked
        );
    }
    text
}

fn show_difference(text: &mut String, difference: &Difference) {
    let _ = writeln!(
        text,
        "{}: {} ({})",
        visible(&difference.subject),
        visible(&difference.what),
        difference.kind.name()
    );
    let _ = writeln!(text, "  {}", difference.verdict().name());
    show_finding(text, "stored rows", &difference.stored_rows);
    show_finding(text, "old programs", &difference.old_programs);
}

fn show_finding(text: &mut String, whose: &str, finding: &Finding) {
    let mut line = |what: &str| {
        let _ = writeln!(text, "  {whose}: {}", visible(what));
    };
    match finding {
        Finding::Works { proof } => line(proof),
        Finding::Backfill { why, meanwhile, .. } => {
            line(why);
            if let Some(meanwhile) = meanwhile {
                show_row(text, "while the old version runs", meanwhile);
            }
        }
        Finding::Breaks {
            counterexample,
            remedy,
            ..
        } => {
            line("they fail on a row");
            show_row(text, "counterexample", counterexample);
            let _ = writeln!(text, "    do: {}", visible(remedy));
        }
        Finding::Unproven { why, remedy } => {
            line(why);
            let _ = writeln!(text, "    do: {}", visible(remedy));
        }
    }
}

fn show_row(text: &mut String, title: &str, counterexample: &Counterexample) {
    let rows = std::iter::once((title, &counterexample.row));
    let beside = counterexample.beside.iter().map(|row| ("beside it", row));
    for (title, row) in rows.chain(beside) {
        let key: Vec<_> = row.key.iter().map(|part| format!("\"{part}\"")).collect();
        let values: Vec<_> = row
            .values
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let _ = writeln!(
            text,
            "    {title}: {} ({})",
            row.entity,
            visible(&key.join(", "))
        );
        if !values.is_empty() {
            let _ = writeln!(text, "      {}", visible(&values.join(", ")));
        }
    }
    let _ = writeln!(
        text,
        "      {}: {}",
        visible(&counterexample.used_by),
        visible(&counterexample.what)
    );
}
