//! What a signature is good for.

use super::date::AmzDate;
use super::wording;
use monotable_api::Error;
use std::fmt;

const SERVICE: &str = "dynamodb";
const TERMINATOR: &str = "aws4_request";

/// The parts of `AKID/20130609/us-east-1/dynamodb/aws4_request`.
pub(super) struct Scope<'a> {
    pub(super) key_id: &'a str,
    pub(super) day: &'a str,
    pub(super) region: &'a str,
    service: &'a str,
    terminator: &'a str,
}

impl<'a> Scope<'a> {
    pub(super) fn parse(credential: &'a str) -> Result<Self, Error> {
        let mut parts = credential.trim_end_matches('/').split('/');
        let mut next = || parts.next().ok_or_else(|| wording::credential(credential));
        let scope = Self {
            key_id: next()?,
            day: next()?,
            region: next()?,
            service: next()?,
            terminator: next()?,
        };
        match parts.next() {
            None => Ok(scope),
            Some(_) => Err(wording::credential(credential)),
        }
    }

    /// Checks all but the key. Any region will do: there is one data set, or one for each (`data_sets.rs`).
    pub(super) fn check(&self, date: AmzDate) -> Result<(), Error> {
        let mut problems = Vec::new();
        if self.region.is_empty() {
            problems.push("Credential should be scoped to a valid region, not ''. ".to_owned());
        }
        if self.service != SERVICE {
            problems.push(format!(
                "Credential should be scoped to correct service: '{SERVICE}'. "
            ));
        }
        if self.terminator != TERMINATOR {
            problems.push(format!(
                "Credential should be scoped with a valid terminator: '{TERMINATOR}', not '{}'. ",
                self.terminator
            ));
        }
        let today = date.day();
        if self.day != today {
            problems.push(format!(
                "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from \
                 HTTP: '{}' != '{today}', from '{date}'.",
                self.day
            ));
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(wording::invalid(problems.concat().trim_end()))
        }
    }
}

/// As it is signed: without the key.
impl fmt::Display for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            day,
            region,
            service,
            terminator,
            ..
        } = self;
        write!(f, "{day}/{region}/{service}/{terminator}")
    }
}
