//! Parents and bills of materials from a local repository of Maven, made up in a folder beside the repository, and one that
//! Maven itself filled.

use std::path::Path;

use serde_json::{Value, json};

use super::fixture::Repo;

const APP: &str = "<project>
<parent><groupId>org.p</groupId><artifactId>near</artifactId><version>1</version></parent>
<artifactId>app</artifactId>
<properties><over>2.0</over></properties>
<dependencyManagement><dependencies>
<dependency><groupId>org.b</groupId><artifactId>bom</artifactId><version>${bom}</version><type>pom</type><scope>import</scope></dependency>
</dependencies></dependencyManagement>
<dependencies>
<dependency><groupId>o</groupId><artifactId>by-parent</artifactId></dependency>
<dependency><groupId>o</groupId><artifactId>by-bom</artifactId></dependency>
<dependency><groupId>o</groupId><artifactId>by-property</artifactId><version>${far.version}</version></dependency>
<dependency><groupId>o</groupId><artifactId>own</artifactId><version>1.1</version></dependency>
<dependency><groupId>o</groupId><artifactId>nowhere</artifactId></dependency>
</dependencies>
</project>
";

const NEAR: &str = "<project>
<parent><groupId>org.p</groupId><artifactId>far</artifactId><version>1</version></parent>
<artifactId>near</artifactId>
<dependencies><dependency><groupId>o</groupId><artifactId>inherited</artifactId><version>3.3</version></dependency></dependencies>
</project>";

const FAR: &str = "<project><groupId>org.p</groupId><artifactId>far</artifactId><version>1</version>
<properties><over>1.0</over><far.version>7</far.version><bom>5</bom></properties>
<dependencyManagement><dependencies>
<dependency><groupId>o</groupId><artifactId>by-parent</artifactId><version>${over}</version></dependency>
</dependencies></dependencyManagement></project>";

/// It imports what is absent, itself, and what would lead out of the repository of Maven.
const BOM: &str = "<project><groupId>org.b</groupId><artifactId>bom</artifactId><version>5</version>
<dependencyManagement><dependencies>
<dependency><groupId>o</groupId><artifactId>by-bom</artifactId><version>${project.version}</version></dependency>
<dependency><groupId>org.b</groupId><artifactId>gone</artifactId><version>9</version><type>pom</type><scope>import</scope></dependency>
<dependency><groupId>org.b</groupId><artifactId>bom</artifactId><version>5</version><type>pom</type><scope>import</scope></dependency>
<dependency><groupId>..</groupId><artifactId>out</artifactId><version>1</version><type>pom</type><scope>import</scope></dependency>
</dependencies></dependencyManagement></project>";

fn publish(repo: &Repo, repository: &str, coordinates: &str, pom: &str) {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let [group, artifact, version] = parts[..] else { panic!("three parts") };
    let group = group.replace('.', "/");
    repo.write(
        &format!("{}/{group}/{artifact}/{version}/{artifact}-{version}.pom", repo.beside(repository)),
        pom,
    );
}

fn published(repo: &Repo, repository: &str) {
    publish(repo, repository, "org.p:near:1", NEAR);
    publish(repo, repository, "org.p:far:1", FAR);
    publish(repo, repository, "org.b:bom:5", BOM);
    // Where the hostile import would lead.
    repo.write(&format!("{}/../out/1/out-1.pom", repo.beside(repository)), BOM);
}

/// `name constraint=evaluated state line:column < published in`, of all entries of `pom.xml`.
#[track_caller]
fn shown(listed: &str) -> Vec<String> {
    let listed: Value = serde_json::from_str(listed).unwrap();
    let rows = listed["dependencies"].as_array().unwrap().iter().flat_map(|it| {
        it["declared"].as_array().unwrap().iter().map(move |entry| {
            let text = |key: &str, before: &str| {
                entry.get(key).and_then(Value::as_str).map(|it| format!("{before}{it}")).unwrap_or_default()
            };
            let resolved: Vec<&str> =
                it["resolved"].as_array().unwrap().iter().map(|it| it["version"].as_str().unwrap()).collect();
            format!(
                "{}{}{} {}:{} has {}{}",
                it["name"].as_str().unwrap(),
                text("constraint", " "),
                text("evaluated", "="),
                entry["line"],
                entry["column"],
                resolved.join(","),
                text("published_in", " < "),
            )
        })
    });
    rows.collect()
}

fn notes(listed: &str) -> Vec<String> {
    let listed: Value = serde_json::from_str(listed).unwrap();
    let of = |it: &Value| {
        format!("{} {}:{}", it["message"].as_str().unwrap(), it["path"].as_str().unwrap(), it["line"])
    };
    listed["diagnostics"].as_array().unwrap().iter().map(of).collect()
}

/// By hand from the poms above: the child's property wins in what its parents manage, the bill of materials is expanded in
/// its own place.
const FOUND: [&str; 8] = [
    "o:by-bom ${project.version}=5 10:45 has 5 < org.b:bom:5",
    "o:by-parent ${over}=2.0 9:45 has 2.0 < org.p:far:1",
    "o:by-property ${far.version}=7 11:78 has 7 < org.p:far:1",
    "o:inherited 3.3 2:71 has 3.3 < org.p:near:1",
    "o:nowhere 13:45 has ",
    "o:own 1.1 12:70 has 1.1",
    "org.b:bom ${bom}=5 6:74 has 5 < org.p:far:1",
    "org.p:near 1 2:71 has 1",
];

#[test]
fn parents_and_bills_of_materials_are_read_where_the_user_keeps_them() {
    let repo = Repo::with(&[("pom.xml", APP)]);
    let home = repo.beside("home");
    published(&repo, "home/.m2/repository");
    let listed = repo.cortex_with(&[("HOME", &home)], &["deps", ".", "--json"]).ends(0).stdout;
    assert_eq!(shown(&listed), FOUND);
    assert_eq!(
        notes(&listed),
        [
            "the imported pom `..:out`, which `org.b:bom` in the local Maven repository leads to, is not in this \
             repository; what only it states is unknown pom.xml:6",
            "the imported pom `org.b:gone`, which `org.b:bom` in the local Maven repository leads to, is neither in this \
             repository nor in the local Maven repository; what only it states is unknown pom.xml:6",
        ]
    );
    assert!(!listed.contains(&home), "no path of the machine");
    repo.cortex_with(&[("HOME", &home)], &["scan", "."]).ends(0);
    let bundle = repo.read(".codecortex/out/dependencies.json");
    assert!(bundle.contains("org.b:bom:5") && !bundle.contains(&home), "no path of the machine");
}

/// Each way to say where it is, and that an option wins over settings.
#[test]
fn settings_and_options_of_the_user_say_where_the_repository_is() {
    let repo = Repo::with(&[("pom.xml", APP)]);
    let (home, named) = (repo.beside("home"), repo.beside("named"));
    published(&repo, "named");
    let settings = |folder: &str| {
        let text = format!("<settings><localRepository>{folder}</localRepository></settings>");
        repo.write(&format!("{home}/.m2/settings.xml"), text);
    };
    let found = |variables: &[(&str, &str)]| {
        let all = [&[("HOME", home.as_str())], variables].concat();
        shown(&repo.cortex_with(&all, &["deps", ".", "--json"]).ends(0).stdout)
    };
    settings("${user.home}/../named");
    assert_eq!(found(&[]), FOUND);
    settings("${env.NAMED}");
    assert_ne!(found(&[]), FOUND);
    let option = format!("-Xmx1g -Dmaven.repo.local={named}");
    assert_eq!(found(&[("MAVEN_OPTS", &option)]), FOUND);
    assert_eq!(found(&[("MAVEN_ARGS", &option), ("MAVEN_OPTS", "-Dmaven.repo.local=/nowhere")]), FOUND);
    // None that hangs on the folder that Maven runs in, or that the repository names.
    repo.write(".mvn/maven.config", format!("-Dmaven.repo.local={named}\n"));
    assert_ne!(found(&[]), FOUND);
    assert_ne!(found(&[("MAVEN_OPTS", "-Dmaven.repo.local=../named")]), FOUND);
}

#[test]
fn without_a_local_repository_what_is_missing_is_said() {
    let repo = Repo::with(&[("pom.xml", APP)]);
    let home = repo.beside("home");
    let run = |home: &str| repo.cortex_with(&[("HOME", home)], &["deps", ".", "--json"]).ends(0).stdout;
    let listed = run(&home);
    assert!(!listed.contains("published_in"), "{listed}");
    let parent =
        "the parent `org.p:near` is not in this repository; what only it states is unknown pom.xml:2";
    assert!(notes(&listed).contains(&parent.to_owned()), "{:?}", notes(&listed));
    repo.write(&format!("{home}/.m2/repository/any"), "");
    let parent = "the parent `org.p:near` is neither in this repository nor in the local Maven repository; what only it \
                  states is unknown pom.xml:2";
    assert!(notes(&run(&home)).contains(&parent.to_owned()), "{:?}", notes(&run(&home)));
}

#[test]
fn what_is_broken_or_a_link_or_its_own_ancestor_is_left_out_with_its_reason() {
    let repo = Repo::with(&[("pom.xml", APP)]);
    let home = repo.beside("home");
    let run = || notes(&repo.cortex_with(&[("HOME", &home)], &["deps", ".", "--json"]).ends(0).stdout);
    let pom = format!("{home}/.m2/repository/org/p/near/1/near-1.pom");
    publish(&repo, "home/.m2/repository", "org.p:near:1", "<project>");
    let is_noted = |text: &str| {
        let found = run();
        assert!(found.iter().any(|it| it.contains(text) && it.ends_with("pom.xml:2")), "{text}: {found:?}");
    };
    is_noted("was not read (the file was not read:");
    let outside = repo.beside("outside.pom");
    repo.write(&outside, NEAR);
    std::fs::remove_file(&pom).unwrap();
    std::os::unix::fs::symlink(&outside, &pom).unwrap();
    is_noted("links are not followed");
    std::fs::remove_file(&pom).unwrap();
    publish(&repo, "home/.m2/repository", "org.p:near:1", NEAR);
    let far = NEAR.replace("near", "far").replacen("far", "near", 1);
    publish(&repo, "home/.m2/repository", "org.p:far:1", &far);
    is_noted("form a cycle, which Maven refuses");
}

/// The effective pom of each module, as Maven's help plugin writes it from the same local repository.
#[test]
fn modules_depend_on_what_their_effective_poms_say() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/deps/maven-local");
    let repo = Repo::of("deps/maven-local");
    let option = format!("-Dmaven.repo.local={}", fixture.join("local").display());
    let listed = repo.cortex_with(&[("MAVEN_OPTS", &option)], &["deps", ".", "--json"]).ends(0).stdout;
    assert_eq!(notes(&listed), [""; 0]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let mut rows: Vec<Value> = Vec::new();
    for it in listed["dependencies"].as_array().unwrap() {
        for entry in it["declared"].as_array().unwrap() {
            let scope = entry["scope"].as_str().unwrap();
            // A parent and an import are no dependencies of the code.
            if scope == "build" {
                continue;
            }
            let module = if entry["path"] == "pom.xml" { "shop" } else { "app" };
            let kind = entry["raw_name"].as_str().unwrap().split(':').skip(2).filter(|it| *it != "jar");
            let asked = entry.get("evaluated").unwrap_or(&entry["constraint"]);
            rows.push(json!([module, it["name"], kind.collect::<Vec<_>>(), asked, scope]));
        }
    }
    rows.sort_by_key(Value::to_string);
    let expected = std::fs::read_to_string(fixture.join("expected.json")).unwrap();
    let expected: Vec<[Value; 6]> = serde_json::from_str(&expected).unwrap();
    let as_ours = |[module, name, kind, version, scope, optional]: [Value; 6]| {
        let scope = match (scope.as_str().unwrap(), optional == json!(true)) {
            ("test", _) => "dev",
            ("provided", _) => "peer",
            (_, true) => "optional",
            (_, false) => "normal",
        };
        json!([module, name, kind, version, scope])
    };
    let mut expected: Vec<Value> = expected.into_iter().map(as_ours).collect();
    expected.sort_by_key(Value::to_string);
    assert_eq!(rows, expected);
}

#[test]
fn what_is_too_large_too_far_or_out_of_the_repository_is_said_and_not_read() {
    let repo = Repo::with(&[("pom.xml", APP)]);
    let (home, local) = (repo.beside("home"), "home/.m2/repository");
    let run = || notes(&repo.cortex_with(&[("HOME", &home)], &["deps", ".", "--json"]).ends(0).stdout);
    let is_noted = |text: &str| {
        let found = run();
        assert!(found.iter().any(|it| it.contains(text) && it.ends_with("pom.xml:2")), "{text}: {found:?}");
    };
    // A pom that is one only up to the bound of 8 MiB.
    publish(&repo, local, "org.p:near:1", &format!("{NEAR}<!--{}-->", " ".repeat(8 << 20)));
    is_noted(
        "the parent `org.p:near` is not in this repository, and that of the local Maven repository was not read",
    );
    // Each parent has a parent; one more than the steps that are taken.
    let of = |own: usize, parent: usize| {
        NEAR.replace("near", &format!("p{own}")).replace("far", &format!("p{parent}"))
    };
    publish(&repo, local, "org.p:near:1", &NEAR.replace("far", "p1"));
    for it in 1..64 {
        publish(&repo, local, &format!("org.p:p{it}:1"), &of(it, it + 1));
    }
    publish(&repo, local, "org.p:p64:1", &FAR.replace(">far<", ">p64<"));
    is_noted("the parent `org.p:p64`, which `org.p:near` in the local Maven repository leads to,");
    is_noted("more than 64 steps away");
    // A folder that is a link is none of the repository's.
    let moved = repo.beside("moved");
    std::fs::rename(format!("{home}/.m2/repository/org"), &moved).unwrap();
    std::os::unix::fs::symlink(&moved, format!("{home}/.m2/repository/org")).unwrap();
    is_noted("links are not followed");
}
