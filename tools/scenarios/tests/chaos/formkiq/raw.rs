//! The stored items, sorted by what their keys say.

use monotable_api::{Dynamo, Request, Response, ScanInput};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use std::collections::BTreeMap;

/// The items of a document by the kind of their partition and their sort key: `docs tags#color`.
pub(super) type Rows = BTreeMap<String, Item>;

/// Everything of one site.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) live: BTreeMap<String, Rows>,
    pub(super) deleted: BTreeMap<String, Rows>,
    /// Folders and files: parent, sort key, item.
    pub(super) entries: Vec<(String, String, Item)>,
    /// What the audit table has.
    pub(super) activities: Vec<Item>,
    /// What the versions table has.
    pub(super) versions: Vec<Item>,
    pub(super) all: Vec<Item>,
}

pub(super) fn text<'i>(item: &'i Item, name: &str) -> &'i str {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text,
        _ => "",
    }
}

async fn scan(target: &dyn Dynamo, table: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut input = ScanInput::new(table).consistent();
    loop {
        let answer = target.call(Request::Scan(input.clone())).await.unwrap();
        let Response::Scan(output) = answer else {
            panic!("not a scan");
        };
        let found = output.items.unwrap_or_default();
        items.extend(found.iter().map(|item| item.to_item()));
        match output.last_evaluated_key {
            Some(last) => input.exclusive_start_key = Some(last.into()),
            None => {
                // The store's own item is of no site.
                items.retain(|item: &Item| !text(item, "PK").starts_with("monotable#"));
                return items;
            }
        }
    }
}

/// Which site an item is of, and its partition key there. The first site has no prefix.
fn site_of<'i>(sites: &[&'static str], hash: &'i str) -> (&'static str, &'i str) {
    for site in &sites[1..] {
        if let Some(rest) = hash
            .strip_prefix(site)
            .and_then(|rest| rest.strip_prefix('/'))
        {
            return (site, rest);
        }
    }
    (sites[0], hash)
}

/// Everything that is stored, by site.
pub(super) async fn read(
    target: &dyn Dynamo,
    model: &Model,
    sites: &[&'static str],
) -> BTreeMap<&'static str, Raw> {
    let mut raw: BTreeMap<_, Raw> = sites.iter().map(|site| (*site, Raw::default())).collect();
    for table in &model.tables {
        for item in scan(target, &table.physical).await {
            let hash = text(&item, "PK").to_owned();
            let (site, hash) = site_of(sites, &hash);
            raw.get_mut(site)
                .unwrap()
                .enter(&table.name.value, hash, item);
        }
    }
    raw
}

impl Raw {
    fn enter(&mut self, table: &str, hash: &str, item: Item) {
        self.all.push(item.clone());
        match table {
            "audit" => self.activities.push(item),
            "versions" => self.versions.push(item),
            _ => self.enter_main(hash, item),
        }
    }

    fn enter_main(&mut self, hash: &str, item: Item) {
        let range = text(&item, "SK").to_owned();
        if let Some(parent) = hash.strip_prefix("global#folders#") {
            self.entries.push((parent.to_owned(), range, item));
            return;
        }
        if hash == "softdelete#docs#" {
            let id = range.strip_prefix("softdelete#document#").unwrap();
            let rows = self.deleted.entry(id.to_owned()).or_default();
            rows.insert("docs document".to_owned(), item);
            return;
        }
        let (side, hash, range) = match hash.strip_prefix("softdelete#") {
            Some(hash) => {
                let range = range.strip_prefix("softdelete#").unwrap();
                (&mut self.deleted, hash, range)
            }
            None => (&mut self.live, hash, range.as_str()),
        };
        for kind in ["docs", "wfdoc"] {
            let id = hash
                .strip_prefix(kind)
                .and_then(|rest| rest.strip_prefix('#'));
            if let Some(id) = id {
                let rows = side.entry(id.to_owned()).or_default();
                rows.insert(format!("{kind} {range}"), item);
                return;
            }
        }
    }

    /// The documents that are there.
    pub(super) fn documents(&self) -> impl Iterator<Item = (&String, &Item)> {
        let documents = self.live.iter();
        documents.filter_map(|(id, rows)| Some((id, rows.get("docs document")?)))
    }
}
