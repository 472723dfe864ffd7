//! The frame of the page.

use super::super::page;
use super::blocks::Writer;
use super::{contents, escape};
use monotable_model::model::Model;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The model as an HTML page.
#[must_use]
pub fn html(model: &Model) -> String {
    let blocks = page::blocks(model);
    let name = escape(&model.name);
    let about = page::about(model).map_or_else(String::new, |about| {
        format!("<p class=\"about\">{}</p>\n", super::blocks::inline(&about))
    });
    let mut writer = Writer::new(model);
    blocks.iter().for_each(|block| writer.block(block));
    let body = writer.finish();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{name}: the model</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the text</a>\n\
         <div class=\"page\">\n{contents}<main id=\"main\">\n<header>\n<h1>{name}</h1>\n{about}{summary}</header>\n\
         {body}</main>\n</div>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        contents = contents::nav(&blocks),
        summary = summary(model),
    )
}

/// How much there is of what.
fn summary(model: &Model) -> String {
    let counts = [
        (model.tables.len(), "table"),
        (model.stored().count(), "entity"),
        (model.access.len(), "access pattern"),
    ];
    let words: Vec<_> = counts
        .into_iter()
        .map(|(count, word)| match (count, word) {
            (1, word) => format!("1 {word}"),
            (count, "entity") => format!("{count} entities"),
            (count, word) => format!("{count} {word}s"),
        })
        .collect();
    format!("<p class=\"summary\">{}</p>\n", words.join(" · "))
}
