//! Networks of addresses: `203.0.113.0/24`.

use std::net::{IpAddr, Ipv6Addr};

/// Addresses that begin with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Network {
    family: Family,
    address: u128,
    /// How many bits of `address` do not count, from the right.
    open: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    V4,
    V6,
}

impl Family {
    const fn bits(self) -> u32 {
        match self {
            Self::V4 => 32,
            Self::V6 => 128,
        }
    }
}

impl Network {
    /// A network, or a single address.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (address, length) = match text.split_once('/') {
            Some((address, length)) => (address, Some(length.parse::<u32>().ok()?)),
            None => (text, None),
        };
        let (family, address) = split(address.parse().ok()?);
        let open = family.bits().checked_sub(length.unwrap_or(family.bits()))?;
        Some(Self {
            family,
            address,
            open,
        })
    }

    pub(super) fn contains(&self, address: IpAddr) -> bool {
        let (family, address) = split(address);
        let shifted = |bits: u128| bits.checked_shr(self.open).unwrap_or(0);
        family == self.family && shifted(address) == shifted(self.address)
    }
}

/// A mapped address of version 4 is one of version 4: how a socket is bound must not matter.
fn split(address: IpAddr) -> (Family, u128) {
    match address.to_canonical() {
        IpAddr::V4(address) => (Family::V4, u32::from(address).into()),
        IpAddr::V6(address) => (Family::V6, Ipv6Addr::to_bits(address)),
    }
}
