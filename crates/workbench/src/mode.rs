//! What the page may do.

use std::str::FromStr;

/// What the page may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Show and change rows.
    #[default]
    On,
    /// Show rows.
    ReadOnly,
    /// Nothing: there is no page.
    Off,
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "on" => Ok(Self::On),
            "read-only" => Ok(Self::ReadOnly),
            "off" => Ok(Self::Off),
            _ => Err("wanted is on, read-only or off".to_owned()),
        }
    }
}
