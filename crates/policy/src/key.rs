//! The keys that conditions and variables can name.

use crate::access::Access;
use crate::circumstances::{Circumstances, Transport};
use crate::principal::Principal;
use std::fmt;

/// A key of a condition, or of a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ConditionKey {
    LeadingKeys,
    PartitionKeyValues(PartitionPart),
    Attributes,
    Select,
    ReturnValues,
    ReturnConsumedCapacity,
    FullTableScan,
    EnclosingOperation,
    CurrentTime,
    EpochTime,
    SourceIp,
    RequestedRegion,
    SecureTransport,
    /// What belongs to the caller, in lower case: `aws:username`, `aws:principaltag/team`.
    Caller(String),
}

/// Which attribute of a partition key of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PartitionPart {
    First,
    Second,
    Third,
    Fourth,
}

impl PartitionPart {
    pub(crate) const fn position(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
            Self::Third => 2,
            Self::Fourth => 3,
        }
    }
}

/// How many values a key can have in one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Multiplicity {
    One,
    Several,
}

/// The keys of requests, in lower case, with their usual spelling.
const OF_REQUESTS: &[(&str, ConditionKey)] = &[
    ("dynamodb:LeadingKeys", ConditionKey::LeadingKeys),
    (
        "dynamodb:FirstPartitionKeyValues",
        ConditionKey::PartitionKeyValues(PartitionPart::First),
    ),
    (
        "dynamodb:SecondPartitionKeyValues",
        ConditionKey::PartitionKeyValues(PartitionPart::Second),
    ),
    (
        "dynamodb:ThirdPartitionKeyValues",
        ConditionKey::PartitionKeyValues(PartitionPart::Third),
    ),
    (
        "dynamodb:FourthPartitionKeyValues",
        ConditionKey::PartitionKeyValues(PartitionPart::Fourth),
    ),
    ("dynamodb:Attributes", ConditionKey::Attributes),
    ("dynamodb:Select", ConditionKey::Select),
    ("dynamodb:ReturnValues", ConditionKey::ReturnValues),
    (
        "dynamodb:ReturnConsumedCapacity",
        ConditionKey::ReturnConsumedCapacity,
    ),
    ("dynamodb:FullTableScan", ConditionKey::FullTableScan),
    (
        "dynamodb:EnclosingOperation",
        ConditionKey::EnclosingOperation,
    ),
    ("aws:CurrentTime", ConditionKey::CurrentTime),
    ("aws:EpochTime", ConditionKey::EpochTime),
    ("aws:SourceIp", ConditionKey::SourceIp),
    ("aws:RequestedRegion", ConditionKey::RequestedRegion),
    ("aws:SecureTransport", ConditionKey::SecureTransport),
];

/// The keys of callers, in lower case. The file of access keys gives their values.
pub(crate) const OF_CALLERS: &[&str] = &[
    "accounts.google.com:aud",
    "accounts.google.com:oaud",
    "accounts.google.com:sub",
    "aws:federatedprovider",
    "aws:principalaccount",
    "aws:principalarn",
    "aws:userid",
    "aws:username",
    "cognito-identity.amazonaws.com:aud",
    "cognito-identity.amazonaws.com:sub",
    "cognito:sub",
    "cognito:username",
    "graph.facebook.com:app_id",
    "graph.facebook.com:id",
    "saml:sub",
    "www.amazon.com:app_id",
    "www.amazon.com:user_id",
];

/// Any tag of the caller.
pub(crate) const TAG_PREFIX: &str = "aws:principaltag/";

impl ConditionKey {
    /// The key of this name, in any case, if it is one that is known here.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let is_named = |(known, _): &&(&str, Self)| known.eq_ignore_ascii_case(name);
        if let Some((_, key)) = OF_REQUESTS.iter().find(is_named) {
            return Some(key.clone());
        }
        let lower = name.to_ascii_lowercase();
        is_of_caller(&lower).then_some(Self::Caller(lower))
    }

    pub(crate) const fn multiplicity(&self) -> Multiplicity {
        match self {
            Self::LeadingKeys | Self::PartitionKeyValues(_) | Self::Attributes => {
                Multiplicity::Several
            }
            _ => Multiplicity::One,
        }
    }

    /// The values of the key in a request; none if the request has no such key.
    pub(crate) fn values(&self, context: &Context<'_>) -> Vec<String> {
        let access = context.access;
        let one = |value: Option<&str>| value.map(str::to_owned).into_iter().collect();
        match self {
            Self::LeadingKeys => access.partition_values(PartitionPart::First).to_vec(),
            Self::PartitionKeyValues(part) => access.partition_values(*part).to_vec(),
            Self::Attributes => access.attributes.iter().cloned().collect(),
            Self::Select => one(access.select),
            Self::ReturnValues => one(access.return_values),
            Self::ReturnConsumedCapacity => one(access.return_consumed_capacity),
            Self::FullTableScan => access
                .full_table_scan
                .map(|is_full| is_full.to_string())
                .into_iter()
                .collect(),
            Self::EnclosingOperation => one(access.enclosing_operation),
            Self::CurrentTime => vec![context.circumstances.current_time()],
            Self::EpochTime => vec![context.circumstances.epoch_seconds().to_string()],
            Self::SourceIp => context
                .circumstances
                .source
                .map(|address| address.to_string())
                .into_iter()
                .collect(),
            Self::RequestedRegion => one(access.resource.split(':').nth(3)),
            Self::SecureTransport => {
                let is_secure = context.circumstances.transport == Transport::Tls;
                vec![is_secure.to_string()]
            }
            Self::Caller(name) => one(context.principal.context(name)),
        }
    }
}

/// Whether a name in lower case is that of something that belongs to callers.
pub(crate) fn is_of_caller(lower: &str) -> bool {
    OF_CALLERS.contains(&lower)
        || lower
            .strip_prefix(TAG_PREFIX)
            .is_some_and(|tag| !tag.is_empty())
}

impl fmt::Display for ConditionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = OF_REQUESTS.iter().find(|(_, key)| key == self);
        match (self, name) {
            (Self::Caller(name), _) => f.write_str(name),
            (_, Some((name, _))) => f.write_str(name),
            (_, None) => Ok(()),
        }
    }
}

/// Everything that conditions can ask about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'c> {
    pub(crate) principal: &'c Principal,
    pub(crate) access: &'c Access,
    pub(crate) circumstances: &'c Circumstances,
}
