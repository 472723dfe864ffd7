//! The text of the new version with which programs run beside those of the old one: it reads both keys, and writes the old one.

use crate::compare::find_old_layouts;
use monotable_model::model::Model;

/// The layouts of the new version that are the keys of the old one; empty if no key has changed, or a changed key has no layout.
#[must_use]
pub fn bridge_layouts(old: &Model, new: &Model) -> Vec<String> {
    find_old_layouts(old, new)
}

/// The text of a model with `layout` before its first section, so that the named layouts are written. A line that is there is replaced.
#[must_use]
pub fn write_bridge(text: &str, layouts: &[String]) -> String {
    let names: Vec<_> = layouts.iter().map(|name| format!("\"{name}\"")).collect();
    let line = format!("layout = [{}]\n", names.join(", "));
    let mut written = String::with_capacity(text.len() + line.len() + 1);
    let mut is_head = true;
    for old in text.split_inclusive('\n') {
        let trimmed = old.trim_start();
        if is_head && trimmed.starts_with('[') {
            is_head = false;
            written.push_str(&line);
            written.push('\n');
        }
        let is_layout = trimmed
            .strip_prefix("layout")
            .is_some_and(|rest| rest.trim_start().starts_with('='));
        if !(is_head && is_layout) {
            written.push_str(old);
        }
    }
    written
}
