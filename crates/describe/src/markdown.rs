//! The page as Markdown.

use super::block::{Block, Table};
use super::inline::{Inline, Span};
use super::page;
use monotable_model::model::Model;

/// The model as a Markdown document.
#[must_use]
pub fn markdown(model: &Model) -> String {
    let blocks = page::blocks(model);
    let mut parts = vec![format!("# {}", escape(&model.name))];
    parts.extend(page::about(model).map(|about| inline(&about, Around::Line)));
    parts.push("## Contents".to_owned());
    parts.push(contents(&blocks));
    parts.extend(blocks.iter().filter_map(block));
    let mut text = parts.join("\n\n");
    text.push('\n');
    text
}

/// What a text stands in: a cell ends at `|`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Line,
    Cell,
}

fn contents(blocks: &[Block]) -> String {
    let lines: Vec<_> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Heading {
                level, id, text, ..
            } if *level < 4 => {
                let indent = "  ".repeat(usize::from(*level).saturating_sub(2));
                Some(format!("{indent}- [{}](#{id})", escape(&text.plain())))
            }
            _ => None,
        })
        .collect();
    lines.join("\n")
}

fn block(block: &Block) -> Option<String> {
    Some(match block {
        Block::Heading {
            level,
            id,
            text,
            covers,
        } => heading(*level, id, text, covers),
        Block::Caption(text) => format!("**{}**", inline(text, Around::Line)),
        Block::Paragraph(text) => inline(text, Around::Line),
        Block::List(items) => {
            let items: Vec<_> = items
                .iter()
                .map(|item| format!("- {}", inline(item, Around::Line)))
                .collect();
            items.join("\n")
        }
        Block::Facts(facts) => {
            let facts: Vec<_> = facts
                .iter()
                .map(|(name, value)| format!("- {}: {}", escape(name), inline(value, Around::Line)))
                .collect();
            facts.join("\n")
        }
        Block::Table(table) => self::table(table),
        Block::Code { language, text } => code_block(language, text),
        // The table of references below it says the same.
        Block::Diagram => return None,
    })
}

fn heading(level: u8, id: &str, text: &Inline, covers: &[String]) -> String {
    let marks = "#".repeat(usize::from(level));
    let line = format!(
        "<a id=\"{id}\"></a>\n\n{marks} {}",
        inline(text, Around::Line)
    );
    if covers.is_empty() {
        line
    } else {
        format!("{line}\n\nCovers {}.", escape(&covers.join(", ")))
    }
}

fn table(table: &Table) -> String {
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let head = table.head.iter().map(|name| escape(name)).collect();
    let rule = table.head.iter().map(|_| "---".to_owned()).collect();
    let mut lines = vec![row(head), row(rule)];
    let cells = |cells: &Vec<Inline>| {
        cells
            .iter()
            .map(|cell| inline(cell, Around::Cell))
            .collect()
    };
    lines.extend(table.rows.iter().map(|each| row(cells(each))));
    lines.join("\n")
}

/// A fence longer than any run of backquotes inside.
fn code_block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

fn inline(inline: &Inline, around: Around) -> String {
    inline
        .spans()
        .iter()
        .map(|span| self::span(span, around))
        .collect()
}

fn span(span: &Span, around: Around) -> String {
    match span {
        Span::Text(text) => escape(text),
        Span::Strong(text) => format!("**{}**", escape(text)),
        Span::Code(text) => code(text, around),
        Span::Link { target, text } => format!("[{}](#{target})", escape(text)),
        Span::Break => "<br>".to_owned(),
    }
}

/// Code in a line. In a cell, `|` is escaped even in code.
fn code(text: &str, around: Around) -> String {
    let text = text.replace('\n', " ");
    let text = match around {
        Around::Cell => text.replace('|', "\\|"),
        Around::Line => text,
    };
    let fence = "`".repeat(longest_run(&text) + 1);
    let edge = |end: bool| if end { " " } else { "" };
    let (first, last) = (text.starts_with(['`', ' ']), text.ends_with(['`', ' ']));
    let blank = edge(first || last);
    format!("{fence}{blank}{text}{blank}{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Words as words: nothing in them is Markdown or HTML.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\n' => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}
