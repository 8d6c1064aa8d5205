//! The promises of the evidence model, over the whole of their space where it is small.

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;
use serde_json::{Value, json};

use super::confidence::Confidence;
use super::digest::Digest;
use super::evidence::{Evidence, Kind};
use super::fuse::fuse;
use super::place::{Location, Point, Span};
use super::redacted::Redacted;
use super::score::{STALE_FACTOR, score};
use super::symbol::SymbolId;
use super::tier::{Freshness, Method, Tier};

/// Every hundredth, and the neighbours of the bounds.
fn confidences() -> Vec<Confidence> {
    let hundredths = (0..=100).map(Confidence::percent);
    let edges = [f64::MIN_POSITIVE, f64::EPSILON, 1.0 - f64::EPSILON];
    hundredths.chain(edges.map(|it| Confidence::new(it).unwrap())).collect()
}

fn record(method: Method) -> Evidence {
    let place = Location { path: "src/a.rs".parse().unwrap(), span: Span::FILE };
    Evidence::new(Kind::Reference, method, place, "subject", Redacted::new("message"))
}

/// A record's JSON with one field replaced.
fn with(record: &Evidence, field: &str, value: Value) -> String {
    let mut json = serde_json::to_value(record).unwrap();
    json[field] = value;
    serde_json::from_value::<Evidence>(json).expect_err("the change is against the rules").to_string()
}

#[test]
fn stale_exact_never_outranks_fresh_structural() {
    for stale in confidences() {
        for fresh in confidences() {
            for tier in Tier::ALL {
                let old = score(tier, stale, Freshness::Stale);
                for current in [Tier::Structural, Tier::NearExact, Tier::Exact] {
                    assert!(old < score(current, fresh, Freshness::Fresh), "{tier:?} {stale:?} {fresh:?}");
                }
            }
            let mut old = record(Method::PrecisionIndex).into_stale();
            old.confidence = stale;
            let mut current = record(Method::StructuralMatch);
            current.confidence = fresh;
            assert!(old.score() < current.score());
        }
    }
}

#[test]
fn exact_and_stale_cannot_both_be_set() {
    for method in Method::ALL {
        let fresh = record(method);
        let stale = fresh.clone().into_stale();
        assert_eq!(fresh.is_exact(), method == Method::PrecisionIndex);
        assert!(!stale.is_exact() && stale.is_stale() && stale.tier() <= Tier::InferredHigh);
    }
    let error = with(&record(Method::PrecisionIndex), "stale", json!(true));
    assert!(error.contains("`exact` and `stale`"), "{error}");
    let error = with(&record(Method::PrecisionIndex).into_stale(), "trust", json!("exact"));
    assert!(error.contains("`stale`"), "{error}");
}

#[test]
fn a_provider_cannot_elevate_its_own_tier() {
    for method in Method::ALL {
        for tier in Tier::ALL {
            assert!(record(method).at_most(tier).tier() <= method.ceiling());
            assert!(record(method).at_most(Tier::Weak).at_most(tier).tier() == Tier::Weak);
            if tier > method.ceiling() {
                let error = with(&record(method), "trust", serde_json::to_value(tier).unwrap());
                assert!(
                    error.contains("`trust`") || error.contains("`exact`"),
                    "{method:?} {tier:?}: {error}"
                );
            }
        }
    }
    let error = with(&record(Method::Lexical), "provider", json!("precision"));
    assert!(error.contains("`provider`"), "{error}");
}

#[test]
fn staleness_cannot_be_undone_and_remembers_nothing_else() {
    for method in Method::ALL {
        let once = record(method).into_stale();
        assert_eq!(once.clone().into_stale(), once);
        assert_eq!(once.clone().at_most(Tier::Exact), once);
        let read: Evidence = serde_json::from_str(&serde_json::to_string(&once).unwrap()).unwrap();
        assert_eq!(read, once);
        assert_eq!((once.method(), once.confidence), (method, Confidence::FULL));
    }
}

#[test]
fn tiers_own_disjoint_bands_and_stale_results_keep_their_order() {
    let least = Confidence::percent(0);
    for pair in Tier::ALL.windows(2) {
        let (lower, higher) = (pair[0], pair[1]);
        for freshness in [Freshness::Fresh, Freshness::Stale] {
            assert!(score(lower, Confidence::FULL, freshness) < score(higher, least, freshness));
            for confidence in confidences().windows(2).filter(|it| it[0] < it[1]) {
                assert!(score(higher, confidence[0], freshness) <= score(higher, confidence[1], freshness));
            }
        }
    }
    let unit = |tier, confidence| score(tier, confidence, Freshness::Fresh).get();
    assert!(unit(Tier::Weak, least) > 0.0 && unit(Tier::Exact, Confidence::FULL) <= 1.0);
    assert!(STALE_FACTOR < unit(Tier::Structural, least) / unit(Tier::Exact, Confidence::FULL));
}

#[test]
fn an_id_is_of_the_content_and_not_of_the_metadata() {
    let plain = record(Method::Lexical);
    let other = Evidence { message: Redacted::new("another"), ..plain.clone() };
    assert_ne!(plain.id(), other.id());
    let fused = fuse([plain.clone(), record(Method::SyntaxTree)]);
    assert_eq!(fused[0].id(), record(Method::SyntaxTree).id());
    assert!(plain.id().as_str().starts_with("ev_") && plain.id().as_str().len() == 23);
    let error = with(&plain, "id", json!("ev_00000000000000000000"));
    assert!(error.contains("`id`"), "{error}");
    assert!(with(&plain, "confidence", json!(1.5)).contains("`confidence`"));
    assert!(with(&plain, "start_line", json!(0)).contains("one-based"));
}

fn records() -> impl Strategy<Value = Vec<Evidence>> {
    let kind = select(vec![Kind::Definition, Kind::Reference]);
    let symbol = prop_oneof![Just(None), Just(Some("a")), Just(Some("b"))];
    let one = (kind, select(Method::ALL.to_vec()), 1u32..3, 0u8..=100, any::<bool>(), symbol);
    let one = one.prop_map(|(kind, method, line, percent, is_stale, symbol)| {
        let span = Span { start: Point { line, column: 1 }, end: Point { line, column: 4 } };
        let place = Location { path: "a.py".parse().unwrap(), span };
        let mut record = Evidence::new(kind, method, place, "abc", Redacted::new("found"));
        record.confidence = Confidence::percent(percent);
        record.target = symbol.map(|it| SymbolId::try_from(it.to_owned()).unwrap());
        if is_stale { record.into_stale() } else { record }
    });
    vec(one, 0..12)
}

/// Every record of a list, the superseded ones as well, as JSON without what they supersede.
fn flat(records: &[Evidence]) -> Vec<String> {
    let all = records.iter().flat_map(|it| std::iter::once(it).chain(it.superseded()));
    let mut texts: Vec<String> = all
        .map(|it| {
            let mut json = serde_json::to_value(it).unwrap();
            json["metadata"].as_object_mut().unwrap().remove("superseded");
            json.to_string()
        })
        .collect();
    texts.sort();
    texts.dedup();
    texts
}

proptest! {
    #[test]
    fn weaker_evidence_is_superseded_never_erased(records in records()) {
        let fused = fuse(records.clone());
        prop_assert_eq!(flat(&fused), flat(&records));
        for record in &fused {
            prop_assert!(record.superseded().iter().all(|it| it.superseded().is_empty()));
            prop_assert!(record.superseded().iter().all(|it| it.score() <= record.score()));
        }
    }

    #[test]
    fn fusion_is_associative_commutative_and_idempotent(
        (records, shuffled) in records().prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle())),
        cut in any::<prop::sample::Index>(),
    ) {
        let whole = fuse(records.clone());
        let at = cut.index(records.len() + 1);
        let parts = [fuse(records[..at].to_vec()), fuse(records[at..].to_vec())];
        prop_assert_eq!(&fuse(parts.concat()), &whole);
        prop_assert_eq!(&fuse(shuffled), &whole);
        prop_assert_eq!(&fuse(whole.clone()), &whole);
        prop_assert_eq!(&fuse([whole.clone(), records].concat()), &whole);
    }

    #[test]
    fn order_is_total_and_stable((records, shuffled) in records().prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle()))) {
        let sorted = |mut it: Vec<Evidence>| { it.sort_by(Evidence::order); it };
        prop_assert_eq!(sorted(records), sorted(shuffled));
    }

    /// The id can be taken again from the written record alone, by anybody with RFC 8785 and SHA-256.
    #[test]
    fn an_id_is_the_digest_of_the_canonical_form_of_what_is_written(records in records()) {
        for record in records {
            let mut json = serde_json::to_value(&record).unwrap();
            json.as_object_mut().unwrap().retain(|key, _| key != "id" && key != "metadata");
            let digest = Digest::of_document(&json).unwrap().short(20);
            let id = record.id();
            prop_assert_eq!(id.as_str(), format!("ev_{digest}"));
        }
    }

    #[test]
    fn a_record_reads_back_as_it_was_written(records in records()) {
        for record in fuse(records) {
            let text = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(serde_json::from_str::<Evidence>(&text).unwrap(), record);
        }
    }
}
