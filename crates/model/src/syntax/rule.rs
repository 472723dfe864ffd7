//! A rule of an entity: a predicate, or a table of the predicate and what a caller is told when it refuses.

use super::message::read_message;
use super::predicate::Predicate;
use crate::diagnostic::Findings;
use crate::document::{Section, Value};
use crate::span::Name;

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) predicate: Predicate,
    pub(crate) message: Option<String>,
}

impl Rule {
    fn read(name: &Name, value: Value<'_>, findings: &mut Findings) -> Option<Self> {
        if let Some(text) = value.text() {
            return Some(Self {
                predicate: Predicate::parse(&text, findings)?,
                message: None,
            });
        }
        let Some(mut section) = value.section(&name.value) else {
            let wanted = "a predicate, or a table with `rule` and `message`";
            value.wrong_kind(&name.value, wanted, findings);
            return None;
        };
        let text = section.required_text("rule", findings);
        let message = read_message(&mut section, "message", findings);
        section.finish(findings);
        Some(Self {
            predicate: Predicate::parse(&text?, findings)?,
            message,
        })
    }
}

/// Rules by name, as `allow` and `must` have them.
pub(crate) fn read_rules(
    section: &mut Section<'_>,
    key: &str,
    findings: &mut Findings,
) -> Vec<(Name, Rule)> {
    let Some(mut section) = section.section(key, findings) else {
        return Vec::new();
    };
    let mut rules = Vec::new();
    for (name, value) in section.take_rest() {
        let rule = Rule::read(&name, value, findings);
        rules.extend(rule.map(|rule| (name, rule)));
    }
    rules
}
