//! Which texts a template shows: templates as patterns of variables over languages.
//!
//! A field that shows an attribute through formats is a variable; the same attribute through the same formats
//! is the same variable wherever it stands in a key, so that `PK = SK` is seen. Through different formats it is
//! different variables: what is proved is proved for more texts than can be rendered, and every refutation is
//! rendered before it is reported.

mod formats;
mod rows;

pub use formats::shard_width;
pub use rows::carried;

use crate::model::{Attribute, Field, Kind, Mode, Model, Part, Root, Source, Template, TextRule};
use monotable_language::{Language, Part as Piece, Pattern};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The attributes of everything that a template can speak of.
pub struct Vocabulary<'a> {
    entities: Vec<&'a [Attribute]>,
    settings: &'a [Attribute],
    principal: &'a [Attribute],
    tenant: Option<&'a Attribute>,
    /// What `{tenant.prefix}` shows.
    prefix: Option<Language>,
    /// What `{row.X}` shows in the entities that a move makes of other rows: by entity and name.
    rows: BTreeMap<(usize, String), Language>,
    /// What fields show, by entity and variable: most stand in several keys and patterns.
    shown: RefCell<BTreeMap<(usize, String), Language>>,
}

impl<'a> Vocabulary<'a> {
    /// While entities are being resolved: nothing that follows from all of them is known.
    pub fn of_drafts(entities: &'a [Vec<Attribute>], model: &'a Model) -> Self {
        let entities = entities.iter().map(Vec::as_slice).collect();
        Self::of_attributes(entities, model)
    }

    /// Enough to follow paths; the texts of moved rows are not known.
    pub fn of_names(model: &'a Model) -> Self {
        let entities = model
            .entities
            .iter()
            .map(|entity| entity.attributes.as_slice());
        Self::of_attributes(entities.collect(), model)
    }

    /// What the names of a model mean.
    #[must_use]
    pub fn of(model: &'a Model) -> Self {
        let mut vocabulary = Self::of_names(model);
        vocabulary.prefix = tenant_prefix(model, &vocabulary);
        vocabulary.rows = rows::moved(model, &vocabulary);
        // What was worked out before the rows were known may be too wide.
        vocabulary.shown = RefCell::default();
        vocabulary
    }

    fn of_attributes(entities: Vec<&'a [Attribute]>, model: &'a Model) -> Self {
        Self {
            entities,
            settings: &model.settings,
            principal: &model.principal,
            tenant: model.tenant.as_ref().map(|tenant| &tenant.attribute),
            prefix: None,
            rows: BTreeMap::new(),
            shown: RefCell::default(),
        }
    }

    /// What stands before the partition keys of tenants.
    pub const fn tenant_prefix(&self) -> Option<&Language> {
        self.prefix.as_ref()
    }

    /// The texts of what is no attribute.
    fn special(&self, entity: usize, root: Option<Root>, names: &[&str]) -> Option<Language> {
        match (root, names) {
            (Some(Root::Tenant), ["prefix"]) => self.prefix.clone(),
            (Some(Root::Row), [name]) => self.rows.get(&(entity, (*name).to_owned())).cloned(),
            _ => None,
        }
    }

    /// An attribute of an entity, which is named by its position.
    #[must_use]
    pub fn attribute(&self, entity: usize, name: &str) -> Option<&'a Attribute> {
        let attributes = self.entities.get(entity)?;
        attributes
            .iter()
            .find(|attribute| attribute.name.value == name)
    }

    /// The attribute that a path leads to, through references.
    pub fn follow(
        &self,
        entity: usize,
        root: Option<Root>,
        names: &[&str],
    ) -> Option<&'a Attribute> {
        let (first, rest) = names.split_first()?;
        let named = |attributes: &'a [Attribute]| {
            attributes
                .iter()
                .find(|attribute| attribute.name.value == *first)
        };
        let mut attribute = match root {
            None | Some(Root::Old) => self.attribute(entity, first)?,
            Some(Root::Setting) => named(self.settings)?,
            Some(Root::Principal) => named(self.principal)?,
            Some(Root::Tenant) => self.tenant.filter(|tenant| tenant.name.value == *first)?,
            Some(Root::Row | Root::Request | Root::Archive | Root::Now) => return None,
        };
        for name in rest {
            let target = attribute.reference.as_ref()?.target;
            attribute = self.attribute(target.index(), name)?;
        }
        Some(attribute)
    }
}

/// The kind of a computed attribute: that of the one attribute it shows, or text.
pub fn computed_kind(template: &Template, entity: usize, vocabulary: &Vocabulary<'_>) -> Kind {
    if let [Part::Field(field)] = template.parts.as_slice()
        && let ([Source::Path { root, names, .. }], []) =
            (field.sources.as_slice(), field.formats.as_slice())
    {
        let names: Vec<_> = names.iter().map(|name| name.value.as_str()).collect();
        if let Some(attribute) = vocabulary.follow(entity, *root, &names) {
            return attribute.kind.clone();
        }
    }
    let mut variables = Variables::default();
    let pattern = pattern(template, entity, vocabulary, &mut variables);
    Kind::Text(TextRule {
        length: crate::model::Bounds::default(),
        matches: None,
        without: String::new(),
        blank: true,
        language: pattern.language(),
    })
}

/// What the variables of some patterns stand for.
#[derive(Default)]
pub struct Variables {
    ids: BTreeMap<String, u32>,
    /// Languages that a variable has instead of its own.
    narrowed: BTreeMap<String, Language>,
}

impl Variables {
    fn id(&mut self, name: String) -> u32 {
        let next = self.ids.len() as u32;
        *self.ids.entry(name).or_insert(next)
    }

    /// The variable of a field.
    pub fn of_field(&mut self, field: &Field) -> u32 {
        self.id(variable_name(field))
    }

    /// From now on the attribute shows only these texts.
    pub fn narrow(&mut self, attribute: &str, language: Language) {
        self.narrowed.insert(attribute.to_owned(), language);
    }

    /// Every variable: its name and its id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.ids.iter().map(|(name, id)| (name.as_str(), *id))
    }
}

/// A template as a pattern. Modes are left to the caller: an optional or open field is not in it.
pub fn pattern(
    template: &Template,
    entity: usize,
    vocabulary: &Vocabulary<'_>,
    variables: &mut Variables,
) -> Pattern {
    let language = |field: &Field| field_language(field, entity, vocabulary);
    pattern_of(template, variables, language)
}

/// A template as a pattern whose fields show what `language` says, unless a variable was narrowed.
pub fn pattern_of(
    template: &Template,
    variables: &mut Variables,
    language: impl Fn(&Field) -> Language,
) -> Pattern {
    let mut pieces = Vec::new();
    for part in &template.parts {
        match part {
            Part::Literal(text) => pieces.push(Piece::Literal(text.value.clone())),
            Part::Field(field) if field.mode == Mode::Plain => {
                let name = variable_name(field);
                let narrowed = variables.narrowed.get(&name).cloned();
                pieces.push(Piece::Variable {
                    language: narrowed.unwrap_or_else(|| language(field)),
                    id: variables.id(name),
                });
            }
            Part::Field(_) => break,
        }
    }
    Pattern::new(pieces)
}

/// The field as it is written, without braces: what makes two fields the same variable.
pub fn variable_name(field: &Field) -> String {
    let sources: Vec<_> = field.sources.iter().map(Source::to_string).collect();
    let formats: String = field
        .formats
        .iter()
        .map(|format| format!(":{}", format.value))
        .collect();
    format!("{}{formats}", sources.join("|"))
}

/// The texts that a field shows.
pub fn field_language(field: &Field, entity: usize, vocabulary: &Vocabulary<'_>) -> Language {
    let key = (entity, variable_name(field));
    if let Some(language) = vocabulary.shown.borrow().get(&key) {
        return language.clone();
    }
    let language = work_out(field, entity, vocabulary);
    vocabulary.shown.borrow_mut().insert(key, language.clone());
    language
}

fn work_out(field: &Field, entity: usize, vocabulary: &Vocabulary<'_>) -> Language {
    let mut union: Option<Language> = None;
    for source in &field.sources {
        let (mut language, kind) = source_language(source, entity, vocabulary);
        if field.sources.len() > 1 && matches!(source, Source::Path { .. }) {
            // An empty value gives way to what stands after it.
            language = language.difference(&Language::empty_text());
        }
        let shown = field.formats.iter().fold(language, |language, format| {
            formats::shown(&language, kind.as_ref(), &format.value)
        });
        union = Some(match union {
            Some(union) => union.union(&shown),
            None => shown,
        });
    }
    union.unwrap_or_else(Language::empty_text)
}

fn source_language(
    source: &Source,
    entity: usize,
    vocabulary: &Vocabulary<'_>,
) -> (Language, Option<Kind>) {
    match source {
        Source::Literal(text) => (Language::literal(&text.value), None),
        Source::Nothing(_) => (Language::empty_text(), None),
        Source::Path { root, names, .. } => {
            let names: Vec<_> = names.iter().map(|name| name.value.as_str()).collect();
            if let Some(language) = vocabulary.special(entity, *root, &names) {
                return (language, None);
            }
            let attribute = vocabulary.follow(entity, *root, &names);
            let language = attribute.and_then(|attribute| attribute.kind.language());
            let kind = attribute.map(|attribute| attribute.kind.clone());
            (language.unwrap_or_else(Language::nonempty_text), kind)
        }
    }
}

/// The tenant's prefix as a language: empty for the tenant without one.
fn tenant_prefix(model: &Model, vocabulary: &Vocabulary<'_>) -> Option<Language> {
    let tenant = model.tenant.as_ref()?;
    let mut language = Language::empty_text();
    for part in &tenant.prefix.parts {
        let piece = match part {
            Part::Literal(text) => Language::literal(&text.value),
            Part::Field(field) => prefix_field(field, vocabulary),
        };
        language = language.concat(&piece);
    }
    Some(match tenant.bare {
        Some(_) => language.optional(),
        None => language,
    })
}

/// In a prefix the tenant's id stands without its root.
fn prefix_field(field: &Field, vocabulary: &Vocabulary<'_>) -> Language {
    let id = vocabulary.tenant.and_then(|tenant| tenant.kind.language());
    let id = id.unwrap_or_else(Language::nonempty_text);
    let kind = vocabulary.tenant.map(|tenant| &tenant.kind);
    field.formats.iter().fold(id, |language, format| {
        formats::shown(&language, kind, &format.value)
    })
}

/// A pattern with the tenant's prefix before it.
pub fn with_tenant(
    pattern: &Pattern,
    prefix: Option<&Language>,
    variables: &mut Variables,
) -> Pattern {
    let Some(prefix) = prefix else {
        return pattern.clone();
    };
    let id = variables.id("tenant".to_owned());
    let mut pieces = vec![Piece::Variable {
        id,
        language: prefix.clone(),
    }];
    pieces.extend(pattern.parts().iter().cloned());
    Pattern::new(pieces)
}
