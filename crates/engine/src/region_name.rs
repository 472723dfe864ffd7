//! The name of a region.

use std::fmt;

/// The longest name of a region; AWS's longest has 14 characters.
const LONGEST: usize = 32;

/// The name of a region, such as `eu-central-1`. It is also the name of a folder, so it has nothing but small letters, digits
/// and hyphens, and begins with a letter: no path leads out of the store, and no two names are one on a disk that
/// ignores case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionName(String);

impl RegionName {
    /// The region that ARNs name where nobody asked for one.
    pub const LOCAL: &'static str = "local";

    /// The name, or none if no region can be called this.
    pub fn parse(given: &str) -> Option<Self> {
        let may_begin = |byte: u8| byte.is_ascii_lowercase();
        let may_end = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let first = given.bytes().next()?;
        let last = given.bytes().next_back()?;
        let fits = given.len() <= LONGEST
            && may_begin(first)
            && may_end(last)
            && given.bytes().all(|byte| may_end(byte) || byte == b'-');
        fits.then(|| Self(given.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    #[cfg(feature = "disk")]
    pub(super) fn is_local(&self) -> bool {
        self.0 == Self::LOCAL
    }

    #[cfg(feature = "disk")]
    pub(super) fn local() -> Self {
        Self(Self::LOCAL.to_owned())
    }
}

impl fmt::Display for RegionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_aws_and_of_tests_are_names() {
        for name in ["eu-central-1", "us-gov-west-1", "local", "r", "localhost"] {
            assert_eq!(RegionName::parse(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn what_could_lead_out_of_the_folder_is_no_name() {
        let long = "a".repeat(LONGEST + 1);
        for name in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "a.b",
            "a\0",
            "A",
            "fakeRegion",
            "-a",
            "a-",
            "1a",
            "ä",
            "a b",
            &long,
        ] {
            assert_eq!(RegionName::parse(name), None, "{name:?}");
        }
    }
}
