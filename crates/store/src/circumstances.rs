//! What a write knows beside the row: the time, chance, the caller, the tenant, the deployment.

use crate::entropy::Entropy;
use crate::host::NoEntropy;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::compiled::{self, Instant, Shown};
use monotable_model::model::{Attribute, Default, Model, TimeFormat};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The circumstances of one operation.
#[derive(Debug)]
pub struct Circumstances {
    pub(crate) now_micros: i64,
    /// Where the seed comes from.
    source: Entropy,
    /// Drawn when it is first needed, unless it is given.
    seed: OnceLock<u128>,
    /// How often random bits were derived from the seed.
    drawn: AtomicU64,
    pub(crate) principal: Item,
    pub(crate) settings: Item,
    pub(crate) tenant: Option<String>,
    /// What stands before partition keys of the tenant, once it was rendered.
    prefix: OnceLock<String>,
    /// The rows that references of the row name, as far as the operation has read them.
    pub(crate) referred: BTreeMap<String, Item>,
}

impl Circumstances {
    /// At this time, in microseconds since 1970, with nothing else known.
    #[must_use]
    pub fn at_micros(now_micros: i64) -> Self {
        Self {
            now_micros,
            source: Entropy::default(),
            seed: OnceLock::new(),
            drawn: AtomicU64::new(0),
            principal: Item::new(),
            settings: Item::new(),
            tenant: None,
            prefix: OnceLock::new(),
            referred: BTreeMap::new(),
        }
    }

    /// Where ids come from: 128 bits that nobody can guess. Without them the system is asked for some.
    #[must_use]
    pub fn entropy(mut self, bits: u128) -> Self {
        self.seed = OnceLock::from(bits);
        self
    }

    /// Random bytes come from here, and not from the system.
    pub(crate) fn entropy_from(mut self, source: Entropy) -> Self {
        self.source = source;
        self
    }

    /// What is known of the caller.
    #[must_use]
    pub fn principal(mut self, principal: Item) -> Self {
        self.principal = principal;
        self
    }

    /// The deployment's choices; others are the model's defaults.
    #[must_use]
    pub fn settings(mut self, settings: Item) -> Self {
        self.settings = settings;
        self
    }

    /// The tenant.
    #[must_use]
    pub fn tenant(mut self, tenant: impl Into<String>) -> Self {
        self.tenant = Some(tenant.into());
        self.prefix = OnceLock::new();
        self
    }

    /// A copy for a row whose references name these rows.
    pub(crate) fn with_referred(&self, referred: BTreeMap<String, Item>) -> Self {
        Self {
            referred,
            ..self.again()
        }
    }

    /// A copy at another time.
    pub(crate) fn at(&self, now_micros: i64) -> Self {
        Self {
            now_micros,
            ..self.again()
        }
    }

    /// A copy for another caller.
    pub(crate) fn as_principal(&self, principal: Item) -> Self {
        Self {
            principal,
            ..self.again()
        }
    }

    /// A copy with random bits of its own: derived from the seed if there is one, else drawn when they are needed.
    pub(crate) fn again(&self) -> Self {
        let seed = match self.seed.get() {
            Some(seed) => OnceLock::from(self.derive(*seed)),
            None => OnceLock::new(),
        };
        Self {
            now_micros: self.now_micros,
            source: self.source.clone(),
            seed,
            drawn: AtomicU64::new(0),
            principal: self.principal.clone(),
            settings: self.settings.clone(),
            tenant: self.tenant.clone(),
            prefix: self.prefix.clone(),
            referred: BTreeMap::new(),
        }
    }

    /// 128 bits that differ with each call and that nobody can guess.
    pub(crate) fn random(&self) -> Result<u128, NoEntropy> {
        let seed = match self.seed.get() {
            Some(seed) => *seed,
            None => {
                let drawn = u128::from_be_bytes(self.source.draw()?);
                *self.seed.get_or_init(|| drawn)
            }
        };
        Ok(self.derive(seed))
    }

    /// 128 bits that differ with each call and are no secret. They need no hash, because nothing else is made of them.
    pub(crate) fn random_name(&self) -> Result<u128, NoEntropy> {
        match self.seed.get() {
            Some(seed) => Ok(self.derive(*seed)),
            None => self.source.draw_name(),
        }
    }

    /// So many bytes straight from the source, for what outlives the operation.
    pub(crate) fn draw<const N: usize>(&self) -> Result<[u8; N], NoEntropy> {
        self.source.draw()
    }

    /// A hash of the seed and a count: an id that is shown tells nothing about a secret that is made next.
    fn derive(&self, seed: u128) -> u128 {
        let count = self.drawn.fetch_add(1, Ordering::Relaxed);
        let hash = Sha256::new()
            .chain_update(seed.to_be_bytes())
            .chain_update(count.to_be_bytes())
            .finalize();
        hash.iter()
            .take(16)
            .fold(0, |bits, byte| (bits << 8) | u128::from(*byte))
    }

    /// What stands before the partition keys of the tenant; nothing for the one without a prefix.
    pub(crate) fn tenant_prefix(&self, model: &Model) -> &str {
        self.prefix.get_or_init(|| self.render_prefix(model))
    }

    fn render_prefix(&self, model: &Model) -> String {
        let (Some(tenant), Some(id)) = (&model.tenant, &self.tenant) else {
            return String::new();
        };
        if tenant.bare.as_ref() == Some(id) {
            return String::new();
        }
        // The prefix shows the tenant's id and literals only, which the model's resolver has made sure of.
        compiled::render(&tenant.prefix, |_| Some(Shown::One(id.clone()))).unwrap_or_default()
    }

    pub(crate) fn now(&self) -> Option<Instant> {
        Instant::from_micros(self.now_micros)
    }

    /// The time as text, for predicates.
    pub(crate) fn now_text(&self) -> String {
        self.now()
            .map(|now| now.show(TimeFormat::Millis))
            .unwrap_or_default()
    }

    /// A setting: the deployment's, or the model's default.
    pub(crate) fn setting(&self, model: &Model, name: &str) -> Option<AttributeValue> {
        if let Some(value) = self.settings.get(name) {
            return Some(value.clone());
        }
        let setting = model
            .settings
            .iter()
            .find(|setting| setting.name.value == name)?;
        constant(setting)
    }

    /// All settings of the model with their values.
    pub(crate) fn all_settings(&self, model: &Model) -> EncodedItem {
        EncodedItem::from(self.list_settings(model))
    }

    /// Every setting with its value.
    pub(crate) fn list_settings(&self, model: &Model) -> Item {
        let mut all = Item::new();
        for setting in &model.settings {
            if let Some(value) = self.setting(model, &setting.name.value) {
                all.insert(setting.name.value.clone(), value);
            }
        }
        all
    }
}

/// A default that needs nothing else.
pub(crate) fn constant(attribute: &Attribute) -> Option<AttributeValue> {
    match attribute.default.as_ref()? {
        Default::Number(number) => number.parse().ok().map(AttributeValue::N),
        Default::Flag(flag) => Some(AttributeValue::Bool(*flag)),
        Default::Text(text) => Some(AttributeValue::S(text.clone())),
        Default::Word(word) => Some(AttributeValue::S(word.value.clone())),
        Default::EmptyList => Some(AttributeValue::L(Vec::new())),
        Default::Template(_) | Default::Now { .. } => None,
    }
}
