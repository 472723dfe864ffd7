//! The four lists of verify, printed.

use crate::exit::Failure;
use crate::notation::Notation;
use crate::output::{OutputArguments, print, visible};
use monotable_item::{EncodedItem, Item};
use monotable_store::Verification;

/// Members of a finding, in order.
const COLUMNS: [&str; 5] = ["list", "wrong", "entity", "key", "message"];

/// A finding of any list.
struct Finding<'v> {
    list: &'static str,
    wrong: &'static str,
    entity: &'v str,
    key: &'v str,
    message: &'v str,
    line: String,
}

/// Prints what was found, one finding per line.
pub(super) fn show(found: &Verification, output: &OutputArguments) -> Result<(), Failure> {
    let findings = list(found);
    if !output.is_given() {
        let line = |finding: &Finding<'_>| format!("{}\n", visible(&finding.line));
        let lines: String = findings.iter().map(line).collect();
        return print(lines.as_bytes());
    }
    let items: Vec<EncodedItem> = findings.iter().map(item).collect();
    let columns = COLUMNS.map(str::to_owned).to_vec();
    let mut printer = output.printer(Notation::Plain, columns);
    printer.page(&items)?;
    printer.finish()
}

fn list(found: &Verification) -> Vec<Finding<'_>> {
    let violations = found.violations.iter().map(|one| Finding {
        list: "violation",
        wrong: one.wrong.name(),
        entity: &one.entity,
        key: &one.key,
        message: &one.message,
        line: one.to_string(),
    });
    let unfinished = found.unfinished.iter().map(|one| Finding {
        list: "unfinished",
        wrong: one.what.name(),
        entity: &one.entity,
        key: &one.key,
        message: &one.message,
        line: one.to_string(),
    });
    let unknown = found.unknown_items.iter().map(|one| Finding {
        list: "unknown",
        wrong: "unknown",
        entity: one.nearest.as_deref().unwrap_or_default(),
        key: &one.key,
        message: &one.misfit,
        line: one.to_string(),
    });
    let notes = found.notes.iter().map(|one| Finding {
        list: "note",
        wrong: one.kind.name(),
        entity: &one.entity,
        key: &one.key,
        message: &one.message,
        line: one.to_string(),
    });
    violations
        .chain(unfinished)
        .chain(unknown)
        .chain(notes)
        .collect()
}

fn item(finding: &Finding<'_>) -> EncodedItem {
    let item = Item::new()
        .with("list", finding.list)
        .with("wrong", finding.wrong)
        .with("entity", finding.entity)
        .with("key", finding.key)
        .with("message", finding.message);
    EncodedItem::from(item)
}
