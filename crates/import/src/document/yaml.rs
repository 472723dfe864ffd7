//! YAML as CloudFormation has it. A short form of an intrinsic function, `!Sub text`, becomes its long form.

use super::{MAX_DEPTH, Node, Value};
use crate::error::{ImportError, Spot};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Aliases may make a tree much larger than its text; no file needs more values.
const MAX_NODES: usize = 500_000;

pub(super) fn parse(text: &str) -> Result<Node, ImportError> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let message = format!("this is neither JSON nor YAML: {}", error.info());
            ImportError::at(spot(*error.marker()), "", message)
        })?;
        builder.take(event, span)?;
        if builder.root.is_some() {
            break;
        }
    }
    builder
        .root
        .ok_or_else(|| ImportError::new("the file is empty"))
}

fn spot(marker: Marker) -> Spot {
    Spot {
        line: marker.line().max(1),
        column: marker.col() + 1,
    }
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Node>,
    anchors: BTreeMap<usize, Node>,
    nodes: usize,
}

/// A list or map that is not at its end yet.
struct Open {
    spot: Spot,
    anchor: usize,
    function: Option<String>,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map {
        entries: Vec<(String, Node)>,
        name: Option<String>,
    },
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), ImportError> {
        let spot = spot(span.start);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let node = Node::new(read_scalar(text, style, tag.as_deref()), spot);
                self.close(node, anchor, function(tag.as_deref()));
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(spot, anchor, tag.as_deref(), Content::List(Vec::new()));
            }
            Event::MappingStart(anchor, tag) => {
                let content = Content::Map {
                    entries: Vec::new(),
                    name: None,
                };
                self.begin(spot, anchor, tag.as_deref(), content);
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => {
                let known = self.anchors.get(&anchor).cloned();
                let node = known.unwrap_or_else(|| Node::new(Value::Null, spot));
                self.nodes += count(&node);
                self.add(node);
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => {}
        }
        if self.open.len() > MAX_DEPTH {
            let message = format!("values nest more than {MAX_DEPTH} deep");
            return Err(ImportError::at(spot, "", message));
        }
        if self.nodes > MAX_NODES {
            let message = format!("the file has more than {MAX_NODES} values");
            return Err(ImportError::at(spot, "", message));
        }
        Ok(())
    }

    fn begin(&mut self, spot: Spot, anchor: usize, tag: Option<&Tag>, content: Content) {
        self.open.push(Open {
            spot,
            anchor,
            function: function(tag),
            content,
        });
    }

    fn end(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        let value = match open.content {
            Content::List(values) => Value::List(values),
            Content::Map { entries, .. } => Value::Map(entries),
        };
        self.close(Node::new(value, open.spot), open.anchor, open.function);
    }

    fn close(&mut self, node: Node, anchor: usize, function: Option<String>) {
        let spot = node.spot;
        let node = match function {
            Some(name) => Node::new(Value::Map(vec![(name, node)]), spot),
            None => node,
        };
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        self.nodes += 1;
        self.add(node);
    }

    fn add(&mut self, node: Node) {
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.root = Some(node),
            Some(Content::List(values)) => values.push(node),
            Some(Content::Map { entries, name }) => match name.take() {
                Some(name) => entries.push((name, node)),
                None => *name = Some(node.as_scalar().unwrap_or_default()),
            },
        }
    }
}

fn count(node: &Node) -> usize {
    match &node.value {
        Value::List(values) => 1 + values.iter().map(count).sum::<usize>(),
        Value::Map(entries) => 1 + entries.iter().map(|(_, node)| count(node)).sum::<usize>(),
        Value::Null | Value::Boolean(_) | Value::Number(_) | Value::Text(_) => 1,
    }
}

/// The long form of an intrinsic function.
fn function(tag: Option<&Tag>) -> Option<String> {
    let tag = tag.filter(|tag| tag.handle == "!")?;
    match tag.suffix.as_str() {
        "Ref" | "Condition" => Some(tag.suffix.clone()),
        other => Some(format!("Fn::{other}")),
    }
}

fn read_scalar(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>) -> Value {
    if style != ScalarStyle::Plain || tag.is_some() {
        return Value::Text(text.into_owned());
    }
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Boolean(true),
        "false" | "False" | "FALSE" => Value::Boolean(false),
        number
            if number.parse::<f64>().is_ok() && number.contains(|c: char| c.is_ascii_digit()) =>
        {
            Value::Number(number.to_owned())
        }
        _ => Value::Text(text.into_owned()),
    }
}
