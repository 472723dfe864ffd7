//! A compiled model as bytes: what a program binds that does not read the model's text.
//!
//! ```text
//! monotable-model 3 ADLER-32 SHA-256
//! the model, its plans, and the languages of texts and keys, in postcard's encoding
//! ```
//!
//! Both sums are hexadecimal. That of Adler is of everything behind it, and says that nothing is damaged. SHA-256 is of the second
//! line, and names the model; a program that opens a model at every start takes it as it is, because working it out takes
//! longer than reading the rest.
//!
//! The version rises with every change of what is written: bytes of another version are refused, and made anew from the text.
//! Where things stand in the text is left out. The encoding has no names of fields, so programs that open a model at every
//! start have little to read, and little code for it.

use super::CompiledModel;
use super::field_languages::FieldLanguages;
use crate::model::{Kind, Model, TextRule};
use crate::plan::Plans;
use monotable_language::Language;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;

const NAME: &str = "monotable-model";
const VERSION: &str = "3";

/// The whole body. Many texts have the same language, and an automaton is large, so each is written once.
#[derive(Serialize, Deserialize)]
struct Body {
    model: Model,
    plans: Plans,
    languages: Vec<Language>,
    /// For each rule on texts, in the order of [`list_text_rules`], the position of its language.
    of_rules: Vec<usize>,
    /// For each field of the keys of each entity, in the order of `FieldLanguages`, the position of its language.
    of_keys: Vec<usize>,
}

/// Languages that are written once each.
#[derive(Default)]
struct LanguageTable {
    languages: Vec<Language>,
    positions: BTreeMap<Vec<u8>, usize>,
}

impl LanguageTable {
    /// The position of a language, which is new if no equal one has come before.
    fn find_or_add(&mut self, language: &Language) -> Result<usize, BytesProblem> {
        let bytes = postcard::to_allocvec(language).map_err(unreadable)?;
        let next = self.languages.len();
        let position = *self.positions.entry(bytes).or_insert(next);
        if position == next {
            self.languages.push(language.clone());
        }
        Ok(position)
    }
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

fn unreadable(error: postcard::Error) -> BytesProblem {
    BytesProblem::Unreadable(error.to_string())
}

/// What names a model, of its body.
fn hash(body: &[u8]) -> String {
    let digest = Sha256::digest(body);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes behind what says that they are not damaged.
fn seal(bytes: &[u8]) -> Vec<u8> {
    let sum = adler2::adler32_slice(bytes);
    let mut sealed = format!("{NAME} {VERSION} {sum:08x} ").into_bytes();
    sealed.extend(bytes);
    sealed
}

/// What [`seal`] was given.
fn unseal(bytes: &[u8]) -> Result<&[u8], BytesProblem> {
    let mut words = bytes.splitn(4, |byte| *byte == b' ');
    if words.next() != Some(NAME.as_bytes()) {
        return Err(BytesProblem::NotAModel);
    }
    let version = words.next().unwrap_or_default();
    if version != VERSION.as_bytes() {
        let version = String::from_utf8_lossy(version).into_owned();
        return Err(BytesProblem::Version(version));
    }
    let (sum, sealed) = words
        .next()
        .zip(words.next())
        .ok_or(BytesProblem::Damaged)?;
    // A changed position would lead to a thing that is not there.
    if format!("{:08x}", adler2::adler32_slice(sealed)).as_bytes() == sum {
        Ok(sealed)
    } else {
        Err(BytesProblem::Damaged)
    }
}

impl CompiledModel {
    /// The version of what is written: bytes of another one are refused.
    pub const BYTES_VERSION: &str = VERSION;

    /// The SHA-256 of the model with its plans, in hexadecimal: two texts that differ in comments and layout only have one.
    pub fn checksum(&self) -> Result<String, BytesProblem> {
        Ok(hash(&self.body()?))
    }

    /// The model with its plans as bytes, for [`CompiledModel::from_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, BytesProblem> {
        let body = self.body()?;
        let mut sealed = hash(&body).into_bytes();
        sealed.push(b'\n');
        sealed.extend(body);
        Ok(seal(&sealed))
    }

    fn body(&self) -> Result<Vec<u8>, BytesProblem> {
        let (mut model, mut plans) = (self.model().clone(), self.plans().clone());
        let mut written = LanguageTable::default();
        let rules = list_text_rules(&mut model, &mut plans).into_iter();
        let of_rules = rules.map(|rule| written.find_or_add(&rule.language));
        let of_rules = of_rules.collect::<Result<_, _>>()?;
        let keys = self.field_languages().flat_map(FieldLanguages::iter);
        let of_keys = keys.map(|language| written.find_or_add(language));
        let body = Body {
            of_keys: of_keys.collect::<Result<_, _>>()?,
            of_rules,
            model,
            plans,
            languages: written.languages,
        };
        postcard::to_allocvec(&body).map_err(unreadable)
    }

    /// A model from what [`CompiledModel::to_bytes`] has made. Nothing of the model's text is needed.
    // Never inlined: engines of WebAssembly optimise a function that runs long as a whole, which takes the longer the larger it is.
    #[inline(never)]
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesProblem> {
        let sealed = unseal(bytes)?;
        let mut lines = sealed.splitn(2, |byte| *byte == b'\n');
        let (hash, body) = lines
            .next()
            .zip(lines.next())
            .ok_or(BytesProblem::Damaged)?;
        let hash = String::from_utf8_lossy(hash).into_owned();
        let body: Body = postcard::from_bytes(body).map_err(unreadable)?;
        let (mut model, mut plans) = (body.model, body.plans);
        let find = |position: &usize| body.languages.get(*position).cloned();
        let mut of_rules = body.of_rules.iter().map_while(find);
        for rule in list_text_rules(&mut model, &mut plans) {
            rule.language = of_rules.next().ok_or(BytesProblem::Damaged)?;
        }
        let mut of_keys = body.of_keys.iter().map_while(find);
        let languages = model
            .entities()
            .map(|(_, entity)| FieldLanguages::take(entity, &mut of_keys));
        let languages = languages.collect::<Option<_>>();
        let languages = languages.ok_or(BytesProblem::Damaged)?;
        Ok(Self::bind(model, plans, languages).with_hash(hash))
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
