//! Encryption at rest. Monotable accepts and describes what a request says about it; the data of an
//! embedded table is as encrypted as the disk it lies on.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, Timestamp, wording};

choices! {
    /// Who holds the key.
    pub enum SseType {
        /// DynamoDB.
        Aes256 = "AES256",
        /// The key management service.
        Kms = "KMS",
    }

    /// How far encryption is.
    pub enum SseStatus {
        /// Being turned on.
        Enabling = "ENABLING",
        /// On.
        Enabled = "ENABLED",
        /// Being turned off.
        Disabling = "DISABLING",
        /// Off.
        Disabled = "DISABLED",
        /// Being changed.
        Updating = "UPDATING",
    }
}

structure! {
    /// How a table is to be encrypted.
    pub struct SseSpecification {
        /// With a key of the key management service.
        enabled: bool,
        /// Who holds the key.
        #[serde(rename = "SSEType")]
        sse_type: Chosen<SseType>,
        /// Which key.
        #[serde(rename = "KMSMasterKeyId")]
        kms_master_key_id: String,
    }

    /// How a described table is encrypted.
    pub struct SseDescription {
        /// How far it is.
        status: SseStatus,
        /// Who holds the key.
        #[serde(rename = "SSEType")]
        sse_type: SseType,
        /// Which key.
        #[serde(rename = "KMSMasterKeyArn")]
        kms_master_key_arn: String,
        /// Since when the key cannot be used.
        inaccessible_encryption_date_time: Timestamp,
    }
}

impl SseSpecification {
    pub(crate) fn constrain(given: &Option<Self>, constraints: &mut Constraints) {
        const PATH: Path<'static> = Path::Root("sseSpecification");
        if let Some(given) = given {
            constraints.choice(PATH.field("sseType"), &given.sse_type);
        }
    }

    /// What AWS demands of the members' relation to each other.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let enabled = self.enabled.unwrap_or_default();
        let owner = self.sse_type.as_ref().and_then(Chosen::known);
        let key = self.kms_master_key_id.as_ref();
        let broken = match (enabled, owner, key) {
            (false, Some(_), _) => wording::KEY_OWNER_WHEN_DISABLED,
            (false, None, Some(_)) => wording::KEY_WHEN_DISABLED,
            (true, Some(SseType::Aes256), _) => wording::AES256_NOT_SUPPORTED,
            (true, None, Some(_)) => wording::KEY_WITHOUT_OWNER,
            (false, None, None) | (true, None, None) | (true, Some(SseType::Kms), _) => {
                return Ok(());
            }
        };
        Err(Error::validation(broken))
    }
}
