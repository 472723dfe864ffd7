//! Where connections come from.

use std::net::{IpAddr, Ipv6Addr};

/// An address that connections are counted for. Of the sixth version of addresses it is the network of 64 bits, all of which
/// one subscriber has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Source(IpAddr);

impl Source {
    pub(super) fn new(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                Self(Ipv6Addr::from_bits(network).into())
            }
            address => Self(address),
        }
    }

    /// Whether all programs of this machine share it.
    pub(super) const fn is_this_machine(self) -> bool {
        self.0.is_loopback()
    }
}
