//! Who calls, and how that is known.
//!
//! Without a file of issuers and keys, programs of this machine are served and nobody else; they may say for whom they call.
//! With one, every request has a token of an issuer (`issuer.rs`) or a key (`api_key.rs`). `claims.rs` makes principal and
//! tenant of what a token says; `file.rs` reads the file.

mod api_key;
mod claims;
mod file;
mod issuer;
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
use issuer::Issuer;
use monotable_model::model::Model;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Instant;

/// What whoever has no proof is asked for.
const CHALLENGE: &str = "Bearer realm=\"monotable\"";
/// What whoever has a wrong proof is told.
const INVALID: &str = "Bearer realm=\"monotable\", error=\"invalid_token\"";
/// The header that a key comes in.
const KEY: &str = "x-api-key";

/// How callers are known.
#[derive(Debug, Default)]
pub struct Authentication {
    proofs: Option<Proofs>,
    limit: Option<RateLimit>,
}

/// Who can prove who it is.
#[derive(Debug)]
struct Proofs {
    issuers: Vec<Issuer>,
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

    /// Whether a model can be served: its tokens must say everything that it wants to know of a caller.
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

    /// Who sends a request for a model.
    pub(crate) async fn identify(
        &self,
        model: &Model,
        request: &Request,
    ) -> Result<Caller, Problem> {
        let address = format!("address {}", request.client.to_canonical());
        let caller = match &self.proofs {
            None => spoken::identify_neighbour(model, request, address.clone()),
            Some(proofs) => proofs.identify(model, request).await,
        };
        // Whoever guesses is slowed down by where he guesses from.
        let account = caller.as_ref().map_or(&address, |caller| &caller.account);
        if let Some(limit) = &self.limit {
            limit
                .take(account, Instant::now())
                .map_err(Problem::too_many_requests)?;
        }
        caller
    }
}

impl Proofs {
    async fn identify(&self, model: &Model, request: &Request) -> Result<Caller, Problem> {
        let mut caller = match (request.header(AUTHORIZATION)?, request.header(KEY)?) {
            (Some(_), Some(_)) => {
                return Err(Problem::bad_request(format!(
                    "both a token and a key say who calls; send one of the headers `Authorization` and `{KEY}`"
                )));
            }
            (None, None) => {
                let wanted = format!(
                    "nothing says who calls: send `Authorization: Bearer TOKEN`, or a key as `{KEY}`"
                );
                return Err(Problem::unauthorized(wanted, CHALLENGE));
            }
            (None, Some(key)) => self.identify_key(model, request, key)?,
            (Some(authorization), None) => self.identify_token(model, authorization).await?,
        };
        if caller.role != Role::Program || caller.forwarding == Forwarding::Ignored {
            spoken::refuse_words(request, &caller)?;
        }
        if self.proxies.contains(&request.client.to_canonical()) {
            caller.forwarding = Forwarding::Believed;
        }
        Ok(caller)
    }

    fn identify_key(&self, model: &Model, request: &Request, key: &str) -> Result<Caller, Problem> {
        let known = ApiKey::find(&self.keys, key).ok_or_else(|| {
            Problem::unauthorized("the key is none that this server knows", CHALLENGE)
        })?;
        known.identify(model, request)
    }

    async fn identify_token(&self, model: &Model, authorization: &str) -> Result<Caller, Problem> {
        let (scheme, token) = authorization.split_once(' ').unwrap_or((authorization, ""));
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Problem::unauthorized(
                "the header `Authorization` has another scheme than `Bearer`; signatures of AWS are for the DynamoDB API",
                CHALLENGE,
            ));
        }
        let verified = issuer::verify(&self.issuers, token.trim()).await;
        let verified = verified.map_err(|why| Problem::unauthorized(why, INVALID))?;
        let nothing = ModelClaims::default();
        let claims = self.models.get(&model.name).unwrap_or(&nothing);
        claims.identify(model, &verified)
    }
}
