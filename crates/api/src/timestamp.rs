//! Points in time as AWS writes them: seconds since 1970 with a fraction.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

/// A point in time, to the millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    millis: u64,
}

impl Timestamp {
    /// The point this many milliseconds after 1970-01-01T00:00:00Z.
    pub const fn from_millis(millis: u64) -> Self {
        Self { millis }
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn as_millis(self) -> u64 {
        self.millis
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.millis as f64 / 1000.0)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        // A float cast saturates, so a negative time reads as 1970.
        Ok(Self {
            millis: (seconds * 1000.0).round() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn seconds_with_a_fraction() {
        let time = Timestamp::from_millis(1_731_700_000_123);
        assert_eq!(serde_json::to_string(&time).unwrap(), "1731700000.123");
    }

    proptest! {
        #[test]
        fn milliseconds_survive_the_wire(millis in 0u64..10_000_000_000_000) {
            let time = Timestamp::from_millis(millis);
            let text = serde_json::to_string(&time).unwrap();
            prop_assert_eq!(serde_json::from_str::<Timestamp>(&text).unwrap(), time);
        }
    }
}
