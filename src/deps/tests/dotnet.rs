//! .NET projects, by hand-written files with counted truth.

use std::fmt::Write as _;

use super::{entry, joined, text_at};
use crate::deps::{Dependencies, Relation};

/// Each entry as `file:line name constraint scope source [condition]` and where it takes its version from.
fn declared(dependencies: &Dependencies) -> Vec<String> {
    let entries = dependencies.dependencies.iter().flat_map(|it| &it.declared);
    let mut shown: Vec<String> = entries
        .map(|it| {
            let target = it.target.as_ref().map(|it| format!(" [{it}]")).unwrap_or_default();
            let via = entry(it).map(|it| format!(" < {}:{}", it.path, it.span.start.line));
            format!(
                "{}:{} {} {} {} {}{target}{}",
                it.place.path,
                it.place.span.start.line,
                it.name,
                it.constraint.as_deref().unwrap_or("-"),
                it.scope.name(),
                it.source.name(),
                via.unwrap_or_default()
            )
        })
        .collect();
    shown.sort();
    shown
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str], notes: &[&str]) {
    let dependencies = joined(files);
    assert_eq!(declared(&dependencies), expected);
    let shown = dependencies.notes.iter().map(|it| {
        let path = it.path.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{} {path}:{}:{}", it.code, it.line.unwrap_or(0), it.column.unwrap_or(0))
    });
    assert_eq!(shown.collect::<Vec<_>>(), notes);
}

#[test]
fn every_way_to_write_an_entry_of_a_project_is_read() {
    let text = r#"<Project Sdk="Some.Sdk/1.2.0;Microsoft.NET.Sdk">
  <Import Project="x.props" Sdk="Other.Sdk" Version="3.0" />
  <ItemGroup>
    <PackageReference Include="Attribute" Version="1.0" />
    <PackageReference Include="Element"><Version>
      [2.0,3.0)</Version></PackageReference>
    <packagereference Include="One; Two ;" version="3.*" PrivateAssets="All" />
    <PackageReference Include="None" />
    <PackageReference Version="1" />
    <PackageReference Include="attribute" Condition="'$(A)' == 'b'" Version="1.1" />
    <DotNetCliToolReference Include="Tool" Version="4" />
    <ProjectReference Include="..\Lib\My.Lib.csproj" />
    <PackageReference Update="element" Version="2.5" />
    <PackageReference Remove="ONE" />
  </ItemGroup>
  <Choose>
    <When Condition="c"><ItemGroup><PackageReference Include="If" Version="5" /></ItemGroup></When>
    <Otherwise><ItemGroup><PackageReference Include="Else" Version="6" /></ItemGroup></Otherwise>
  </Choose>
  <Target Name="T"><ItemGroup><PackageReference Include="Built" Version="7" /></ItemGroup></Target>
</Project>"#;
    let expected = [
        "a.csproj:1 some.sdk 1.2.0 build registry",
        "a.csproj:10 attribute 1.1 normal registry ['$(A)' == 'b']",
        "a.csproj:11 tool 4 build registry",
        "a.csproj:12 my.lib - normal workspace",
        "a.csproj:17 if 5 normal registry [c]",
        "a.csproj:18 else 6 normal registry [!(c)]",
        "a.csproj:2 other.sdk 3.0 build registry",
        "a.csproj:4 attribute 1.0 normal registry",
        "a.csproj:6 element 2.5 normal registry < a.csproj:13",
        "a.csproj:7 two 3.* dev registry",
        "a.csproj:8 none - normal registry",
    ];
    check(&[("a.csproj", text)], &expected, &["dependency_entry_malformed a.csproj:9:5"]);
    let files = [("a.csproj".parse().unwrap(), text.as_bytes().to_vec())];
    for (name, expected) in [("some.sdk", "1.2.0"), ("other.sdk", "3.0"), ("two", "3.*"), ("none", "None")] {
        let dependencies = joined(&[("a.csproj", text)]);
        let found = dependencies.dependencies.iter().find(|it| it.name == name).unwrap();
        assert_eq!(text_at(&files, &found.declared[0].place), expected);
    }
}

/// The rules of <https://learn.microsoft.com/nuget/consume-packages/central-package-management>.
#[test]
fn central_versions_are_those_of_the_nearest_file_above() {
    let central = r#"<Project>
  <PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally><V>2.0</V></PropertyGroup>
  <ItemGroup>
    <PackageVersion Include="Central" Version="1.0" />
    <PackageVersion Include="Property" Version="$(V)" />
    <PackageVersion Include="Two" Version="1" Condition="'$(TargetFramework)' == 'net6.0'" />
    <PackageVersion Include="Two" Version="2" Condition="'$(TargetFramework)' == 'net8.0'" />
    <PackageVersion Include="Spare" Version="9" />
    <GlobalPackageReference Include="Everywhere" Version="3.0" />
  </ItemGroup>
</Project>"#;
    let project = r#"<Project><ItemGroup>
<PackageReference Include="central" />
<PackageReference Include="Property" />
<PackageReference Include="Two" />
<PackageReference Include="Own" VersionOverride="5.0" />
<PackageReference Include="Missing" />
</ItemGroup></Project>"#;
    let files = [
        (
            "Directory.Packages.props",
            "<Project><ItemGroup><PackageVersion Include=\"Far\" Version=\"0\" /></ItemGroup></Project>",
        ),
        ("src/Directory.Packages.props", central),
        ("src/app/app.csproj", project),
    ];
    let at = "src/Directory.Packages.props";
    let expected = [
        "Directory.Packages.props:1 far 0 catalog registry".to_owned(),
        format!("{at}:4 central 1.0 catalog registry"),
        format!("{at}:5 property 2.0 catalog registry < {at}:2"),
        format!("{at}:6 two 1 catalog registry ['$(TargetFramework)' == 'net6.0']"),
        format!("{at}:7 two 2 catalog registry ['$(TargetFramework)' == 'net8.0']"),
        format!("{at}:8 spare 9 catalog registry"),
        format!("{at}:9 everywhere 3.0 dev registry"),
        format!("src/app/app.csproj:2 central 1.0 normal registry < {at}:4"),
        format!("src/app/app.csproj:3 property 2.0 normal registry < {at}:5"),
        format!("src/app/app.csproj:4 two 1 normal registry ['$(TargetFramework)' == 'net6.0'] < {at}:6"),
        format!("src/app/app.csproj:4 two 2 normal registry ['$(TargetFramework)' == 'net8.0'] < {at}:7"),
        "src/app/app.csproj:5 own 5.0 normal registry".to_owned(),
        "src/app/app.csproj:6 missing - normal registry".to_owned(),
    ];
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&files, &expected, &["dependency_not_inherited src/app/app.csproj:6:28"]);
}

/// The order of <https://learn.microsoft.com/visualstudio/msbuild/customize-by-directory>.
#[test]
fn properties_are_those_that_are_set_last_before_the_entry() {
    let top = "<Project><PropertyGroup><A>1</A><B>1</B><D>1</D></PropertyGroup></Project>";
    let near = "<Project><Import Project=\"$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))\" />\
        <Import Project=\"..\\more.props\" /><PropertyGroup><B>2</B></PropertyGroup></Project>";
    let more = "<Project><Import Project=\"src/Directory.Build.props\" /><PropertyGroup><C>3</C>\
        <E Condition=\"'$(E)' == ''\">5</E><F Condition=\"'$(Configuration)' == 'Debug'\">6</F>\
        <D Condition=\"'$(A)' != '1'\">4</D></PropertyGroup></Project>";
    let after = "<Project><ItemGroup><PackageReference Update=\"late\" Version=\"$(C).$(Own)\" /></ItemGroup></Project>";
    let project = "<Project><PropertyGroup><A>7.$(A)</A><Own>1</Own></PropertyGroup><ItemGroup>\n\
        <PackageReference Include=\"a\" Version=\"$(A)\" />\n\
        <PackageReference Include=\"b\" Version=\"$(B)-$(C)\" />\n\
        <PackageReference Include=\"d\" Version=\"[$(D)]\" />\n\
        <PackageReference Include=\"e\" Version=\"$(E)\" />\n\
        <PackageReference Include=\"f\" Version=\"$(F)\" />\n\
        <PackageReference Include=\"g\" Version=\"$(B.Trim())\" />\n\
        <PackageReference Include=\"$(Unknown)\" Version=\"1\" />\n\
        <PackageReference Include=\"late\" />\n</ItemGroup></Project>";
    let files = [
        ("Directory.Build.props", top),
        ("src/Directory.Build.props", near),
        ("more.props", more),
        ("src/Directory.Build.targets", after),
        ("src/x/x.fsproj", project),
    ];
    let expected = [
        "src/Directory.Build.targets:1 late $(C).$(Own) catalog registry",
        "src/x/x.fsproj:2 a 7.1 normal registry < src/x/x.fsproj:1",
        "src/x/x.fsproj:3 b 2-3 normal registry",
        "src/x/x.fsproj:4 d [1] normal registry",
        "src/x/x.fsproj:5 e 5 normal registry < more.props:1",
        "src/x/x.fsproj:6 f $(F) normal registry",
        "src/x/x.fsproj:7 g $(B.Trim()) normal registry",
        "src/x/x.fsproj:9 late 3.1 normal registry < src/Directory.Build.targets:1",
    ];
    let unevaluated =
        |line: u32, column: u32| format!("dependency_unevaluated src/x/x.fsproj:{line}:{column}");
    let notes = [(6, 40), (7, 40), (8, 28)].map(|it| unevaluated(it.0, it.1));
    check(&files, &expected, &notes.each_ref().map(String::as_str));
    let dependencies = joined(&files);
    let pinned = dependencies.dependencies.iter().find(|it| it.name == "d").unwrap();
    assert_eq!((pinned.state.name(), pinned.resolved[0].version.as_str()), ("pinned", "1"));
}

/// Values that double each other, and files that take each other in, end.
#[test]
fn evaluation_is_bounded() {
    let mut doubled = String::from("<Project><PropertyGroup><P0>x</P0>");
    for index in 1..200 {
        write!(doubled, "<P{index}>$(P{0})$(P{0})</P{index}>", index - 1).unwrap();
    }
    doubled.push_str(
        "</PropertyGroup><Import Project=\"a.csproj\" /><Import Project=\"b.targets\" /><ItemGroup>",
    );
    doubled.push_str("<PackageReference Include=\"a\" Version=\"$(P199)\" /></ItemGroup></Project>");
    let other = "<Project><Import Project=\"a.csproj\" /><Import Project=\"b.targets\" /></Project>";
    let dependencies = joined(&[("a.csproj", &doubled), ("b.targets", other)]);
    assert_eq!(dependencies.notes.len(), 1);
    assert_eq!(dependencies.dependencies[0].declared[0].constraint.as_deref(), Some("$(P199)"));
    let deep = format!("<Project>{}", "<Choose><When>".repeat(50_000));
    assert_eq!(joined(&[("a.csproj", &deep)]).notes[0].code, "dependency_file_unreadable");
    let closed = format!("{deep}{}</Project>", "</When></Choose>".repeat(50_000));
    assert_eq!(joined(&[("a.csproj", &closed)]).notes[0].code, "dependency_entry_malformed");
}

/// Each package as `name@version relation > what it needs`.
#[track_caller]
fn check_locked(path: &str, text: &str, expected: &[&str]) {
    let dependencies = joined(&[(path, text)]);
    assert_eq!(dependencies.notes, []);
    let files = [(path.parse().unwrap(), text.as_bytes().to_vec())];
    let shown = dependencies.dependencies.iter().flat_map(|it| &it.resolved).map(|it| {
        assert_eq!(text_at(&files, &it.place), it.version);
        let needs: Vec<String> = it.dependencies.iter().map(ToString::to_string).collect();
        let relation = match &it.relation {
            Relation::Direct => "direct".to_owned(),
            Relation::Transitive { path } => format!("by {}", path.join(" ")),
            Relation::Unlinked => "unlinked".to_owned(),
        };
        format!("{} {relation} > {}", it.pin(), needs.join(" "))
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[test]
fn a_lockfile_holds_both_what_is_asked_for_and_what_it_became() {
    let text = r#"{"version": 1, "dependencies": {
"net6.0": {
  "A": {"type": "Direct", "requested": "[1.0, )", "resolved": "1.0.0", "contentHash": "h", "dependencies": {"b": "1"}},
  "B": {"type": "Transitive", "resolved": "1.5.0"},
  "C": {"type": "CentralTransitive", "requested": "[2, )", "resolved": "2.0.0"},
  "lib": {"type": "Project", "dependencies": {"C": "2"}}
},
"net8.0": {"A": {"type": "Direct", "requested": "[1.0, )", "resolved": "1.1.0"}}}}"#;
    let expected =
        ["a@1.0.0 direct > b@1.5.0", "a@1.1.0 direct > ", "b@1.5.0 by a@1.0.0 b@1.5.0 > ", "c@2.0.0 by  > "];
    check_locked("packages.lock.json", text, &expected);
    let asked = [
        "packages.lock.json:3 a [1.0, ) normal registry [net6.0]",
        "packages.lock.json:5 c [2, ) indirect registry [net6.0]",
        "packages.lock.json:8 a [1.0, ) normal registry [net8.0]",
    ];
    check(&[("packages.lock.json", text)], &asked, &[]);
}

#[test]
fn what_a_restore_and_a_build_leave_lists_libraries() {
    let text = r#"{"version": 3, "targets": {"net8.0": {
  "A/1.0.0": {"type": "package", "dependencies": {"B": "[1.0, )"}},
  "B/1.2.0": {"type": "package"},
  "Lib/1.0.0": {"type": "project", "dependencies": {"C": "1.0"}},
  "C/1.0.0": {"type": "package"}}},
"libraries": {"A/1.0.0": {"sha512": "h", "type": "package"}, "B/1.2.0": {"type": "package"}, "C/1.0.0": {"type": "package"}, "Lib/1.0.0": {"type": "project"}, "System/4.0.0.0": {"type": "reference"}},
"projectFileDependencyGroups": {"net8.0": ["A >= 1.0.0"]}}"#;
    let expected = ["a@1.0.0 direct > b@1.2.0", "b@1.2.0 by a@1.0.0 b@1.2.0 > ", "c@1.0.0 direct > "];
    check_locked("x/obj/project.assets.json", text, &expected);
    check_locked("x/bin/x.deps.json", text, &expected);
    let project =
        "<Project><ItemGroup><PackageReference Include=\"a\" Version=\"1.0\" /></ItemGroup></Project>";
    let dependencies = joined(&[("x/obj/project.assets.json", text), ("x/x.csproj", project)]);
    let found = &dependencies.dependencies[0];
    assert_eq!((found.declared.len(), found.resolved.len(), found.state.name()), (1, 1, "locked"));
}

#[test]
fn lists_of_exact_versions_settle_themselves() {
    let config = "<packages>\n<package id=\"A.B\" version=\"1.0\" targetFramework=\"net48\" />\n\
        <package id=\"Tool\" version=\"2.0\" developmentDependency=\"true\" />\n<package id=\"x\" />\n</packages>";
    let expected =
        ["packages.config:2 a.b 1.0 normal registry [net48]", "packages.config:3 tool 2.0 dev registry"];
    check(&[("packages.config", config)], &expected, &["dependency_entry_malformed packages.config:4:1"]);
    let global =
        "{// sdk\n\"sdk\": {\"version\": \"8.0.1\"},\n\"msbuild-sdks\": {\"My.Sdk\": \"1.0\", \"No\": 1,}}";
    let expected = ["global.json:3 my.sdk 1.0 build registry"];
    check(&[("global.json", global)], &expected, &["dependency_entry_malformed global.json:3:35"]);
    let tools =
        r#"{"version": 1, "isRoot": true, "tools": {"Tool": {"version": "3.0.0", "commands": ["t"]}}}"#;
    check(
        &[(".config/dotnet-tools.json", tools)],
        &[".config/dotnet-tools.json:1 tool 3.0.0 dev registry"],
        &[],
    );
    let states = |path: &str, text: &str| -> Vec<(String, &'static str, String)> {
        let found = joined(&[(path, text)]).dependencies;
        let project =
            |it: &crate::deps::Dependency| it.project.as_ref().map(ToString::to_string).unwrap_or_default();
        found.iter().map(|it| (it.resolved[0].version.clone(), it.state.name(), project(it))).collect()
    };
    assert_eq!(
        states("a/.config/dotnet-tools.json", tools),
        [("3.0.0".to_owned(), "selected", "a".to_owned())]
    );
    assert_eq!(states("global.json", global), [("1.0".to_owned(), "selected", String::new())]);
}

/// As <https://fsprojects.github.io/Paket/dependencies-file.html> and the page on its lockfile write them.
#[test]
fn paket_is_read_with_its_groups() {
    let text = "source https://example.org/v3\nframework: net8.0 // c\nnuget A ~> 1.2 prerelease\nnuget B >= 1.0 < 2.0 copy_local: true\n\
        nuget C\ngithub owner/repo:main src/x.fs\nhttp https://example.org/f.fs\ngroup Build\n  nuget A 3.0\nwhat is this\n";
    let at = "paket.dependencies";
    let expected = [
        format!("{at}:3 a ~> 1.2 prerelease normal registry"),
        format!("{at}:4 b >= 1.0 < 2.0 normal registry"),
        format!("{at}:5 c - normal registry"),
        format!("{at}:6 owner/repo - normal git"),
        format!("{at}:7 f.fs - normal url"),
        format!("{at}:9 a 3.0 normal registry [Build]"),
    ];
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&[(at, text)], &expected, &["dependency_entry_malformed paket.dependencies:10:1"]);
    let lock = "STORAGE: NONE\nNUGET\n  remote: https://example.org/v3\n    A (1.2.3)\n      B (>= 1.0)\n    B (1.5) - restriction: == net8.0\n\
        GITHUB\n  remote: owner/repo\n    src/x(1).fs (abc)\nGROUP Build\nNUGET\n  remote: https://example.org/v3\n    A (3.0)\n      B\n";
    let expected =
        ["a@1.2.3 unlinked > b@1.5", "a@3.0 unlinked > ", "b@1.5 unlinked > ", "owner/repo@abc unlinked > "];
    check_locked("paket.lock", lock, &expected);
    let dependencies = joined(&[("paket.dependencies", "nuget A\n"), ("paket.lock", lock)]);
    assert_eq!(
        dependencies.dependencies[1].relation,
        Relation::Transitive { path: vec!["a@1.2.3".into(), "b@1.5".into()] }
    );
}
