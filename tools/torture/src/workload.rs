//! What a thread asks for: requests of all kinds and sizes, by a seed.

use crate::place::{COUNTERS, Place, Table};
use crate::write::{Change, Condition, Part, Write};
use fastrand::Rng;

/// A stream of requests of one thread.
#[derive(Debug)]
pub struct Workload {
    dice: Rng,
    /// Whether the side table was there after the last request about it, as far as is known. Only to
    /// make sensible requests: the model knows what really holds.
    has_side: bool,
}

impl Workload {
    /// The same seed gives the same requests.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            dice: Rng::with_seed(seed),
            has_side: false,
        }
    }

    /// A place of the thread.
    pub fn place(&mut self) -> Place {
        let table = match self.dice.u8(0..10) {
            0..6 => Table::Wide,
            6..9 => Table::Plain,
            _ => Table::Side,
        };
        self.place_in(table)
    }

    fn place_in(&mut self, table: Table) -> Place {
        let key = self.dice.u16(0..table.keys());
        Place { table, key }
    }

    /// The next request.
    pub fn next_write(&mut self) -> Write {
        match self.dice.u16(0..1000) {
            0..400 => Write::One(self.single()),
            400..560 => self.batch(),
            560..760 => self.transaction(),
            760..960 => Write::Count(self.dice.u8(0..COUNTERS)),
            960..970 => self.side_table(),
            _ => {
                let mut part = self.single();
                part.place = self.place_in(Table::Side);
                Write::One(part)
            }
        }
    }

    fn side_table(&mut self) -> Write {
        // Now and then the wrong one, which must be refused.
        self.has_side ^= self.dice.u8(0..8) > 0;
        if self.has_side {
            Write::CreateSide
        } else {
            Write::DeleteSide
        }
    }

    fn single(&mut self) -> Part {
        let condition = match self.dice.u8(0..8) {
            0 => Some(Condition::Exists),
            1 => Some(Condition::Absent),
            _ => None,
        };
        Part {
            place: self.place(),
            change: self.change(),
            condition,
        }
    }

    fn change(&mut self) -> Change {
        match self.dice.u8(0..10) {
            0..5 => Change::Put { size: self.size() },
            5..8 => Change::Touch {
                leaves_index: self.dice.bool(),
            },
            _ => Change::Delete,
        }
    }

    /// Mostly small, some so large that a few hundred of them fill a memtable.
    fn size(&mut self) -> u32 {
        match self.dice.u8(0..100) {
            0..72 => self.dice.u32(20..500),
            72..92 => self.dice.u32(500..8_000),
            92..98 => self.dice.u32(8_000..60_000),
            _ => self.dice.u32(100_000..350_000),
        }
    }

    fn batch(&mut self) -> Write {
        let most = self.dice.usize(1..26);
        let places = self.places(most);
        let parts = places.into_iter().map(|place| Part {
            place,
            change: match self.dice.u8(0..4) {
                0 => Change::Delete,
                _ => Change::Put { size: self.size() },
            },
            condition: None,
        });
        Write::Batch(parts.collect())
    }

    fn transaction(&mut self) -> Write {
        let most = self.dice.usize(1..9);
        let token = self.dice.bool();
        let mut places = self.places(most);
        if token {
            // It is sent again later, when the side table may be gone.
            places.retain(|place| place.table != Table::Side);
        }
        let parts = places.into_iter().map(|place| self.action(place)).collect();
        Write::Transact { parts, token }
    }

    fn action(&mut self, place: Place) -> Part {
        // Conditions are rare: with several actions most transactions would be refused.
        let condition = match self.dice.u8(0..24) {
            0 => Some(Condition::Exists),
            1 => Some(Condition::Absent),
            _ => None,
        };
        let change = match condition {
            Some(_) if self.dice.bool() => Change::Check,
            _ => self.change(),
        };
        Part {
            place,
            change,
            condition,
        }
    }

    /// Different places; rarely one of the side table, which may be missing.
    fn places(&mut self, most: usize) -> Vec<Place> {
        let mut places = Vec::new();
        for _ in 0..most {
            let table = match self.dice.u8(0..100) {
                0 => Table::Side,
                1..60 => Table::Wide,
                _ => Table::Plain,
            };
            let place = self.place_in(table);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }
}
