//! One operation under way: what it knows, and what it reads.

mod reading;

pub(crate) use reading::{PartitionRange, answered};

use crate::address::Address;
use crate::draft::{Blame, Draft};
use crate::error::{Error, Failure};
use crate::field_error::{FieldError, Problem};
use crate::host::NoEntropy;
use crate::mention::Mention;
use crate::operation::RequestFacts;
use crate::profile::EntityProfile;
use crate::record::{self, Record, Surroundings};
use crate::reserved;
use crate::steps::Steps;
use crate::store_item::StoreItem;
use crate::token::Token;
use monotable_item::{AttributeValue, EncodedItem, Item, ItemView, ValueView};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{Access, Attribute, Entity, EntityId, Kind, Model, TableId};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// A model, ready to run.
#[derive(Debug)]
pub(crate) struct Runtime {
    pub(crate) compiled: CompiledModel,
    pub(crate) profile: Vec<EntityProfile>,
    /// What this process knows of the store's own item.
    pub(crate) own: StoreItem,
}

/// An operation under way.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) bound: Arc<Runtime>,
    pub(crate) around: Surroundings,
    pub(crate) steps: Steps,
    /// There is a caller, whose rights are asked.
    pub(crate) guarded: bool,
    /// Before every partition key of the tenant.
    pub(crate) prefix: String,
    /// Writes are only noted: what a delete leaves behind is still there.
    pub(crate) pretend: bool,
    /// Conditions of writes that are only noted are held against what is stored.
    pub(crate) rehearses: bool,
    /// Where the call comes from.
    pub(crate) request: RequestFacts,
    /// The caller's name of the call.
    pub(crate) token: Option<Token>,
    /// Items that are left alone: guards that old data gave to other rows, counters of rows that are gone.
    pub(crate) avoided: Mutex<BTreeSet<Address>>,
    /// Places where rows stand that others make way for.
    pub(crate) occupied: Mutex<BTreeSet<Address>>,
    /// Rows that were read and that the caller may not see.
    pub(crate) hidden: AtomicUsize,
    /// Items that were read and that the model does not know, where they belong to what is asked for.
    pub(crate) unknown_items: Mutex<Vec<EncodedItem>>,
}

/// Why an operation does not go on.
#[derive(Debug)]
pub(crate) enum Interrupt {
    /// What it had read has changed: it begins anew.
    Restart,
    /// It begins anew, and leaves the item at this place alone.
    RestartAvoiding(Address),
    /// It is refused.
    Fail(Error),
}

impl From<Error> for Interrupt {
    fn from(error: Error) -> Self {
        Self::Fail(error)
    }
}

impl From<NoEntropy> for Interrupt {
    fn from(error: NoEntropy) -> Self {
        Self::Fail(error.into())
    }
}

impl From<Failure> for Interrupt {
    fn from(failure: Failure) -> Self {
        Self::Fail(failure.into())
    }
}

impl From<Blame> for Interrupt {
    fn from(blame: Blame) -> Self {
        match blame {
            Blame::Fail(error) | Blame::FailUnlessChanged(error) => Self::Fail(error),
            Blame::Changed => Self::Restart,
            Blame::Avoid(address) => Self::RestartAvoiding(address),
        }
    }
}

impl Session {
    /// The same operation as the program does it: what decides whether a write is right is read with its eyes, not with
    /// those of the caller.
    pub(crate) fn for_program(&self) -> Self {
        Self {
            bound: Arc::clone(&self.bound),
            around: self.around.again(),
            steps: self.steps.clone(),
            guarded: false,
            prefix: self.prefix.clone(),
            pretend: self.pretend,
            rehearses: self.rehearses,
            request: self.request.clone(),
            token: self.token.clone(),
            avoided: Mutex::default(),
            occupied: Mutex::default(),
            hidden: AtomicUsize::new(0),
            unknown_items: Mutex::default(),
        }
    }

    pub(crate) fn model(&self) -> &Model {
        self.bound.compiled.model()
    }

    pub(crate) fn compiled(&self) -> &CompiledModel {
        &self.bound.compiled
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
            managed: BTreeSet::new(),
            has_computed_key: false,
            lookups: BTreeSet::new(),
        };
        self.bound.profile.get(id.index()).unwrap_or(&NOTHING)
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

    /// Where the row stands that a caller names by attributes of its key.
    pub(crate) fn address(&self, entity: EntityId, key: &Item) -> Result<Address, Error> {
        // The usual case: its attributes, and nothing else.
        let wanted = &self.profile(entity).key;
        let address =
            if wanted.len() == key.len() && wanted.iter().all(|name| key.get(name).is_some()) {
                Address::of(self.compiled(), entity, key, &self.around)
            } else {
                let values = record::key_values(self.compiled(), entity, key, &self.around)
                    .map_err(|errors| self.refused(entity, errors))?;
                Address::of(self.compiled(), entity, &values, &self.around)
            };
        address
            .and_then(|address| self.own(entity, address))
            .map_err(|error| self.refused(entity, vec![error]))
    }

    /// A place that a caller names is not another tenant's, whatever its values look like.
    fn own(&self, entity: EntityId, address: Address) -> Result<Address, FieldError> {
        let global = self.entity(entity).primary().is_some_and(|key| key.global);
        match global || crate::read::is_own(self, &address.hash) {
            true => Ok(address),
            false => {
                let why = "it would be the key of another tenant".to_owned();
                Err(FieldError::new("key", Problem::Key { why }))
            }
        }
    }

    /// A place that the caller has named, or that follows from what it gave, as errors may mention it.
    pub(crate) fn mention(&self, entity: EntityId, address: &Address) -> Mention {
        Mention::given(self.key_text(entity, address))
    }

    /// The place of a row that is referred to: it follows from what the row says that the caller gave.
    pub(crate) fn mention_by(&self, attribute: &Attribute, address: &Address) -> Mention {
        let note = format!("(`{}`)", attribute.name.value);
        Mention::given(address.to_string()).with_note(&note)
    }

    /// A place as text, without secrets that are in its key.
    pub(crate) fn key_text(&self, entity: EntityId, address: &Address) -> String {
        let declared = self.entity(entity);
        let secret = |name: &&str| {
            let attribute = declared.attribute(name);
            attribute.is_some_and(|attribute| attribute.secret.is_some())
        };
        if !declared.key_attributes().iter().any(secret) {
            return address.to_string();
        }
        let row = self.decode(address.table, &address.key(self.model()));
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
        Address::of(self.compiled(), record.entity, &record.values, &self.around)
            .map_err(|error| self.refused(record.entity, vec![error]))
    }

    pub(crate) fn encode(&self, record: &Record) -> Result<Item, Error> {
        record::encode(self.compiled(), record, &self.around)
            .map_err(|errors| self.refused(record.entity, errors))
    }

    /// An item as a row; none if the model does not know it.
    pub(crate) fn decode(&self, table: TableId, item: &Item) -> Option<Record> {
        self.decode_view(table, EncodedItem::from(item).view())
    }

    /// The same for an item that is still encoded.
    pub(crate) fn decode_view(&self, table: TableId, item: ItemView<'_>) -> Option<Record> {
        let (mut record, _) = record::decode_view(self.compiled(), table, &self.prefix, item)?;
        record::upgrade(self.model(), &mut record, &self.around);
        if self.profile(record.entity).has_computed_key {
            record::add_unwritten(self.model(), &mut record, &self.around);
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
        Address::of(self.compiled(), target, &values, &self.around).ok()
    }

    /// Sends a draft; an empty one is nothing.
    pub(crate) async fn commit(&self, draft: &mut Draft) -> Result<(), Interrupt> {
        draft.add_late_claims()?;
        if draft.is_empty() {
            return Ok(());
        }
        if !draft.fits() {
            let Some((chunks, mut rest)) = draft.split_followers()? else {
                return Err(draft.too_large().into());
            };
            // What would be refused at the end is refused before anything is written.
            let items = self.get_many_or_none(&rest.addresses()).await?;
            rest.check_against(&items)?;
            for mut chunk in chunks {
                self.send(&mut chunk).await?;
            }
            return self.send(&mut rest).await;
        }
        self.send(draft).await
    }

    /// Sends a draft that fits.
    async fn send(&self, draft: &mut Draft) -> Result<(), Interrupt> {
        if self.rehearses {
            let addresses = draft.addresses();
            let items = self.get_many_or_none(&addresses).await?;
            draft.check_against(&items)?;
        }
        let request = draft.request(self.model(), &self.fresh_token()?);
        let answer = self.steps.call(request).await;
        draft.outcome(answer)
    }

    /// Sends drafts in transactions as large as they may be; each draft stays whole.
    pub(crate) async fn commit_in_chunks(
        &self,
        units: impl IntoIterator<Item = Draft>,
    ) -> Result<(), Interrupt> {
        let mut chunk = Draft::default();
        for unit in units {
            if !chunk.fits_with(&unit) {
                self.commit(&mut chunk).await?;
                chunk = Draft::default();
            }
            chunk.join(unit)?;
        }
        self.commit(&mut chunk).await
    }

    /// Remembers a guard that is another row's, or a counter whose row is gone.
    pub(crate) fn avoid(&self, address: Address) {
        let mut avoided = self.avoided.lock().unwrap_or_else(PoisonError::into_inner);
        avoided.insert(address);
    }

    /// Remembers an item that the model does not know, if a row owns what the pattern reads.
    pub(crate) fn note_unknown(&self, access: &Access, table: TableId, item: EncodedItem) {
        let key = item.view().get(&self.model().table(table).hash.value);
        if matches!(key, Some(ValueView::S(hash)) if reserved::is_reserved(hash)) {
            return;
        }
        let id = self.model().pattern_named(&access.name.value);
        let owned = id.is_some_and(|(id, _)| {
            let mut entities = self.model().entities.iter();
            entities.any(|entity| entity.owns.contains(&id))
        });
        if owned {
            let mut unknown_items = self
                .unknown_items
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            unknown_items.push(item);
        }
    }

    /// The items that were met.
    pub(crate) fn take_unknown(&self) -> Vec<Item> {
        let mut unknown_items = self
            .unknown_items
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let unknown_items = std::mem::take(&mut *unknown_items);
        unknown_items.iter().map(EncodedItem::to_item).collect()
    }

    /// What was known of other rows may no longer hold.
    pub(crate) fn forget(&self) {
        let mut avoided = self.avoided.lock().unwrap_or_else(PoisonError::into_inner);
        avoided.clear();
    }

    /// Whether a guard is known to be another row's.
    pub(crate) fn avoids(&self, address: &Address) -> bool {
        let avoided = self.avoided.lock().unwrap_or_else(PoisonError::into_inner);
        avoided.contains(address)
    }

    /// A name by which DynamoDB knows one request when it is sent again. It has nothing to do with the caller's token.
    pub(crate) fn fresh_token(&self) -> Result<String, NoEntropy> {
        Ok(format!("{:032x}", self.around.random()?))
    }
}

/// The values that a reference attribute of a row holds: one, or each of a list.
pub(crate) fn referred(attribute: &Attribute, record: &Record) -> Vec<AttributeValue> {
    match record.values.get(&attribute.name.value) {
        None => Vec::new(),
        Some(AttributeValue::L(values)) => values.clone(),
        Some(value) => vec![value.clone()],
    }
}
