//! policy-sim: hits of cache replacement policies on key traces, with costs. The reference of the
//! product's eviction policy: `Tests/Benchmarks/cost-hits.tsv` was made by it, see
//! `.scripts/cost-hits.sh`.
//!
//!     policy-sim [--sizes N,N,...] [--policies P,P,...] [--costs D,D,...] TRACE...
//!
//! Policies: lru, fifo, lazy-tinylfu, clairvoyant. Costs: unit, uniform, pareto, two, rank (see
//! `trace.rs`), or trace, for lines that have a key and its cost. A size is a number of entries of
//! the mean cost; with `trace` it is the limit itself. Prints for each the hits, the requests, and
//! what those cost. Needs `gzip`, and nothing but Rust's standard library.

mod belady;
mod lazy;
mod list;
mod lru;
mod sketch;
mod trace;

use trace::Trace;

pub trait Policy {
    /// Requests `id` (the `i`-th request of the trace); true on a hit. A miss loads the entry.
    fn access(&mut self, id: u32, i: usize) -> bool;
}

/// What a policy is made for.
pub struct Job<'a> {
    pub trace: &'a Trace,
    pub costs: &'a [u64],
    pub limit: u64,
    /// Whether every entry costs one.
    pub is_unit: bool,
}

fn build<'a>(name: &str, job: &'a Job) -> Box<dyn Policy + 'a> {
    match name {
        "lru" => Box::new(lru::Lru::new(job, true)),
        "fifo" => Box::new(lru::Lru::new(job, false)),
        "clairvoyant" => Box::new(belady::Belady::new(job)),
        "lazy-tinylfu" => Box::new(lazy::Lazy::new(job)),
        _ => panic!("unknown policy {name}"),
    }
}

/// Hits, requests and, for costs that differ, the cost of what was hit and of what was asked for.
fn run(name: &str, job: &Job) -> String {
    let mut policy = build(name, job);
    let (mut hits, mut saved, mut asked) = (0u64, 0u64, 0u64);
    for (i, &id) in job.trace.requests.iter().enumerate() {
        asked += job.costs[id as usize];
        if policy.access(id, i) {
            hits += 1;
            saved += job.costs[id as usize];
        }
    }
    format!("{hits}\t{}\t{saved}\t{asked}", job.trace.requests.len())
}

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut sizes, mut paths) = (None, vec![]);
    let mut names = "lru,fifo,lazy-tinylfu,clairvoyant".to_string();
    let mut distributions = "unit".to_string();
    while let Some(a) = args.next() {
        match a.as_str() {
            "--sizes" => sizes = args.next(),
            "--policies" => names = args.next().expect("policies"),
            "--costs" => distributions = args.next().expect("costs"),
            _ => paths.push(a),
        }
    }
    println!("trace\tcosts\tsize\tlimit\tpolicy\thits\trequests\tsaved\tasked");
    for path in paths {
        let t = Trace::load(&path);
        let ladder: Vec<usize> = match &sizes {
            Some(s) => s.split(',').map(|x| x.parse().unwrap()).collect(),
            None => t.ladder(),
        };
        for d in distributions.split(',') {
            let costs = t.costs(d);
            let total: u64 = costs.iter().sum();
            for &size in &ladder {
                // As much as that many entries of the mean cost.
                let limit = if d == "trace" { size as u64 } else { size as u64 * total / t.unique() as u64 };
                for name in names.split(',') {
                    let job = Job { trace: &t, costs: &costs, limit, is_unit: d == "unit" };
                    println!("{}\t{d}\t{size}\t{limit}\t{name}\t{}", t.name, run(name, &job));
                }
            }
        }
    }
}
