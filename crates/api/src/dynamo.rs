//! The one seam between the data layer and any DynamoDB.

use crate::{Error, Request, Response};
use std::pin::Pin;
use std::sync::Arc;

/// A future on the heap, as an object-safe trait needs it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Something that carries out DynamoDB requests: the embedded engine, Amazon's service, or a wrapper
/// around either that counts, delays, checks or refuses.
///
/// [`DynamoExt`](crate::DynamoExt) has a method for each operation.
pub trait Dynamo: Send + Sync {
    /// Carries out one request.
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>>;
}

impl<D: Dynamo + ?Sized> Dynamo for Arc<D> {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        (**self).call(request)
    }
}

impl<D: Dynamo + ?Sized> Dynamo for Box<D> {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        (**self).call(request)
    }
}

impl<D: Dynamo + ?Sized> Dynamo for &D {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        (**self).call(request)
    }
}
