//! The `allow` rules of entities: predicates over a row before and after a change, and the caller.

use super::facts::Facts;
use crate::address::Address;
use crate::draft::Draft;
use crate::find::by_ids;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::reference_values;
use crate::record::{Record, leads_away};
use crate::value;
use monotable_expr::predicate::{Finding, Path, Root, Truth};
use monotable_expr::tree::{DocumentPath, PathStep};
use monotable_item::{AttributeValue, EncodedItem, Item, ItemView, ValueView};
use monotable_model::model::{EntityId, Predicate};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The row before a change, or the row after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Old,
    New,
}

/// One side of a change, as a rule sees it.
#[derive(Clone, Debug)]
pub(super) enum Content<'r> {
    /// This row.
    Row(&'r Record, Facts<'r>),
    /// A create has no row before, a delete none after: every attribute is absent.
    Empty,
    /// The row is not worked out yet: nothing about it is known.
    Unknown,
}

impl<'r> Content<'r> {
    pub(super) fn new(row: Option<&'r Record>) -> Self {
        row.map_or(Self::Empty, |row| Self::Row(row, Facts::from(&row.values)))
    }

    const fn row(&self) -> Option<&'r Record> {
        match self {
            Self::Row(row, _) => Some(*row),
            Self::Empty | Self::Unknown => None,
        }
    }
}

/// A change, as rules see it.
#[derive(Clone, Debug)]
pub(super) struct Change<'r> {
    pub(super) old: Content<'r>,
    pub(super) new: Content<'r>,
}

impl<'r> Change<'r> {
    pub(super) const fn side(&self, side: Side) -> &Content<'r> {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }
}

/// A row that a reference names: one whose key the referring row knows, or one that its id alone leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    At(EntityId, Address),
    WithId(EntityId, String),
}

/// What rules look at beside the rows themselves. Rows that references name are kept: each is read once.
#[derive(Debug)]
pub(super) struct Bindings<'s> {
    reader: &'s Reader<'s>,
    principal: Facts<'s>,
    settings: OnceLock<Facts<'s>>,
    tenant: OnceLock<Facts<'s>>,
    now: OnceLock<String>,
    /// None: it was looked for, and is not there.
    referred: BTreeMap<Target, Option<EncodedItem>>,
}

impl<'s> Bindings<'s> {
    pub(super) fn new(reader: &'s Reader<'s>) -> Self {
        Self {
            reader,
            principal: Facts::from(&reader.circumstances.principal),
            settings: OnceLock::new(),
            tenant: OnceLock::new(),
            now: OnceLock::new(),
            referred: BTreeMap::new(),
        }
    }

    /// Whether a rule allows one side of a change, as far as the rows are known that it looks at.
    pub(super) fn decide(&self, rule: &Predicate, change: &Change<'_>, side: Side) -> Truth {
        rule.parsed().decide(|path| match path.root() {
            None => self.find(path, change.side(side)),
            Some(Root::Old) => self.find(path, change.side(Side::Old)),
            Some(Root::New) => self.find(path, change.side(Side::New)),
            Some(Root::Principal) => self.principal.find(path),
            Some(Root::Setting) => self.settings().find(path),
            Some(Root::Tenant) => self.tenant().find(path),
            // A rule has no parameters of an access pattern.
            Some(Root::Param) => Finding::Unknown,
            Some(Root::Now) => Finding::Value(ValueView::S(self.now())),
        })
    }

    fn settings(&self) -> &Facts<'s> {
        let circumstances = &self.reader.circumstances;
        self.settings
            .get_or_init(|| Facts::from(circumstances.list_settings(self.reader.model())))
    }

    fn tenant(&self) -> &Facts<'s> {
        self.tenant.get_or_init(|| {
            let mut tenant = Item::new();
            let declared = &self.reader.model().tenant;
            if let (Some(declared), Some(id)) = (declared, &self.reader.circumstances.tenant) {
                tenant.insert(declared.attribute.name.value.clone(), id.as_str());
            }
            Facts::from(tenant)
        })
    }

    fn now(&self) -> &str {
        self.now
            .get_or_init(|| self.reader.circumstances.now_text())
    }

    /// What a path leads to in a row, or behind one of its references.
    fn find<'v>(&'v self, path: &Path, content: &'v Content<'_>) -> Finding<'v> {
        let (row, facts) = match content {
            Content::Row(row, facts) => (*row, facts),
            Content::Empty => return Finding::Absent,
            Content::Unknown => return Finding::Unknown,
        };
        let entity = self.reader.entity(row.entity);
        let Some(name) = leads_away(entity, path) else {
            // A stored value of another kind than the model says means nothing to a rule.
            let attribute = path.first_name().and_then(|name| entity.attribute(name));
            let value = attribute.and_then(|known| row.values.get(&known.name.value));
            if let (Some(attribute), Some(value)) = (attribute, value)
                && !value::has_type_of(&attribute.kind, value)
            {
                return Finding::Unknown;
            }
            return facts.find(path);
        };
        // Without a reference nothing is behind it. That is known; a reference that leads nowhere is not.
        if row.values.get(name).is_none() {
            return Finding::Absent;
        }
        let Some(target) = self.target(row, name) else {
            return Finding::Unknown;
        };
        match self.referred.get(&target) {
            Some(Some(referred)) => self.find_behind(path, &target, referred.view()),
            Some(None) | None => Finding::Unknown,
        }
    }

    /// What a path leads to in the row behind a reference. A rule looks through one reference, not through two.
    fn find_behind<'v>(&self, path: &Path, target: &Target, referred: ItemView<'v>) -> Finding<'v> {
        let (Target::At(entity, _) | Target::WithId(entity, _)) = target;
        let Some([PathStep::Name(name), rest @ ..]) = path.steps().get(1..) else {
            return Finding::Unknown;
        };
        let attribute = self.reader.entity(*entity).attribute(name);
        let is_reference = attribute.is_some_and(|attribute| attribute.reference.is_some());
        if is_reference && !rest.is_empty() {
            return Finding::Unknown;
        }
        let steps = rest.iter().cloned();
        let path = steps.fold(DocumentPath::new(name), DocumentPath::with);
        path.resolve(referred).into()
    }

    /// The row that a reference of a row names; none if it names several.
    fn target(&self, row: &Record, name: &str) -> Option<Target> {
        let attribute = self.reader.entity(row.entity).attribute(name)?;
        let target = attribute.reference.as_ref()?.target;
        let ids = reference_values(attribute, row);
        let [id] = ids.as_slice() else {
            return None;
        };
        Some(match self.reader.target_address(row, target, id) {
            Some(address) => Target::At(target, address),
            None => Target::WithId(target, id_text(id)),
        })
    }

    /// Reads the rows that rules look at through references of these changes, all at once.
    pub(super) async fn read_referred(
        &mut self,
        draft: &Draft,
        open: &[(&Predicate, &Change<'_>, Side)],
    ) -> Result<(), Interrupt> {
        let reader = self.reader;
        let mut addresses: Vec<(EntityId, Address)> = Vec::new();
        let mut ids: BTreeMap<Target, (EntityId, &Record, AttributeValue)> = BTreeMap::new();
        for (rule, change, side) in open {
            for path in rule.parsed().paths() {
                let row = side_of(path, *side).and_then(|side| change.side(side).row());
                let Some(row) = row else { continue };
                let name = leads_away(reader.entity(row.entity), path);
                let Some(target) = name.and_then(|name| self.target(row, name)) else {
                    continue;
                };
                if self.referred.contains_key(&target) {
                    continue;
                }
                match &target {
                    Target::At(entity, address) => addresses.push((*entity, address.clone())),
                    Target::WithId(entity, _) => {
                        let id = name.and_then(|name| row.values.get(name));
                        if let Some(id) = id {
                            ids.insert(target.clone(), (*entity, row, id.clone()));
                        }
                    }
                }
                self.referred.insert(target, None);
            }
        }
        let keys: Vec<_> = addresses
            .iter()
            .map(|(_, address)| address.clone())
            .collect();
        let items = reader.stored_many(draft, &keys).await?;
        for ((entity, address), item) in addresses.into_iter().zip(items) {
            let row = item.and_then(|item| reader.decode(address.table(), &item));
            let row = row.filter(|row| row.entity == entity);
            let values = row.map(|row| EncodedItem::from(row.values));
            self.referred.insert(Target::At(entity, address), values);
        }
        for (target, (entity, row, id)) in ids {
            let found = by_ids(reader, entity, &row.values, &[id]).await?;
            let mut found = found.into_iter().flatten();
            // An id that two rows have names neither.
            if let (Some(row), None) = (found.next(), found.next()) {
                self.referred
                    .insert(target, Some(EncodedItem::from(row.values)));
            }
        }
        Ok(())
    }
}

/// The side of a change that a path begins at; none for what is not a row.
const fn side_of(path: &Path, asked: Side) -> Option<Side> {
    match path.root() {
        None => Some(asked),
        Some(Root::Old) => Some(Side::Old),
        Some(Root::New) => Some(Side::New),
        Some(Root::Principal | Root::Setting | Root::Tenant | Root::Param | Root::Now) => None,
    }
}

fn id_text(id: &AttributeValue) -> String {
    format!("{id:?}")
}
