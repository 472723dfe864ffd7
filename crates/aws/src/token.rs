//! The token that makes a transaction safe to send twice.

use monotable_api::{Error, Request};
use ring::rand::{SecureRandom, SystemRandom};

/// Gives a transaction without token one of its own, before its first attempt, as the AWS SDKs do.
pub(crate) fn given(mut request: Request) -> Result<Request, Error> {
    if let Request::TransactWriteItems(input) = &mut request
        && input.client_request_token.is_none()
    {
        input.client_request_token = Some(random()?);
    }
    Ok(request)
}

/// 128 random bits from the operating system, in 32 of the 36 characters that AWS allows.
fn random() -> Result<String, Error> {
    let mut bytes = [0; 16];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| Error::internal("the operating system gives no random bytes"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_api::TransactWriteItemsInput;

    fn token(request: Request) -> Option<String> {
        match given(request).unwrap() {
            Request::TransactWriteItems(input) => input.client_request_token,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_transaction_gets_its_own_and_keeps_one_it_has() {
        let bare = || Request::from(TransactWriteItemsInput::default());
        let (one, other) = (token(bare()).unwrap(), token(bare()).unwrap());
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
        let named = TransactWriteItemsInput {
            client_request_token: Some("mine".to_owned()),
            ..Default::default()
        };
        assert_eq!(token(named.into()).as_deref(), Some("mine"));
    }
}
