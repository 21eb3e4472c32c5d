import { type Bench, type Contender, noteUsage, startCompetitor } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { createKey, type StandIn, startHub, startStandIn } from "../lib/hub.ts";
import { median } from "../lib/statistics.ts";
import type { LoadUsage } from "../load/usage.ts";

const CONNECTIONS = 16;
/** The hub puts off what one key sends beyond 1,667 requests a second, so that a single key would measure that limit. */
const KEYS = 4;
/** The settings' maximum. Each round also uses its own address and its own keys. */
const rates = { HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" };

/** Measures POST /external/v1/orders over 16 keep-alive connections, against bare Koa with the same SQLite write. */
export async function externalOrders(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const hub = await startHub(bench, { standIn, env: rates });
  const grouped = await startCompetitor(bench, "koa-orders", { COMMIT: "group" });
  const each = await startCompetitor(bench, "koa-orders", { COMMIT: "each" });
  const results = new Map<Contender, { perSecond: number[]; cpuUs: number[]; usages: LoadUsage[] }>();
  for (const contender of [hub, grouped, each]) results.set(contender, { perSecond: [], cpuUs: [], usages: [] });
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    for (const [contender, result] of results) {
      const one = await runRound(bench, contender, standIn, contender === hub, round);
      if (round === 0) continue;
      result.perSecond.push(one.perSecond);
      result.cpuUs.push(one.cpuUs);
      result.usages.push(one.usage);
    }
  }
  await Promise.all([hub, grouped, each, standIn].map(({ program }) => program.stop()));
  const of = (contender: Contender): number[] => results.get(contender)?.perSecond ?? [];
  const cpu = (contender: Contender): string => median(results.get(contender)?.cpuUs ?? []).toFixed(0);
  for (const [{ name }, { usages }] of results) noteUsage(bench, `POST orders, ${name}`, usages);
  bench.note(
    `POST orders: server CPU per order: hub ${cpu(hub)} µs, Koa group commit ${cpu(grouped)} µs, Koa commit per write ${cpu(each)} µs`,
  );
  const text = `POST /external/v1/orders over ${CONNECTIONS} connections`;
  return [
    figure({
      id: "external.post.group",
      text,
      unit: "orders/s",
      ours: of(hub),
      beside: { name: "Koa, group commit", values: of(grouped) },
      goal: { of: "ratio", is: "at least", must: 0.55, aim: 0.75 },
    }),
    figure({
      id: "external.post.each",
      text,
      unit: "orders/s",
      ours: of(hub),
      beside: { name: "Koa, commit per write", values: of(each) },
      goal: { of: "ratio", is: "at least", must: 1 },
    }),
  ];
}

async function runRound(
  bench: Bench,
  { name, program }: Contender,
  standIn: StandIn,
  isHub: boolean,
  round: number,
): Promise<{ perSecond: number; cpuUs: number; usage: LoadUsage }> {
  const callers: Record<string, string>[] = [];
  while (callers.length < KEYS) callers.push(isHub ? await createKey(program.url, standIn) : {});
  const cpuBefore = program.cpuMs();
  const result = await bench.load.run("post", {
    url: program.url,
    path: "/external/v1/orders",
    callers,
    connections: CONNECTIONS,
    seconds: bench.flags.seconds,
    run: `r${round}`,
    localAddress: `127.0.0.${10 + round}`,
  });
  if (result.wrong > 0) bench.fail(`POST orders, ${name}: ${result.wrong} wrong answers; first: ${result.firstWrong}`);
  return {
    perSecond: result.requests / (result.elapsedMs / 1000),
    cpuUs: ((program.cpuMs() - cpuBefore) * 1000) / result.requests,
    usage: result.usage,
  };
}
