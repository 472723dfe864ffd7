//! `[tenant]` and `[isolation]`

use super::attribute::Attribute;
use super::message::read_message;
use super::template::{Template, TemplateKind};
use crate::diagnostic::Findings;
use crate::document::Section;
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub(crate) struct Tenant {
    pub(crate) name: Name,
    pub(crate) attribute: Attribute,
    pub(crate) prefix: Template,
    pub(crate) bare: Option<Name>,
    pub(crate) span: Span,
}

impl Tenant {
    pub(crate) fn read(mut section: Section<'_>, findings: &mut Findings) -> Option<Self> {
        let span = section.header();
        let name = section.required_name("name", findings);
        let type_text = section.required_text("type", findings);
        let prefix = section.required_text("prefix", findings);
        let bare = section.name("bare", findings);
        section.finish(findings);
        let name = name?;
        Some(Self {
            attribute: Attribute::parse(name.clone(), &type_text?, findings)?,
            prefix: Template::parse(&prefix?, TemplateKind::Value, findings)?,
            name,
            bare,
            span,
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Isolation {
    pub(crate) partitions: Vec<Template>,
    pub(crate) iam: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) span: Span,
}

impl Isolation {
    pub(crate) fn read(mut section: Section<'_>, findings: &mut Findings) -> Self {
        let span = section.header();
        if !section.has("partitions") {
            section.missing("partitions", findings);
        }
        let partitions = section.texts("partitions", findings).unwrap_or_default();
        let isolation = Self {
            partitions: partitions
                .iter()
                .filter_map(|text| Template::parse(text, TemplateKind::Condition, findings))
                .collect(),
            iam: section.text("iam", findings).map(|text| text.value),
            message: read_message(&mut section, "message", findings),
            span,
        };
        section.finish(findings);
        isolation
    }
}
