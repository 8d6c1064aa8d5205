//! Impact as a bundle writes it.

use super::document::{
    AffectedSymbol, AffectedTest, Blast, ChangedSymbol, IMPACT_SCHEMA, Impact, Partner, Risk, RiskFactor,
};
use crate::impact::{self, Availability, Selected};
use crate::model::{Detail, Evidence, HistoryDetail, HistoryFact};

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
        tests: tests(&impact.tests),
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

fn tests(selected: &[Selected]) -> Vec<AffectedTest> {
    let test = |it: &Selected| AffectedTest {
        path: it.path.clone(),
        name: it.symbol.as_ref().map(|it| it.qualified().to_owned()),
        line: it.symbol.is_some().then_some(it.line),
        via: it.via.clone(),
        trust: it.tier,
    };
    selected.iter().map(test).collect()
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
