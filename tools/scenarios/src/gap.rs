//! Scripts that a server of somebody else does not pass, each with the cause. docs/other-servers.md tells them to people.

use crate::other_server::OtherServer;
use crate::target::Target;
use std::path::Path;

/// Why a target does not pass a script; none if it has to.
#[must_use]
pub fn find_gap(target: Target, file: &str) -> Option<&'static str> {
    let Target::Other(server) = target else {
        return None;
    };
    let script = Path::new(file).file_stem()?.to_str()?;
    let gaps = match server {
        OtherServer::Dynoxide => DYNOXIDE,
        OtherServer::ExtendDb => EXTENDDB,
    };
    let mut gaps = gaps.iter();
    gaps.find(|(known, _)| *known == script)
        .map(|(_, cause)| *cause)
}

/// Scripts and causes.
type Gaps = &'static [(&'static str, &'static str)];

const DYNOXIDE: Gaps = &[];

const EXTENDDB: Gaps = &[];
