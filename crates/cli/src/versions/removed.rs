//! What sweeps and purges tell: counts, and what goes, with the reason.

use crate::exit::Failure;
use crate::notation::Notation;
use crate::output::{OutputArguments, visible};
use monotable_item::{AttributeValue, EncodedItem, Item, Number};
use monotable_store::{PurgeReport, SweepReport};

/// Prints a sweep. What somebody has to mend makes it fail in the end.
pub(crate) fn print_sweep(
    report: &SweepReport,
    output: &OutputArguments,
    notation: Notation,
) -> Result<(), Failure> {
    let removed = report.removed.iter().map(|swept| {
        entry(&swept.owner, Some(&swept.revision), &swept.reason).with("rows", number(swept.rows))
    });
    let kept = report
        .kept
        .iter()
        .map(|kept| entry(&kept.owner, kept.revision.as_ref(), &kept.reason));
    let item = Item::new()
        .with("intents", number(report.intents()))
        .with("rows", number(report.rows()))
        .with("left", number(report.young()))
        .with("removed", list(removed))
        .with("kept", list(kept));
    print(
        item,
        &["intents", "rows", "left", "removed", "kept"],
        output,
        notation,
    )?;
    let problems: Vec<_> = report.problems().collect();
    if problems.is_empty() {
        return Ok(());
    }
    let what = format!("{} left that somebody has to look at", problems.len());
    let failure = Failure::violations(what).help("mend what is said there, and sweep again");
    Err(problems.into_iter().fold(failure, |failure, kept| {
        failure.because(visible(&kept.reason.to_string()))
    }))
}

/// Prints a purge.
pub(crate) fn print_purge(
    report: &PurgeReport,
    output: &OutputArguments,
    notation: Notation,
) -> Result<(), Failure> {
    let removed = report.partitions.iter().map(|partition| {
        entry(
            &report.owner,
            partition.revision.as_ref(),
            &partition.reason,
        )
        .with("table", partition.table.as_str())
        .with("partition", partition.partition.as_str())
        .with("rows", number(partition.items))
    });
    let item = Item::new()
        .with("partitions", number(report.partitions.len() as u64))
        .with("items", number(report.items()))
        .with("removed", list(removed));
    print(item, &["partitions", "items", "removed"], output, notation)
}

fn entry(owner: &Item, revision: Option<&String>, reason: &impl std::fmt::Display) -> Item {
    let owner = owner.iter();
    let owner = owner.map(|(name, value)| (name.clone(), value.clone()));
    let entry = Item::new()
        .with("owner", AttributeValue::M(owner.collect()))
        .with("reason", reason.to_string());
    match revision {
        Some(revision) => entry.with("revision", revision.as_str()),
        None => entry,
    }
}

fn list(entries: impl Iterator<Item = Item>) -> AttributeValue {
    let maps = entries.map(|entry| AttributeValue::M(entry.into_iter().collect()));
    AttributeValue::L(maps.collect())
}

fn number(count: u64) -> AttributeValue {
    AttributeValue::N(Number::from(count))
}

fn print(
    item: Item,
    leading: &[&str],
    output: &OutputArguments,
    notation: Notation,
) -> Result<(), Failure> {
    let leading = leading.iter().map(|name| (*name).to_owned()).collect();
    output
        .printer(notation, leading)
        .one(&EncodedItem::from(item))
}
