//! Several writes, all or none, whose answers have types.

use super::call::TypedCall;
use super::row_reader::FromRow;
use crate::error::Error;
use crate::operation::{
    AnyOperation, Attach, Create, Delete, Detach, Operation, Put, Transact, Update,
};
use crate::row::Row;
use crate::store::Store;

/// An operation that a transaction takes: a write of one row.
pub trait RowWrite: Operation<Output = Row> {}

impl RowWrite for Create {}
impl RowWrite for Put {}
impl RowWrite for Update {}
impl RowWrite for Delete {}
impl RowWrite for Attach {}
impl RowWrite for Detach {}

/// A call that can be a part of a transaction.
pub trait TypedWrite {
    /// What it answers with.
    type Output;

    /// What is written, as a part of a transaction of a store. A call with options of its own is refused: a transaction has one
    /// token, and takes no conditions. So is one of another caller or tenant, in whose name nothing would be done.
    fn into_operation(self, whole: &Store) -> Result<AnyOperation, Error>;

    /// The answer, of the row that the transaction answers with.
    fn read(row: Row) -> Result<Self::Output, Error>;
}

impl<O: RowWrite, T: FromRow> TypedWrite for TypedCall<'_, O, T> {
    type Output = T;

    fn into_operation(self, whole: &Store) -> Result<AnyOperation, Error> {
        self.call.into_part(whole)
    }

    fn read(row: Row) -> Result<T, Error> {
        T::from_row(row)
    }
}

/// Calls that become one transaction: a tuple of up to eight, or a vector.
pub trait TypedWrites {
    /// What they answer with, in their order.
    type Output;

    /// What is written, as parts of a transaction of a store.
    fn into_operations(self, whole: &Store) -> Result<Vec<AnyOperation>, Error>;

    /// The answers, of the rows that the transaction answers with.
    fn read(rows: Vec<Row>) -> Result<Self::Output, Error>;
}

impl<W: TypedWrite> TypedWrites for Vec<W> {
    type Output = Vec<W::Output>;

    fn into_operations(self, whole: &Store) -> Result<Vec<AnyOperation>, Error> {
        let parts = self.into_iter();
        parts.map(|write| write.into_operation(whole)).collect()
    }

    fn read(rows: Vec<Row>) -> Result<Vec<W::Output>, Error> {
        rows.into_iter().map(W::read).collect()
    }
}

macro_rules! tuples {
    ($(($($write:ident $value:ident),+))+) => {
        $(
            impl<$($write: TypedWrite),+> TypedWrites for ($($write,)+) {
                type Output = ($($write::Output,)+);

                fn into_operations(self, whole: &Store) -> Result<Vec<AnyOperation>, Error> {
                    let ($($value,)+) = self;
                    Ok(vec![$($value.into_operation(whole)?),+])
                }

                fn read(rows: Vec<Row>) -> Result<Self::Output, Error> {
                    let mut rows = rows.into_iter();
                    Ok(($($write::read(rows.next().ok_or_else(too_few)?)?,)+))
                }
            }
        )+
    };
}

tuples! {
    (A a)
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d)
    (A a, B b, C c, D d, E e)
    (A a, B b, C c, D d, E e, F f)
    (A a, B b, C c, D d, E e, F f, G g)
    (A a, B b, C c, D d, E e, F f, G g, H h)
}

fn too_few() -> Error {
    Error::integrity("a transaction answered with fewer rows than it has writes")
}

impl<'s, T> TypedCall<'s, Transact, T> {
    /// Several writes, all or none.
    pub fn transact<W: TypedWrites<Output = T>>(store: &'s Store, writes: W) -> Self {
        let (operations, refused) = match writes.into_operations(store) {
            Ok(operations) => (operations, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let call = Self::new(store.transact(operations), |rows| W::read(rows?));
        Self { refused, ..call }
    }
}
