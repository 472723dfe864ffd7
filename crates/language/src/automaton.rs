//! Automata over byte ranges.

mod written;

use super::length::Length;
use std::collections::VecDeque;

/// A move on any byte of `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Edge {
    pub(super) lo: u8,
    pub(super) hi: u8,
    pub(super) target: u32,
}

/// One state: whether a word may end here, and its moves in order of `lo`.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) accept: bool,
    pub(super) edges: Vec<Edge>,
}

/// What an unknown state number means: nothing follows.
static DEAD: State = State {
    accept: false,
    edges: Vec::new(),
};

/// An automaton without silent moves that starts in state 0.
///
/// INVARIANT: trimmed, so every state is reachable and reaches an accepting one. Only the start state of the
/// empty language is excepted. Therefore "some edge carries byte b" means "some word contains b".
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    states: Vec<State>,
    deterministic: bool,
    /// ASCII characters that occur in some word, one bit each.
    ascii: u128,
    bytes: Length,
    chars: Length,
    /// Bytes of the widest character, 1 to 4.
    widest: usize,
}

impl Automaton {
    /// Trims `states` and derives the facts that are asked often. State 0 is the start.
    pub(super) fn new(states: Vec<State>, deterministic: bool) -> Automaton {
        let states = trim(states);
        Automaton {
            ascii: ascii_of(&states),
            bytes: lengths(&states, |_| 1),
            chars: lengths(&states, |edge| usize::from(!is_continuation(edge.lo))),
            widest: widest_of(&states),
            deterministic,
            states,
        }
    }

    /// An automaton without words: what [`Automaton::new`] makes of one state, without working anything out.
    pub(super) fn nothing() -> Automaton {
        let no_length = Length {
            min: 0,
            max: Some(0),
        };
        Automaton {
            states: vec![State::default()],
            deterministic: true,
            ascii: 0,
            bytes: no_length,
            chars: no_length,
            widest: 1,
        }
    }

    pub(super) fn state(&self, id: u32) -> &State {
        self.states.get(id as usize).unwrap_or(&DEAD)
    }

    pub(super) fn states(&self) -> &[State] {
        &self.states
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Two edges of one state never share a byte.
    pub(super) fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    pub(super) fn is_empty(&self) -> bool {
        let start = self.state(0);
        !start.accept && start.edges.is_empty()
    }

    /// Is the word list finite? (A trimmed automaton has a cycle exactly if lengths are unbounded.)
    pub(super) fn is_finite(&self) -> bool {
        self.bytes.max.is_some()
    }

    pub(super) fn ascii(&self) -> u128 {
        self.ascii
    }

    /// Lengths of its words in bytes.
    pub(super) fn bytes(&self) -> Length {
        self.bytes
    }

    /// Lengths of its words in characters.
    pub(super) fn chars(&self) -> Length {
        self.chars
    }

    pub(super) fn widest(&self) -> usize {
        self.widest
    }

    /// The states after reading `word`, sorted; empty if no word starts so.
    pub(super) fn after(&self, word: &[u8]) -> Vec<u32> {
        self.after_from(0, word)
    }

    fn after_from(&self, state: u32, word: &[u8]) -> Vec<u32> {
        let mut active = vec![state];
        let mut next = Vec::new();
        for byte in word {
            self.step(&active, *byte, &mut next);
            std::mem::swap(&mut active, &mut next);
            if active.is_empty() {
                break;
            }
        }
        active
    }

    /// One step of a simulation from several states.
    pub(super) fn next(&self, active: &[u32], byte: u8) -> Vec<u32> {
        let mut targets = Vec::new();
        self.step(active, byte, &mut targets);
        targets
    }

    /// The same into a list that is used again.
    fn step(&self, active: &[u32], byte: u8, targets: &mut Vec<u32>) {
        targets.clear();
        let edges = active.iter().flat_map(|id| &self.state(*id).edges);
        let taken = edges.filter(|edge| edge.lo <= byte && byte <= edge.hi);
        targets.extend(taken.map(|edge| edge.target));
        if targets.len() > 1 {
            targets.sort_unstable();
            targets.dedup();
        }
    }

    /// Its word, if it surely has only this one.
    pub(super) fn only_word(&self) -> Option<Vec<u8>> {
        let mut word = Vec::new();
        let mut state = self.state(0);
        while word.len() < self.states.len() {
            match (state.accept, state.edges.as_slice()) {
                (true, []) => return Some(word),
                (false, [edge]) if edge.lo == edge.hi => {
                    word.push(edge.lo);
                    state = self.state(edge.target);
                }
                _ => return None,
            }
        }
        None
    }

    /// As long as there is one state to go to, no list of states is kept: values of every write are asked here.
    pub(super) fn accepts(&self, word: &[u8]) -> bool {
        let mut state = 0;
        let mut rest = word;
        while let Some((byte, behind)) = rest.split_first() {
            let edges = self.state(state).edges.iter();
            let mut taken = edges.filter(|edge| edge.lo <= *byte && *byte <= edge.hi);
            let Some(first) = taken.next() else {
                return false;
            };
            if !self.deterministic && taken.any(|other| other.target != first.target) {
                return self.any_accepts(&self.after_from(state, rest));
            }
            state = first.target;
            rest = behind;
        }
        self.state(state).accept
    }

    pub(super) fn any_accepts(&self, active: &[u32]) -> bool {
        active.iter().any(|id| self.state(*id).accept)
    }
}

/// Is this a byte inside a UTF-8 character, so that it starts none?
pub(super) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

fn ascii_of(states: &[State]) -> u128 {
    let edges = states.iter().flat_map(|state| &state.edges);
    edges.filter(|edge| edge.lo < 0x80).fold(0, |mask, edge| {
        mask | range_mask(edge.lo, edge.hi.min(0x7F))
    })
}

/// Bits `lo..=hi`, both below 128.
fn range_mask(lo: u8, hi: u8) -> u128 {
    (u128::MAX >> (127 - u32::from(hi))) & (u128::MAX << u32::from(lo))
}

fn widest_of(states: &[State]) -> usize {
    let lead = states
        .iter()
        .flat_map(|state| &state.edges)
        .map(|edge| edge.hi)
        .max();
    match lead.unwrap_or(0) {
        0xF0.. => 4,
        0xE0.. => 3,
        0x80.. => 2,
        _ => 1,
    }
}

/// Keeps states that are reachable and reach acceptance, renumbered in order; the start is always kept.
fn trim(states: Vec<State>) -> Vec<State> {
    let forward = reach(
        &states
            .iter()
            .map(|s| targets(s).collect())
            .collect::<Vec<Vec<u32>>>(),
        &[0],
    );
    let accepting: Vec<u32> = numbered(&states)
        .filter(|(_, s)| s.accept)
        .map(|(id, _)| id)
        .collect();
    let backward = reach(&reversed(&states), &accepting);
    let mut number = 0;
    let renumbered: Vec<Option<u32>> = forward
        .iter()
        .zip(&backward)
        .enumerate()
        .map(|(id, (seen, useful))| {
            (id == 0 || (*seen && *useful)).then(|| {
                number += 1;
                number - 1
            })
        })
        .collect();
    let renumber = |id: u32| renumbered.get(id as usize).copied().flatten();
    let useful = |id: u32| backward.get(id as usize).copied().unwrap_or(false);
    let kept = numbered(&states).filter(|(id, _)| renumber(*id).is_some());
    let mut kept: Vec<State> = kept
        .map(|(_, state)| State {
            accept: state.accept,
            edges: state
                .edges
                .iter()
                .filter(|edge| useful(edge.target))
                .filter_map(|edge| renumber(edge.target).map(|target| Edge { target, ..*edge }))
                .collect(),
        })
        .collect();
    if kept.is_empty() {
        kept.push(State::default());
    }
    for state in &mut kept {
        state.edges.sort_unstable();
    }
    kept
}

fn numbered(states: &[State]) -> impl Iterator<Item = (u32, &State)> {
    (0u32..).zip(states)
}

fn targets(state: &State) -> impl Iterator<Item = u32> {
    state.edges.iter().map(|edge| edge.target)
}

fn reversed(states: &[State]) -> Vec<Vec<u32>> {
    let mut sources = vec![Vec::new(); states.len()];
    for (id, state) in numbered(states) {
        for target in targets(state) {
            if let Some(list) = sources.get_mut(target as usize) {
                list.push(id);
            }
        }
    }
    sources
}

/// Marks everything that `roots` reach over `next`.
fn reach(next: &[Vec<u32>], roots: &[u32]) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut open: Vec<u32> = roots.to_vec();
    while let Some(id) = open.pop() {
        match seen.get_mut(id as usize) {
            Some(mark) if !*mark => *mark = true,
            _ => continue,
        }
        open.extend(next.get(id as usize).into_iter().flatten());
    }
    seen
}

/// Shortest and longest accepted path of a trimmed automaton, where an edge weighs 0 or 1.
fn lengths(states: &[State], weight: impl Fn(&Edge) -> usize) -> Length {
    Length {
        min: shortest(states, &weight),
        max: longest(states, &weight),
    }
}

fn shortest(states: &[State], weight: &impl Fn(&Edge) -> usize) -> usize {
    let mut best = vec![usize::MAX; states.len()];
    let mut open = VecDeque::from([(0u32, 0usize)]);
    while let Some((id, distance)) = open.pop_front() {
        let (Some(known), Some(state)) = (best.get_mut(id as usize), states.get(id as usize))
        else {
            continue;
        };
        if distance >= *known {
            continue;
        }
        *known = distance;
        for edge in &state.edges {
            match weight(edge) {
                0 => open.push_front((edge.target, distance)),
                step => open.push_back((edge.target, distance + step)),
            }
        }
    }
    let ends = states
        .iter()
        .zip(best)
        .filter(|(state, _)| state.accept)
        .map(|(_, distance)| distance);
    ends.min().unwrap_or(0)
}

/// `None` if there is a cycle. Otherwise the longest path, in topological order.
fn longest(states: &[State], weight: &impl Fn(&Edge) -> usize) -> Option<usize> {
    let mut incoming: Vec<usize> = reversed(states).iter().map(Vec::len).collect();
    let mut best = vec![0usize; states.len()];
    let mut open: Vec<u32> = vec![0];
    let mut done = 0;
    let mut result = 0;
    if incoming.first().is_some_and(|count| *count > 0) {
        return None;
    }
    while let Some(id) = open.pop() {
        done += 1;
        let here = best.get(id as usize).copied().unwrap_or(0);
        let Some(state) = states.get(id as usize) else {
            continue;
        };
        if state.accept {
            result = result.max(here);
        }
        for edge in &state.edges {
            let target = edge.target as usize;
            if let Some(known) = best.get_mut(target) {
                *known = (*known).max(here + weight(edge));
            }
            if let Some(count) = incoming.get_mut(target) {
                *count -= 1;
                if *count == 0 {
                    open.push(edge.target);
                }
            }
        }
    }
    (done == states.len()).then_some(result)
}
