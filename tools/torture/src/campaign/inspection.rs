//! Looking at everything after a crash.

use super::{Campaign, durability_name};
use crate::check::Promise;
use crate::history::History;
use crate::observed::Observed;
use crate::planted::PLANTED;
use crate::record::Record;
use crate::running::Running;
use std::io;

impl Campaign {
    /// Opens the store in a checking child, holds it against the history, and sends tokens again. What
    /// is there becomes the model.
    pub(crate) fn inspect(&mut self, promise: Promise) -> io::Result<()> {
        (self.summary.journals, self.summary.table_files) = self.machine.files_begun();
        self.summary.sent += self.history.requests().count() as u64;
        self.summary.acknowledged += self.history.acknowledged();
        let arguments = [
            durability_name(self.plan.durability).to_owned(),
            self.plan.threads.to_string(),
        ];
        let planted = self.plan.settings.iter();
        let planted = planted.filter(|(name, _)| name == PLANTED);
        let planted: Vec<_> = planted.cloned().collect();
        let mut checker = self.machine.start("check", &arguments, &planted)?;
        match checker.expect()?.record {
            Record::Opened => {}
            Record::OpenFailed(error) => {
                let violation = format!("the store does not open: {error}");
                self.summary.violations.push(violation);
                return Ok(());
            }
            other => return Err(io::Error::other(format!("not an opening: {other:?}"))),
        }
        let observed = self.observe(&mut checker)?;
        match self.model.settle(&self.history, &observed, promise) {
            Ok(settlement) => {
                self.history = History::of(self.plan.threads);
                self.summary.in_doubt += settlement.in_doubt;
                self.summary.in_doubt_done += settlement.in_doubt_done;
                self.summary.lost += settlement.lost;
                self.model = settlement.model;
                self.resend(&mut checker, settlement.claimed, settlement.unclaimed)?;
            }
            Err(violations) => self.summary.violations.extend(violations),
        }
        self.end_checker(checker)
    }

    /// Looks at everything.
    pub(super) fn observe(&mut self, checker: &mut Running) -> io::Result<Observed> {
        checker.order(&Record::Observe)?;
        let mut frames = Vec::new();
        loop {
            let frame = checker.expect()?;
            let is_last = matches!(frame.record, Record::Observed { .. });
            frames.push(frame);
            if is_last {
                break;
            }
        }
        let observed = Observed::from_frames(frames, self.plan.threads);
        self.summary.checks += 1;
        self.summary.items += observed.items;
        self.summary.entries += observed.entries;
        self.summary.add_kept(observed.kept);
        Ok(observed)
    }

    /// Half of the checkers close their engine, half are killed: both must leave a good store. What a
    /// relaxed engine was asked for is only sure to be there if it is closed.
    fn end_checker(&mut self, checker: Running) -> io::Result<()> {
        let closes = !self.plan.expect_sync || self.dice.bool();
        let (_, said) = if closes {
            checker.finish()?
        } else {
            checker.kill()?
        };
        self.check_said(&said);
        Ok(())
    }
}
