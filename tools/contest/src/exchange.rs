//! A request, ready to be sent, and what its answer must look like.

use crate::answer::Answer;
use crate::failure::Failure;
use crate::signer::Signer;

/// How much of a wrong answer is shown.
const SHOWN_BYTES: usize = 600;

/// A request before it is signed.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) operation: &'static str,
    pub(crate) body: String,
    pub(crate) expected: Expected,
}

/// All bytes of a signed request, and what must come back.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) request: Vec<u8>,
    pub(crate) expected: Expected,
}

/// What a right answer has.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) status: u16,
    /// The least bytes of its body: looked at in every answer.
    pub(crate) least_bytes: usize,
    /// What its body must contain: looked for in some answers, because it costs time.
    pub(crate) contents: Vec<String>,
}

impl Default for Expected {
    fn default() -> Self {
        Self {
            status: 200,
            least_bytes: 0,
            contents: Vec::new(),
        }
    }
}

/// How closely answers are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scrutiny {
    Glance,
    Full,
}

impl Exchange {
    /// Signs drafts on all cores.
    pub(crate) fn prepare(
        signer: &Signer,
        count: u64,
        draft: impl Fn(u64) -> Draft + Sync,
    ) -> Result<Vec<Self>, Failure> {
        let threads = std::thread::available_parallelism()?.get() as u64;
        let share = count.div_ceil(threads).max(1);
        let draft = &draft;
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| (thread * share).min(count)..((thread + 1) * share).min(count))
                .map(|range| {
                    scope.spawn(move || {
                        range
                            .map(|index| Self::sign(signer, draft(index)))
                            .collect::<Result<Vec<_>, _>>()
                    })
                })
                .collect();
            let mut exchanges = Vec::new();
            for worker in workers {
                let signed = worker.join().map_err(|_| "a signing thread panicked")?;
                exchanges.extend(signed?);
            }
            Ok(exchanges)
        })
    }

    pub(crate) fn sign(signer: &Signer, draft: Draft) -> Result<Self, Failure> {
        Ok(Self {
            request: signer.request(draft.operation, &draft.body)?,
            expected: draft.expected,
        })
    }
}

impl Expected {
    /// Refuses an answer that is not what a right one looks like.
    pub(crate) fn check(&self, answer: &Answer<'_>, scrutiny: Scrutiny) -> Result<(), Failure> {
        if answer.status != self.status {
            return Err(wrong(answer, &format!("its status is not {}", self.status)));
        }
        if answer.body.len() < self.least_bytes {
            return Err(wrong(
                answer,
                &format!("{} bytes are too few", answer.body.len()),
            ));
        }
        if scrutiny == Scrutiny::Glance {
            return Ok(());
        }
        match self
            .contents
            .iter()
            .find(|part| !contains(answer.body, part))
        {
            Some(part) => Err(wrong(answer, &format!("{part:?} is missing"))),
            None => Ok(()),
        }
    }
}

fn contains(body: &[u8], part: &str) -> bool {
    memchr::memmem::find(body, part.as_bytes()).is_some()
}

fn wrong(answer: &Answer<'_>, why: &str) -> Failure {
    let shown = answer.body.get(..SHOWN_BYTES).unwrap_or(answer.body);
    let body = String::from_utf8_lossy(shown);
    format!("a wrong answer, {why}: status {}, {body}", answer.status).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: u16, body: &str, scrutiny: Scrutiny) -> bool {
        let expected = Expected {
            least_bytes: 5,
            contents: vec!["ell".into(), "o".into()],
            ..Expected::default()
        };
        let body = body.as_bytes();
        expected.check(&Answer { status, body }, scrutiny).is_ok()
    }

    #[test]
    fn wrong_answers_are_noticed() {
        assert!(check(200, "hello", Scrutiny::Full));
        assert!(!check(400, "hello", Scrutiny::Glance));
        assert!(!check(200, "hell", Scrutiny::Glance));
        assert!(check(200, "jello, is it?", Scrutiny::Full));
        assert!(!check(200, "hallo", Scrutiny::Full));
        assert!(!check(200, "hell.", Scrutiny::Full));
    }
}
