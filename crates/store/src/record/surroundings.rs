//! What a write knows beside the row: the time, chance, the caller, the tenant, the deployment.

use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::compiled::Instant;
use monotable_model::model::{Attribute, Default, Model, TimeFormat};
use std::cell::Cell;

/// The surroundings of one operation.
#[derive(Debug)]
pub struct Surroundings {
    pub(crate) now_micros: i64,
    seed: Cell<u128>,
    pub(crate) principal: Item,
    pub(crate) settings: Item,
    pub(crate) tenant: Option<String>,
}

impl Surroundings {
    /// At this time, in microseconds since 1970, with nothing else known.
    #[must_use]
    pub fn at_micros(now_micros: i64) -> Self {
        Self {
            now_micros,
            seed: Cell::new(0),
            principal: Item::new(),
            settings: Item::new(),
            tenant: None,
        }
    }

    /// Where ids come from: 128 bits that nobody can guess.
    #[must_use]
    pub fn entropy(self, bits: u128) -> Self {
        self.seed.set(bits);
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
        self
    }

    /// 128 bits that differ with each call: a step of a permutation of the seed, mixed.
    pub(crate) fn random(&self) -> u128 {
        const STEP: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        let next = self.seed.get().wrapping_add(STEP);
        self.seed.set(next);
        let mixed = (next ^ (next >> 67)).wrapping_mul(0xDA94_2042_E4DD_58B5_94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 64)
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
        let mut all = Item::new();
        for setting in &model.settings {
            if let Some(value) = self.setting(model, &setting.name.value) {
                all.insert(setting.name.value.clone(), value);
            }
        }
        EncodedItem::from(all)
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
