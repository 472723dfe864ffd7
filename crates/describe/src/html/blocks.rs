//! Blocks of the page as HTML.

use super::super::block::{Block, Table};
use super::super::diagram::linked_svg;
use super::super::inline::{Inline, Span};
use super::escape;
use monotable_model::model::Model;

/// Writes blocks; chapters are sections, and what is in them articles.
pub(super) struct Writer<'m> {
    model: &'m Model,
    out: String,
    /// Levels of the headings whose elements are open.
    open: Vec<u8>,
}

impl<'m> Writer<'m> {
    pub(super) const fn new(model: &'m Model) -> Self {
        Self {
            model,
            out: String::new(),
            open: Vec::new(),
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.close(0);
        self.out
    }

    /// Closes what is open at this level and below.
    fn close(&mut self, level: u8) {
        while let Some(last) = self.open.last().copied().filter(|open| *open >= level) {
            self.open.pop();
            self.out.push_str(element(last).1);
        }
    }

    pub(super) fn block(&mut self, block: &Block) {
        let html = match block {
            Block::Heading {
                level,
                id,
                text,
                covers,
            } => {
                self.close(*level);
                self.open.push(*level);
                heading(*level, id, text, covers)
            }
            Block::Caption(text) => {
                // A claim ends where its entity goes on.
                self.close(4);
                format!("<p class=\"caption\">{}</p>\n", inline(text))
            }
            Block::Paragraph(text) => format!("<p>{}</p>\n", inline(text)),
            Block::List(items) => list(items),
            Block::Facts(facts) => self::facts(facts),
            Block::Table(table) => self::table(table),
            Block::Code { text, .. } => format!(
                "<pre tabindex=\"0\"><code>{}</code></pre>\n",
                places(&escape(text))
            ),
            Block::Diagram => format!(
                "<figure class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Diagram of references\">\n{}</figure>\n",
                linked_svg(self.model)
            ),
        };
        self.out.push_str(&html);
    }
}

const fn element(level: u8) -> (&'static str, &'static str) {
    match level {
        2 => ("<section", "</section>\n"),
        _ => ("<article", "</article>\n"),
    }
}

fn heading(level: u8, id: &str, text: &Inline, covers: &[String]) -> String {
    let tags: String = covers
        .iter()
        .map(|id| format!(" <span class=\"tag\">{}</span>", escape(id)))
        .collect();
    let tags = if covers.is_empty() {
        tags
    } else {
        format!("<p class=\"tags\"><span class=\"quiet\">covers</span>{tags}</p>\n")
    };
    let (start, _) = element(level);
    format!(
        "{start} id=\"{id}\" class=\"l{level}\">\n<h{level}>{} <a class=\"self\" href=\"#{id}\" aria-label=\"Link to {}\">#</a></h{level}>\n{tags}",
        inline(text),
        escape(&text.plain())
    )
}

fn list(items: &[Inline]) -> String {
    let items: String = items
        .iter()
        .map(|item| format!("<li>{}</li>\n", inline(item)))
        .collect();
    format!("<ul>\n{items}</ul>\n")
}

fn facts(facts: &[(String, Inline)]) -> String {
    let facts: String = facts
        .iter()
        .map(|(name, value)| {
            format!(
                "<div><dt>{}</dt><dd>{}</dd></div>\n",
                escape(name),
                inline(value)
            )
        })
        .collect();
    format!("<dl>\n{facts}</dl>\n")
}

/// The first cell of a row is its header.
fn table(table: &Table) -> String {
    let head: String = table
        .head
        .iter()
        .map(|name| format!("<th scope=\"col\">{}</th>", escape(name)))
        .collect();
    let rows: String = table.rows.iter().map(|row| self::row(row)).collect();
    let label = escape(&table.label);
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">\n<table>\n<thead><tr>{head}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

fn row(cells: &[Inline]) -> String {
    let cells: String = cells
        .iter()
        .enumerate()
        .map(|(position, cell)| match position {
            0 => format!("<th scope=\"row\">{}</th>", inline(cell)),
            _ => format!("<td>{}</td>", inline(cell)),
        })
        .collect();
    format!("<tr>{cells}</tr>\n")
}

/// Running text as HTML.
pub(super) fn inline(inline: &Inline) -> String {
    inline.spans().iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Text(text) => escape(text),
        Span::Strong(text) => format!("<strong>{}</strong>", escape(text)),
        Span::Code(text) => format!("<code>{}</code>", breakable(&places(&escape(text)))),
        Span::Link { target, text } => {
            format!(
                "<a href=\"#{target}\">{}</a>",
                breakable_name(&escape(text))
            )
        }
        Span::Break => "<br>".to_owned(),
    }
}

/// Marks the places for values, so that they stand out from what is fixed.
fn places(escaped: &str) -> String {
    let mut out = String::new();
    let mut rest = escaped;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        // A brace that holds no name is one of JSON's.
        let end = from.find('}').filter(|end| is_place(from.get(1..*end)));
        match end {
            Some(end) => {
                let (place, after) = from.split_at(end + 1);
                out.push_str(&format!("<var>{place}</var>"));
                rest = after;
            }
            None => {
                out.push('{');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

fn is_place(inside: Option<&str>) -> bool {
    // `{1,64}` is a regular expression's.
    inside.is_some_and(|inside| {
        inside.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '\'')
            && !inside.contains(['{', '\n'])
    })
}

/// Long names may break after their delimiters, but not after a first `_`.
fn breakable(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    let mut before = ' ';
    for c in html.chars() {
        inside = match c {
            '<' | '&' => true,
            '>' | ';' => false,
            _ => inside,
        };
        out.push(c);
        let delimiter = matches!(c, '/' | '#' | '|') || (c == '_' && before.is_alphanumeric());
        if !inside && delimiter {
            out.push_str("<wbr>");
        }
        before = c;
    }
    out
}

/// A name may also break before its capital letters: `ParentChild`.
fn breakable_name(html: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in html.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            out.push_str("<wbr>");
        }
        out.push(c);
        before = c;
    }
    breakable(&out)
}
