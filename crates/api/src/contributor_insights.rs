//! Contributor insights: which keys are asked for most. They are a view of CloudWatch, and off here.

use crate::choice::choices;

choices! {
    /// Whether insights are made.
    pub enum ContributorInsightsStatus {
        /// They will be soon.
        Enabling = "ENABLING",
        /// They are.
        Enabled = "ENABLED",
        /// They are until soon.
        Disabling = "DISABLING",
        /// They are not.
        Disabled = "DISABLED",
        /// They cannot be.
        Failed = "FAILED",
    }

    /// Which requests insights count.
    pub enum ContributorInsightsMode {
        /// All of them.
        AccessedAndThrottledKeys = "ACCESSED_AND_THROTTLED_KEYS",
        /// Those that were throttled.
        ThrottledKeys = "THROTTLED_KEYS",
    }

    /// What to do about insights.
    pub enum ContributorInsightsAction {
        /// To make them.
        Enable = "ENABLE",
        /// To make them no longer.
        Disable = "DISABLE",
    }
}
