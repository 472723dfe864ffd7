//! The revisions of a repository, one on each line, or as a graph.

use super::declared::Declared;
use super::graph::{self, Node};
use super::label::shown;
use crate::exit::Failure;
use crate::output::{has_colour, print};
use crate::rows::PageSink;
use anstyle::{AnsiColor, Style};
use monotable_store::{Page, Row};

const REVISION: Style = AnsiColor::Yellow.on_default();
const HEAD: Style = AnsiColor::Cyan.on_default().bold();

/// Prints revisions for people.
pub(crate) struct LogLines<'m> {
    declared: Declared<'m>,
    has_colour: bool,
    /// The revision of the head, as far as it is known.
    head: Option<String>,
    /// Revisions that are drawn when all are there; none where each is printed at once.
    graph: Option<Vec<Node>>,
}

impl<'m> LogLines<'m> {
    pub(crate) fn new(declared: Declared<'m>, is_graph: bool) -> Self {
        Self {
            declared,
            has_colour: has_colour(),
            head: None,
            graph: is_graph.then(Vec::new),
        }
    }

    fn node(&self, row: &Row) -> Node {
        let text = |name: Option<&str>| name.map(|name| row.text(name).to_owned());
        let parent = text(self.declared.parent()).filter(|parent| !parent.is_empty());
        Node {
            id: row.text(self.declared.revision()).to_owned(),
            parent,
            text: self.line(row),
        }
    }

    /// `01J.. 2026-01-23T09:00:00.000Z  (HEAD) message`.
    fn line(&self, row: &Row) -> String {
        let value = |name: Option<&str>| name.and_then(|name| row.get(name)).map(shown);
        let id = value(Some(self.declared.revision())).unwrap_or_default();
        let is_head = self.head.as_deref() == Some(row.text(self.declared.revision()));
        let head = is_head.then(|| self.painted(HEAD, "(HEAD)"));
        let time = value(self.declared.time());
        let said: Vec<_> = head
            .into_iter()
            .chain(value(self.declared.message()))
            .collect();
        let begin = [Some(self.painted(REVISION, &id)), time];
        let begin: Vec<_> = begin.into_iter().flatten().collect();
        let line = format!("{}  {}", begin.join(" "), said.join(" "));
        line.trim_end().to_owned()
    }

    fn painted(&self, style: Style, text: &str) -> String {
        if self.has_colour {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

impl PageSink for LogLines<'_> {
    fn page(&mut self, page: Page) -> Result<(), Failure> {
        if let (Some(head), Some(pointer)) = (page.followed.first(), self.declared.pointer()) {
            self.head = Some(head.text(pointer).to_owned());
        }
        let nodes: Vec<Node> = page.rows.iter().map(|row| self.node(row)).collect();
        match &mut self.graph {
            Some(graph) => {
                graph.extend(nodes);
                Ok(())
            }
            None => {
                let lines = nodes.iter().map(|node| format!("* {}\n", node.text));
                print(lines.collect::<String>().as_bytes())
            }
        }
    }

    fn finish(self, _: Option<&str>) -> Result<(), Failure> {
        match self.graph {
            Some(nodes) => print(graph::draw(&nodes).as_bytes()),
            None => Ok(()),
        }
    }
}
