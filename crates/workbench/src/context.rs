//! What every screen needs: the store as the caller sees it, the words of the address, and how things are called and coloured.

use crate::address::{Link, Words};
use crate::census::Census;
use crate::hue::Hues;
use crate::proof::Proof;
use crate::workbench::Workbench;
use http::header::{HeaderName, HeaderValue};
use monotable_item::Item;
use monotable_model::model::{EntityId, Model};
use monotable_rest::{Entrance, Request, Response, Rest, read_word};
use monotable_store::Store;
use monotable_store::wire::PlainItem;
use std::sync::Arc;

const PRINCIPAL: HeaderName = HeaderName::from_static("monotable-principal");
const TENANT: HeaderName = HeaderName::from_static("monotable-tenant");

/// What stands before an attribute of the principal in addresses: `as.UserId=ann`.
pub(crate) const PRINCIPAL_PREFIX: &str = "as.";

/// How addresses call the tenant.
const TENANT_WORD: &str = "tenant";

/// A request for a screen.
pub(crate) struct Context<'r> {
    pub(crate) bench: &'r Workbench,
    pub(crate) rest: &'r Rest,
    pub(crate) words: Words,
    /// The address that the reader came by, for commands to copy.
    pub(crate) host: String,
    /// What had happened before anything was read: a page that is shown is compared with this.
    pub(crate) events: Events,
    /// None on screens that cover all models.
    pub(crate) open: Option<OpenModel>,
}

/// Numbers that change when something happens.
#[derive(Clone, Debug)]
pub(crate) struct Events {
    pub(crate) calls: u64,
    pub(crate) writes: u64,
    /// When each model was read last.
    pub(crate) models: String,
}

impl Events {
    pub(crate) fn read(bench: &Workbench) -> Self {
        let (calls, writes) = bench.activity().count();
        Self {
            calls,
            writes,
            models: bench.list_saved().join(" "),
        }
    }
}

/// A model that is looked at.
pub(crate) struct OpenModel {
    pub(crate) name: String,
    pub(crate) store: Store,
    /// Whether the page sees everything: the program itself looks.
    pub(crate) is_program: bool,
    pub(crate) hues: Hues,
    pub(crate) proof: Option<Arc<Proof>>,
    pub(crate) census: Arc<Census>,
    /// How many writes there had been before the census.
    pub(crate) counted_at: u64,
    /// The words of the address that say who looks, to be carried along by links.
    carried: Vec<(String, String)>,
}

impl OpenModel {
    pub(crate) fn model(&self) -> &Model {
        self.store.model()
    }

    /// The address of a screen of this model, as the same caller.
    pub(crate) fn link(&self, segments: &[&str]) -> Link {
        let mut path = vec![self.name.as_str()];
        path.extend(segments);
        let carried = self.carried.iter();
        carried.fold(Link::new(&path), |link, (name, value)| {
            link.with(name, value)
        })
    }

    /// Who looks, and whose rows, for forms that lead on.
    pub(crate) fn carried(&self) -> &[(String, String)] {
        &self.carried
    }

    /// Who looks, as far as the address says it: attributes of the model's principal.
    pub(crate) fn principal(&self) -> Item {
        read_principal(self.model(), &self.carried)
    }

    /// The tenant whose rows are looked at.
    pub(crate) fn tenant(&self) -> Option<&str> {
        let found = find_tenant(&self.carried);
        found.map(String::as_str)
    }

    /// The name of the model for commands: as `monotable -m` takes it.
    pub(crate) fn argument(&self) -> &str {
        let proof = self.proof.as_ref();
        proof.map_or(&self.name, |proof| &proof.source.argument)
    }

    /// The caller in words; none if the program itself looks.
    pub(crate) fn caller(&self) -> Option<String> {
        let words: Vec<&str> = self
            .carried
            .iter()
            .map(|(_, value)| value.as_str())
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The entity that an attribute of a row names: the target of a reference, or the row's own entity if it is its id.
    pub(crate) fn named_entity(&self, entity: EntityId, attribute: &str) -> Option<&str> {
        let declared = self.model().entity(entity);
        let known = declared.attribute(attribute);
        if let Some(reference) = known.and_then(|known| known.reference.as_ref()) {
            let target = self.model().entity(reference.target);
            return target.is_stored().then_some(target.name.value.as_str());
        }
        let is_own = match &declared.id {
            Some(id) => id == attribute,
            None => {
                let generated = known.is_some_and(|known| known.generated.is_some());
                generated && declared.key_attributes().contains(&attribute)
            }
        };
        is_own.then_some(declared.name.value.as_str())
    }
}

impl<'r> Context<'r> {
    /// Opens a model as the address says; none if there is no such model.
    pub(crate) async fn open(
        bench: &Workbench,
        rest: &Rest,
        name: &str,
        words: &Words,
        request: &Request,
    ) -> Result<Option<OpenModel>, Response> {
        let carried = list_carried(words);
        let model = rest.models().find(|model| model.name == name);
        let asked = match model {
            Some(model) => speak_for(model, request, &carried),
            None => request.clone(),
        };
        let Some(Entrance { store, is_program }) = rest.enter(name, &asked).await? else {
            return Ok(None);
        };
        let (counted_at, census) = if is_program {
            bench.census(name, &store).await
        } else {
            bench.census_of_caller()
        };
        Ok(Some(OpenModel {
            counted_at,
            name: name.to_owned(),
            hues: Hues::new(store.model()),
            proof: bench.proof(name),
            census,
            is_program,
            store,
            carried,
        }))
    }

    /// Opens a model for what it says of keys, without counting what is in its tables.
    pub(crate) async fn open_uncounted(
        bench: &Workbench,
        rest: &Rest,
        name: &str,
        request: &Request,
    ) -> Result<Option<OpenModel>, Response> {
        let entrance = rest.enter(name, request).await?;
        Ok(entrance.map(|Entrance { store, is_program }| OpenModel {
            name: name.to_owned(),
            hues: Hues::new(store.model()),
            proof: bench.proof(name),
            census: Arc::default(),
            counted_at: u64::MAX,
            is_program,
            store,
            carried: Vec::new(),
        }))
    }
}

fn list_carried(words: &Words) -> Vec<(String, String)> {
    let words = words.iter();
    let carried = words.filter(|(name, value)| {
        (name.starts_with(PRINCIPAL_PREFIX) || *name == TENANT_WORD) && !value.is_empty()
    });
    carried
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// The request as if its sender had said for whom it calls. Whether that is believed is decided as for every call.
fn speak_for(model: &Model, request: &Request, carried: &[(String, String)]) -> Request {
    let mut request = request.clone();
    let tenant = find_tenant(carried);
    if let Some(value) = tenant.and_then(|tenant| HeaderValue::from_str(tenant).ok()) {
        request.headers.insert(TENANT, value);
    }
    let principal = read_principal(model, carried);
    if !principal.is_empty()
        && let Ok(value) = HeaderValue::from_str(&write_principal(&principal))
    {
        request.headers.insert(PRINCIPAL, value);
    }
    request
}

fn find_tenant(carried: &[(String, String)]) -> Option<&String> {
    let found = carried.iter().rfind(|(name, _)| name == TENANT_WORD);
    found.map(|(_, tenant)| tenant)
}

/// The attributes of the principal that an address gives.
fn read_principal(model: &Model, carried: &[(String, String)]) -> Item {
    let given = carried
        .iter()
        .filter_map(|(name, value)| Some((name.strip_prefix(PRINCIPAL_PREFIX)?, value)));
    let values = given.map(|(name, value)| {
        let mut known = model.principal.iter();
        let kind = known.find(|attribute| attribute.name.value == name);
        let kind = kind.map(|attribute| &attribute.kind);
        (name.to_owned(), read_word(kind, name, value.clone()))
    });
    values.collect()
}

/// A principal as the header has it.
pub(crate) fn write_principal(principal: &Item) -> String {
    escape_to_ascii(&serde_json::to_string(&PlainItem(principal)).unwrap_or_default())
}

/// JSON in characters that a header may have.
fn escape_to_ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            text.push_str(&format!("\\u{unit:04x}"));
        }
    }
    text
}
