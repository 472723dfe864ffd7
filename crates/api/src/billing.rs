//! How a table's throughput is paid for.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, Timestamp, wording};

/// Most units that may be provisioned.
const MAX_UNITS: i64 = 1_000_000_000_000;

choices! {
    /// Whether throughput is bought ahead.
    pub enum BillingMode {
        /// Bought ahead, in units per second.
        Provisioned = "PROVISIONED",
        /// Paid as it is used.
        PayPerRequest = "PAY_PER_REQUEST",
    }
}

structure! {
    /// Units per second, bought ahead.
    pub struct ProvisionedThroughput {
        /// Strongly consistent reads of 4 KB per second.
        read_capacity_units: i64,
        /// Writes of 1 KB per second.
        write_capacity_units: i64,
    }

    /// The most that a table paid by use may use.
    pub struct OnDemandThroughput {
        /// Read units per second; -1 for no limit.
        max_read_request_units: i64,
        /// Write units per second; -1 for no limit.
        max_write_request_units: i64,
    }

    /// What a table can take at once without scaling first.
    pub struct WarmThroughput {
        /// Read units.
        read_units_per_second: i64,
        /// Write units.
        write_units_per_second: i64,
    }

    /// The provisioned throughput of a described table; zeros when it is paid by use.
    pub struct ProvisionedThroughputDescription {
        /// When it was last raised.
        last_increase_date_time: Timestamp,
        /// When it was last lowered.
        last_decrease_date_time: Timestamp,
        /// How often it was lowered today.
        number_of_decreases_today: u64,
        /// Read units per second.
        read_capacity_units: u64,
        /// Write units per second.
        write_capacity_units: u64,
    }

    /// How a described table is paid for.
    pub struct BillingModeSummary {
        /// The mode.
        billing_mode: BillingMode,
        /// When the table was last switched to being paid by use.
        last_update_to_pay_per_request_date_time: Timestamp,
    }
}

/// Provisioned units, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throughput {
    /// Read units per second.
    pub read: u64,
    /// Write units per second.
    pub write: u64,
}

/// How a table is to be paid for, checked.
#[derive(Clone, Debug, PartialEq)]
pub enum Billing {
    /// As it is used, up to a limit if there is one.
    OnDemand(Option<OnDemandThroughput>),
    /// Ahead.
    Provisioned(Throughput),
}

impl Billing {
    /// The mode as AWS names it.
    pub const fn mode(&self) -> BillingMode {
        match self {
            Self::OnDemand(_) => BillingMode::PayPerRequest,
            Self::Provisioned(_) => BillingMode::Provisioned,
        }
    }
}

impl ProvisionedThroughput {
    /// This many read and write units per second.
    pub const fn new(read: i64, write: i64) -> Self {
        Self {
            read_capacity_units: Some(read),
            write_capacity_units: Some(write),
        }
    }

    /// Checks the constraints of both members; AWS lists the write units first.
    pub(crate) fn constrain(given: &Option<Self>, constraints: &mut Constraints, path: Path<'_>) {
        let Some(given) = given else { return };
        let members = [
            (
                path.field("writeCapacityUnits"),
                &given.write_capacity_units,
            ),
            (path.field("readCapacityUnits"), &given.read_capacity_units),
        ];
        for (path, units) in members {
            if let Some(units) = constraints.required(path, units) {
                constraints.range(path, *units, 1..=i64::MAX);
            }
        }
    }

    /// The units, once their constraints hold.
    pub(crate) fn checked(&self) -> Result<Throughput, Error> {
        Ok(Throughput {
            read: units("ReadCapacityUnits", self.read_capacity_units)?,
            write: units("WriteCapacityUnits", self.write_capacity_units)?,
        })
    }
}

fn units(member: &str, given: Option<i64>) -> Result<u64, Error> {
    let given = given.unwrap_or_default();
    if given > MAX_UNITS {
        return Err(Error::validation(wording::units_out_of_bounds(
            given, member,
        )));
    }
    Ok(given.unsigned_abs())
}

/// Takes a limit away.
const NO_LIMIT: i64 = -1;

/// Whether -1 may take an earlier limit away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removal {
    Allowed,
    Refused,
}

impl OnDemandThroughput {
    /// Checks the limits of a table or index that is paid by use.
    pub(crate) fn check(&self, of: &str, removal: Removal) -> Result<(), Error> {
        self.each(|member, units| match units {
            1.. => Ok(()),
            NO_LIMIT if removal == Removal::Allowed => Ok(()),
            _ => Err(Error::validation(wording::on_demand_out_of_range(
                member, of,
            ))),
        })
    }

    /// A table or index that is paid ahead has no such limits. `of` is empty for a table, and names an index.
    pub(crate) fn refuse_when_provisioned(&self, of: &str) -> Result<(), Error> {
        self.each(|member, _| {
            Err(Error::validation(wording::on_demand_when_provisioned(
                member, of,
            )))
        })
    }

    /// A table that is paid ahead is made without such limits.
    fn refuse_for_new_table(&self) -> Result<(), Error> {
        self.each(|member, _| Err(Error::validation(wording::on_demand_of_new_table(member))))
    }

    /// Refuses limits for a table that is paid ahead.
    pub fn refuse_for_provisioned_table(&self) -> Result<(), Error> {
        self.refuse_when_provisioned("")
    }

    /// Refuses limits for an index of a table that is paid ahead.
    pub fn refuse_for_provisioned_index(&self, name: &str) -> Result<(), Error> {
        self.refuse_when_provisioned(&format!("for index : {name}"))
    }

    /// These limits after earlier ones: what is not given stays, and -1 takes a limit away. None if no limit is left.
    #[must_use]
    pub fn after(&self, before: Option<&Self>) -> Option<Self> {
        let change = |wanted: Option<i64>, before: Option<i64>| match wanted {
            None => before,
            Some(units) => Some(units).filter(|units| *units != NO_LIMIT),
        };
        let changed = Self {
            max_read_request_units: change(
                self.max_read_request_units,
                before.and_then(|before| before.max_read_request_units),
            ),
            max_write_request_units: change(
                self.max_write_request_units,
                before.and_then(|before| before.max_write_request_units),
            ),
        };
        let has_limit =
            changed.max_read_request_units.is_some() || changed.max_write_request_units.is_some();
        has_limit.then_some(changed)
    }

    /// Limits as the answer to this change of them shows them: with the -1 of those that it takes away.
    #[must_use]
    pub fn show_removals(&self, described: Option<Self>) -> Option<Self> {
        let removed = |units: Option<i64>| units.filter(|units| *units == NO_LIMIT);
        let (read, write) = (
            removed(self.max_read_request_units),
            removed(self.max_write_request_units),
        );
        if read.is_none() && write.is_none() {
            return described;
        }
        let described = described.unwrap_or_default();
        Some(Self {
            max_read_request_units: read.or(described.max_read_request_units),
            max_write_request_units: write.or(described.max_write_request_units),
        })
    }

    fn each(&self, check: impl Fn(&str, i64) -> Result<(), Error>) -> Result<(), Error> {
        if let Some(units) = self.max_read_request_units {
            check("MaxReadRequestUnits", units)?;
        }
        if let Some(units) = self.max_write_request_units {
            check("MaxWriteRequestUnits", units)?;
        }
        Ok(())
    }
}

/// The billing of a new table.
pub(crate) fn of_new_table(
    mode: &Option<Chosen<BillingMode>>,
    provisioned: &Option<ProvisionedThroughput>,
    on_demand: Option<OnDemandThroughput>,
) -> Result<Billing, Error> {
    let mode = mode
        .as_ref()
        .and_then(Chosen::known)
        .unwrap_or(BillingMode::Provisioned);
    match (mode, provisioned) {
        (BillingMode::PayPerRequest, Some(_)) => {
            Err(Error::validation(wording::UNITS_WHEN_ON_DEMAND))
        }
        (BillingMode::PayPerRequest, None) => {
            if let Some(on_demand) = &on_demand {
                on_demand.check("for table", Removal::Refused)?;
            }
            // Limits without a member are none.
            Ok(Billing::OnDemand(
                on_demand.and_then(|limits| limits.after(None)),
            ))
        }
        (BillingMode::Provisioned, None) => {
            Err(Error::validation(wording::UNITS_REQUIRED_WHEN_PROVISIONED))
        }
        (BillingMode::Provisioned, Some(provisioned)) => {
            let throughput = provisioned.checked()?;
            if let Some(on_demand) = on_demand {
                on_demand.refuse_for_new_table()?;
            }
            Ok(Billing::Provisioned(throughput))
        }
    }
}
