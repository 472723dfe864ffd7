//! A compiled model as bytes: what a program binds that does not read the model's text.
//!
//! ```text
//! monotable-model 2 SHA-256 in hexadecimal, of what follows the line
//! { "model": .., "plans": .., "languages": [..], "of_rules": [..] }
//! ```
//!
//! The version rises with every change of what is written: bytes of another version are refused, and made anew from the text.
//! Where things stand in the text is left out.

use super::CompiledModel;
use crate::model::{Kind, Model, TextRule};
use crate::plan::Plans;
use monotable_language::Language;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;

const NAME: &str = "monotable-model";
const VERSION: &str = "2";

/// The whole body. Many texts have the same language, and an automaton is large, so each is written once.
#[derive(Serialize, Deserialize)]
struct Body {
    model: Model,
    plans: Plans,
    languages: Vec<Language>,
    /// For each rule on texts, in the order of [`list_text_rules`], the position of its language.
    of_rules: Vec<usize>,
}

/// Why bytes are no compiled model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BytesProblem {
    /// They are something else.
    NotAModel,
    /// They are of another version.
    Version(String),
    /// They were changed, or a part is missing.
    Damaged,
    /// What is in them cannot be read.
    Unreadable(String),
}

impl fmt::Display for BytesProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAModel => write!(
                f,
                "these bytes are no compiled model: they do not begin with `{NAME}`"
            ),
            Self::Version(version) => write!(
                f,
                "this compiled model is of version {version}, and this release reads version {VERSION}; make it anew from \
                 the model's text"
            ),
            Self::Damaged => f.write_str(
                "this compiled model is damaged: its checksum is wrong; make it anew from the model's text",
            ),
            Self::Unreadable(why) => write!(
                f,
                "this compiled model cannot be read: {why}; make it anew from the model's text"
            ),
        }
    }
}

impl std::error::Error for BytesProblem {}

fn unreadable(error: serde_json::Error) -> BytesProblem {
    BytesProblem::Unreadable(error.to_string())
}

fn checksum(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl CompiledModel {
    /// The version of what is written: bytes of another one are refused.
    pub const BYTES_VERSION: &str = VERSION;

    /// The SHA-256 of the model with its plans, in hexadecimal: two texts that differ in comments and layout only have one.
    pub fn checksum(&self) -> Result<String, BytesProblem> {
        let bytes = self.to_bytes()?;
        let body = bytes.iter().position(|byte| *byte == b'\n');
        let body = body.and_then(|end| bytes.get(end + 1..));
        Ok(checksum(body.unwrap_or_default()))
    }

    /// The model with its plans as bytes, for [`CompiledModel::from_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, BytesProblem> {
        let mut body = Body {
            model: self.model().clone(),
            plans: self.plans().clone(),
            languages: Vec::new(),
            of_rules: Vec::new(),
        };
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for rule in list_text_rules(&mut body.model, &mut body.plans) {
            let text = serde_json::to_string(&rule.language).map_err(unreadable)?;
            let next = body.languages.len();
            let position = *known.entry(text).or_insert(next);
            if position == next {
                body.languages.push(rule.language.clone());
            }
            body.of_rules.push(position);
        }
        let body = serde_json::to_vec(&body).map_err(unreadable)?;
        let mut bytes = format!("{NAME} {VERSION} {}\n", checksum(&body)).into_bytes();
        bytes.extend(body);
        Ok(bytes)
    }

    /// A model from what [`CompiledModel::to_bytes`] has made. Nothing of the model's text is needed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesProblem> {
        let mut lines = bytes.splitn(2, |byte| *byte == b'\n');
        let (first, body) = (lines.next().unwrap_or_default(), lines.next());
        let first = std::str::from_utf8(first).map_err(|_| BytesProblem::NotAModel)?;
        let mut words = first.split(' ');
        if words.next() != Some(NAME) {
            return Err(BytesProblem::NotAModel);
        }
        let version = words.next().unwrap_or_default();
        if version != VERSION {
            return Err(BytesProblem::Version(version.to_owned()));
        }
        let body = body.ok_or(BytesProblem::Damaged)?;
        // A changed position would lead to a thing that is not there.
        if words.next() != Some(checksum(body).as_str()) {
            return Err(BytesProblem::Damaged);
        }
        let mut body: Body = serde_json::from_slice(body).map_err(unreadable)?;
        let mut positions = body.of_rules.iter();
        for rule in list_text_rules(&mut body.model, &mut body.plans) {
            let language = positions.next().and_then(|at| body.languages.get(*at));
            let language = language.ok_or(BytesProblem::Damaged)?;
            rule.language = language.clone();
        }
        Ok(Self::with_plans(body.model, body.plans))
    }
}

/// The rules on texts of a model and of its plans, always in the same order.
fn list_text_rules<'m>(model: &'m mut Model, plans: &'m mut Plans) -> Vec<&'m mut TextRule> {
    let tenant = model.tenant.iter_mut().map(|tenant| &mut tenant.attribute);
    let entities = model.entities.iter_mut().flat_map(|entity| {
        let families = entity.families.iter_mut();
        let families = families.map(|family| &mut family.attribute);
        entity.attributes.iter_mut().chain(families)
    });
    let attributes = model.settings.iter_mut().chain(&mut model.principal);
    let attributes = attributes.chain(tenant).chain(entities);
    let parameters = model.access.iter_mut();
    let parameters = parameters.flat_map(|access| &mut access.parameters);
    let planned = plans.patterns.iter_mut();
    let planned = planned.flat_map(|plan| &mut plan.parameters);
    let kinds = attributes.map(|attribute| &mut attribute.kind);
    let kinds = kinds.chain(parameters.map(|parameter| &mut parameter.kind));
    let kinds = kinds.chain(planned.map(|parameter| &mut parameter.kind));
    kinds.filter_map(text_rule).collect()
}

/// The rule of a text, or of each text of a list.
fn text_rule(kind: &mut Kind) -> Option<&mut TextRule> {
    match kind {
        Kind::Text(rule) => Some(rule),
        Kind::List { of, .. } => text_rule(of),
        _ => None,
    }
}
