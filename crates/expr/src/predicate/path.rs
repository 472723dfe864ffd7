//! Paths of predicates: `a.b[0]`, `principal.id`, `now`.

use super::Span;
use crate::check::Place;
use crate::token::Keyword;
use crate::tree::{DocumentPath, PathStep};
use crate::{ExpressionKind, tree::descend};
use monotable_item::{ItemView, ValueView};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};

/// Where a path starts that does not start at the row itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Root {
    /// The caller.
    Principal,
    /// The row before the write.
    Old,
    /// The row after the write.
    New,
    /// The settings of the model.
    Setting,
    /// The tenant.
    Tenant,
    /// The caller's parameters of an access pattern.
    Param,
    /// The time. No path goes on from here.
    Now,
}

impl Root {
    /// The roots that a path can go on from.
    pub const ITEMS: [Self; 6] = [
        Self::Principal,
        Self::Old,
        Self::New,
        Self::Setting,
        Self::Tenant,
        Self::Param,
    ];

    /// The root as it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Principal => "principal",
            Self::Old => "old",
            Self::New => "new",
            Self::Setting => "setting",
            Self::Tenant => "tenant",
            Self::Param => "param",
            Self::Now => "now",
        }
    }

    /// The root that `word` is before a dot.
    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ITEMS.into_iter().find(|root| root.name() == word)
    }
}

/// The way to a value. Two are equal if they lead the same way, wherever they are written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Path {
    root: Option<Root>,
    steps: Vec<PathStep>,
    span: Span,
}

impl Path {
    pub(super) const fn new(root: Option<Root>, steps: Vec<PathStep>, span: Span) -> Self {
        Self { root, steps, span }
    }

    /// Where the path starts; nothing if at the row.
    pub const fn root(&self) -> Option<Root> {
        self.root
    }

    /// The names and indexes, without the root. The first is a name; `now` has none.
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// The first name behind the root: the attribute. `now` has none.
    pub fn first_name(&self) -> Option<&str> {
        match self.steps.first() {
            Some(PathStep::Name(name)) => Some(name),
            Some(PathStep::Index(_)) | None => None,
        }
    }

    /// Where the path is written.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Whether this is the time.
    pub fn is_now(&self) -> bool {
        self.root == Some(Root::Now)
    }

    /// The steps as a path of an item, the root left out; nothing for `now`.
    pub fn document_path(&self) -> Option<DocumentPath> {
        let attribute = DocumentPath::new(self.first_name()?);
        let inner = self.steps.iter().skip(1).cloned();
        Some(inner.fold(attribute, DocumentPath::with))
    }

    /// The value in `item` that the steps lead to, the root left out.
    pub fn resolve<'a>(&self, item: ItemView<'a>) -> Option<ValueView<'a>> {
        let attribute = item.get(self.first_name()?)?;
        descend(attribute, self.steps.get(1..)?)
    }

    fn write_first(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goes_on = matches!(self.steps.get(1), Some(PathStep::Name(_)));
        let is_root = goes_on && Root::named(name).is_some();
        if is_keyword(name) || is_root {
            write_quoted(name, f)
        } else {
            write_name(name, f)
        }
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.steps == other.steps
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.root.hash(state);
        self.steps.hash(state);
    }
}

impl Place for Path {
    /// With the root, because it is only read by people.
    fn to_document_path(&self) -> DocumentPath {
        let names = self.root.map(|root| PathStep::Name(root.name().into()));
        let mut steps = names.into_iter().chain(self.steps.iter().cloned());
        let first = match steps.next() {
            Some(PathStep::Name(name)) => name,
            Some(PathStep::Index(_)) | None => String::new(),
        };
        steps.fold(DocumentPath::new(first), DocumentPath::with)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(root) = self.root {
            f.write_str(root.name())?;
        }
        for (position, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Index(index) => write!(f, "[{index}]")?,
                PathStep::Name(name) if position == 0 && self.root.is_none() => {
                    self.write_first(name, f)?;
                }
                PathStep::Name(name) => {
                    f.write_char('.')?;
                    write_name(name, f)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether `word` at the start of a path would be read as something else.
pub(super) fn is_keyword(word: &str) -> bool {
    Keyword::of(ExpressionKind::Condition, word).is_some() || is_value_word(word)
}

/// Whether `word` is a value: `true`, `false` or `now`.
pub(super) fn is_value_word(word: &str) -> bool {
    ["true", "false", "now"]
        .iter()
        .any(|value| word.eq_ignore_ascii_case(value))
}

fn write_name(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let starts_with_digit = name.starts_with(|first: char| first.is_ascii_digit());
    if !name.is_empty() && !starts_with_digit && name.bytes().all(is_part) {
        f.write_str(name)
    } else {
        write_quoted(name, f)
    }
}

fn write_quoted(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "`{}`", name.replace('`', "``"))
}
