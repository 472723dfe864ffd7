//! Keys, rendered from the model's templates for one tenant.

use super::{Address, KeyProblem, KeyValue, Owner, Partition};
use super::{KeyTexts, reserved, tenant_prefix};
use crate::circumstances::Circumstances;
use crate::template::find_value;
use monotable_item::{AttributeValue, Item, ItemView, ValueView};
use monotable_model::compiled::{
    CompiledKey, CompiledModel, KeyPart, RenderProblem, Shown, SourcePath, render, render_parts,
};
use monotable_model::model::{EntityId, Key, KeyPlace, Model, TableId};
use monotable_model::plan::{KeyTarget, KeyText};

/// As much room as most keys need, so that they are written without growing.
const USUAL_KEY_BYTES: usize = 64;

/// Renders every key of one operation, and tells whose an item is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addressing<'a> {
    compiled: &'a CompiledModel,
    circumstances: &'a Circumstances,
}

impl<'a> Addressing<'a> {
    pub(crate) const fn new(compiled: &'a CompiledModel, circumstances: &'a Circumstances) -> Self {
        Self {
            compiled,
            circumstances,
        }
    }

    const fn model(self) -> &'a Model {
        self.compiled.model()
    }

    /// What stands before the partition keys of the tenant.
    pub(crate) fn prefix(self) -> &'a str {
        self.circumstances.tenant_prefix(self.model())
    }

    /// Where a row with these values stands.
    pub(crate) fn locate_row(self, entity: EntityId, values: &Item) -> Result<Address, KeyProblem> {
        let key = self.primary_key(entity)?;
        let texts = self.render_key(key, values)?;
        let table = self.model().entity(entity).table;
        Ok(self.address(table, key.global, texts))
    }

    /// The partition of rows with these values, of which the sort key may not be known.
    pub(crate) fn locate_partition(
        self,
        entity: EntityId,
        values: &Item,
    ) -> Result<Partition, KeyProblem> {
        let key = self.primary_key(entity)?;
        let own = key.hash.render(|path| self.find_value(values, path))?;
        let table = self.model().entity(entity).table;
        let texts = self.complete(table, key.global, (own, None))?;
        Ok(self.address(table, key.global, texts).partition())
    }

    /// Where the key of a guard, of a layout or of a pattern leads, with these values.
    pub(crate) fn locate(
        self,
        table: TableId,
        key: &Key,
        value: impl Fn(&SourcePath<'_>) -> Option<Shown>,
    ) -> Result<Address, KeyProblem> {
        let own = render(&key.hash, &value)?;
        // One string for both keys is rendered once.
        let sort = match &key.range {
            Some(range) if range.text == key.hash.text => Some(own.clone()),
            Some(range) => Some(render(range, &value)?),
            None => None,
        };
        let texts = self.complete(table, key.global, (own, sort))?;
        Ok(self.address(table, key.global, texts))
    }

    /// Where the key of a plan leads, with these values.
    pub(crate) fn locate_text(
        self,
        key: &KeyText,
        value: impl Fn(&SourcePath<'_>) -> Option<Shown>,
    ) -> Result<Address, KeyProblem> {
        let own = render_parts(&key.partition, &value)?;
        let sort = key.sort.as_ref().map(|sort| render_parts(sort, &value));
        let own = (own, sort.transpose()?);
        let KeyTarget { table, shared, .. } = key.at;
        let texts = self.complete(table, shared, own)?;
        Ok(self.address(table, shared, texts))
    }

    /// A partition of a table or of an index, whose key without the tenant's prefix is this.
    pub(crate) fn partition(self, at: &KeyTarget, own: impl Into<String>) -> Partition {
        let (partition, owner) = self.own(at.shared, own.into());
        Partition {
            table: at.table,
            place: at.place,
            key: KeyValue::S(partition),
            further: Vec::new(),
            owner,
        }
    }

    /// The item of a partition that has this sort key.
    pub(crate) fn locate_in(
        self,
        partition: &Partition,
        sort: Option<String>,
    ) -> Result<Address, KeyProblem> {
        let texts = KeyTexts::new(partition.key_text(), sort);
        texts.check_primary(self.model().table(partition.table))?;
        Ok(Address {
            table: partition.table,
            partition: texts.partition,
            sort: texts.sort,
            owner: partition.owner,
        })
    }

    /// Where a key leads that a row holds, or that a program has read elsewhere. `may_be_shared`: rows that are looked for
    /// there may be for all tenants.
    pub(crate) fn locate_pointer(
        self,
        table: TableId,
        texts: KeyTexts,
        may_be_shared: bool,
    ) -> Result<Address, KeyProblem> {
        texts.check_primary(self.model().table(table))?;
        if reserved::is_reserved(&texts.partition) {
            return Err(KeyProblem::Reserved);
        }
        if !may_be_shared && !self.is_own(&texts.partition) {
            return Err(KeyProblem::ForeignTenant);
        }
        Ok(self.address(table, may_be_shared, texts))
    }

    /// Where a stored item stands; none if it has no such key.
    pub(crate) fn locate_item(self, table: TableId, item: &Item) -> Option<Address> {
        self.locate_stored(table, |name| match item.get(name) {
            Some(AttributeValue::S(text)) => Some(text.clone()),
            _ => None,
        })
    }

    /// Where an item that is still encoded stands.
    pub(crate) fn locate_view(self, table: TableId, item: ItemView<'_>) -> Option<Address> {
        self.locate_stored(table, |name| match item.get(name) {
            Some(ValueView::S(text)) => Some(text.to_owned()),
            _ => None,
        })
    }

    fn locate_stored(
        self,
        table: TableId,
        text: impl Fn(&str) -> Option<String>,
    ) -> Option<Address> {
        let declared = self.model().table(table);
        let sort = match &declared.range {
            Some(range) => Some(text(&range.value)?),
            None => None,
        };
        let partition = text(&declared.hash.value)?;
        let owner = self.owner_of(&partition);
        Some(Address {
            table,
            partition,
            sort,
            owner,
        })
    }

    /// The texts of a key of a row with these values.
    pub(crate) fn render_key(
        self,
        key: &CompiledKey,
        values: &Item,
    ) -> Result<KeyTexts, KeyProblem> {
        let plain = |name: &str| match values.get(name) {
            Some(AttributeValue::S(text)) => Some(text.as_str()),
            _ => None,
        };
        self.render_texts(key, plain, |path| self.find_value(values, path))
    }

    /// The texts of a key, whose places show what `value` says.
    pub(crate) fn render_key_with(
        self,
        key: &CompiledKey,
        value: impl Fn(&SourcePath<'_>) -> Option<Shown>,
    ) -> Result<KeyTexts, KeyProblem> {
        self.render_texts(key, |_| None, value)
    }

    /// Renders a key behind the tenant's prefix. What `plain` knows is copied as it is.
    fn render_texts<'v>(
        self,
        key: &CompiledKey,
        plain: impl Fn(&str) -> Option<&'v str>,
        value: impl Fn(&SourcePath<'_>) -> Option<Shown>,
    ) -> Result<KeyTexts, KeyProblem> {
        let prefix = self.prefix_before(key.global);
        let mut partition = String::with_capacity(prefix.len() + USUAL_KEY_BYTES);
        partition.push_str(prefix);
        key.hash.render_to(&mut partition, &plain, &value)?;
        let own = partition.get(prefix.len()..).unwrap_or_default();
        // One string for both keys is rendered once.
        let sort = match &key.range {
            Some(range) if range.template().text == key.hash.template().text => {
                Some(own.to_owned())
            }
            Some(range) => {
                let mut sort = String::with_capacity(USUAL_KEY_BYTES);
                range.render_to(&mut sort, &plain, &value)?;
                Some(sort)
            }
            None => None,
        };
        if key.place == KeyPlace::Primary {
            self.refuse_others(key.global, own, &partition)?;
        }
        let mut texts = KeyTexts::new(partition, sort);
        let render = |part: &KeyPart| {
            let mut text = String::with_capacity(USUAL_KEY_BYTES);
            part.template.render_to(&mut text, &plain, &value)?;
            Ok(text)
        };
        let all = |parts: &[KeyPart]| {
            parts
                .iter()
                .map(render)
                .collect::<Result<_, RenderProblem>>()
        };
        if !key.further.is_empty() {
            texts.further.hash = all(&key.further.hash)?;
            texts.further.range = all(&key.further.range)?;
        }
        texts.check(key)?;
        Ok(texts)
    }

    /// The row of a token. `before` is what stands before its name: the tenant's prefix, or the beginning of a partition
    /// that is the caller's alone.
    pub(crate) fn locate_token(self, before: &str, digest: &str) -> Option<Address> {
        reserved::locate_token(self.model(), before, digest)
    }

    /// The store's own item.
    pub(crate) fn locate_store_item(self) -> Option<Address> {
        reserved::locate_store_item(self.model())
    }

    /// Whether a partition key is the tenant's: it begins with its prefix, or, of the one without, with none.
    pub(crate) fn is_own(self, partition: &str) -> bool {
        match &self.model().tenant {
            None => true,
            Some(_) if !self.prefix().is_empty() => partition.starts_with(self.prefix()),
            Some(tenant) => !tenant_prefix::begins_with_prefix(tenant, partition),
        }
    }

    /// A partition key without the tenant's prefix; none if it is another tenant's. `is_shared`: the key is for all tenants and
    /// has no prefix.
    pub(crate) fn strip_prefix(self, partition: &str, is_shared: bool) -> Option<&str> {
        if is_shared {
            return Some(partition);
        }
        let own = self.is_own(partition).then_some(partition)?;
        own.strip_prefix(self.prefix())
    }

    /// The partition of a table whose key is stored so.
    pub(crate) fn stored_partition(self, table: TableId, key: String) -> Partition {
        Partition {
            table,
            place: KeyPlace::Primary,
            owner: self.owner_of(&key),
            further: Vec::new(),
            key: KeyValue::S(key),
        }
    }

    /// A partition key with the tenant's prefix, unless it is for all tenants.
    pub(crate) fn add_prefix(self, own: String, is_shared: bool) -> String {
        self.own(is_shared, own).0
    }

    fn primary_key(self, entity: EntityId) -> Result<&'a CompiledKey, KeyProblem> {
        let keys = self
            .compiled
            .entity(entity)
            .map(|entity| entity.keys.as_slice());
        let mut keys = keys.unwrap_or_default().iter();
        keys.find(|key| key.place == KeyPlace::Primary)
            .ok_or_else(|| KeyProblem::None {
                entity: self.model().entity(entity).name.value.clone(),
            })
    }

    /// A value as a template shows it.
    pub(crate) fn find_value(self, values: &Item, path: &SourcePath<'_>) -> Option<Shown> {
        find_value(self.model(), values, path, self.circumstances)
    }

    /// The texts of a key with the tenant's prefix, if DynamoDB takes them and they are not the store's own.
    fn complete(
        self,
        table: TableId,
        global: bool,
        (own, sort): (String, Option<String>),
    ) -> Result<KeyTexts, KeyProblem> {
        let before = self.prefix_before(global);
        let partition = if before.is_empty() {
            own
        } else {
            format!("{before}{own}")
        };
        let own = partition.get(before.len()..).unwrap_or_default();
        self.refuse_others(global, own, &partition)?;
        let texts = KeyTexts::new(partition, sort);
        texts.check_primary(self.model().table(table))?;
        Ok(texts)
    }

    /// Refuses a partition key, whatever values look like, that is the store's own or another tenant's.
    fn refuse_others(self, global: bool, own: &str, partition: &str) -> Result<(), KeyProblem> {
        if reserved::is_refused(own, partition) {
            return Err(KeyProblem::Reserved);
        }
        if !global && !self.is_own(partition) {
            return Err(KeyProblem::ForeignTenant);
        }
        Ok(())
    }

    /// A partition key as it is stored, and whose it is.
    fn own(self, global: bool, own: String) -> (String, Owner) {
        if global || self.model().tenant.is_none() {
            return (own, Owner::Shared);
        }
        match self.prefix() {
            "" => (own, Owner::Tenant),
            prefix => (format!("{prefix}{own}"), Owner::Tenant),
        }
    }

    /// What stands before a partition key of this kind.
    fn prefix_before(self, global: bool) -> &'a str {
        if global || self.model().tenant.is_none() {
            ""
        } else {
            self.prefix()
        }
    }

    fn address(self, table: TableId, global: bool, texts: KeyTexts) -> Address {
        let is_shared = global || self.model().tenant.is_none();
        Address {
            table,
            partition: texts.partition,
            sort: texts.sort,
            owner: if is_shared {
                Owner::Shared
            } else {
                Owner::Tenant
            },
        }
    }

    fn owner_of(self, partition: &str) -> Owner {
        if reserved::is_reserved(partition) {
            return Owner::Reserved;
        }
        if self.model().tenant.is_some() && self.is_own(partition) {
            return Owner::Tenant;
        }
        Owner::Shared
    }
}
