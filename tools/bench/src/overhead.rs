//! Whether what the engine adds to its store grows with the data.
//!
//! Two pairs are open at once, one with all items and one with few; all four stores take turns.

use crate::contest::{Contest, Length, Outcome};
use crate::failure::Failure;
use crate::get::Get;
use crate::pair::Pair;
use crate::query::Query;
use crate::raw_committer::RawCommitter;
use crate::single_put::SinglePut;
use fjall::PersistMode;

/// How often the two pairs take turns.
const ROUNDS: usize = 15;

const GETS: Length = Length {
    blocks: 40,
    operations: 200,
};
const QUERIES: Length = Length {
    blocks: 20,
    operations: 50,
};
const PUTS: Length = Length {
    blocks: 20,
    operations: 50,
};

/// What the engine takes longer, with many and with few items.
pub(crate) struct Growth {
    pub(crate) name: &'static str,
    pub(crate) large: Outcome,
    pub(crate) small: Outcome,
}

pub(crate) fn measure(large: &Pair, small: &Pair) -> Result<Vec<Growth>, Failure> {
    let get = compare("get", &Get(large), &Get(small), GETS)?;
    let query = compare("query", &Query(large), &Query(small), QUERIES)?;
    let mode = PersistMode::Buffer;
    let large_committer = RawCommitter::start(large.raw.clone(), mode)?;
    let small_committer = RawCommitter::start(small.raw.clone(), mode)?;
    let put = {
        let contest = |pair, committer: &RawCommitter<1>| SinglePut {
            pair,
            writer: committer.writer(),
        };
        let (large, small) = (
            contest(large, &large_committer),
            contest(small, &small_committer),
        );
        compare("put, relaxed", &large, &small, PUTS)?
    };
    large_committer.close()?;
    small_committer.close()?;
    Ok(vec![get, query, put])
}

fn compare<C: Contest>(
    name: &'static str,
    large: &C,
    small: &C,
    length: Length,
) -> Result<Growth, Failure> {
    let mut growth = Growth {
        name,
        large: Outcome::default(),
        small: Outcome::default(),
    };
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..ROUNDS {
        growth.large.extend(large, length, &mut random)?;
        growth.small.extend(small, length, &mut random)?;
    }
    Ok(growth)
}
