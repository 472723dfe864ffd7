//! Who signs: credentials, kept until shortly before they expire.

use crate::connect::settings::provider_config;
use crate::{ConnectError, RemoteOptions, transport};
use aws_config::SdkConfig;
use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::meta::credentials::CredentialsProviderChain;
use aws_config::profile::ProfileFileCredentialsProvider;
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use std::sync::{PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use tokio::sync::Mutex;

/// Credentials are asked for again this long before they expire, so that none expires on its way.
const REFRESH_BEFORE_EXPIRY: Duration = Duration::from_secs(10);

/// Gives the credentials of the moment.
#[derive(Debug)]
pub(crate) struct CredentialSource {
    provider: SharedCredentialsProvider,
    /// Read by every call. Never held while waiting.
    cached: RwLock<Option<Credentials>>,
    /// Held while asking the provider, so that a hundred calls ask it once.
    refreshing: Mutex<()>,
}

/// The chain of the AWS SDKs.
pub(crate) async fn default_chain(
    options: &RemoteOptions,
    settings: &SdkConfig,
) -> Result<CredentialSource, ConnectError> {
    let provider = settings.credentials_provider();
    let provider = provider.ok_or_else(|| ConnectError::NoCredentials {
        reason: "none are configured".to_owned(),
    })?;
    CredentialSource::asked(provider)
        .await
        .map_err(|error| missing(options, &error))
}

/// For an endpoint on this machine: the environment, the profile, or placeholders when neither has
/// any. A profile that is named or that fails is the user's intention and not passed over.
pub(crate) async fn local(
    options: &RemoteOptions,
    region: &str,
) -> Result<CredentialSource, ConnectError> {
    let mut profile =
        ProfileFileCredentialsProvider::builder().configure(&provider_config(Some(region)));
    if let Some(name) = &options.profile {
        profile = profile.profile_name(name);
    }
    let chain = CredentialsProviderChain::first_try(
        "Environment",
        EnvironmentVariableCredentialsProvider::new(),
    )
    .or_else("Profile", profile.build());
    match CredentialSource::asked(SharedCredentialsProvider::new(chain)).await {
        Err(CredentialsError::CredentialsNotLoaded(_)) if options.profile.is_none() => {
            Ok(CredentialSource::fixed(placeholders()))
        }
        asked => asked.map_err(|error| missing(options, &error)),
    }
}

/// Letters only, because DynamoDB Local refuses access keys with anything but letters and digits.
fn placeholders() -> Credentials {
    Credentials::new("local", "local", None, None, "placeholder")
}

fn missing(options: &RemoteOptions, error: &CredentialsError) -> ConnectError {
    let profile = options.profile.as_ref();
    let profile = profile.map_or_else(String::new, |name| format!("with profile '{name}', "));
    let reason = transport::with_causes(error);
    ConnectError::NoCredentials {
        reason: format!("{profile}{reason}"),
    }
}

impl CredentialSource {
    /// Credentials that never change.
    pub(crate) fn fixed(credentials: Credentials) -> Self {
        Self {
            provider: SharedCredentialsProvider::new(credentials.clone()),
            cached: RwLock::new(Some(credentials)),
            refreshing: Mutex::new(()),
        }
    }

    /// Asks a provider for the first time.
    async fn asked(provider: SharedCredentialsProvider) -> Result<Self, CredentialsError> {
        let credentials = provider.provide_credentials().await?;
        Ok(Self {
            provider,
            cached: RwLock::new(Some(credentials)),
            refreshing: Mutex::new(()),
        })
    }

    /// The credentials to sign with at this time.
    pub(crate) async fn current(&self, now: SystemTime) -> Result<Credentials, String> {
        if let Some(fresh) = self.cached_if(|cached| is_fresh(cached, now)) {
            return Ok(fresh);
        }
        let _one_at_a_time = self.refreshing.lock().await;
        if let Some(fresh) = self.cached_if(|cached| is_fresh(cached, now)) {
            return Ok(fresh);
        }
        match self.provider.provide_credentials().await {
            Ok(credentials) => Ok(self.keep(credentials)),
            // The old ones serve as long as they last, even if the provider is down for the moment.
            Err(error) => self
                .cached_if(|cached| cached.expiry().is_none_or(|expiry| expiry > now))
                .ok_or_else(|| transport::with_causes(&error)),
        }
    }

    /// The service says that these have expired. Whether there are others now.
    pub(crate) async fn replace(&self, expired: &Credentials) -> bool {
        let _one_at_a_time = self.refreshing.lock().await;
        if self.cached_if(|cached| cached != expired).is_some() {
            return true;
        }
        match self.provider.provide_credentials().await {
            Ok(credentials) => self.keep(credentials) != *expired,
            Err(_) => false,
        }
    }

    fn cached_if(&self, fits: impl Fn(&Credentials) -> bool) -> Option<Credentials> {
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
        cached.as_ref().filter(|cached| fits(cached)).cloned()
    }

    fn keep(&self, credentials: Credentials) -> Credentials {
        let mut cached = self.cached.write().unwrap_or_else(PoisonError::into_inner);
        cached.insert(credentials).clone()
    }
}

fn is_fresh(credentials: &Credentials, now: SystemTime) -> bool {
    credentials
        .expiry()
        .is_none_or(|expiry| expiry > now + REFRESH_BEFORE_EXPIRY)
}
