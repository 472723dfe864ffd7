//! What is stored.

use super::{
    Accept, AccessId, Assignment, Attribute, Each, EntityId, Family, Field, Format, Key, KeyPlace,
    Layout, Model, Notes, Predicate, Table, TableId, Template,
};
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};

/// A kind of row, or, without a key, what several kinds share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entity {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The entity it is like.
    pub like: Option<EntityId>,
    /// The table of its rows.
    pub table: TableId,
    /// The attributes by which its rows are recognised.
    pub is: Vec<Discriminator>,
    /// The attribute that references to it hold.
    pub id: Option<String>,
    /// Its keys: the primary one first. Empty for an entity that others are like.
    pub keys: Vec<Key>,
    /// The layout whose keys these are; none for those that the entity itself declares.
    pub layout: Option<Name>,
    /// Other keys under which its rows are read.
    pub layouts: Vec<Layout>,
    /// Whether attributes that the model does not know are kept.
    pub open: bool,
    /// Which writes callers have.
    pub writes: Writes,
    /// What a caller is told who tries another write.
    pub message_on_writes: Option<String>,
    /// What a create does if there is such a row.
    pub on_exists: OnExists,
    /// What a caller is told whose create meets such a row.
    pub message_on_exists: Option<String>,
    /// Who may do what.
    pub allow: Allow,
    /// What every row satisfies.
    pub must: Vec<Must>,
    /// The patterns whose rows live, move and die with a row of this.
    pub owns: Vec<AccessId>,
    /// One item is stored as one row for each of these.
    pub each: Vec<Each>,
    /// What a delete sets instead of deleting.
    pub tombstone: Vec<Assignment>,
    /// How older shapes are read.
    pub upgrades: Vec<Upgrade>,
    /// Whether attributes are also read in camel case.
    pub also_camel_case: bool,
    /// How many rows there will be.
    pub volume: Volume,
    /// Findings that are accepted here.
    pub accepts: Vec<Accept>,
    /// Values that only one row may have.
    pub claims: Vec<Claim>,
    /// What its two references mean together.
    pub relation: Option<Relation>,
    /// Its attributes, in the order of the file, those it is like first.
    pub attributes: Vec<Attribute>,
    /// Attributes whose names begin alike.
    pub families: Vec<Family>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// An attribute that tells an entity from others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Discriminator {
    /// The attribute.
    pub attribute: Name,
    /// What is written.
    pub written: String,
    /// What is read: what is written, and other spellings.
    pub read: Vec<String>,
}

/// Which writes callers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writes {
    /// New rows.
    pub create: bool,
    /// Changes.
    pub update: bool,
    /// Deletes.
    pub delete: bool,
}

/// What a create does if there is such a row.
#[derive(Clone, Copy, Debug, std::default::Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnExists {
    /// It fails.
    #[default]
    Conflict,
    /// It replaces the row.
    Replace,
    /// It answers with the row.
    Keep,
    /// It makes the time in the key more precise until there is no such row.
    Fraction,
}

/// Who may do what; nothing said is everybody.
#[derive(Clone, Debug, std::default::Default, Serialize, Deserialize)]
pub struct Allow {
    /// Who sees rows.
    pub read: Option<Predicate>,
    /// Who creates rows.
    pub create: Option<Predicate>,
    /// Who changes rows.
    pub update: Option<Predicate>,
    /// Who deletes rows.
    pub delete: Option<Predicate>,
    /// Who deletes rows, or clears references in them, by deleting what they refer to. If nothing is said, `delete` is
    /// asked, and `update` for a reference that is cleared.
    pub cascade: Option<Predicate>,
    /// What callers are told whom a rule refuses.
    pub messages: AllowMessages,
}

/// What callers are told whom the rules of an entity refuse. Reads leave rows out and refuse nothing.
#[derive(Clone, Debug, std::default::Default, Serialize, Deserialize)]
pub struct AllowMessages {
    /// By the rule on creates.
    pub create: Option<String>,
    /// By the rule on changes.
    pub update: Option<String>,
    /// By the rule on deletes.
    pub delete: Option<String>,
    /// By the rule on rows that go with others.
    pub cascade: Option<String>,
}

/// A rule on every row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Must {
    /// Its name, for the error.
    pub name: Name,
    /// What holds.
    pub predicate: Predicate,
    /// What a caller is told whose row breaks it.
    pub message: Option<String>,
}

/// How many rows there will be.
#[derive(Clone, Copy, Debug, std::default::Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Volume {
    /// No more than one partition can take.
    #[default]
    Normal,
    /// More.
    High,
}

/// A value that only one row may have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// What makes it unique.
    pub guard: Guard,
    /// Claimed only if this holds.
    pub when: Option<Predicate>,
    /// What a caller is told whose value is taken.
    pub message: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// What makes a value unique.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Guard {
    /// A hidden row with this key.
    Row {
        /// Partition and sort key.
        key: Box<Key>,
        /// Keys under which releases before Unicode's forms were one wrote the same values.
        former: Vec<Key>,
        /// What tells it from other rows: `UserEmail`.
        kind: String,
        /// The claimed attributes.
        attributes: Vec<String>,
        /// Key attributes of the row that it keeps.
        keeps: Vec<Name>,
    },
    /// A row of an entity.
    Entity {
        /// The entity.
        entity: EntityId,
        /// Its attributes.
        set: Vec<Assignment>,
        /// Other values under which old guards stand.
        also: Vec<Vec<Assignment>>,
        /// Values under which releases before Unicode's forms were one wrote the same.
        former: Vec<Vec<Assignment>>,
    },
    /// A check when a snapshot is committed.
    Snapshot,
}

impl Guard {
    /// The owner's attributes that the guard's key shows: those that are unique together.
    #[must_use]
    pub fn claimed<'g>(&'g self, model: &Model) -> Vec<&'g str> {
        match self {
            Self::Row { attributes, .. } => attributes.iter().map(String::as_str).collect(),
            Self::Entity { entity, set, .. } => {
                let key = model.entity(*entity).key_attributes();
                set.iter()
                    .filter(|assignment| key.contains(&assignment.name.value.as_str()))
                    .filter_map(|assignment| assignment.value.template())
                    .flat_map(Template::fields)
                    .flat_map(Field::attributes)
                    .map(|name| name.value.as_str())
                    .collect()
            }
            Self::Snapshot => Vec::new(),
        }
    }
}

/// What two references mean together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Relation {
    /// The first end's attribute.
    pub from: Name,
    /// The second end's attribute.
    pub to: Name,
    /// The pair has no order.
    pub symmetric: bool,
    /// No row reaches itself.
    pub acyclic: bool,
    /// How long a chain may be.
    #[serde(deserialize_with = "read_depth")]
    pub depth: usize,
    /// A counter on a referred row, which serialises checks: reference and counter.
    pub serial: Option<(Name, Name)>,
    /// Deleting the first end deletes the second.
    pub owning: bool,
    /// What a caller is told whose pair is refused: it closes a cycle, joins a row with itself, or is there the other way round.
    pub message: Option<String>,
    /// What a caller is told whose pair makes a chain too long.
    pub message_on_depth: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// A depth that may have been written by a machine with larger numbers: without a limit it is the largest there is.
fn read_depth<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let depth = u64::deserialize(deserializer)?;
    Ok(usize::try_from(depth).unwrap_or(usize::MAX))
}

/// How rows of the version before are read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Upgrade {
    /// The version that it makes.
    pub to: u64,
    /// Only rows that satisfy this.
    pub when: Option<Predicate>,
    /// Old and new names.
    pub rename: Vec<(Name, Name)>,
    /// New attributes.
    pub set: Vec<Assignment>,
    /// Attributes that are no more.
    pub drop: Vec<Name>,
}

impl Entity {
    /// Where its rows stand under the keys that it declares, whichever layout is written: table and keys.
    #[must_use]
    pub fn declared_keys(&self) -> (TableId, &[Key]) {
        let layouts = self.layouts.iter();
        let mut replaced = layouts.filter(|layout| layout.name.value == Layout::DECLARED);
        match (&self.layout, replaced.next()) {
            (Some(_), Some(layout)) => (layout.table, &layout.keys),
            _ => (self.table, &self.keys),
        }
    }

    /// Whether it has rows.
    #[must_use]
    pub const fn is_stored(&self) -> bool {
        !self.keys.is_empty()
    }

    /// The primary key.
    #[must_use]
    pub fn primary(&self) -> Option<&Key> {
        self.key(KeyPlace::Primary)
    }

    /// The key at a place.
    #[must_use]
    pub fn key(&self, place: KeyPlace) -> Option<&Key> {
        self.keys.iter().find(|key| key.place == place)
    }

    /// The attribute of that name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name.value == name)
    }

    /// The mask of a secret of which only mask and SHA-256 are stored: the primary key tells rows by the SHA-256, and no key
    /// shows more of it.
    #[must_use]
    pub fn digest_of(&self, attribute: &Attribute) -> Option<(usize, usize)> {
        let (first, last) = attribute.secret?.mask?;
        let shows = |field: &&Field| {
            let mut names = field.attributes();
            names.any(|name| name.value == attribute.name.value)
        };
        let formats = |field: &Field| -> Vec<Format> {
            let formats = field.formats.iter();
            formats.map(|format| format.value.clone()).collect()
        };
        let fields = |key: &Key| -> Vec<Vec<Format>> {
            let fields = key.templates().flat_map(Template::fields);
            fields.filter(shows).map(formats).collect()
        };
        let mask = [Format::Mask { first, last }];
        let hides = |formats: Vec<Format>| formats == [Format::Sha256] || formats == mask;
        let told = fields(self.primary()?).contains(&vec![Format::Sha256]);
        let hidden = self.keys.iter().flat_map(fields).all(hides);
        (told && hidden).then_some((first, last))
    }

    /// The family that a name belongs to.
    #[must_use]
    pub fn family(&self, name: &str) -> Option<&Family> {
        self.families
            .iter()
            .find(|family| name.starts_with(&family.prefix))
    }

    /// The claim of that name.
    #[must_use]
    pub fn claim(&self, name: &str) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.name.value == name)
    }

    /// Attributes of the primary key, in the order of its templates, each once.
    #[must_use]
    pub fn key_attributes(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        let templates = self.primary().into_iter().flat_map(Key::templates);
        for field in templates.flat_map(Template::fields) {
            for name in field.attributes() {
                if !names.contains(&name.value.as_str()) {
                    names.push(&name.value);
                }
            }
        }
        names
    }

    /// The claim whose guard leads from an id to its row: it always claims the id alone, and its guard holds whatever else
    /// the row's key shows. `table` is the entity's.
    #[must_use]
    pub fn id_claim(&self, table: &Table) -> Option<usize> {
        let id = self.id.as_deref()?;
        let key = self.primary()?;
        self.claims.iter().position(|claim| {
            let Guard::Row {
                attributes, keeps, ..
            } = &claim.guard
            else {
                return false;
            };
            let is_kept = |name: &str| keeps.iter().any(|kept| kept.value == name);
            let is_told = |template: &Template| {
                let mut names = template.fields().flat_map(Field::attributes);
                names.all(|name| name.value == id || is_kept(&name.value))
            };
            let keeps_range = table
                .range
                .as_ref()
                .is_some_and(|name| is_kept(&name.value));
            claim.when.is_none()
                && attributes.as_slice() == [id]
                && is_told(&key.hash)
                && (keeps_range || key.range.as_ref().is_none_or(is_told))
        })
    }
}
