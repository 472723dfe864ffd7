//! `[table.N]`.

use super::block::{Block, comment, list, quote, write_name};
use crate::table::{Index, Projection, Reach, Table};

pub(super) fn write(text: &mut String, table: &Table) {
    text.push('\n');
    comment(text, &table.remarks);
    text.push_str(&format!("[table.{}]\n", write_name(&table.name)));
    let mut block = Block::default();
    if let Some(stored) = &table.stored {
        block.line("name", quote(stored));
    }
    block.line(
        "key",
        list(std::iter::once(&table.partition).chain(&table.sort)),
    );
    for index in &table.indexes {
        block.comments(&index.remarks);
        block.line(&write_name(&index.name), write_index(index));
    }
    for (key, value) in &table.settings {
        block.line(key, value.clone());
    }
    block.write(text);
}

fn write_index(index: &Index) -> String {
    let parts = [&index.partition, &index.sort];
    let parts = parts.into_iter().filter(|names| !names.is_empty());
    let parts: Vec<String> = parts.map(|names| write_part(names)).collect();
    let key = format!("[{}]", parts.join(", "));
    let mut further = Vec::new();
    if let Some(stored) = &index.stored {
        further.push(format!("name = {}", quote(stored)));
    }
    match &index.projection {
        Projection::All => {}
        Projection::Keys => further.push("project = \"keys\"".to_owned()),
        Projection::Some(names) => further.push(format!("project = {}", list(names))),
    }
    if index.reach == Reach::Local {
        further.push("local = true".to_owned());
    }
    if further.is_empty() {
        key
    } else {
        format!("{{ key = {key}, {} }}", further.join(", "))
    }
}

fn write_part(names: &[String]) -> String {
    match names {
        [one] => quote(one),
        several => list(several),
    }
}
