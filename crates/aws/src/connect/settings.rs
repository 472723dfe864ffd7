//! What the environment and the profiles say.

use crate::RemoteOptions;
use crate::connect::http_client;
use aws_config::environment::region::EnvironmentVariableRegionProvider;
use aws_config::imds::region::ImdsRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::ProfileFileRegionProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::{BehaviorVersion, ConfigLoader, Region, SdkConfig};
use aws_types::service_config::ServiceConfigKey;

/// Reads them; nothing of it uses the network.
pub(super) async fn load(options: &RemoteOptions) -> SdkConfig {
    let loader = aws_config::defaults(BehaviorVersion::latest())
        .region(region(options))
        .http_client(http_client::new());
    with_profile(loader, options).load().await
}

/// These surroundings for a single source of credentials or region.
pub(crate) fn provider_config(region: Option<&str>) -> ProviderConfig {
    let region = region.map(|region| Region::new(region.to_owned()));
    ProviderConfig::without_region()
        .with_region(region)
        .with_http_client(http_client::new())
}

fn with_profile(loader: ConfigLoader, options: &RemoteOptions) -> ConfigLoader {
    match &options.profile {
        Some(profile) => loader.profile_name(profile),
        None => loader,
    }
}

/// The default order of `aws-config`, without the machine's metadata.
fn region(options: &RemoteOptions) -> RegionProviderChain {
    let mut profile = ProfileFileRegionProvider::builder();
    if let Some(name) = &options.profile {
        profile = profile.profile_name(name);
    }
    RegionProviderChain::first_try(options.region.clone().map(Region::new))
        .or_else(EnvironmentVariableRegionProvider::new())
        .or_else(profile.build())
}

/// The region of the machine, if it is one of Amazon's.
pub(super) async fn machine_region() -> Option<String> {
    let metadata = ImdsRegionProvider::builder().configure(&provider_config(None));
    metadata
        .build()
        .region()
        .await
        .map(|region| region.to_string())
}

/// The endpoint of DynamoDB: `AWS_ENDPOINT_URL_DYNAMODB`, `AWS_ENDPOINT_URL`, the profile's section of
/// services, the profile; nothing if configured endpoints are to be ignored.
pub(super) fn endpoint_url(settings: &SdkConfig) -> Option<String> {
    let key = ServiceConfigKey::builder()
        .service_id("DynamoDB")
        .env("AWS_ENDPOINT_URL")
        .profile("endpoint_url")
        .build()
        .ok()?;
    let url = settings.service_config()?.load_config(key)?;
    // An empty variable says nothing, as for the AWS CLI.
    Some(url).filter(|url| !url.trim().is_empty())
}
