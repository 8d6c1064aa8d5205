//! Impact as a bundle writes it.

use super::document::{
    AffectedSymbol, AffectedTest, Blast, ChangedSymbol, IMPACT_SCHEMA, Impact, Partner, Risk, RiskFactor,
};
use crate::impact::{self, Availability};
use crate::model::{Detail, Evidence, HistoryDetail, HistoryFact, SymbolId, Tier};

/// The document of an impact; an empty one where there is no base.
pub fn document(impact: Option<&impact::Impact>) -> Impact {
    let Some(impact) = impact else {
        return Impact {
            schema: IMPACT_SCHEMA.to_owned(),
            changed: Vec::new(),
            affected: Vec::new(),
            tests: Vec::new(),
            blast: Blast::default(),
            blind_spots: Vec::new(),
            partners: Vec::new(),
            risk: None,
        };
    };
    Impact {
        schema: IMPACT_SCHEMA.to_owned(),
        changed: impact.changed.iter().map(changed).collect(),
        affected: impact.affected.iter().filter(|it| !it.is_test).map(affected).collect(),
        tests: tests(impact),
        blast: Blast {
            symbols: impact.blast.symbols,
            files: impact.blast.files,
            strongly: impact.blast.strongly,
            exactly: impact.blast.exactly,
            exported: impact.blast.exported,
        },
        blind_spots: impact.notes.clone(),
        partners: impact.partners.iter().filter_map(partner).collect(),
        risk: impact.risk.as_ref().filter(|_| !impact.changed.is_empty()).map(risk),
    }
}

fn changed(change: &impact::Change) -> ChangedSymbol {
    ChangedSymbol {
        symbol: change.symbol.clone(),
        path: change.path.clone(),
        start_line: change.span.start.line,
        end_line: change.span.end.line,
        change: change.change,
    }
}

fn affected(affected: &impact::Affected) -> AffectedSymbol {
    AffectedSymbol {
        symbol: affected.symbol.clone(),
        path: affected.path.clone(),
        line: affected.place.span.start.line,
        distance: affected.distance,
        via: affected.via.clone(),
        trust: affected.tier,
        confidence: affected.confidence.get(),
    }
}

/// Single tests, the surest and nearest first, then files whose test code is reached without one.
fn tests(impact: &impact::Impact) -> Vec<AffectedTest> {
    let name = |symbol: &SymbolId| symbol.as_str().rsplit_once('#').map(|it| it.1.to_owned());
    let mut found: Vec<AffectedTest> = Vec::new();
    for symbol in &impact.tests {
        let reached = impact.affected.iter().find(|it| &it.symbol == symbol);
        let changed = impact.changed.iter().find(|it| &it.symbol == symbol);
        let Some(path) = reached.map(|it| &it.path).or_else(|| changed.map(|it| &it.path)) else { continue };
        found.push(AffectedTest {
            path: path.clone(),
            name: name(symbol),
            via: reached.map_or_else(|| vec![symbol.clone()], |it| it.via.clone()),
            trust: reached.map_or(Tier::Structural, |it| it.tier),
        });
    }
    found.sort_by(|left, right| {
        let key =
            |it: &AffectedTest| (std::cmp::Reverse(it.trust), it.via.len(), it.path.clone(), it.name.clone());
        key(left).cmp(&key(right))
    });
    for path in &impact.test_files {
        if !found.iter().any(|it| &it.path == path) {
            let via = impact.affected.iter().find(|it| &it.path == path);
            found.push(AffectedTest {
                path: path.clone(),
                name: None,
                via: via.map(|it| it.via.clone()).unwrap_or_default(),
                trust: via.map_or(Tier::Structural, |it| it.tier),
            });
        }
    }
    found
}

fn partner(record: &Evidence) -> Option<Partner> {
    let Detail::History(HistoryDetail { fact: HistoryFact::ChangedTogether { with, both, all }, .. }) =
        &record.detail
    else {
        return None;
    };
    Some(Partner { path: record.place.path.clone(), with: with.clone(), both: *both, all: *all })
}

fn risk(risk: &impact::Risk) -> Risk {
    let factors = risk.factors.iter().map(|it| RiskFactor {
        name: it.name.to_owned(),
        value: (it.availability == Availability::Measured).then_some(it.value),
        share: it.share,
    });
    Risk {
        score: risk.score,
        observed: risk.observed.map(|it| [it.lowest, it.highest]),
        observed_rate: risk.observed.map(|it| it.rate),
        factors: factors.collect(),
    }
}
