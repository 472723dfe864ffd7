//! `[entity.N]`.

use super::block::{Block, comment, list, quote, write_name};
use crate::entity::{Entity, Key};
use crate::template::Template;

pub(super) fn write(text: &mut String, entity: &Entity) {
    text.push('\n');
    comment(text, &entity.remarks);
    let Some(reason) = &entity.refused else {
        return write_sections(text, entity);
    };
    let remark = format!("Left out, because the check says: {reason}");
    comment(text, &[remark]);
    let mut sections = String::new();
    write_sections(&mut sections, entity);
    for line in sections.lines() {
        text.push_str(&format!("# {line}\n"));
    }
}

fn write_sections(text: &mut String, entity: &Entity) {
    text.push_str(&format!("[entity.{}]\n", entity.name));
    let mut block = Block::default();
    if let Some(about) = &entity.about {
        block.line("about", quote(about));
    }
    if let Some(table) = &entity.table {
        block.line("table", quote(table));
    }
    if !entity.is.is_empty() {
        let is = entity.is.iter();
        let is: Vec<String> = is
            .map(|(name, value)| format!("{} = {}", write_name(name), quote(value)))
            .collect();
        block.line("is", format!("{{ {} }}", is.join(", ")));
    }
    for key in &entity.keys {
        block.line(&write_name(key.place.name()), write_templates(key));
    }
    for (key, value) in &entity.settings {
        block.line(key, value.clone());
    }
    block.write(text);
    write_attributes(text, entity);
    write_claims(text, entity);
}

fn write_templates(key: &Key) -> String {
    let parts = [&key.partition, &key.sort];
    let parts = parts.into_iter().filter(|templates| !templates.is_empty());
    let parts: Vec<String> = parts.map(|templates| write_part(templates)).collect();
    match parts.as_slice() {
        // One text fills both parts of a key.
        [one, other] if one == other && key.partition.len() == 1 => one.clone(),
        _ => format!("[{}]", parts.join(", ")),
    }
}

fn write_part(templates: &[Template]) -> String {
    let texts: Vec<String> = templates.iter().map(ToString::to_string).collect();
    match texts.as_slice() {
        [one] => quote(one),
        several => list(several),
    }
}

fn write_attributes(text: &mut String, entity: &Entity) {
    if entity.attributes.is_empty() {
        return;
    }
    text.push_str(&format!("\n[entity.{}.attributes]\n", entity.name));
    let mut block = Block::default();
    for attribute in &entity.attributes {
        block.comments(&attribute.remarks);
        block.line(&write_name(&attribute.name), quote(&attribute.to_string()));
    }
    block.write(text);
}

fn write_claims(text: &mut String, entity: &Entity) {
    if entity.claims.is_empty() {
        return;
    }
    text.push_str(&format!("\n[entity.{}.unique]\n", entity.name));
    let mut block = Block::default();
    for claim in &entity.claims {
        block.line(&write_name(&claim.name), claim.toml.clone());
    }
    block.write(text);
}
