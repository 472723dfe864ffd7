//! Folders and files: each name once, and each file leads to the document that has this path.

use super::raw::{Raw, text};
use monotable_item::Item;
use std::collections::BTreeMap;

/// A folder by its id: its parent's id and its name.
type Folders<'r> = BTreeMap<&'r str, (&'r str, String)>;

/// Everything that is wrong with the folders of a site.
pub(super) fn broken(raw: &Raw) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut folders = Folders::new();
    for (parent, range, item) in &raw.entries {
        let name = text(item, "path").to_lowercase();
        let kind = range.get(..3).unwrap_or_default();
        // The key has the name in lower case: so each is there once.
        if range.get(3..) != Some(name.as_str()) || text(item, "parentDocumentId") != parent {
            wrong.push(format!("{parent:?} {range} has {item:?}"));
        }
        if kind == "ff#" {
            let id = text(item, "documentId");
            if folders.insert(id, (parent, name)).is_some() {
                wrong.push(format!("the folder {id} is there twice"));
            }
        }
    }
    let mut files: BTreeMap<String, &str> = BTreeMap::new();
    for (parent, range, item) in &raw.entries {
        let Some(above) = above(&folders, parent) else {
            wrong.push(format!(
                "{parent:?} {range} is in a folder that is not there"
            ));
            continue;
        };
        if let Some(name) = range.strip_prefix("fi#") {
            let path = above + name;
            file(raw, &path, item, &mut wrong);
            files.insert(path, text(item, "documentId"));
        }
    }
    for (id, document) in raw.documents() {
        let path = plain(text(document, "path"));
        if files.get(&path) != Some(&id.as_str()) {
            wrong.push(format!("{id} is not in its folder: {path}"));
        }
    }
    wrong
}

fn plain(path: &str) -> String {
    path.trim_start_matches('/').to_lowercase()
}

fn file(raw: &Raw, path: &str, item: &Item, wrong: &mut Vec<String>) {
    let id = text(item, "documentId");
    let mut documents = raw.documents();
    let document = documents.find(|(known, _)| *known == id);
    let leads = document.is_some_and(|(_, document)| plain(text(document, "path")) == path);
    if !leads {
        wrong.push(format!("the file {path} leads to {id}: {document:?}"));
    }
}

/// The path of a folder, with a separator behind it; none if a folder is missing.
fn above(folders: &Folders<'_>, id: &str) -> Option<String> {
    let mut path = String::new();
    let mut id = id;
    // A chain is never longer than all of them.
    for _ in 0..=folders.len() {
        if id.is_empty() {
            return Some(path);
        }
        let (parent, name) = folders.get(id)?;
        path = format!("{name}/{path}");
        id = parent;
    }
    None
}
