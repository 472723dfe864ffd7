//! The contents at the side.

use super::super::block::Block;
use super::escape;

struct Entry<'b> {
    level: u8,
    id: &'b str,
    text: String,
}

/// The contents: chapters, each with what is in it.
pub(super) fn nav(blocks: &[Block]) -> String {
    let entries: Vec<_> = blocks.iter().filter_map(entry).collect();
    let mut out = "<nav aria-label=\"Contents\">\n<details class=\"contents\" open>\n<summary>Contents</summary>\n\
                   <p class=\"filter\" hidden><label>Filter <input type=\"search\" id=\"filter\"></label></p>\n<ul>\n"
        .to_owned();
    let mut at = 0;
    while let Some(chapter) = entries.get(at) {
        let inside: Vec<_> = entries
            .iter()
            .skip(at + 1)
            .take_while(|entry| entry.level > 2)
            .collect();
        at += 1 + inside.len();
        out.push_str(&self::chapter(chapter, &inside));
    }
    out.push_str("</ul>\n</details>\n</nav>\n");
    out
}

fn entry(block: &Block) -> Option<Entry<'_>> {
    match block {
        // Claims are part of their entity.
        Block::Heading { level: 4, id, .. } if id.starts_with("claim-") => None,
        Block::Heading {
            level, id, text, ..
        } => Some(Entry {
            level: *level,
            id,
            text: text.plain(),
        }),
        _ => None,
    }
}

fn chapter(chapter: &Entry<'_>, inside: &[&Entry<'_>]) -> String {
    let link = link(chapter);
    if inside.is_empty() {
        return format!("<li>{link}</li>\n");
    }
    let items: String = inside
        .iter()
        .map(|entry| {
            format!(
                "<li class=\"l{}\">{}</li>\n",
                entry.level,
                self::link(entry)
            )
        })
        .collect();
    format!("<li><details><summary>{link}</summary>\n<ul>\n{items}</ul></details></li>\n")
}

fn link(entry: &Entry<'_>) -> String {
    format!("<a href=\"#{}\">{}</a>", entry.id, escape(&entry.text))
}
