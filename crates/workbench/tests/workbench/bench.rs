//! A workbench on the models of the repository, in memory.

use bytes::Bytes;
use http::{HeaderMap, Method};
use monotable_api::Dynamo;
use monotable_engine::Engine;
use monotable_rest::{Body, Request, Rest};
use monotable_store::{AnyOperation, Options, Store};
use monotable_workbench::{Mode, ModelSource, RemotePlace, Workbench};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

pub(crate) const MODELS: [&str; 5] = [
    "yggdrasil",
    "values",
    "formkiq",
    "processproof",
    "authorization",
];

pub(crate) struct Bench {
    pub(crate) workbench: Workbench,
    pub(crate) rest: Rest,
    pub(crate) engine: Engine,
    pub(crate) stores: Vec<Store>,
}

/// The text of a model of the repository.
pub(crate) fn read_model(name: &str) -> String {
    let path = format!(
        "{}/../../models/{name}/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).unwrap()
}

impl Bench {
    /// Empty stores of some models.
    pub(crate) async fn new(mode: Mode, texts: &[(&str, String)]) -> Self {
        let engine = Engine::in_memory().unwrap();
        let seen = Arc::new(engine.clone());
        Self::with_dynamo(mode, texts, engine, seen).await
    }

    /// Empty stores of some models, which the page sees through something around the engine.
    pub(crate) async fn with_dynamo(
        mode: Mode,
        texts: &[(&str, String)],
        engine: Engine,
        seen: Arc<dyn Dynamo>,
    ) -> Self {
        let place = "embedded store, in memory";
        let workbench = Workbench::new(mode, "monotable demo", place, Arc::clone(&seen));
        Self::with_workbench(workbench, texts, engine, seen).await
    }

    /// A page over tables that somebody else has, and pays for.
    pub(crate) async fn over_remote(
        mode: Mode,
        texts: &[(&str, String)],
        engine: Engine,
        seen: Arc<dyn Dynamo>,
    ) -> Self {
        let place = RemotePlace {
            name: "http://tables.example".to_owned(),
            option: "--endpoint-url http://tables.example".to_owned(),
        };
        let workbench = Workbench::over_remote(mode, "monotable serve", place, Arc::clone(&seen));
        Self::with_workbench(workbench, texts, engine, seen).await
    }

    async fn with_workbench(
        workbench: Workbench,
        texts: &[(&str, String)],
        engine: Engine,
        seen: Arc<dyn Dynamo>,
    ) -> Self {
        let mut rest = Rest::new();
        let mut stores = Vec::new();
        let mut sources = Vec::new();
        for (name, text) in texts {
            let model = monotable_model::read(text).model.unwrap();
            let store = Store::new(model, Arc::clone(&seen));
            store.setup().await.unwrap();
            rest = rest.with_store(workbench.watch_store(store.clone()));
            stores.push(store);
            sources.push(ModelSource {
                path: None,
                name: (*name).to_owned(),
                file: format!("{name}/model.toml"),
                argument: (*name).to_owned(),
                text: text.clone(),
            });
        }
        workbench.publish(sources);
        Self {
            workbench,
            rest,
            engine,
            stores,
        }
    }

    /// Yggdrasil with a user, a tree and two persons.
    pub(crate) async fn of_family(mode: Mode) -> Self {
        let bench = Self::new(mode, &[("yggdrasil", read_model("yggdrasil"))]).await;
        bench.fill_family().await;
        bench
    }

    /// Makes a user, a tree and two persons.
    pub(crate) async fn fill_family(&self) {
        for operation in [
            r#"{"create": "User", "values": {"UserId": "ada", "Email": "ada@example.com", "PasswordHash": "x"}}"#,
            r#"{"create": "Tree", "values": {"UserId": "ada", "TreeId": "byron", "TreeName": "Byron"}}"#,
            r#"{"create": "Person", "values": {"UserId": "ada", "TreeId": "byron", "PersonId": "george", "FirstName": "George", "LastName": "Byron", "Gender": "Male"}}"#,
            r#"{"create": "Person", "values": {"UserId": "ada", "TreeId": "byron", "PersonId": "ada", "FirstName": "Ada", "LastName": "Lovelace", "Gender": "Female"}}"#,
            r#"{"create": "ParentChild", "values": {"UserId": "ada", "TreeId": "byron", "ParentId": "george", "ChildId": "ada", "Type": "Biological"}}"#,
        ] {
            let operation: AnyOperation = serde_json::from_str(operation).unwrap();
            self.stores[0]
                .run(operation, Options::default())
                .await
                .unwrap();
        }
    }

    pub(crate) async fn request(
        &self,
        method: Method,
        address: &str,
        headers: HeaderMap,
        body: &str,
    ) -> (u16, HeaderMap, String) {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let request = Request {
            method,
            path: path.to_owned(),
            query: query.to_owned(),
            headers,
            body: Bytes::from(body.to_owned()),
            client: IpAddr::V4(Ipv4Addr::LOCALHOST),
        };
        let response = self.workbench.answer(&self.rest, &request).await;
        let Body::Whole(bytes) = response.body else {
            panic!("pages are whole");
        };
        (
            response.status.as_u16(),
            response.headers,
            String::from_utf8(bytes.to_vec()).unwrap(),
        )
    }

    /// The page at an address, which must be there.
    pub(crate) async fn page(&self, address: &str) -> String {
        let (status, _, text) = self
            .request(Method::GET, address, HeaderMap::new(), "")
            .await;
        assert_eq!(status, 200, "{address}: {text}");
        text
    }

    /// Sends a form as the page does.
    pub(crate) async fn send(&self, address: &str, body: &str) -> (u16, String) {
        let mut headers = HeaderMap::new();
        headers.insert("monotable-workbench", "1".parse().unwrap());
        let (status, _, text) = self.request(Method::POST, address, headers, body).await;
        (status, text)
    }
}

/// The addresses of a page that lead to other screens.
pub(crate) fn list_links(page: &str) -> Vec<String> {
    let parts = page.split("href=\"").skip(1);
    parts
        .filter_map(|part| part.split('"').next())
        .filter(|address| address.starts_with("/ui/") && !address.starts_with("/ui/assets/"))
        .map(|address| address.replace("&amp;", "&"))
        .collect()
}
