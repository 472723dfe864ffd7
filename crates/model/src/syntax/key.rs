//! The templates of a key: one for each part, or, in an index of several attributes, one for each attribute of a part.

use super::template::{Template, TemplateKind};
use crate::diagnostic::Findings;
use crate::document::{Text, Value, text_lists};
use crate::span::{Name, Span};

/// What is written as a key, or as a condition on one.
#[derive(Clone, Debug)]
pub(crate) struct KeyTemplates {
    /// Partition key and sort key, each with one template for each of its attributes.
    pub(crate) parts: Vec<Vec<Template>>,
    /// One text, which fills every part of the key.
    pub(crate) fills_all: bool,
    pub(crate) span: Span,
}

impl KeyTemplates {
    pub(crate) fn read(
        name: &Name,
        value: Value<'_>,
        kind: TemplateKind,
        findings: &mut Findings,
    ) -> Option<Self> {
        let parse = |texts: &Vec<Text>, findings: &mut Findings| -> Option<Vec<Template>> {
            let texts = texts.iter();
            texts
                .map(|text| Template::parse(text, kind, findings))
                .collect()
        };
        let lists = text_lists(&name.value, value, findings)?;
        let parts = lists.iter().map(|texts| parse(texts, findings)).collect();
        Some(Self {
            parts: Option::from_iter::<Vec<Option<Vec<Template>>>>(parts)?,
            fills_all: value.text().is_some(),
            span: value.span(),
        })
    }

    /// Keys of one attribute in each part.
    pub(crate) fn of_single(templates: &[Template], fills_all: bool, span: Span) -> Self {
        Self {
            parts: templates
                .iter()
                .map(|template| vec![template.clone()])
                .collect(),
            fills_all,
            span,
        }
    }

    /// All templates, in their order.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template> {
        self.parts.iter().flatten()
    }

    /// The templates of a key of one attribute in each part; none if a part has several.
    pub(crate) fn singles(&self) -> Option<Vec<&Template>> {
        let single = |part: &'_ Vec<Template>| matches!(part.as_slice(), [_]);
        let is_single = self.parts.iter().all(single);
        is_single.then(|| self.templates().collect())
    }
}
