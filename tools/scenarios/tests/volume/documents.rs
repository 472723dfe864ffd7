//! Documents with tags, attributes and actions in two sites.

use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::TableId;
use monotable_store::Store;
use monotable_store::record::{self, Circumstances};

/// 2025-09-20T10:00:00Z.
const BEGINNING: i64 = 1_758_362_400_000_000;

pub(crate) fn model() -> monotable_model::model::Model {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/formkiq/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    monotable_check::check(&text).model.unwrap()
}

/// Makes items as the store would, without its conditions.
struct Maker<'m> {
    model: &'m CompiledModel,
    items: Vec<(TableId, Item)>,
}

impl Maker<'_> {
    fn make(&mut self, tenant: &str, number: usize, entity: &str, values: Item) {
        let (id, declared) = self.model.model().entity_named(entity).unwrap();
        let around = Circumstances::at_micros(BEGINNING + number as i64 * 1_000_000)
            .entropy(number as u128 * 7 + 1)
            .principal(Item::new().with("username", "ann"))
            .tenant(tenant);
        let row = record::create(self.model, id, values, &around);
        let row = row.unwrap_or_else(|errors| panic!("{entity}: {errors:?}"));
        let item = record::encode(self.model, &row, &around).unwrap();
        self.items.push((declared.table, item));
    }
}

/// The number of a document, written so that all have as many bytes.
pub(crate) fn id(number: usize) -> String {
    format!("d{number:07}")
}

/// A store with so many documents in each of two sites.
pub(crate) async fn filled_on(engine: Engine, documents: usize) -> Store {
    let store = Store::new(model(), engine);
    store.setup().await.unwrap();
    let compiled = CompiledModel::new(model());
    for tenant in ["default", "finance"] {
        for chunk in (0..documents).collect::<Vec<_>>().chunks(2_000) {
            let mut maker = Maker {
                model: &compiled,
                items: Vec::new(),
            };
            for number in chunk {
                document(&mut maker, tenant, *number);
            }
            store.load(maker.items).await.unwrap();
        }
        let mut maker = Maker {
            model: &compiled,
            items: Vec::new(),
        };
        configuration(&mut maker, tenant);
        store.load(maker.items).await.unwrap();
    }
    store
}

fn document(maker: &mut Maker<'_>, tenant: &str, number: usize) {
    let of = || Item::new().with("documentId", id(number));
    maker.make(
        tenant,
        number,
        "Document",
        of().with("contentType", "text/plain"),
    );
    let tag = of().with("tagKey", "color").with("tagValue", "red");
    maker.make(tenant, number, "DocumentTag", tag);
    let attribute = of()
        .with("key", "client")
        .with("valueType", "STRING")
        .with("stringValue", format!("client {:07}", number));
    maker.make(tenant, number, "DocumentAttribute", attribute);
    let action = of()
        .with("type", "QUEUE")
        .with("status", "IN_QUEUE")
        .with("queueId", "q1");
    maker.make(tenant, number, "DocumentAction", action);
}

fn configuration(maker: &mut Maker<'_>, tenant: &str) {
    let attribute = Item::new().with("key", "client").with("dataType", "STRING");
    maker.make(tenant, 1, "Attribute", attribute);
    let queue = Item::new().with("queueId", "q1").with("name", "first");
    maker.make(tenant, 1, "Queue", queue);
    for number in 0..3 {
        let amount = Item::new()
            .with("documentId", id(number))
            .with("key", "amount")
            .with("valueType", "NUMBER")
            .with("numberValue", AttributeValue::N((number as i64 + 9).into()));
        maker.make(tenant, number, "DocumentAttribute", amount);
    }
}
