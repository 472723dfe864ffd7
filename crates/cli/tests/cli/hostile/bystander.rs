//! A client that does nothing wrong, beside those that do.

use super::attack::Attacker;
use monotable_api::{CreateTableInput, DynamoExt, GetItemInput, PutItemInput, ScalarAttributeType};
use monotable_aws::{Remote, RemoteOptions};
use monotable_item::Item;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

pub(super) struct Bystander {
    url: String,
    runtime: Runtime,
}

/// What the client did.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) rounds: usize,
    pub(super) failures: Vec<String>,
    pub(super) longest: Duration,
}

impl Bystander {
    pub(super) fn connect(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            runtime: Runtime::new().unwrap(),
        }
    }

    /// A client with connections of its own.
    fn client(&self) -> Remote {
        let options = RemoteOptions::new().endpoint_url(&self.url);
        let options = options.credentials("AKIDALICE", "hunter2hunter2", None);
        self.runtime.block_on(options.connect()).unwrap()
    }

    pub(super) fn prepare(&self) {
        let table = CreateTableInput::new("Log", "pk", ScalarAttributeType::S);
        let client = self.client();
        self.runtime.block_on(client.create_table(table)).unwrap();
    }

    /// Writes and reads until the attack ends, every fourth time with a new client.
    pub(super) fn work(&self, attacker: &Attacker) -> Work {
        let mut work = Work::default();
        let mut client = self.client();
        while !attacker.is_stopped() {
            if work.rounds % 4 == 0 {
                client = self.client();
            }
            let began = Instant::now();
            if let Err(failure) = self.write_and_read(&client, work.rounds) {
                work.failures.push(failure);
            }
            work.longest = work.longest.max(began.elapsed());
            work.rounds += 1;
            attacker.note_round();
            std::thread::sleep(Duration::from_millis(20));
        }
        work
    }

    fn write_and_read(&self, client: &Remote, round: usize) -> Result<(), String> {
        let key = format!("small-{round}");
        let item = Item::new().with("pk", key.as_str()).with("n", 1);
        let put = client.put_item(PutItemInput::new("Log", &item));
        let put = self.runtime.block_on(put);
        put.map_err(|error| format!("put {round}: {error}"))?;
        let get = GetItemInput::new("Log", Item::new().with("pk", key.as_str()));
        let got = self.runtime.block_on(client.get_item(get));
        let got = got.map_err(|error| format!("get {round}: {error}"))?;
        if got.item.is_none() {
            return Err(format!("{key} is lost"));
        }
        Ok(())
    }
}
