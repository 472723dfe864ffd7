//! Whether the states of all threads are of one moment: what was answered before a request was sent
//! must be there if that request is.

use super::thread::Settled;
use crate::history::Sent;

pub(super) fn check(threads: &[Settled<'_>]) -> Vec<String> {
    let mut violations = Vec::new();
    for later in threads {
        // The last request that is there for certain.
        let Some(last) = later.least.checked_sub(1).and_then(|at| later.line.get(at)) else {
            continue;
        };
        for earlier in threads {
            let before = |sent: &Sent| {
                let answer = sent.answer.as_ref();
                answer.is_some_and(|answer| answer.position < last.sent.sent_at)
            };
            let missing = earlier.line.iter().skip(earlier.done);
            if let Some(missing) = missing.map(|step| step.sent).find(|sent| before(sent)) {
                violations.push(format!(
                    "request {} is there, but {}, answered before it was sent, is not",
                    last.sent.stamp, missing.stamp
                ));
            }
        }
    }
    violations
}
