//! Right signatures, and every way to spoil one.

use crate::client::Client;
use crate::running::Running;
use crate::signed::{ALICE, BOB, Message, Signed, now, server};
use aws_credential_types::Credentials as Identity;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use std::time::Duration;

#[track_caller]
fn accepted(server: &Running, signed: &Signed) {
    let reply = signed.sign().send(server);
    assert_eq!(reply.text(), r#"{"TableNames":[]}"#);
}

#[track_caller]
fn refused(server: &Running, message: &Message, code: &str, words: &str) {
    let reply = message.send(server);
    assert_eq!(
        (reply.status, reply.exception().as_str()),
        (400, code),
        "{}",
        reply.text()
    );
    assert!(reply.text().contains(words), "{}", reply.text());
}

const MISMATCH: (&str, &str) = (
    "InvalidSignatureException",
    "The request signature we calculated",
);
const UNKNOWN: (&str, &str) = (
    "UnrecognizedClientException",
    "The security token included in the request is invalid.",
);

#[test]
fn right_signatures_are_accepted() {
    let server = server();
    let alice = Signed::by(ALICE);
    accepted(&server, &alice);
    accepted(&server, &alice);
    accepted(
        &server,
        &Signed {
            region: "eu-central-1",
            ..alice.clone()
        },
    );
    accepted(
        &server,
        &Signed {
            checksum_header: true,
            ..alice.clone()
        },
    );
    accepted(
        &server,
        &Signed {
            body: "{}",
            ..alice.clone()
        },
    );
    accepted(
        &server,
        &Signed {
            time: now() - Duration::from_secs(899),
            ..alice.clone()
        },
    );
    accepted(
        &server,
        &Signed {
            time: now() + Duration::from_secs(899),
            ..alice.clone()
        },
    );
    accepted(
        &server,
        &Signed {
            query: "?b=2&a=%20x%2Fy&a=1&flag",
            ..alice.clone()
        },
    );
    let mut spaced = alice.clone();
    spaced.headers.push(("x-amz-meta", "a   b".to_owned()));
    spaced
        .headers
        .push(("user-agent", "  two   words  ".to_owned()));
    accepted(&server, &spaced);
    // The day changes at midnight, and the key with it.
    accepted(&server, &alice);
}

#[test]
fn session_tokens_are_compared() {
    let server = server();
    let bob = Signed {
        token: Some("tok/en+of==bob"),
        ..Signed::by(BOB)
    };
    accepted(&server, &bob);
    accepted(
        &server,
        &Signed {
            presigned: Some(Duration::from_secs(60)),
            ..bob.clone()
        },
    );
    for token in [None, Some("another"), Some("tok/en+of==bob2")] {
        let message = Signed {
            token,
            ..bob.clone()
        }
        .sign();
        refused(&server, &message, UNKNOWN.0, UNKNOWN.1);
    }
    let alice = Signed {
        token: Some("any"),
        ..Signed::by(ALICE)
    };
    refused(&server, &alice.sign(), UNKNOWN.0, UNKNOWN.1);
}

#[test]
fn presigned_requests_live_as_long_as_they_say() {
    let server = server();
    let minute = Duration::from_secs(60);
    let alice = Signed {
        presigned: Some(minute),
        ..Signed::by(ALICE)
    };
    accepted(&server, &alice);
    accepted(
        &server,
        &Signed {
            time: now() - minute,
            ..alice.clone()
        },
    );
    accepted(
        &server,
        &Signed {
            query: "?z=1&A=2",
            ..alice.clone()
        },
    );
    let day = Duration::from_secs(86_400);
    accepted(
        &server,
        &Signed {
            time: now() - day,
            presigned: Some(day),
            ..alice.clone()
        },
    );
    let late = Signed {
        time: now() - minute * 2,
        ..alice.clone()
    }
    .sign();
    refused(
        &server,
        &late,
        "InvalidSignatureException",
        "Signature expired: ",
    );
    let mut longer = alice.sign();
    longer.query = longer.query.replace("X-Amz-Expires=60", "X-Amz-Expires=61");
    refused(&server, &longer, MISMATCH.0, MISMATCH.1);
    for bad in ["0", "604801", "-1", "x"] {
        let mut message = alice.sign();
        message.query = message
            .query
            .replace("X-Amz-Expires=60", &format!("X-Amz-Expires={bad}"));
        refused(
            &server,
            &message,
            "IncompleteSignatureException",
            "X-Amz-Expires",
        );
    }
    let mut tampered = alice.sign();
    tampered.body = r#"{"Limit":4}"#.to_owned();
    refused(&server, &tampered, MISMATCH.0, MISMATCH.1);
}

#[test]
fn what_was_changed_on_the_way_is_refused() {
    let server = server();
    let alice = Signed::by(ALICE);
    let spoil = |change: fn(&mut Message)| {
        let mut message = alice.sign();
        change(&mut message);
        refused(&server, &message, MISMATCH.0, MISMATCH.1);
    };
    spoil(|message| message.body = r#"{"Limit":4}"#.to_owned());
    spoil(|message| message.body.push(' '));
    spoil(|message| {
        *message.header("x-amz-target") = "DynamoDB_20120810.DescribeLimits".to_owned()
    });
    spoil(|message| *message.header("host") = "other.example".to_owned());
    spoil(|message| *message.header("content-type") = "application/json".to_owned());
    spoil(|message| *message.header("x-amz-date") = "20130609T100014Z".to_owned());
    spoil(|message| message.query = "added=1".to_owned());
    spoil(|message| {
        message
            .headers
            .push(("x-amz-target".to_owned(), "twice".to_owned()))
    });
    spoil(|message| {
        let authorization = message.header("authorization");
        let last = authorization.pop().unwrap();
        authorization.push(if last == '0' { '1' } else { '0' });
    });
    spoil(|message| {
        message.header("authorization").pop();
    });
    spoil(|message| {
        let authorization = message.header("authorization");
        *authorization = authorization.replace("us-east-1", "us-east-2");
    });
    spoil(|message| {
        let authorization = message.header("authorization");
        *authorization = authorization.replace("SignedHeaders=", "SignedHeaders=x-absent;");
    });
}

#[test]
fn unsigned_and_lying_bodies_are_refused() {
    let server = server();
    for lie in ["UNSIGNED-PAYLOAD", &"0".repeat(64)] {
        let mut message = Signed {
            checksum_header: true,
            ..Signed::by(ALICE)
        }
        .sign();
        *message.header("x-amz-content-sha256") = lie.to_owned();
        refused(&server, &message, MISMATCH.0, MISMATCH.1);
    }
}

#[test]
fn wrong_keys_are_refused() {
    let server = server();
    let wrong = Signed::by((ALICE.0, "another secret"));
    refused(&server, &wrong.sign(), MISMATCH.0, MISMATCH.1);
    // Also when the right key has been used before, and is remembered.
    accepted(&server, &Signed::by(ALICE));
    refused(&server, &wrong.sign(), MISMATCH.0, MISMATCH.1);
    accepted(&server, &Signed::by(ALICE));
    let stranger = Signed::by(("AKIDNOBODY", ALICE.1));
    refused(&server, &stranger.sign(), UNKNOWN.0, UNKNOWN.1);
    let swapped = Signed {
        token: Some("tok/en+of==bob"),
        ..Signed::by((BOB.0, ALICE.1))
    };
    refused(&server, &swapped.sign(), MISMATCH.0, MISMATCH.1);
}

#[test]
fn old_and_future_signatures_are_refused() {
    let server = server();
    let alice = Signed::by(ALICE);
    let old = Signed {
        time: now() - Duration::from_secs(901),
        ..alice.clone()
    }
    .sign();
    refused(
        &server,
        &old,
        "InvalidSignatureException",
        "Signature expired: 20130609T094514Z is now earlier than 20130609T094515Z (20130609T100015Z - 15 min.)",
    );
    let future = Signed {
        time: now() + Duration::from_secs(901),
        ..alice.clone()
    }
    .sign();
    refused(
        &server,
        &future,
        "InvalidSignatureException",
        "Signature not yet current: 20130609T101516Z is still later than 20130609T101515Z (20130609T100015Z + 15 min.)",
    );
    let mut vague = alice.sign();
    *vague.header("x-amz-date") = "201".to_owned();
    refused(
        &server,
        &vague,
        "IncompleteSignatureException",
        "Got '201'.",
    );
}

#[test]
fn what_matters_must_be_signed() {
    let server = server();
    for (excluded, named) in [("x-amz-target", "'x-amz-target'"), ("host", "'Host'")] {
        let message = Signed {
            excluded: vec![excluded],
            ..Signed::by(ALICE)
        }
        .sign();
        let words = format!("{named} must be a 'SignedHeader' in the AWS Authorization.");
        refused(&server, &message, "InvalidSignatureException", &words);
    }
    let mut added = Signed::by(ALICE).sign();
    added
        .headers
        .push(("x-amz-security-token".to_owned(), "smuggled".to_owned()));
    refused(
        &server,
        &added,
        "InvalidSignatureException",
        "'x-amz-security-token' must be",
    );
    accepted(
        &server,
        &Signed {
            excluded: vec!["content-type"],
            ..Signed::by(ALICE)
        },
    );
}

#[test]
fn scopes_are_checked() {
    let server = server();
    let alice = Signed::by(ALICE);
    let other = Signed {
        service: "s3",
        ..alice.clone()
    }
    .sign();
    refused(
        &server,
        &other,
        "InvalidSignatureException",
        "correct service: 'dynamodb'.",
    );
    let spoil = |from: &str, to: &str, code: &str, words: &str| {
        let mut message = alice.sign();
        let authorization = message.header("authorization");
        assert!(authorization.contains(from));
        *authorization = authorization.replace(from, to);
        refused(&server, &message, code, words);
    };
    let invalid = "InvalidSignatureException";
    let incomplete = "IncompleteSignatureException";
    spoil(
        "/20130609/",
        "/20130608/",
        invalid,
        "'20130608' != '20130609', from '20130609T100015Z'.",
    );
    spoil(
        "aws4_request",
        "aws4",
        invalid,
        "valid terminator: 'aws4_request', not 'aws4'.",
    );
    spoil(
        "/aws4_request",
        "",
        incomplete,
        "exactly 5 slash-delimited elements",
    );
    spoil(
        "/aws4_request",
        "/aws4_request/more",
        incomplete,
        "exactly 5 slash-delimited elements",
    );
    spoil(
        "AWS4-HMAC-SHA256",
        "AWS4-HMAC-MD5",
        incomplete,
        "Unsupported AWS 'algorithm': 'AWS4-HMAC-MD5'",
    );
    spoil(
        "Signature=",
        "Sign=",
        incomplete,
        "requires 'Signature' parameter",
    );
}

#[test]
fn a_date_header_will_do() {
    // As older clients sign; made by hand, because no current library does it.
    let server = server();
    let mut message = Signed::by(ALICE).sign();
    message.headers.retain(|(name, _)| name != "x-amz-date");
    refused(
        &server,
        &message,
        "IncompleteSignatureException",
        "either a 'X-Amz-Date' or a 'Date' header",
    );
    message.headers.push((
        "date".to_owned(),
        "Sun, 09 Jun 2013 10:00:15 GMT".to_owned(),
    ));
    // The date is understood; the signature named a header that is gone.
    refused(&server, &message, MISMATCH.0, MISMATCH.1);
}

#[test]
fn unsigned_requests_are_refused() {
    let server = server();
    let mut message = Signed::by(ALICE).sign();
    message.headers.retain(|(name, _)| name != "authorization");
    refused(
        &server,
        &message,
        "MissingAuthenticationTokenException",
        "Request is missing Authentication Token",
    );
    let page = Client::connect(server.address).ask(crate::client::get("/"));
    assert!(page.text().contains("an access key that this server knows"));
}

#[test]
fn a_signature_covers_the_body_as_sent() {
    use std::io::Read;
    let server = server();
    let mut packed = Vec::new();
    let mut encoder = flate2::read::GzEncoder::new(b"{}".as_slice(), flate2::Compression::fast());
    encoder.read_to_end(&mut packed).unwrap();
    let mut alice = Signed::by(ALICE);
    alice.headers.push(("content-encoding", "gzip".to_owned()));
    // The signer takes text only, so the packed bytes are signed by their hash.
    let identity = Identity::new(ALICE.0, ALICE.1, None, None, "test").into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region("us-east-1")
        .name("dynamodb")
        .time(now())
        .settings(SigningSettings::default())
        .build()
        .unwrap()
        .into();
    let headers = alice
        .headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()));
    let body = SignableBody::Bytes(&packed);
    let request = SignableRequest::new("POST", "http://db.example:8000/", headers, body).unwrap();
    let (added, _) = sign(request, &params).unwrap().into_parts().0.into_parts();
    let lines: String = alice
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .chain(
            added
                .iter()
                .map(|header| format!("{}: {}\r\n", header.name(), header.value())),
        )
        .collect();
    let head = format!(
        "POST / HTTP/1.1\r\n{lines}content-length: {}\r\n\r\n",
        packed.len()
    );
    let reply = Client::connect(server.address).ask([head.as_bytes(), &packed].concat());
    assert_eq!(reply.text(), r#"{"TableNames":[]}"#);
}
