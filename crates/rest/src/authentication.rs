//! Who calls, and how that is known.
//!
//! Without a file of issuers and keys, programs of this machine are served and nobody else; they may say for whom they call.
//! With one, every request has a token of an issuer (`issuer.rs`) or a key (`api_key.rs`). `claims.rs` makes principal and
//! tenant of what a token says; `remembered.rs` saves verifying a token twice; `file.rs` reads the file.

mod api_key;
mod claims;
mod file;
mod issuer;
mod remembered;
mod ring_provider;
mod spoken;

pub use file::{AuthenticationFile, FileError, KeyPlace};
pub use issuer::{FetchKeys, FetchedKeys};

use crate::caller::{Caller, Forwarding, Role};
use crate::openapi::Security;
use crate::problem::Problem;
use crate::rate_limit::RateLimit;
use crate::request::Request;
use api_key::ApiKey;
use claims::ModelClaims;
use http::header::AUTHORIZATION;
use issuer::{Issuer, Verified};
use monotable_model::model::Model;
use remembered::RememberedTokens;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// The challenge for requests without a token or key.
const CHALLENGE: &str = "Bearer realm=\"monotable\"";
/// The challenge for requests with a token that is not accepted.
const INVALID: &str = "Bearer realm=\"monotable\", error=\"invalid_token\"";
/// The header that a key comes in.
const KEY: &str = "x-api-key";

/// How callers are known.
#[derive(Debug, Default)]
pub struct Authentication {
    proofs: Option<Proofs>,
    limit: Option<RateLimit>,
}

/// The issuers and keys that prove who calls.
#[derive(Debug)]
struct Proofs {
    issuers: Vec<Issuer>,
    remembered: RememberedTokens,
    keys: Vec<ApiKey>,
    models: BTreeMap<String, ModelClaims>,
    proxies: Vec<IpAddr>,
}

impl Authentication {
    /// Programs of this machine need no proof, and nobody else is served.
    #[must_use]
    pub fn loopback() -> Self {
        Self::default()
    }

    /// Every caller needs a proof that a file describes. Keys of issuers are fetched by what the caller gives: this crate opens
    /// no file and no connection.
    pub fn new(file: AuthenticationFile, fetch: &dyn Fn(&KeyPlace) -> FetchKeys) -> Self {
        let AuthenticationFile {
            issuers,
            keys,
            models,
            proxies,
            limit,
        } = file;
        let issuers = issuers.into_iter().map(|description| {
            let fetch = fetch(&description.place);
            Issuer::new(description, fetch)
        });
        Self {
            proofs: Some(Proofs {
                issuers: issuers.collect(),
                remembered: RememberedTokens::default(),
                keys,
                models,
                proxies,
            }),
            limit,
        }
    }

    /// Whether callers need a proof.
    #[must_use]
    pub const fn is_demanded(&self) -> bool {
        self.proofs.is_some()
    }

    /// What the document of a model says of it.
    pub(crate) const fn security(&self) -> Security {
        if self.is_demanded() {
            Security::Verified
        } else {
            Security::Loopback
        }
    }

    /// Fetches the keys of every issuer, for a server that wants to know at once whether it can.
    pub async fn prepare(&self) -> Result<(), String> {
        for issuer in self.proofs.iter().flat_map(|proofs| &proofs.issuers) {
            issuer.prepare().await?;
        }
        Ok(())
    }

    /// Whether a model can be served: the file must name a claim for everything that the model asks of a caller.
    pub fn check_model(&self, model: &Model) -> Result<(), String> {
        let Some(proofs) = &self.proofs else {
            return Ok(());
        };
        match proofs.models.get(&model.name) {
            Some(claims) => claims.check(model),
            None if proofs.issuers.is_empty() => Ok(()),
            None if model.principal.is_empty() && model.tenant.is_none() => Ok(()),
            None => Err(format!(
                "the model `{0}` wants to know who calls: the section [model.{0}] says which claims of a token tell",
                model.name
            )),
        }
    }

    /// Whether the keys can be used with the models that are served.
    pub fn check_keys(&self, models: &[Model]) -> Result<(), String> {
        let mut keys = self.proofs.iter().flat_map(|proofs| &proofs.keys);
        keys.try_for_each(|key| key.check(models))
    }

    /// What the file says of models that are not served, in a sentence for each: a name may be mistyped.
    #[must_use]
    pub fn list_unserved(&self, served: &[Model]) -> Vec<String> {
        let is_unserved = |name: &&String| served.iter().all(|model| model.name != **name);
        let mut found = Vec::new();
        if let Some(proofs) = &self.proofs {
            for key in &proofs.keys {
                found.extend(key.models.iter().filter(is_unserved).map(|name| {
                    let key = &key.name;
                    format!("the key {key} is for the model `{name}`, which is not served here")
                }));
            }
            found.extend(proofs.models.keys().filter(is_unserved).map(|name| {
                format!("the section [model.{name}] is about a model that is not served here")
            }));
        }
        found
    }

    /// Who sends a request for a model.
    pub(crate) async fn identify(
        &self,
        model: &Model,
        request: &Request,
    ) -> Result<Caller, Problem> {
        let caller = match &self.proofs {
            None => {
                let account = name_address(request);
                spoken::identify_neighbour(model, request, account)
            }
            Some(proofs) => proofs.identify(model, request).await,
        };
        let account = caller.as_ref().ok().map(|caller| caller.account.as_str());
        self.count(request, account)?;
        caller
    }

    /// Refuses requests without a proof that are about no model: strangers do not learn which models there are.
    pub(crate) async fn admit(&self, request: &Request) -> Result<(), Problem> {
        let account = self.find_account(request).await;
        self.count(request, account.as_deref().ok())?;
        account.map(drop)
    }

    /// Refuses requests without a proof before their bodies are read. A request that is admitted is counted when it is answered.
    pub(crate) async fn screen(&self, request: &Request) -> Result<(), Problem> {
        match self.find_account(request).await {
            Ok(_) => Ok(()),
            Err(problem) => {
                self.count(request, None)?;
                Err(problem)
            }
        }
    }

    async fn find_account(&self, request: &Request) -> Result<String, Problem> {
        match &self.proofs {
            None => spoken::demand_neighbour(request).map(|()| name_address(request)),
            Some(proofs) => proofs.find_account(request).await,
        }
    }

    /// Counts a request of an account. Requests without a proof are counted by their address, so that guessing is slow.
    fn count(&self, request: &Request, account: Option<&str>) -> Result<(), Problem> {
        let Some(limit) = &self.limit else {
            return Ok(());
        };
        let taken = match account {
            Some(account) => limit.take(account, Instant::now()),
            None => limit.take(&name_address(request), Instant::now()),
        };
        taken.map_err(Problem::too_many_requests)
    }
}

/// The account of callers that are known by their address only.
fn name_address(request: &Request) -> String {
    format!("address {}", request.client.to_canonical())
}

/// What a request proves its caller with.
enum Proof<'r> {
    Key(&'r str),
    Token(&'r str),
}

impl<'r> Proof<'r> {
    fn read(request: &'r Request) -> Result<Self, Problem> {
        match (request.header(AUTHORIZATION)?, request.header(KEY)?) {
            (Some(_), Some(_)) => Err(Problem::bad_request(format!(
                "both a token and a key say who calls; send one of the headers `Authorization` and `{KEY}`"
            ))),
            (None, None) => Err(Problem::unauthorized(
                format!(
                    "nothing says who calls: send `Authorization: Bearer TOKEN`, or a key as `{KEY}`"
                ),
                CHALLENGE,
            )),
            (None, Some(key)) => Ok(Self::Key(key)),
            (Some(authorization), None) => {
                let (scheme, token) = authorization.split_once(' ').unwrap_or((authorization, ""));
                if scheme.eq_ignore_ascii_case("bearer") {
                    Ok(Self::Token(token.trim()))
                } else {
                    Err(Problem::unauthorized(
                        "the header `Authorization` has another scheme than `Bearer`; signatures of AWS are for the DynamoDB API",
                        CHALLENGE,
                    ))
                }
            }
        }
    }
}

impl Proofs {
    async fn identify(&self, model: &Model, request: &Request) -> Result<Caller, Problem> {
        let mut caller = match Proof::read(request)? {
            Proof::Key(key) => self.find_key(key)?.identify(model, request)?,
            Proof::Token(token) => {
                let verified = self.verify(token).await?;
                let nothing = ModelClaims::default();
                let claims = self.models.get(&model.name).unwrap_or(&nothing);
                claims.identify(model, &verified)?
            }
        };
        if caller.role != Role::Program || caller.forwarding == Forwarding::Ignored {
            spoken::refuse_words(request, &caller)?;
        }
        if self.proxies.contains(&request.client.to_canonical()) {
            caller.forwarding = Forwarding::Believed;
        }
        Ok(caller)
    }

    /// The account of whoever has a proof, for whatever model it is.
    async fn find_account(&self, request: &Request) -> Result<String, Problem> {
        match Proof::read(request)? {
            Proof::Key(key) => Ok(self.find_key(key)?.name_account()),
            Proof::Token(token) => Ok(self.verify(token).await?.account.clone()),
        }
    }

    fn find_key(&self, key: &str) -> Result<&ApiKey, Problem> {
        ApiKey::find(&self.keys, key).ok_or_else(|| {
            Problem::unauthorized("the key is none that this server knows", CHALLENGE)
        })
    }

    async fn verify(&self, token: &str) -> Result<Arc<Verified>, Problem> {
        let verified = issuer::verify(&self.issuers, &self.remembered, token).await;
        verified.map_err(|why| Problem::unauthorized(why, INVALID))
    }
}
