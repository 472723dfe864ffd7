//! Sending requests with tokens again: what was carried out must not be carried out twice, and what
//! was not must be, once.

use super::Campaign;
use crate::history::Sent;
use crate::record::Record;
use crate::running::Running;
use crate::write::Outcome;
use std::io;
use std::time::{Duration, Instant};

/// Requests of this check, and of earlier ones, that are sent again.
const RECENT: usize = 6;
const EARLIER: usize = 3;
/// Requests that are remembered for later.
const REMEMBERED: usize = 60;
/// Tokens count for ten minutes; older ones than this are not tried.
const AGE: Duration = Duration::from_secs(7 * 60);

impl Campaign {
    pub(super) fn resend(
        &mut self,
        checker: &mut Running,
        mut claimed: Vec<Sent>,
        unclaimed: Vec<Sent>,
    ) -> io::Result<()> {
        self.dice.shuffle(&mut claimed);
        self.claimed.retain(|(_, claimed)| claimed.elapsed() < AGE);
        let earlier: Vec<Sent> = (0..EARLIER)
            .filter_map(|_| {
                let choice = self.dice.usize(..self.claimed.len().max(1));
                self.claimed.get(choice).map(|(sent, _)| sent.clone())
            })
            .collect();
        for sent in claimed.iter().take(RECENT).chain(&earlier) {
            self.resend_claimed(checker, sent)?;
        }
        if claimed.is_empty() && earlier.is_empty() && unclaimed.is_empty() {
            return Ok(());
        }
        for sent in unclaimed {
            if self.resend_unclaimed(checker, &sent)? {
                claimed.push(sent);
            }
        }
        let observed = self.observe(checker)?;
        let differences = self.model.differences(&observed);
        let differences = differences.into_iter();
        let after =
            differences.map(|difference| format!("after sending tokens again: {difference}"));
        self.summary.violations.extend(after);
        let now = Instant::now();
        let remembered = claimed.into_iter().map(|sent| (sent, now));
        self.claimed.extend(remembered);
        while self.claimed.len() > REMEMBERED {
            self.claimed.pop_front();
        }
        Ok(())
    }

    /// It was carried out: sent again it changes nothing, and its token is refused to another.
    fn resend_claimed(&mut self, checker: &mut Running, sent: &Sent) -> io::Result<()> {
        self.summary.tokens_honoured += 1;
        self.ask(checker, sent, false, &Outcome::Done)?;
        self.ask(checker, sent, true, &Outcome::TokenMismatch)
    }

    /// It was not: sent again, twice, it is carried out once, unless a condition is in the way.
    fn resend_unclaimed(&mut self, checker: &mut Running, sent: &Sent) -> io::Result<bool> {
        let thread = self.model.threads.get_mut(usize::from(sent.stamp.thread));
        let Some(thread) = thread else {
            return Ok(false);
        };
        let expected = thread.apply(sent.stamp, &sent.write);
        self.ask(checker, sent, false, &expected)?;
        self.ask(checker, sent, false, &expected)?;
        let applied = expected == Outcome::Done;
        self.summary.tokens_applied_once += u64::from(applied);
        Ok(applied)
    }

    fn ask(
        &mut self,
        checker: &mut Running,
        sent: &Sent,
        altered: bool,
        expected: &Outcome,
    ) -> io::Result<()> {
        checker.order(&Record::Resend {
            stamp: sent.stamp,
            write: sent.write.clone(),
            altered,
        })?;
        let answer = checker.expect()?.record;
        if answer != Record::Answer(sent.stamp, expected.clone()) {
            self.summary.violations.push(format!(
                "the token of {} sent again{}: {answer:?}, must be {expected:?}",
                sent.stamp,
                if altered { " with another request" } else { "" }
            ));
        }
        Ok(())
    }
}
