import { type Bench, type Contender, checkVerdict, noteUsage, startCompetitor } from "../lib/bench.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { createKey, postJson, type StandIn, startHub, startStandIn } from "../lib/hub.ts";
import type { LoadUsage } from "../load/usage.ts";
import type { ReceiverReport } from "../load/webhook-receiver.ts";

const WRITES = 4000;
const RAW_SECRET = "whsec_raw";

/** A server that posts a webhook per write, and the receiver that it posts to. */
interface Sender extends Contender {
  receiver: number;
  secret: string;
  /** Whether it also posts a webhook for the creation of an order. */
  postsCreations: boolean;
}

/** Measures webhooks delivered while terminals write at full speed, and their delay at 50 writes a second. */
export async function webhooks(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const senders = [await hubSender(bench, standIn), await rawSender(bench)] as const;
  const rates: [number[], number[]] = [[], []];
  const usages: LoadUsage[] = [];
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    for (const [side, sender] of senders.entries()) {
      const { perSecond, usage } = await whileWriting(bench, sender, round);
      if (round === 0) continue;
      rates[side as 0 | 1].push(perSecond);
      usages.push(usage);
    }
  }
  const delays: [ReceiverReport[], ReceiverReport[]] = [[], []];
  for (let round = 0; round < bench.flags.rounds; round += 1) {
    for (const [side, sender] of senders.entries())
      delays[side as 0 | 1].push(await measureDelay(bench, sender, round));
  }
  for (const { receiver, program } of senders) {
    await bench.load.run("closeReceiver", { receiver });
    await program.stop();
  }
  await standIn.program.stop();
  noteUsage(bench, "webhooks", usages);
  return [
    figure({
      id: "webhooks.rate",
      text: "webhooks delivered while 4 terminals write, 8 in flight each",
      unit: "deliveries/s",
      ours: rates[0],
      beside: { name: "raw loop", values: rates[1] },
      goal: { of: "ratio", is: "at least", must: 0.5, aim: 0.75 },
    }),
    figure({
      id: "webhooks.delay.p50",
      text: "write to its webhook at 50 writes/s, p50",
      unit: "ms",
      ours: delays[0].map((report) => report.delayP50),
      beside: { name: "raw loop", values: delays[1].map((report) => report.delayP50) },
    }),
    figure({
      id: "webhooks.delay.p99",
      text: "write to its webhook at 50 writes/s, p99",
      unit: "ms",
      ours: delays[0].map((report) => report.delayP99),
      beside: { name: "raw loop", values: delays[1].map((report) => report.delayP99) },
      goal: { of: "value", is: "at most", must: 50 },
    }),
  ];
}

async function hubSender(bench: Bench, standIn: StandIn): Promise<Sender> {
  const hub = await startHub(bench, { standIn });
  const { receiver, url } = await bench.load.run("openReceiver", undefined);
  const headers = await createKey(hub.program.url, standIn);
  const subscription = { url, events: ["order.updated"] };
  const { secret } = await postJson<{ secret: string }>(
    `${hub.program.url}/external/v1/webhooks`,
    subscription,
    headers,
  );
  return { ...hub, receiver, secret, postsCreations: false };
}

async function rawSender(bench: Bench): Promise<Sender> {
  const { receiver, url } = await bench.load.run("openReceiver", undefined);
  const limit = await startCompetitor(bench, "limit", { WEBHOOK_URL: url, WEBHOOK_SECRET: RAW_SECRET });
  return { ...limit, name: "raw loop", receiver, secret: RAW_SECRET, postsCreations: true };
}

async function whileWriting(
  bench: Bench,
  sender: Sender,
  round: number,
): Promise<{ perSecond: number; usage: LoadUsage }> {
  const writes = bench.flags.quick ? WRITES / 8 : WRITES;
  const orders = 32;
  const run = `hooks-${round}`;
  const id = await bench.load.run("open", { target: sender.target, terminals: 4, orders, run });
  const { receiver, secret } = sender;
  await bench.load.run("received", {
    receiver,
    secret,
    expected: sender.postsCreations ? orders : 0,
    withinMs: 10_000,
  });
  const written = await bench.load.run("pump", { id, writers: 4, inFlight: orders, writes });
  const report = await bench.load.run("received", { receiver, secret, expected: writes, withinMs: 60_000 });
  check(bench, sender, report, writes);
  checkVerdict(bench, `webhooks, ${sender.name}`, await bench.load.run("close", { id }));
  return { perSecond: writes / ((report.lastAt - written.startedAt) / 1000), usage: written.usage };
}

async function measureDelay(bench: Bench, sender: Sender, round: number): Promise<ReceiverReport> {
  const { receiver, secret, target } = sender;
  const run = `delay-${round}`;
  const id = await bench.load.run("open", { target, terminals: 4, orders: 50, run, timed: true });
  await bench.load.run("received", { receiver, secret, expected: sender.postsCreations ? 50 : 0, withinMs: 10_000 });
  const paced = await bench.load.run("pace", { id, writers: 4, perSecond: 50, seconds: bench.flags.seconds });
  const report = await bench.load.run("received", { receiver, secret, id, expected: paced.writes, withinMs: 20_000 });
  check(bench, sender, report, paced.writes);
  checkVerdict(bench, `webhooks, ${sender.name}`, await bench.load.run("close", { id }));
  return report;
}

function check(bench: Bench, { name }: Sender, report: ReceiverReport, writes: number): void {
  const { received, doubled, damaged, badSignatures } = report;
  if (received === writes && doubled + damaged + badSignatures === 0) return;
  bench.fail(
    `webhooks, ${name}: ${received} of ${writes} arrived, ${doubled} twice, ${damaged} damaged, ${badSignatures} badly signed`,
  );
}
