//! Who calls: tokens, keys, and everything that tries to be one.

use crate::client::{Answer, call_with, open_store};
use crate::signed::{Signer, claims, from_now};
use futures_util::FutureExt;
use monotable_rest::{Authentication, AuthenticationFile, FetchKeys, Rest};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The keys of an issuer, which a test can change.
#[derive(Clone, Default)]
struct Keys {
    bytes: Arc<Mutex<Vec<u8>>>,
    fetched: Arc<AtomicUsize>,
}

impl Keys {
    fn of(signers: &[(&Signer, &str)]) -> Self {
        let keys = Self::default();
        keys.set(signers);
        keys
    }

    fn set(&self, signers: &[(&Signer, &str)]) {
        let list: Vec<Value> = signers.iter().map(|(signer, id)| signer.jwk(id)).collect();
        *self.bytes.lock().unwrap() = json!({ "keys": list }).to_string().into_bytes();
    }

    fn fetch(&self) -> FetchKeys {
        let keys = self.clone();
        Arc::new(move || {
            keys.fetched.fetch_add(1, Ordering::SeqCst);
            let bytes = keys.bytes.lock().unwrap().clone();
            async move { Ok(bytes) }.boxed()
        })
    }
}

const ISSUER: &str = r#"
[[issuer]]
issuer     = "https://id.example"
audience   = ["api"]
algorithms = ["RS256", "ES256", "EdDSA"]
jwks_file  = "keys.json"

[model.yggdrasil]
principal = { UserId = "sub" }

[model.formkiq]
principal = { username = "sub", groups = "groups" }
tenant    = "org"
"#;

fn authenticate(text: &str, keys: &Keys) -> Authentication {
    let file = AuthenticationFile::parse(text).unwrap();
    Authentication::new(file, &|_| keys.fetch())
}

async fn serve(text: &str, keys: &Keys) -> Rest {
    let yggdrasil = open_store("yggdrasil").await;
    let formkiq = open_store("formkiq").await;
    for name in ["ann", "ben"] {
        let values = monotable_item::Item::new()
            .with("UserId", name)
            .with("Email", format!("{name}@example.com"))
            .with("PasswordHash", "horse");
        yggdrasil.create("User", values).await.unwrap();
    }
    Rest::new()
        .with_store(yggdrasil)
        .with_store(formkiq)
        .with_authentication(authenticate(text, keys))
}

async fn get(rest: &Rest, token: &str) -> Answer {
    let header = format!("Bearer {token}");
    let headers = [("authorization", header.as_str())];
    call_with(rest, "GET", "/v1/yggdrasil/entities/User/ann", &headers, "").await
}

#[tokio::test]
async fn tokens_of_every_algorithm_say_who_calls() {
    let signers = [Signer::rsa(), Signer::ec(), Signer::ed()];
    let named: Vec<_> = signers.iter().zip(["r", "e", "d"]).collect();
    let rest = serve(ISSUER, &Keys::of(&named)).await;
    for (signer, id) in &named {
        let own = get(&rest, &signer.token(id, &claims("ann"))).await;
        assert_eq!(own.status, 200, "{id}: {}", own.text);
        let other = get(&rest, &signer.token(id, &claims("ben"))).await;
        assert_eq!(other.status, 404, "{id}: {}", other.text);
    }
    let text = ISSUER.replace("jwks_file  = \"keys.json\"", "secret_file = \"s\"");
    let text = text.replace("[\"RS256\", \"ES256\", \"EdDSA\"]", "[\"HS256\"]");
    let secret = Signer::Secret(b"0123456789abcdef0123456789abcdef".to_vec());
    let keys = Keys::default();
    *keys.bytes.lock().unwrap() = b"0123456789abcdef0123456789abcdef\n".to_vec();
    let rest = serve(&text, &keys).await;
    assert_eq!(
        get(&rest, &secret.token("any", &claims("ann")))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn tokens_that_are_not_right_are_refused() {
    let (rsa, ec) = (Signer::rsa(), Signer::ec());
    let rest = serve(ISSUER, &Keys::of(&[(&rsa, "r"), (&ec, "e")])).await;
    let good = rsa.token("r", &claims("ann"));
    assert_eq!(get(&rest, &good).await.status, 200);
    let with = |name: &str, value: Value| {
        let mut changed = claims("ann");
        changed[name] = value;
        changed
    };
    let without = |name: &str| {
        let mut changed = claims("ann");
        changed.as_object_mut().unwrap().remove(name);
        changed
    };
    // The public key of the issuer as the secret of HS256: key confusion.
    let public = rsa.jwk("r").to_string().into_bytes();
    let confused =
        Signer::Secret(public).sign(&json!({"alg": "HS256", "kid": "r"}), &claims("ann"));
    let unsigned = |header: Value| {
        let token = rsa.sign(&header, &claims("ann"));
        format!("{}.", token.rsplit_once('.').unwrap().0)
    };
    let tampered = {
        let parts: Vec<&str> = good.split('.').collect();
        let other = rsa.token("r", &claims("ben"));
        let payload = other.split('.').nth(1).unwrap();
        format!("{}.{payload}.{}", parts[0], parts[2])
    };
    let cases = [
        (
            "expired",
            rsa.token("r", &with("exp", json!(from_now(-600)))),
        ),
        (
            "not yet valid",
            rsa.token("r", &with("nbf", json!(from_now(600)))),
        ),
        ("without an end", rsa.token("r", &without("exp"))),
        (
            "an end that is a text",
            rsa.token("r", &with("exp", json!("4102444800"))),
        ),
        (
            "of another issuer",
            rsa.token("r", &with("iss", json!("https://evil.example"))),
        ),
        ("without an issuer", rsa.token("r", &without("iss"))),
        (
            "for another audience",
            rsa.token("r", &with("aud", json!("other"))),
        ),
        ("for no audience", rsa.token("r", &without("aud"))),
        (
            "signed by a stranger",
            Signer::ec().token("e", &claims("ann")),
        ),
        ("of an unknown key", rsa.token("zzz", &claims("ann"))),
        ("of another key", ec.token("r", &claims("ann"))),
        (
            "with another algorithm",
            rsa.sign(&json!({"alg": "RS512", "kid": "r"}), &claims("ann")),
        ),
        ("with key confusion", confused),
        ("alg none", unsigned(json!({"alg": "none", "kid": "r"}))),
        ("alg None", unsigned(json!({"alg": "None", "kid": "r"}))),
        (
            "without a signature",
            unsigned(json!({"alg": "RS256", "kid": "r"})),
        ),
        ("with a payload of another", tampered),
        (
            "with an embedded key",
            ec.sign(&json!({"alg": "ES256", "jwk": ec.jwk("x")}), &claims("ann")),
        ),
        (
            "with a header that must be understood",
            rsa.sign(
                &json!({"alg": "RS256", "kid": "r", "crit": ["exp"], "exp": 1}),
                &claims("ann"),
            ),
        ),
        ("no token at all", "nonsense".to_owned()),
        ("empty", String::new()),
    ];
    for (what, token) in cases {
        let answer = get(&rest, &token).await;
        assert_eq!(answer.status, 401, "{what}: {}", answer.text);
        assert!(
            answer.header("www-authenticate").starts_with("Bearer"),
            "{what}"
        );
        assert_eq!(answer.json()["code"], "Unauthorized", "{what}");
    }
    for subject in [without("sub"), with("sub", Value::Null)] {
        let nobody = get(&rest, &rsa.token("r", &subject)).await;
        assert_eq!(nobody.status, 403, "{}", nobody.text);
    }
    let none = call_with(&rest, "GET", "/v1/yggdrasil/entities/User/ann", &[], "").await;
    assert_eq!(none.status, 401);
    let signed = [("authorization", "AWS4-HMAC-SHA256 Credential=a")];
    let aws = call_with(&rest, "GET", "/v1/yggdrasil/entities/User/ann", &signed, "").await;
    assert_eq!(aws.status, 401);
    let words = format!("Bearer {good}");
    let forged = [
        ("authorization", words.as_str()),
        ("monotable-principal", r#"{"UserId": "ben"}"#),
    ];
    let forged = call_with(&rest, "GET", "/v1/yggdrasil/entities/User/ben", &forged, "").await;
    assert_eq!(forged.status, 403, "{}", forged.text);
    let document = call_with(&rest, "GET", "/v1/yggdrasil/openapi.json", &[], "").await;
    assert_eq!(document.status, 401);
}

#[tokio::test]
async fn clocks_may_be_a_little_apart() {
    let rsa = Signer::rsa();
    let text = ISSUER.replace("audience   =", "clock_skew = 60\naudience   =");
    let rest = serve(&text, &Keys::of(&[(&rsa, "r")])).await;
    let mut late = claims("ann");
    late["exp"] = json!(from_now(-20));
    assert_eq!(get(&rest, &rsa.token("r", &late)).await.status, 200);
    late["exp"] = json!(from_now(-120));
    assert_eq!(get(&rest, &rsa.token("r", &late)).await.status, 401);
}

#[tokio::test]
async fn a_token_without_a_tenant_is_refused_where_there_are_tenants() {
    let rsa = Signer::rsa();
    let rest = serve(ISSUER, &Keys::of(&[(&rsa, "r")])).await;
    let ask = |claims: Value| {
        let (rest, token) = (&rest, format!("Bearer {}", rsa.token("r", &claims)));
        async move {
            let headers = [("authorization", token.as_str())];
            call_with(rest, "GET", "/v1/formkiq/entities/Document/d", &headers, "").await
        }
    };
    let mut homeless = claims("ann");
    homeless.as_object_mut().unwrap().remove("org");
    let refused = ask(homeless.clone()).await;
    assert_eq!(
        (refused.status, refused.json()["code"].as_str()),
        (403, Some("Forbidden")),
        "{}",
        refused.text
    );
    homeless["org"] = json!("");
    assert_eq!(ask(homeless).await.status, 403);
    let known = ask(claims("ann")).await;
    assert_eq!(known.json()["code"], "NotFound", "{}", known.text);
}

#[tokio::test]
async fn keys_that_an_issuer_takes_up_are_found_and_others_make_no_traffic() {
    let (old, new) = (Signer::ec(), Signer::ec());
    let keys = Keys::of(&[(&old, "old")]);
    let rest = serve(ISSUER, &keys).await;
    assert_eq!(
        get(&rest, &old.token("old", &claims("ann"))).await.status,
        200
    );
    for number in 0..50 {
        let invented = get(&rest, &new.token(&format!("k{number}"), &claims("ann"))).await;
        assert_eq!(invented.status, 401);
    }
    assert_eq!(keys.fetched.load(Ordering::SeqCst), 1);
    // A server that has just begun, whose issuer has changed its keys since.
    let rest = serve(ISSUER, &keys).await;
    keys.set(&[(&new, "new")]);
    assert_eq!(
        get(&rest, &new.token("new", &claims("ann"))).await.status,
        200
    );
    assert_eq!(
        get(&rest, &old.token("old", &claims("ann"))).await.status,
        401
    );
}

/// The SHA-256 of a key, as the file has it.
fn hash(key: &str) -> String {
    let digest = Sha256::digest(key.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn keys_say_who_holds_them() {
    let text = format!(
        r#"
[[key]]
name      = "ann"
sha256    = "{}"
principal = {{ UserId = "ann" }}
models    = ["yggdrasil"]

[[key]]
name    = "backend"
sha256  = "{}"
program = true

[[key]]
name    = "acme"
sha256  = "{}"
program = true
tenant  = "acme"
"#,
        hash("ann-key"),
        hash("program-key"),
        hash("acme-key"),
    );
    let rest = serve(&text, &Keys::default()).await;
    let get =
        |key: &'static str, path: &'static str, more: &'static [(&'static str, &'static str)]| {
            let rest = &rest;
            async move {
                let mut headers = vec![("x-api-key", key)];
                headers.extend_from_slice(more);
                call_with(rest, "GET", path, &headers, "").await.status
            }
        };
    assert_eq!(
        get("ann-key", "/v1/yggdrasil/entities/User/ann", &[]).await,
        200
    );
    assert_eq!(
        get("ann-key", "/v1/yggdrasil/entities/User/ben", &[]).await,
        404
    );
    assert_eq!(
        get("ann-key", "/v1/formkiq/entities/Document/d", &[]).await,
        403
    );
    assert_eq!(
        get("ann-kez", "/v1/yggdrasil/entities/User/ann", &[]).await,
        401
    );
    assert_eq!(
        get("program-key", "/v1/yggdrasil/entities/User/ben", &[]).await,
        200
    );
    let as_ann: &[_] = &[("monotable-principal", r#"{"UserId": "ann"}"#)];
    assert_eq!(
        get("program-key", "/v1/yggdrasil/entities/User/ben", as_ann).await,
        404
    );
    assert_eq!(
        get("ann-key", "/v1/yggdrasil/entities/User/ann", as_ann).await,
        403
    );
    let elsewhere: &[_] = &[("monotable-tenant", "other")];
    assert_eq!(
        get("acme-key", "/v1/formkiq/entities/Document/d", &[]).await,
        404
    );
    assert_eq!(
        get("acme-key", "/v1/formkiq/entities/Document/d", elsewhere).await,
        403
    );
}

#[tokio::test]
async fn a_caller_that_asks_too_often_waits() {
    let rsa = Signer::rsa();
    let text = format!("{ISSUER}\n[limits]\nrequests_per_second = 0.001\nburst = 3\n");
    let rest = serve(&text, &Keys::of(&[(&rsa, "r")])).await;
    let token = rsa.token("r", &claims("ann"));
    for _ in 0..3 {
        assert_eq!(get(&rest, &token).await.status, 200);
    }
    let refused = get(&rest, &token).await;
    assert_eq!(
        (refused.status, refused.json()["code"].as_str()),
        (429, Some("TooManyRequests"))
    );
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0);
    assert_eq!(
        get(&rest, &rsa.token("r", &claims("ben"))).await.status,
        404
    );
}

#[test]
fn a_file_that_would_let_somebody_in_is_refused() {
    let cases = [
        ("", "neither"),
        (
            "[[issuer]]\nissuer = \"a\"\naudience = []\nalgorithms = [\"RS256\"]\njwks_file = \"k\"",
            "audience",
        ),
        (
            "[[issuer]]\nissuer = \"a\"\naudience = [\"b\"]\nalgorithms = [\"none\"]\njwks_file = \"k\"",
            "algorithms",
        ),
        (
            "[[issuer]]\nissuer = \"a\"\naudience = [\"b\"]\nalgorithms = [\"RS256\"]",
            "exactly one",
        ),
        (
            "[[issuer]]\nissuer = \"a\"\naudience = [\"b\"]\nalgorithms = [\"RS256\"]\nsecret_file = \"k\"",
            "HS256",
        ),
        (
            "[[key]]\nname = \"a\"\nsha256 = \"12\"\nprogram = true",
            "sha256",
        ),
        (
            "[[key]]\nname = \"a\"\nsha256 = \"12\"\nnonsense = true",
            "nonsense",
        ),
    ];
    for (text, word) in cases {
        let error = AuthenticationFile::parse(text).unwrap_err().to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
    let keys = Keys::default();
    let without_claims = ISSUER.split("[model.formkiq]").next().unwrap();
    let authentication = authenticate(without_claims, &keys);
    assert!(
        authentication
            .check_model(&crate::client::read_model("yggdrasil"))
            .is_ok()
    );
    assert!(
        authentication
            .check_model(&crate::client::read_model("processproof"))
            .is_ok()
    );
    let refused = authentication.check_model(&crate::client::read_model("formkiq"));
    assert!(refused.unwrap_err().contains("[model.formkiq]"));
}

#[tokio::test]
async fn strangers_do_not_learn_which_models_there_are() {
    let rsa = Signer::rsa();
    let rest = serve(ISSUER, &Keys::of(&[(&rsa, "r")])).await;
    for address in [
        "/v1",
        "/v1/",
        "/v1/nothing/openapi.json",
        "/v1/yggdrasil/openapi.json",
    ] {
        let stranger = call_with(&rest, "GET", address, &[], "").await;
        assert_eq!(stranger.status, 401, "{address}: {}", stranger.text);
        assert!(!stranger.text.contains("formkiq"), "{}", stranger.text);
    }
    let bearer = format!("Bearer {}", rsa.token("r", &claims("ann")));
    let headers = [("authorization", bearer.as_str())];
    let list = call_with(&rest, "GET", "/v1", &headers, "").await;
    assert_eq!(list.json()["models"][0]["model"], "formkiq");
    let nothing = call_with(&rest, "GET", "/v1/nothing/", &headers, "").await;
    assert_eq!(nothing.status, 404, "{}", nothing.text);
    let posted = call_with(&rest, "POST", "/v1", &headers, "{}").await;
    assert_eq!(posted.status, 405, "{}", posted.text);
    let stranger = crate::client::request("POST", "/v1/yggdrasil/entities/Tree", &[], "");
    let screened = rest.screen(&stranger).await.map(|answer| answer.status);
    assert_eq!(screened, Some(http::StatusCode::UNAUTHORIZED));
    let known = crate::client::request("POST", "/v1/yggdrasil/entities/Tree", &headers, "");
    assert!(rest.screen(&known).await.is_none());
}

/// Patterns read rows of others through indexes. Whether there were any is not told, not even as a number.
#[tokio::test]
async fn patterns_do_not_tell_of_rows_that_the_caller_may_not_see() {
    let rsa = Signer::rsa();
    let rest = serve(ISSUER, &Keys::of(&[(&rsa, "r")])).await;
    let token = format!("Bearer {}", rsa.token("r", &claims("ben")));
    for options in ["", "&explain=true", "&dry_run=true"] {
        for trace in ["", "requests", "changes"] {
            let mut headers = vec![("authorization", token.as_str())];
            if !trace.is_empty() {
                headers.push(("monotable-trace", trace));
            }
            let mut answers = Vec::new();
            for name in ["ann", "eve"] {
                let path = format!(
                    "/v1/yggdrasil/patterns/user_by_email?Email={name}@example.com{options}"
                );
                let answer = call_with(&rest, "GET", &path, &headers, "").await;
                let mut json = answer.json();
                if let Some(trace) = json.pointer_mut("/trace") {
                    trace["took_us"] = json!(0);
                }
                answers.push((answer.status, json.to_string().replace(name, "NAME")));
            }
            assert_eq!(answers[0], answers[1], "{options} {trace}");
        }
    }
}

#[tokio::test]
async fn two_programs_do_not_share_names_of_calls() {
    let key = |name: &str| {
        let hash = hash(name);
        format!("[[key]]\nname = \"{name}\"\nsha256 = \"{hash}\"\nprogram = true\n")
    };
    let text = format!("{}{}", key("nightly"), key("hourly"));
    let rest = serve(&text, &Keys::default()).await;
    let create = |key: &'static str| {
        let rest = &rest;
        async move {
            let headers = [
                ("x-api-key", key),
                ("content-type", "application/json"),
                ("idempotency-key", "1"),
            ];
            let body = r#"{"UserId": "ann", "TreeName": "x"}"#;
            let address = "/v1/yggdrasil/entities/Tree";
            let made = call_with(rest, "POST", address, &headers, body).await;
            assert_eq!(made.status, 201, "{}", made.text);
            made.json()["TreeId"].as_str().unwrap().to_owned()
        }
    };
    let first = create("nightly").await;
    assert_ne!(create("hourly").await, first);
    assert_eq!(create("nightly").await, first);
}

#[test]
fn keys_are_held_against_the_models_that_are_served() {
    let models = ["yggdrasil", "formkiq"].map(crate::client::read_model);
    let check = |more: &str| {
        let hash = hash("key");
        let text = format!("[[key]]\nname = \"k\"\nsha256 = \"{hash}\"\n{more}");
        authenticate(&text, &Keys::default()).check_keys(&models)
    };
    for good in [
        "program = true",
        "principal = { UserId = \"ann\" }",
        "principal = { username = \"ann\", groups = [] }\ntenant = \"acme\"",
        "principal = { strange = \"ann\" }\nmodels = [\"elsewhere\"]",
    ] {
        assert_eq!(check(good), Ok(()), "{good}");
    }
    for (wrong, words) in [
        ("principal = { userid = \"ann\" }", "says `userid`"),
        ("principal = {}", "does not say `UserId`"),
        (
            "principal = { UserId = \"ann\" }\nmodels = [\"formkiq\"]",
            "says `UserId`",
        ),
        (
            "principal = { username = \"ann\", groups = [] }\nmodels = [\"formkiq\"]",
            "no `tenant`",
        ),
    ] {
        let refused = check(wrong).unwrap_err();
        assert!(refused.contains(words), "{wrong}: {refused}");
    }
}

#[test]
fn a_key_has_a_name_of_its_own() {
    let key = |name: &str, key: &str| {
        let hash = hash(key);
        format!("[[key]]\nname = \"{name}\"\nsha256 = \"{hash}\"\nprogram = true\n")
    };
    for (keys, words) in [
        ([key("a", "1"), key("a", "2")], "two keys are called a"),
        ([key("a", "1"), key("b", "1")], "a and b have the same"),
    ] {
        let refused = AuthenticationFile::parse(&keys.concat()).unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
    }
    let fine = [key("a", "1"), key("b", "2")].concat();
    assert!(AuthenticationFile::parse(&fine).is_ok());
}

#[tokio::test]
async fn a_refused_token_is_told_why_in_words() {
    let ed = Signer::ed();
    let rest = serve(ISSUER, &Keys::of(&[(&ed, "d")])).await;
    let with = |name: &str, value: Value| {
        let mut claims = claims("ann");
        claims[name] = value;
        ed.token("d", &claims)
    };
    let other = Signer::ed();
    for (token, words) in [
        (with("exp", json!(from_now(-1000))), "has expired"),
        (with("nbf", json!(from_now(1000))), "is not valid yet"),
        (with("aud", json!("other")), "wanted is `api`"),
        (with("exp", Value::Null), "no claim `exp`"),
        (other.token("d", &claims("ann")), "signature of the token"),
    ] {
        let refused = get(&rest, &token).await;
        assert_eq!(refused.status, 401);
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
}
