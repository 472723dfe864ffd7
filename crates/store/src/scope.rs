//! Who asks, of which tenant, when, and whether anything is written.

use crate::address::{Address, Addressing, KeyProblem};
use crate::change_log::ChangeLog;
use crate::declaration::Declaration;
use crate::error::Error;
use crate::field_error::FieldError;
use crate::host::NoEntropy;
use crate::mention::Mention;
use crate::operation::RequestFacts;
use crate::profile::EntityProfile;
use crate::record::{self, Circumstances, Record};
use crate::runtime::Runtime;
use monotable_item::{AttributeValue, EncodedItem, Item, ItemView};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{Attribute, Entity, EntityId, Kind, Model, TableId};
use monotable_model::plan::{Plans, RowRoute};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether an operation writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Live,
    /// Writes are only noted, and their conditions are held against what is stored.
    DryRun,
    /// Writes are only noted.
    Explain,
}

impl Mode {
    /// Whether writes are sent. If not, what a delete would remove is still there.
    pub(crate) const fn writes(self) -> bool {
        matches!(self, Self::Live)
    }

    /// Whether conditions of writes that are not sent are held against what is stored.
    pub(crate) const fn checks_conditions(self) -> bool {
        matches!(self, Self::DryRun)
    }
}

/// The name that a caller gives to a call, and what was called.
#[derive(Clone, Debug)]
pub(crate) struct CallToken {
    /// Where the row stands that says what was answered.
    pub(crate) address: Address,
    pub(crate) operation: &'static str,
    /// Two calls with the same fingerprint ask for the same.
    pub(crate) fingerprint: String,
}

/// What one operation knows from its beginning to its end. It never changes.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) circumstances: Circumstances,
    /// Whether there is a caller whose rights are asked.
    pub(crate) has_caller: bool,
    pub(crate) mode: Mode,
    /// Where the call comes from.
    pub(crate) origin: RequestFacts,
    /// The caller's name of the call.
    pub(crate) token: Option<CallToken>,
    /// Where changes of rows are noted, if somebody wants to know them.
    pub(crate) changes: Option<Arc<ChangeLog>>,
}

impl Scope {
    /// The scope of the program itself. What decides whether a write is right is read with the program's eyes, not with
    /// those of the caller.
    pub(crate) fn for_program(&self) -> Self {
        Self {
            runtime: Arc::clone(&self.runtime),
            circumstances: self.circumstances.again(),
            has_caller: false,
            mode: self.mode,
            origin: self.origin.clone(),
            token: self.token.clone(),
            changes: self.changes.clone(),
        }
    }

    /// Whether rights are asked: there is a caller, and not the program alone.
    pub(crate) const fn asks_rights(&self) -> bool {
        self.has_caller
    }

    /// Renders keys for the tenant.
    pub(crate) fn addressing(&self) -> Addressing<'_> {
        Addressing::new(self.compiled(), &self.circumstances)
    }

    pub(crate) fn model(&self) -> &Model {
        self.runtime.compiled.model()
    }

    /// How access patterns are read.
    pub(crate) fn plans(&self) -> &Plans {
        self.runtime.compiled.plans()
    }

    pub(crate) fn compiled(&self) -> &CompiledModel {
        &self.runtime.compiled
    }

    pub(crate) fn entity(&self, id: EntityId) -> &Entity {
        self.model().entity(id)
    }

    pub(crate) fn name(&self, id: EntityId) -> &str {
        &self.entity(id).name.value
    }

    pub(crate) fn profile(&self, id: EntityId) -> &EntityProfile {
        static NOTHING: EntityProfile = EntityProfile {
            deleting: None,
            inbound: Vec::new(),
            dependencies: BTreeSet::new(),
            counters: BTreeSet::new(),
            key: Vec::new(),
            has_secret_key: false,
            managed: BTreeSet::new(),
            has_computed_key: false,
            lookups: BTreeSet::new(),
            blind: None,
        };
        self.runtime.profile.get(id.index()).unwrap_or(&NOTHING)
    }

    /// The entity of a name, if it has rows.
    pub(crate) fn entity_named(&self, name: &str) -> Result<EntityId, Error> {
        match self.model().entity_named(name) {
            Some((id, entity)) if entity.is_stored() => Ok(id),
            _ => {
                let known: Vec<_> = self
                    .model()
                    .stored()
                    .map(|(_, entity)| entity.name.value.as_str())
                    .collect();
                Err(Error::usage(format!(
                    "the model has no entity `{name}`; it has {}",
                    known.join(", ")
                )))
            }
        }
    }

    pub(crate) fn refused(&self, entity: EntityId, errors: Vec<FieldError>) -> Error {
        Error::validation(self.name(entity), errors)
    }

    /// The refusal of a row that refers to one that is not there.
    pub(crate) fn no_referred(
        &self,
        entity: EntityId,
        attribute: &Attribute,
        mention: Mention,
    ) -> Error {
        let owner = self.entity(entity);
        let declared = Declaration::of_attribute(self.model(), owner, &attribute.name.value);
        let target = attribute
            .reference
            .as_ref()
            .map_or(entity, |known| known.target);
        Error::not_found(self.name(target), mention).by(declared)
    }

    /// Where the row stands that a caller names by attributes of its key.
    pub(crate) fn address(&self, entity: EntityId, key: &Item) -> Result<Address, Error> {
        // The usual case: its attributes, and nothing else.
        let wanted = &self.profile(entity).key;
        let is_bare =
            wanted.len() == key.len() && wanted.iter().all(|name| key.get(name).is_some());
        let located = if is_bare {
            self.addressing().locate_row(entity, key)
        } else {
            let values = record::key_values(self.compiled(), entity, key, &self.circumstances)
                .map_err(|errors| self.refused(entity, errors))?;
            self.addressing().locate_row(entity, &values)
        };
        located.map_err(|problem| self.refuse_key(entity, problem))
    }

    /// The error for a row that has no key.
    pub(crate) fn refuse_key(&self, entity: EntityId, problem: KeyProblem) -> Error {
        self.refused(entity, vec![problem.into()])
    }

    /// A place that the caller has named, or that follows from what it gave, as errors may mention it.
    pub(crate) fn mention(&self, entity: EntityId, address: &Address) -> Mention {
        Mention::new(self.key_text(entity, address))
    }

    /// The place of a row that is referred to: it follows from what the row says that the caller gave.
    pub(crate) fn mention_by(&self, attribute: &Attribute, address: &Address) -> Mention {
        let note = format!("(`{}`)", attribute.name.value);
        Mention::new(address.to_string()).with_note(&note)
    }

    /// Rows of which a row says only the ids.
    pub(crate) fn mention_ids(&self, attribute: &Attribute, ids: &[AttributeValue]) -> Mention {
        let texts = ids.iter().filter_map(|id| match id {
            AttributeValue::S(text) => Some(text.clone()),
            AttributeValue::N(number) => Some(number.to_string()),
            _ => None,
        });
        let note = format!("(`{}`)", attribute.name.value);
        Mention::new(texts.collect::<Vec<_>>().join(", ")).with_note(&note)
    }

    /// A row that the caller did not name: its key is told to the program, and to callers nothing.
    pub(crate) fn mention_for_program(&self, address: &Address) -> Mention {
        if self.asks_rights() {
            return Mention::default();
        }
        Mention::new(address.to_string())
    }

    /// A place as text, without secrets that are in its key.
    pub(crate) fn key_text(&self, entity: EntityId, address: &Address) -> String {
        if !self.profile(entity).has_secret_key {
            return address.to_string();
        }
        let declared = self.entity(entity);
        let row = self.decode(address.table(), &address.key(self.model()));
        let values = row.map(|row| crate::row::mask_secrets(declared, row.values));
        let mut shown = Vec::new();
        for name in declared.key_attributes() {
            match values.as_ref().and_then(|values| values.get(name)) {
                Some(AttributeValue::S(text)) => shown.push(text.clone()),
                _ => shown.push("***".to_owned()),
            }
        }
        shown.join(" ")
    }

    /// Where a row stands.
    pub(crate) fn row_address(&self, record: &Record) -> Result<Address, Error> {
        self.addressing()
            .locate_row(record.entity, &record.values)
            .map_err(|problem| self.refuse_key(record.entity, problem))
    }

    pub(crate) fn encode(&self, record: &Record) -> Result<Item, Error> {
        record::encode(self.compiled(), record, &self.circumstances)
            .map_err(|errors| self.refused(record.entity, errors))
    }

    /// An item as a row; none if the model does not know it.
    pub(crate) fn decode(&self, table: TableId, item: &Item) -> Option<Record> {
        self.decode_view(table, EncodedItem::from(item).view())
    }

    /// An item that is still encoded as a row; none if the model does not know it.
    pub(crate) fn decode_view(&self, table: TableId, item: ItemView<'_>) -> Option<Record> {
        self.decode_expected(table, None, item)
    }

    /// An item that is still encoded as a row, which is probably of this entity.
    pub(crate) fn decode_expected(
        &self,
        table: TableId,
        expected: Option<EntityId>,
        item: ItemView<'_>,
    ) -> Option<Record> {
        let prefix = self.addressing().prefix();
        let (mut record, _) =
            record::decode_expected(self.compiled(), (table, expected), prefix, item)?;
        record::upgrade(self.model(), &mut record, &self.circumstances);
        if self.profile(record.entity).has_computed_key {
            record::add_unwritten(self.model(), &mut record, &self.circumstances);
        }
        Some(record)
    }

    /// The place of the row that a reference with this value names; none if its key is not known here.
    pub(crate) fn target_address(
        &self,
        record: &Record,
        target: EntityId,
        id: &AttributeValue,
    ) -> Option<Address> {
        let declared = self.entity(target);
        let mut values = Item::new();
        for name in declared.key_attributes() {
            // A state of the target is not that of the row that refers to it, whatever they are called.
            let attribute = declared.attribute(name);
            let state = attribute.is_some_and(|attribute| {
                attribute.movable
                    && (attribute.kind.is_number() || matches!(attribute.kind, Kind::Enum(_)))
            });
            if state {
                return None;
            }
            if let Some(value) = record.values.get(name) {
                values.insert(name, value.clone());
            }
        }
        values.insert(declared.id.clone()?, id.clone());
        self.addressing().locate_row(target, &values).ok()
    }

    /// The place of the row that a route leads to from a row that refers to it with this value; none if its key is not known
    /// here.
    pub(crate) fn route_address(
        &self,
        record: &Record,
        route: &RowRoute,
        id: &AttributeValue,
    ) -> Option<Address> {
        let mut values = Item::new();
        for given in route.key.as_ref()? {
            if let Some(value) = record.values.get(&given.from) {
                values.insert(given.name.clone(), value.clone());
            }
        }
        // One element of a list is meant where the reference has several.
        values.insert(route.id.clone()?, id.clone());
        self.addressing().locate_row(route.entity, &values).ok()
    }

    /// A name by which DynamoDB knows one request when it is sent again. It has nothing to do with the caller's token.
    pub(crate) fn fresh_token(&self) -> Result<String, NoEntropy> {
        Ok(format!("{:032x}", self.circumstances.random_name()?))
    }
}
