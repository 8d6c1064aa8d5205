//! Maven and Gradle.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::{entry, files, fixture, joined, readings, text_at};
use crate::deps::change::Change;
use crate::deps::fact::{Scope, SettledBy};
use crate::deps::{Dependencies, changes, join};

/// Each entry as `name constraint=evaluated scope source`, by file.
fn shown(dependencies: &Dependencies) -> Vec<String> {
    let mut rows: Vec<String> = dependencies
        .dependencies
        .iter()
        .flat_map(|it| &it.declared)
        .map(|it| {
            let constraint = it.constraint.as_deref().unwrap_or("-");
            let evaluated = it.evaluated.as_deref().map(|it| format!("={it}")).unwrap_or_default();
            let (path, scope, source) = (&it.place.path, it.scope.name(), it.source.name());
            format!("{path}: {} {constraint}{evaluated} {scope} {source}", it.raw_name)
        })
        .collect();
    rows.sort();
    rows
}

fn codes(dependencies: &Dependencies) -> Vec<String> {
    let of = |it: &crate::model::Note| {
        let path = it.path.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{} {path}:{}:{}", it.code, it.line.unwrap_or(0), it.column.unwrap_or(0))
    };
    dependencies.notes.iter().map(of).collect()
}

/// The effective pom of every module, as Maven's help plugin writes it.
#[test]
fn modules_of_maven_depend_on_what_their_effective_poms_say() {
    let root = fixture("maven-modules");
    let files = files(&root.join("repo"));
    let dependencies = join(readings(&files));
    assert_eq!(dependencies.notes, []);
    let module = |path: &str| match path {
        "core/pom.xml" => "shop-core",
        "app/pom.xml" => "shop-app",
        "bom/pom.xml" => "shop-bom",
        _ => "shop",
    };
    let declared = dependencies.dependencies.iter().flat_map(|it| &it.declared);
    let mut rows: Vec<Value> = declared
        .filter(|it| it.scope.is_wanted() && it.scope != Scope::Build && it.target.is_none())
        .map(|it| {
            let kind: Vec<&str> = it.raw_name.split(':').skip(2).filter(|it| *it != "jar").collect();
            json!([
                module(it.place.path.to_string().as_str()),
                it.name,
                kind,
                it.asked(),
                it.scope == Scope::Optional
            ])
        })
        .collect();
    rows.sort_by_key(Value::to_string);
    let expected: Value = serde_json::from_slice(&fs::read(root.join("expected.json")).unwrap()).unwrap();
    let without_scope = |it: &Value| json!([it[0], it[1], it[2], it[3], it[5]]);
    let mut expected_rows: Vec<Value> = expected.as_array().unwrap().iter().map(without_scope).collect();
    expected_rows.sort_by_key(Value::to_string);
    assert_eq!(rows, expected_rows);
    for row in expected.as_array().unwrap() {
        let scope = match row[4].as_str().unwrap() {
            "test" => Scope::Dev,
            "provided" => Scope::Peer,
            _ if row[5] == json!(true) => Scope::Optional,
            _ => Scope::Normal,
        };
        let found = dependencies.dependencies.iter().flat_map(|it| &it.declared).find(|it| {
            module(it.place.path.to_string().as_str()) == row[0] && it.name == row[1] && it.scope.is_wanted()
        });
        assert_eq!(found.unwrap().scope, scope, "{row}");
    }
    for it in dependencies.dependencies.iter().flat_map(|it| &it.declared) {
        let place = entry(it).unwrap_or(&it.place);
        if let Some(constraint) = &it.constraint {
            assert_eq!(text_at(&files, place), constraint);
        }
    }
    let projects: BTreeSet<_> = dependencies.dependencies.iter().map(|it| it.project.clone()).collect();
    assert_eq!(projects, BTreeSet::from([None]), "the modules are one project");
    let mut reversed = readings(&files);
    reversed.reverse();
    assert_eq!(join(reversed), dependencies, "the order of the files does not matter");
}

fn pom(body: &str) -> String {
    format!("<project><groupId>g</groupId><artifactId>a</artifactId><version>1</version>{body}</project>")
}

fn dependency(name: &str, rest: &str) -> String {
    format!("<dependency><groupId>o</groupId><artifactId>{name}</artifactId>{rest}</dependency>")
}

#[test]
fn a_plain_version_of_maven_is_settled_by_being_nearest_and_a_range_of_one_by_itself() {
    let body: String = [("plain", "1.0"), ("one", "[1.0]"), ("open", "[1,2)"), ("moving", "LATEST")]
        .iter()
        .map(|(name, version)| dependency(name, &format!("<version>{version}</version>")))
        .collect();
    let found = joined(&[("pom.xml", &pom(&format!("<dependencies>{body}</dependencies>")))]);
    let settled: Vec<_> = found
        .dependencies
        .iter()
        .map(|it| (it.purl.as_str(), it.resolved.iter().map(|it| it.settled_by).collect::<Vec<_>>()))
        .collect();
    assert_eq!(
        settled,
        [
            ("pkg:maven/o/moving", vec![]),
            ("pkg:maven/o/one", vec![SettledBy::Constraint]),
            ("pkg:maven/o/open", vec![]),
            ("pkg:maven/o/plain", vec![SettledBy::Nearest]),
        ]
    );
}

#[test]
fn what_a_pom_leaves_open_is_said_and_not_guessed() {
    let text = pom(&format!(
        "<properties><a>${{b}}</a><b>${{a}}</b></properties><dependencies>{}{}{}{}</dependencies>",
        dependency("loop", "<version>${a}</version>"),
        dependency("unknown", "<version>1.${nothing}</version>"),
        dependency("${nowhere}", "<version>1</version>"),
        dependency("bare", ""),
    ));
    let found = joined(&[("pom.xml", &text)]);
    assert_eq!(
        shown(&found),
        [
            "pom.xml: o:bare - normal registry",
            "pom.xml: o:loop ${a} normal registry",
            "pom.xml: o:unknown 1.${nothing} normal registry",
        ]
    );
    let codes: Vec<String> =
        codes(&found).into_iter().map(|it| it.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(
        codes,
        [
            "dependency_not_inherited",
            "dependency_unevaluated",
            "dependency_unevaluated",
            "dependency_unevaluated"
        ]
    );
}

#[test]
fn parents_in_a_circle_are_noted_and_the_rest_is_read() {
    let of = |own: &str, parent: &str| {
        format!(
            "<project><parent><groupId>g</groupId><artifactId>{parent}</artifactId><version>1</version>\
             <relativePath>../{parent}/pom.xml</relativePath></parent><artifactId>{own}</artifactId>\
             <dependencies>{}</dependencies></project>",
            dependency("x", "<version>1.2</version>")
        )
    };
    let found =
        joined(&[("a/pom.xml", &of("a", "b")), ("b/pom.xml", &of("b", "a")), ("c/pom.xml", &of("c", "a"))]);
    let notes = codes(&found);
    assert_eq!(notes.iter().filter(|it| it.starts_with("dependency_parent_cycle")).count(), 2, "{notes:?}");
    assert!(shown(&found).contains(&"a/pom.xml: o:x 1.2 normal registry".to_owned()));
}

#[test]
fn properties_that_double_end() {
    // They come to nothing in the end, so that neither their length nor their depth is too much.
    let properties: String =
        (0..24).map(|it| format!("<p{it}>${{p{next}}}${{p{next}}}</p{it}>", next = it + 1)).collect();
    let text = pom(&format!(
        "<properties>{properties}<p24></p24></properties><dependencies>{}</dependencies>",
        dependency("x", "<version>${p0}</version>")
    ));
    assert_eq!(codes(&joined(&[("pom.xml", &text)])).len(), 1);
}

#[test]
fn no_entity_of_a_pom_is_expanded() {
    let found = joined(&[("pom.xml", "<!DOCTYPE project [<!ENTITY v \"1\">]><project>&v;</project>")]);
    assert_eq!(found.dependencies, []);
    assert_eq!(codes(&found), ["dependency_file_unreadable pom.xml:1:1"]);
}

#[test]
fn scripts_of_gradle_are_read_by_their_syntax() {
    let script = r#"
plugins { id 'org.example.tool' version "$toolVersion" }
def a = '1.0'
ext { b = "${a}.1"; versions = [c: '3', nested: [d: "4"]] }
dependencies {
    // implementation 'not:this:1'
    implementation 'g:literal:1.2.3:docs@zip', "g:variable:$b"
    testImplementation group: 'g', name: 'map', version: versions.nested.d
    compileOnly("g:sum:" + versions.c) { exclude group: 'x', module: 'y' }
    api platform('g:bom:5')
    runtimeOnly "g:computed:${latest()}"
    annotationProcessor libs.some.library
    implementation project(':core')
    constraints { implementation 'g:limited:6' }
}
println 'time:12:30'
"#;
    let catalog = "[versions]\ndep = { strictly = '[1,2[', prefer = '1.5' }\n[libraries]\nsome-library = { module = 'g:cataloged', version.ref = 'dep' }\n";
    let found = joined(&[
        ("app/build.gradle", script),
        ("gradle.properties", "toolVersion=7\n"),
        ("gradle/libs.versions.toml", catalog),
    ]);
    assert_eq!(
        shown(&found),
        [
            "app/build.gradle: g:bom 5 normal registry",
            "app/build.gradle: g:computed ${latest()} normal registry",
            "app/build.gradle: g:limited 6 override registry",
            "app/build.gradle: g:literal 1.2.3 normal registry",
            "app/build.gradle: g:map versions.nested.d=4 dev registry",
            "app/build.gradle: g:sum versions.c=3 peer registry",
            "app/build.gradle: g:variable $b=1.0.1 normal registry",
            "app/build.gradle: libs.some.library [1,2[ build registry",
            "app/build.gradle: org.example.tool $toolVersion=7 build registry",
            "gradle/libs.versions.toml: some-library [1,2[ catalog registry",
        ]
    );
    assert_eq!(codes(&found), ["dependency_unevaluated app/build.gradle:11:29"]);
    assert!(
        found.dependencies.iter().all(|it| it.resolved.is_empty()),
        "a version of Gradle is the least one"
    );
}

/// <https://docs.gradle.org/current/userguide/version_catalogs.html>, and what a constraint is:
/// <https://docs.gradle.org/current/userguide/dependency_constraints.html>.
#[test]
fn plugins_of_a_catalog_are_needed_to_build_and_constraints_make_no_dependency() {
    let catalog = "[versions]\nkotlin = '2.1.0'\n[libraries]\nsome-library = 'g:cataloged:5'\n[plugins]\n\
        kotlin-jvm = { id = 'org.jetbrains.kotlin.jvm', version.ref = 'kotlin' }\n\
        short = 'org.example.short:1.4'\nunused = 'org.example.unused:1'\n";
    let script = r#"
plugins {
    `java-library`
    alias(libs.plugins.kotlin.jvm)
    alias(libs.plugins.short) apply false
    alias(libs.plugins.absent)
}
dependencies {
    constraints {
        implementation("g:limited:6") { because("a fault in 5") }
        implementation(libs.some.library)
        api("g:rich") { version { strictly("[1, 2[") } }
    }
}
"#;
    let found = joined(&[("build.gradle.kts", script), ("gradle/libs.versions.toml", catalog)]);
    assert_eq!(
        shown(&found),
        [
            "build.gradle.kts: g:limited 6 override registry",
            "build.gradle.kts: g:rich [1, 2[ override registry",
            "build.gradle.kts: libs.plugins.kotlin.jvm 2.1.0 build registry",
            "build.gradle.kts: libs.plugins.short 1.4 build registry",
            "build.gradle.kts: libs.some.library 5 override registry",
            "gradle/libs.versions.toml: kotlin-jvm 2.1.0 catalog registry",
            "gradle/libs.versions.toml: short 1.4 catalog registry",
            "gradle/libs.versions.toml: some-library 5 catalog registry",
            "gradle/libs.versions.toml: unused 1 catalog registry",
        ]
    );
    assert_eq!(codes(&found), ["dependency_unevaluated build.gradle.kts:6:11"]);
    let not_wanted = found.dependencies.iter().filter(|it| it.is_only_replaced() || it.is_unused());
    let not_wanted: Vec<&str> = not_wanted.map(|it| it.name.as_str()).collect();
    assert_eq!(
        not_wanted,
        ["g:cataloged", "g:limited", "g:rich", "org.example.unused:org.example.unused.gradle.plugin"]
    );
    let settings = r#"dependencyResolutionManagement { versionCatalogs { create("libs") {
        version("tool", "7")
        plugin("a-tool", "org.example.tool").versionRef("tool")
    } } }"#;
    let found = joined(&[
        ("settings.gradle.kts", settings),
        ("app/build.gradle.kts", "plugins { alias(libs.plugins.a.tool) }"),
    ]);
    assert_eq!(
        shown(&found),
        [
            "app/build.gradle.kts: org.example.tool:org.example.tool.gradle.plugin libs.plugins.a.tool=7 build registry",
            "settings.gradle.kts: org.example.tool tool=7 catalog registry",
        ]
    );
}

/// Each of these made a reader look at the rest of the file from every token, or nest without end.
#[test]
fn scripts_that_nest_or_never_end_are_read_to_their_end() {
    for unit in ["a {", "a(", "a=[b:", "\"${", "'", "object A {", "x.y[", "/*", "a = b + "] {
        let text = unit.repeat(20_000);
        let found = joined(&[("build.gradle", &text)]);
        assert_eq!(found.dependencies, [], "{unit}");
    }
    let cycle = "a = \"$b\"\nb = \"$a\"\ndependencies { api \"g:n:$a\" }";
    assert_eq!(codes(&joined(&[("build.gradle", cycle)])), ["dependency_unevaluated build.gradle:3:25"]);
}

#[test]
fn a_lockfile_of_gradle_settles_what_a_script_asks_for() {
    let found = joined(&[
        ("build.gradle.kts", "dependencies { implementation(\"g:a:1.0\"); testImplementation(\"g:t\") }"),
        (
            "gradle.lockfile",
            "g:a:1.1=compileClasspath\ng:t:2=testRuntimeClasspath\ng:deep:3=runtimeClasspath\nempty=\nnonsense\n",
        ),
    ]);
    let rows: Vec<_> = found
        .dependencies
        .iter()
        .map(|it| (it.name.as_str(), it.state.name(), it.resolved[0].version.as_str(), it.resolved[0].scope))
        .collect();
    assert_eq!(
        rows,
        [
            ("g:a", "locked", "1.1", Some(Scope::Normal)),
            ("g:deep", "locked", "3", Some(Scope::Normal)),
            ("g:t", "locked", "2", Some(Scope::Dev)),
        ]
    );
    assert_eq!(codes(&found), ["dependency_entry_malformed gradle.lockfile:5:1"]);
}

#[test]
fn coordinates_of_sbt_end_with_the_version_of_scala_that_they_are_built_for() {
    let build = r#"
ThisBuild / scalaVersion := Versions.scala
val cats = "2.10.0"
libraryDependencies ++= Seq(
  "org.typelevel" %% "cats-core" % cats, // "not" % "this" % "1"
  "com.google.guava" % "guava" % "33.0.0-jre" % Provided,
  "org.scalatest" %% "scalatest" % "3.2.17" % "test",
  "org.scala-js" %%% "dom" % "2.0",
  "org.computed" % "thing" % versionOf("x")
)
dependencyOverrides += "org.example" % "limited" % "1"
"#;
    let found = joined(&[
        ("build.sbt", build),
        ("project/Versions.scala", "object Versions {\n  val scala = \"2.13.12\"\n}\n"),
        ("project/plugins.sbt", "addSbtPlugin(\"com.eed3si9n\" % \"sbt-assembly\" % \"2.1.5\")\n"),
    ]);
    assert_eq!(
        shown(&found),
        [
            "build.sbt: com.google.guava:guava 33.0.0-jre peer registry",
            "build.sbt: org.computed:thing versionOf(\"x\") normal registry",
            "build.sbt: org.example:limited 1 override registry",
            "build.sbt: org.scala-js:dom 2.0 normal registry",
            "build.sbt: org.scala-lang:scala-library Versions.scala=2.13.12 normal registry",
            "build.sbt: org.scalatest:scalatest_2.13 3.2.17 dev registry",
            "build.sbt: org.typelevel:cats-core_2.13 cats=2.10.0 normal registry",
            "project/plugins.sbt: com.eed3si9n:sbt-assembly 2.1.5 build registry",
        ]
    );
    assert_eq!(
        codes(&found),
        ["dependency_unevaluated build.sbt:8:22", "dependency_unevaluated build.sbt:9:30"]
    );
    let projects: BTreeSet<_> = found.dependencies.iter().map(|it| it.project.clone()).collect();
    assert_eq!(projects, BTreeSet::from([None]), "`project` is part of the build above it");
    let open = joined(&[(
        "build.sbt",
        "scalaVersion := Versions.scala\nlibraryDependencies += \"g\" %% \"a\" % \"1\"",
    )]);
    assert_eq!(shown(&open), ["build.sbt: g:a 1 normal registry"]);
    assert_eq!(
        codes(&open),
        ["dependency_unevaluated build.sbt:1:17", "dependency_unevaluated build.sbt:2:31"]
    );
}

#[test]
fn ivy_and_ant_are_read_with_what_their_own_file_settles() {
    let ivy = r#"<ivy-module version="2.0"><info organisation="own" module="m"/><dependencies>
<dependency org="junit" name="junit" rev="4.13.2" conf="test->default"/>
<dependency name="sibling" rev="latest.integration"/>
<dependency org="o" name="open" rev="${rev}"/>
</dependencies></ivy-module>"#;
    let ant = r#"<project><property name="v" value="1.7.${minor}"/><property name="minor" value="36"/>
<property name="v" value="2"/>
<artifact:dependencies><dependency groupId="org.slf4j" artifactId="slf4j-api" version="${v}"/>
<dependency coords="junit:junit:4.13.2:test"/></artifact:dependencies></project>"#;
    let found = joined(&[("ivy.xml", ivy), ("build.xml", ant)]);
    assert_eq!(
        shown(&found),
        [
            "build.xml: junit:junit 4.13.2 dev registry",
            "build.xml: org.slf4j:slf4j-api ${v}=1.7.36 normal registry",
            "ivy.xml: junit:junit 4.13.2 dev registry",
            "ivy.xml: o:open ${rev} normal registry",
            "ivy.xml: own:sibling latest.integration normal registry",
        ]
    );
    assert_eq!(codes(&found), ["dependency_unevaluated ivy.xml:4:38"]);
}

#[test]
fn a_lockfile_of_sbt_settles_its_builds_versions() {
    let lock = r#"{"lockVersion": 1, "dependencies": [
{"org": "g", "name": "a", "version": "3.9", "configurations": ["test"]}, {"org": "g", "name": "nothing"}]}"#;
    let found =
        joined(&[("build.sbt", "libraryDependencies += \"g\" % \"a\" % \"3.8\""), ("build.sbt.lock", lock)]);
    let it = &found.dependencies[0];
    assert_eq!(
        (it.state.name(), it.resolved[0].version.as_str(), it.resolved[0].scope),
        ("locked", "3.9", Some(Scope::Dev))
    );
    assert_eq!(codes(&found), ["dependency_entry_malformed build.sbt.lock:2:74"]);
}

#[test]
fn a_constraint_changes_with_the_variable_that_it_is_written_with() {
    let of = |version: &str| {
        joined(&[
            ("build.gradle", "dependencies { api \"g:n:$v\" }"),
            ("gradle.properties", &format!("v={version}")),
        ])
    };
    let found = changes(&of("1"), &of("2"));
    let expected =
        Change::Constraint { scope: Scope::Normal, from: Some("1".to_owned()), to: Some("2".to_owned()) };
    assert_eq!(found.iter().map(|it| &it.change).collect::<Vec<_>>(), [&expected]);
    assert_eq!(changes(&of("1"), &of("1")), []);
}

/// What `mvn dependency:list` says of the same two poms: the parent's default profile counts.
#[test]
fn the_properties_of_a_default_profile_count_before_those_of_the_pom() {
    let parent = "<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version><properties><gv>10</gv></properties>\
        <profiles><profile><id>d</id><activation><activeByDefault>true</activeByDefault></activation><properties><gv>15</gv></properties></profile>\
        <profile><id>e</id><properties><gv>9</gv></properties></profile></profiles></project>";
    let child = "<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>c</artifactId>\
        <dependencies><dependency><groupId>commons-codec</groupId><artifactId>commons-codec</artifactId><version>1.${gv}</version></dependency></dependencies></project>";
    let dependencies = joined(&[("pom.xml", parent), ("c/pom.xml", child)]);
    let codec = dependencies.dependencies.iter().find(|it| it.name == "commons-codec:commons-codec").unwrap();
    assert_eq!((codec.declared[0].asked(), codec.resolved[0].version.as_str()), (Some("1.15"), "1.15"));
}
