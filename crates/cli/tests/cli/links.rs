//! Every link of the documentation to a file of the repository leads somewhere, to a heading too.

use crate::pasted::root;
use regex_lite::Regex;
use std::path::{Path, PathBuf};

fn pages() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/systems"].map(|folder| root().join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = files.map(|file| file.unwrap().path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    paths.filter(is_page).collect()
}

/// The names by which the headings of a page are linked to, as GitHub makes them.
fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// What stands in blocks of code and between backticks is no link.
fn without_code(page: &str) -> String {
    let inline = Regex::new("`[^`\n]*`").unwrap();
    let mut is_code = false;
    let mut text = String::new();
    for line in page.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if !is_code && !is_fence {
            text.push_str(&inline.replace_all(line, ""));
            text.push('\n');
        }
    }
    text
}

#[test]
fn links_between_pages_lead_somewhere() {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let mut lost = Vec::new();
    for page in pages() {
        let text = without_code(&std::fs::read_to_string(&page).unwrap());
        for found in link.captures_iter(&text) {
            let target = &found[1];
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() {
                page.clone()
            } else {
                page.parent().unwrap().join(file)
            };
            let leads = path.exists()
                && (anchor.is_empty() || anchors(&path).iter().any(|known| known == anchor));
            if !leads {
                lost.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}
