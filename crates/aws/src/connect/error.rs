//! Why there is no client.

use std::fmt;

/// What is missing or wrong, and what to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectError {
    /// No region is known.
    NoRegion,
    /// The region cannot be part of a host name.
    InvalidRegion {
        /// As it was given.
        region: String,
    },
    /// The endpoint is not a URL to send requests to.
    InvalidEndpoint {
        /// As it was given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No credentials were found, or those that are configured could not be had.
    NoCredentials {
        /// What each source said.
        reason: String,
    },
    /// The certificates that the machine trusts cannot be read.
    NoTrustedCertificates {
        /// What went wrong.
        reason: String,
    },
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRegion => f.write_str(
                "no region: set AWS_REGION or a region in the AWS profile, or name one (--region us-east-1)",
            ),
            Self::InvalidRegion { region } => write!(
                f,
                "'{region}' is not a region: one consists of letters, digits and hyphens, as us-east-1 does"
            ),
            Self::InvalidEndpoint { url, reason } => write!(
                f,
                "the endpoint '{url}' {reason}: give a URL such as http://127.0.0.1:8000, by option, \
                 AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL or the AWS profile"
            ),
            Self::NoCredentials { reason } => write!(
                f,
                "no credentials: {reason}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, \
                 or run `aws configure` or `aws sso login`"
            ),
            Self::NoTrustedCertificates { reason } => write!(
                f,
                "the certificates that this machine trusts cannot be read: {reason}. Install them \
                 (ca-certificates), or set SSL_CERT_FILE"
            ),
        }
    }
}

impl std::error::Error for ConnectError {}
