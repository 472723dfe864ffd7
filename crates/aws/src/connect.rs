//! From options and surroundings to a client.
//!
//! `aws-config` reads the environment and the profiles. Two things are asked for separately, so that
//! nobody waits seconds for a metadata service that is not there: the region of the machine, only when
//! nothing else names one, and the credentials of the machine, only when the endpoint is not local.

mod error;
mod http_client;
pub(crate) mod settings;

pub use error::ConnectError;

use crate::clock::Clock;
use crate::credentials::CredentialSource;
use crate::endpoint::{Endpoint, Variant};
use crate::remote::{EndpointOwner, Remote};
use crate::retry::Retries;
use crate::transport::Transport;
use crate::{RemoteOptions, credentials};
use aws_config::SdkConfig;
use std::time::Duration;

const LOCAL_REGION: &str = "us-east-1";
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_millis(3100);
const MAX_ATTEMPTS: u32 = 3;

pub(crate) async fn connect(options: RemoteOptions) -> Result<Remote, ConnectError> {
    let named = options.endpoint_url.as_deref().map(Endpoint::parse);
    let named = named.transpose()?;
    let mut settings = settings::load(&options).await;
    let named = match named {
        Some(endpoint) => Some(endpoint),
        None => settings::endpoint_url(&settings)
            .map(|url| Endpoint::parse(&url))
            .transpose()?,
    };
    let is_local = named.as_ref().is_some_and(Endpoint::is_loopback);
    let region = match settings.region() {
        Some(region) => region.to_string(),
        None if is_local => LOCAL_REGION.to_owned(),
        None => {
            let region = settings::machine_region().await;
            let region = region.ok_or(ConnectError::NoRegion)?;
            settings = settings::load(&options.clone().region(region.clone())).await;
            region
        }
    };
    check_region(&region)?;
    let (endpoint, owner) = match named {
        Some(endpoint) => (endpoint, EndpointOwner::Named),
        None => {
            let endpoint = Endpoint::of_region(&region, variant(&settings))?;
            (endpoint, EndpointOwner::Amazon)
        }
    };
    let credentials = match options.credentials.clone() {
        Some(fixed) => CredentialSource::fixed(fixed),
        None if is_local => credentials::local(&options, &region).await?,
        None => credentials::default_chain(&options, &settings).await?,
    };
    Ok(Remote::new(
        transport(&options, &settings, endpoint)?,
        Retries::new(max_attempts(&options, &settings)),
        credentials,
        Clock::new(),
        region,
        owner,
    ))
}

fn variant(settings: &SdkConfig) -> Variant {
    Variant {
        fips: settings.use_fips().unwrap_or(false),
        dual_stack: settings.use_dual_stack().unwrap_or(false),
    }
}

/// A region becomes part of a host name: nothing else may hide in it.
fn check_region(region: &str) -> Result<(), ConnectError> {
    let fits = !region.is_empty()
        && region.len() <= 63
        && region
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !region.starts_with('-')
        && !region.ends_with('-');
    if fits {
        Ok(())
    } else {
        Err(ConnectError::InvalidRegion {
            region: region.to_owned(),
        })
    }
}

fn transport(
    options: &RemoteOptions,
    settings: &SdkConfig,
    endpoint: Endpoint,
) -> Result<Transport, ConnectError> {
    let configured = settings.timeout_config();
    let connect_timeout = options
        .connect_timeout
        .or_else(|| configured?.connect_timeout())
        .unwrap_or(CONNECT_TIMEOUT);
    let attempt_timeout = options
        .attempt_timeout
        .or_else(|| configured?.operation_attempt_timeout())
        .unwrap_or(ATTEMPT_TIMEOUT);
    Transport::new(endpoint, connect_timeout, attempt_timeout)
}

/// `aws-config` always gives a number; it is the user's only if it differs from its own default, which
/// is ours as well.
fn max_attempts(options: &RemoteOptions, settings: &SdkConfig) -> u32 {
    options
        .max_attempts
        .or_else(|| Some(settings.retry_config()?.max_attempts()))
        .unwrap_or(MAX_ATTEMPTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_one_label_of_a_host_name() {
        for region in ["us-east-1", "local", "eu-isoe-west-1"] {
            assert_eq!(check_region(region), Ok(()));
        }
        for region in ["", "us-east-1.example.org/", "a b", "-x", "x-", "ü"] {
            let error = check_region(region).unwrap_err();
            assert!(error.to_string().contains("is not a region"), "{region}");
        }
    }
}
