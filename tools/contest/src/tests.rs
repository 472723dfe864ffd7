//! The short form of the contest: a few hundred requests to our server and to the bare one, in this
//! process. Counts and contents, never a time.

mod answering;
mod turn;
