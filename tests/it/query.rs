//! `cortex route` and `cortex query`, over a small project of sessions.

use serde_json::{Value, json};

use super::fixture::{Repo, fixtures, golden};

fn layers(repo: &Repo, question: &str) -> Vec<String> {
    let route = repo.cortex(&["route", "--json", question]).ends(0).json();
    let layers = route["layers"].as_array().unwrap().iter();
    layers.map(|it| it["layer"].as_str().unwrap().to_owned()).collect()
}

/// The sections of an answer with the numbers of their lines.
fn items(answer: &Value) -> Vec<(String, Vec<u64>)> {
    let items = answer["items"].as_array().unwrap().iter();
    items
        .map(|it| {
            let lines = it["lines"].as_array().unwrap().iter().filter_map(|it| it["line"].as_u64());
            let (path, title) = (it["path"].as_str().unwrap(), it["title"].as_str().unwrap());
            (format!("{path}: {title}"), lines.collect())
        })
        .collect()
}

#[test]
fn a_question_is_routed_by_what_the_repository_knows() {
    let repo = Repo::of("query");
    assert_eq!(layers(&repo, "Who calls refresh_token?"), ["precision"]);
    assert_eq!(layers(&repo, "How long is a login kept?"), ["index"]);
    assert_eq!(layers(&repo, "how do I set a timeout with requests"), ["docs"]);
    let route = |question| repo.cortex(&["route", "--json", question]).ends(0).json();
    assert_eq!(route("how do I set a timeout with requests")["remote"], "requests");
    assert_eq!(route("how do I set a timeout with aiohttp")["remote"], Value::Null);
}

#[test]
fn a_change_is_never_made_but_its_preview_is_named() {
    let repo = Repo::of("query");
    let before = repo.git(&["status", "--porcelain"]);
    let route = repo.cortex(&["route", "Rename refresh_token to renew_token"]).ends(0).stdout;
    assert!(route.lines().any(|it| it.starts_with("command") && it.contains("--preview")), "{route}");
    let run = repo.cortex(&["query", "Rename refresh_token to renew_token"]).ends(0);
    assert!(run.stderr.contains("nothing is changed"), "{}", run.stderr);
    assert!(run.stdout.contains("refresh_token(self.session, self.clock)"), "{}", run.stdout);
    assert_eq!(repo.git(&["status", "--porcelain"]), before);
    assert!(repo.read("app/session.py").contains("def refresh_token"));
}

#[test]
fn callers_are_shown_with_the_definition_and_production_code_first() {
    let repo = Repo::of("query");
    let answer = repo.cortex(&["query", "--json", "Who calls refresh_token?"]).ends(0).json();
    let items = items(&answer);
    assert_eq!(items[0].0, "app/session.py: definition of refresh_token [structural]");
    assert!(items[0].1.contains(&20));
    let calls: Vec<&(String, Vec<u64>)> = items.iter().filter(|it| it.0.contains("call of")).collect();
    assert_eq!(
        calls,
        [
            &("app/api.py: call of refresh_token in Api.get [inferred_high]".to_owned(), vec![10]),
            &("app/shop.py: call of refresh_token in check_out [inferred_high]".to_owned(), vec![5]),
            &(
                "tests/test_session.py: call of refresh_token in test_a_young_token_stays [inferred_high]"
                    .to_owned(),
                vec![5]
            ),
        ]
    );
}

#[test]
fn words_lead_to_what_they_describe_and_say_that_they_are_only_words() {
    let repo = Repo::of("query");
    let answer =
        repo.cortex(&["query", "--json", "where is a new token requested from the server"]).ends(0).json();
    let (first, lines) = items(&answer).remove(0);
    assert_eq!(first, "app/session.py: definition of refresh_token, by its words [weak]");
    assert!(lines.contains(&20), "{lines:?}");
}

#[test]
fn every_aim_has_its_answer() {
    let repo = Repo::of("query");
    for (question, shown) in [
        ("what implements Api", "app/api.py: implementation by CachedApi"),
        (
            "What breaks if I change refresh_token?",
            "app/api.py: reached by refresh_token in 1 step in Api.get",
        ),
        ("Which tests cover refresh_token?", "tests/test_session.py: reached by refresh_token in 1 step"),
        ("Which version of requests do we use?", "requirements.txt: asks for requests `==2.31.0`"),
        ("who last touched app/shop.py", "app/shop.py: its commits"),
        ("find `refresh_token($A, $B)`", "app/shop.py: matches `refresh_token(session, clock)`"),
        ("Where is Session defined?", "app/session.py: definition of Session [structural]"),
    ] {
        let run = repo.cortex(&["query", question]).ends(0);
        assert!(run.stdout.contains(shown), "{question}\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn what_is_not_there_is_said() {
    let repo = Repo::of("query");
    let run = repo.cortex(&["query", "find the shape of all loops"]).ends(0);
    assert!(run.stderr.contains("[pattern_missing]"), "{}", run.stderr);
    let run = repo.cortex(&["query", "zyzzyva?"]).ends(0);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("[nothing_found]"), "{}", run.stderr);
    let run = repo.cortex(&["query", "--budget", "1", "Who calls refresh_token?"]).ends(0);
    assert!(run.stderr.contains("[budget_too_small]"), "{}", run.stderr);
    repo.cortex(&["query"]).ends(2);
}

#[test]
fn no_budget_is_exceeded_and_the_same_question_gives_the_same_bytes() {
    let repo = Repo::of("query");
    for question in ["Who calls refresh_token?", "how is a token renewed", "What breaks if I change Session?"]
    {
        let mut longest = 0;
        for budget in ["0", "7", "30", "61", "120", "400", "2000"] {
            let run = repo.cortex(&["query", "--budget", budget, question]).ends(0);
            assert!(run.stdout.len() <= 4 * budget.parse::<usize>().unwrap(), "{budget}: {}", run.stdout);
            assert_eq!(run.stdout, repo.cortex(&["query", "--budget", budget, question]).stdout);
            longest = longest.max(run.stdout.len());
        }
        assert!(longest > 400, "{question}: {longest}");
    }
}

#[test]
fn the_json_of_an_answer_is_the_agreed_interface() {
    let repo = Repo::of("query");
    let answer = repo.cortex(&["query", "--json", "--budget", "150", "Who calls refresh_token?"]).ends(0);
    golden(&fixtures().join("query/expect/callers.json"), &answer.stdout);
    let shown: Value = answer.json();
    assert_eq!(shown["budget"], json!(150));
    let text = repo.cortex(&["query", "--budget", "150", "Who calls refresh_token?"]).ends(0).stdout;
    assert_eq!(shown["tokens"], json!(text.len().div_ceil(4)));
}
