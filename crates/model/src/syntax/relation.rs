//! `[entity.N.relation]`: what a pair of references means.

use super::message::read_message;
use crate::diagnostic::{Code, Findings};
use crate::document::{Section, Text};
use crate::span::{Name, Span, Spanned};

#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) from: Name,
    pub(crate) to: Name,
    pub(crate) symmetric: bool,
    pub(crate) acyclic: bool,
    pub(crate) depth: Option<Spanned<usize>>,
    pub(crate) serial: Option<(Name, Name)>,
    pub(crate) owning: bool,
    pub(crate) message: Option<String>,
    pub(crate) message_on_depth: Option<String>,
    pub(crate) span: Span,
}

impl Relation {
    pub(crate) fn read(mut section: Section<'_>, findings: &mut Findings) -> Option<Self> {
        let span = section.header();
        let ends = section.required_text("ends", findings);
        let acyclic = section.flag("acyclic", findings);
        let depth = section.count("depth", findings);
        let serial = section.text("serial", findings);
        let owning = section.flag("owning", findings);
        let told = read_message(&mut section, "message", findings);
        let told_of_depth = read_message(&mut section, "message_on_depth", findings);
        section.finish(findings);
        let is_acyclic = acyclic.is_some_and(|flag| flag.value);
        if told_of_depth.is_some() && !is_acyclic {
            let message = "only chains of an `acyclic` relation have a longest length";
            findings.error(Code::Contradiction, span, message);
        }
        let ends = ends?;
        let Some((from, to, symmetric)) = split(&ends) else {
            let message =
                "the ends of a relation are `A -> B`, or `A -- B` for a pair without order";
            findings.error(Code::BadAttribute, ends.inner(), message);
            return None;
        };
        let serial = match serial {
            Some(text) => match text.as_str().find('.') {
                Some(dot) => Some((
                    text.part(0, dot).name(),
                    text.part(dot + 1, text.value.len()).name(),
                )),
                None => {
                    let message = "`serial` is a counter on a referred row: `reference.counter`";
                    findings.error(Code::BadAttribute, text.inner(), message);
                    None
                }
            },
            None => None,
        };
        Some(Self {
            from,
            to,
            symmetric,
            acyclic: is_acyclic,
            depth,
            serial,
            owning: owning.is_some_and(|flag| flag.value),
            message: told,
            message_on_depth: told_of_depth,
            span,
        })
    }
}

fn split(ends: &Text) -> Option<(Name, Name, bool)> {
    let (arrow, symmetric) = match (ends.as_str().find("->"), ends.as_str().find("--")) {
        (Some(at), None) => (at, false),
        (None, Some(at)) => (at, true),
        _ => return None,
    };
    let from = ends.part(0, arrow).trimmed();
    let to = ends.part(arrow + 2, ends.value.len()).trimmed();
    let sound = !from.value.is_empty() && !to.value.is_empty();
    sound.then(|| (from.name(), to.name(), symmetric))
}
