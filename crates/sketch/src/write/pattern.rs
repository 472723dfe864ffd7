//! `[access.N]`.

use super::block::{Block, comment, list, quote, write_name};
use crate::pattern::Pattern;

pub(super) fn write(text: &mut String, pattern: &Pattern) {
    text.push('\n');
    comment(text, &pattern.remarks);
    match &pattern.refused {
        None => {
            text.push_str(&format!("[access.{}]\n", pattern.name));
            lines(pattern).write(text);
        }
        Some(reason) => {
            let remark = format!("Left out, because the check says: {reason}");
            comment(text, &[remark]);
            text.push_str(&format!("# [access.{}]\n", pattern.name));
            let mut section = String::new();
            lines(pattern).write(&mut section);
            for line in section.lines() {
                text.push_str(&format!("# {line}\n"));
            }
        }
    }
}

fn lines(pattern: &Pattern) -> Block {
    let mut block = Block::default();
    if let Some(about) = &pattern.about {
        block.line("about", quote(about));
    }
    if let Some(claim) = &pattern.through {
        block.line("through", quote(claim));
        return block;
    }
    let parts = [&pattern.partition, &pattern.sort];
    let parts = parts.into_iter().filter(|texts| !texts.is_empty());
    let parts: Vec<String> = parts.map(|texts| write_part(texts)).collect();
    block.line(
        &write_name(pattern.place.name()),
        format!("[{}]", parts.join(", ")),
    );
    block.line("returns", list(&pattern.returns));
    block
}

fn write_part(texts: &[String]) -> String {
    match texts {
        [one] => quote(one),
        several => list(several),
    }
}
