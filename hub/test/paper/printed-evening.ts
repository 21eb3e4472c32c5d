import { copyFileSync, existsSync } from "node:fs";
import { type Block } from "@comanda/protocol";
import { layOut } from "@comanda/rules";
import type { World } from "../../platform/world.ts";
import { type FakePrinter, startFakePrinter } from "../fake-printer/fake-printer.ts";
import type { ManualClock } from "../support/manual-clock.ts";
import { openPaperHub } from "./open-paper-hub.ts";
import { PaperEvening, pick, type Step } from "./paper-evening.ts";
import { addUp, MARK, readSlip } from "./read-slip.ts";

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
const isKitchens = new Set<string>(["route", "removePrinter", "addPrinter", "again", "request"]);
/** A silent printer that just closes its connection counts as having printed. */
const breaks = ["reset", "die"] as const;
const faults = [
  "off",
  "off",
  "on",
  "on",
  "paper",
  "cover",
  "stuck",
  "silent",
  "mend",
  "mend",
  "after",
  "after",
] as const;

const wordsIn = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter((line) => line !== "");
const bodyOf = (lines: readonly string[]): string => lines.filter((line) => !MARK.test(line)).join("\n");

/** An evening with printers that are real sockets with faults, and a hub that is killed. Time passes only in `pass`. */
export class PrintedEvening extends PaperEvening {
  private readonly devices: FakePrinter[] = [];
  private readonly isOn = new Set<FakePrinter>();
  private readonly clock: ManualClock;
  private readonly newFile: () => string;
  readonly used = new Map<string, number>();

  constructor(file: string, world: World, clock: ManualClock, newFile: () => string) {
    super(file, world);
    this.clock = clock;
    this.newFile = newFile;
  }

  private readonly addressOf = (id: string): string => this.devices[Number(id.slice(1)) - 1]?.address ?? "";

  async begin(): Promise<void> {
    for (let n = 0; n < 4; n += 1) this.devices.push(await startFakePrinter());
    for (const device of this.devices) this.isOn.add(device);
    await this.setUp(this.addressOf);
    await this.start();
  }

  private async start(): Promise<void> {
    this.hub.documents.unseenTickets.start();
    await this.hub.printing.start();
    await this.pass(1_000);
  }

  /** Lets time pass, in small steps while sockets may have something to say. */
  private async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms;) {
      const stepMs = this.hub.stores.printJobs.listUnfinished().length > 0 ? 25 : 1_000;
      this.clock.advance(stepMs);
      passed += stepMs;
      for (let n = 0; n < 3; n += 1) await turn();
    }
  }

  async take(step: Step): Promise<void> {
    const { kind, a, b, n } = step;
    this.used.set(kind, (this.used.get(kind) ?? 0) + 1);
    if (kind === "kill") await this.kill();
    else if (kind === "wait") await this.pass(n * 10_000);
    else if (kind === "fault") await this.fault(pick(this.devices, a) as FakePrinter, b, n);
    else if (!isKitchens.has(kind)) await this.serve(step);
    else {
      await this.manage(step, this.addressOf);
      for (const id of ["p1", "p2", "p3", "p4"]) this.hub.printing.printersChanged(id);
    }
    await this.pass(b * 20);
  }

  /** A silent printer without paper or with an open cover would swallow documents, and no hub could know: never both. */
  private async fault(device: FakePrinter, b: number, n: number): Promise<void> {
    const { isSilent } = device.faults;
    switch (pick(faults, b) ?? "mend") {
      case "off":
        this.isOn.delete(device);
        return device.refuse();
      case "on":
        this.isOn.add(device);
        return device.listen();
      case "mend":
        return device.mend();
      case "stuck":
        device.faults.isStuck = true;
        return;
      case "silent":
        Object.assign(device.faults, { isSilent: true, paper: "enough", isCoverOpen: false });
        return;
      case "paper":
        device.faults.paper = isSilent ? "enough" : "out";
        return;
      case "cover":
        device.faults.isCoverOpen = !isSilent;
        return;
      case "after": {
        const fault =
          pick(isSilent ? breaks : ([...breaks, "close", "paper_out", "cover_open"] as const), n) ?? "reset";
        device.faults.after = { bytes: b * 7, fault };
      }
    }
  }

  /** Ends the hub at this moment: its connections break, and the next one has the file as it was. */
  private async kill(): Promise<void> {
    const old = this.hub;
    const file = this.newFile();
    for (const suffix of ["", "-wal"])
      if (existsSync(old.file + suffix)) copyFileSync(old.file + suffix, file + suffix);
    await this.stop();
    for (const device of this.isOn) await device.listen();
    this.hub = openPaperHub(file, this.world);
    await this.start();
  }

  /** Stops the hub and cuts its connections. */
  async stop(): Promise<void> {
    let isStopped = false;
    const stopping = Promise.all([this.hub.printing.stop(), this.hub.documents.unseenTickets.stop()]).then(() => {
      isStopped = true;
    });
    for (const device of this.devices) await device.refuse();
    while (!isStopped) {
      this.clock.advance(50);
      await turn();
    }
    await stopping;
    this.hub.close();
  }

  /** Returns the documents that came out whole, by printer in their order. */
  private papers() {
    return this.devices.flatMap((device) => {
      const papers = device.papers();
      return device.documents().flatMap(({ isCut, unprinted }, at) => {
        const paper = papers[at];
        if (paper === undefined || isCut || unprinted > 0 || paper.cuts === 0) return [];
        const lines = wordsIn(paper.lines.map(({ text }) => text));
        return [{ device, lines, body: bodyOf(lines), isCopy: lines.some((line) => /^COPIA \d+$/.test(line)) }];
      });
    });
  }

  private jobsWithBodies() {
    const { printJobs } = this.hub.stores;
    const textOf = (blocks: readonly Block[]) =>
      layOut(blocks, 48).flatMap((line) => (line.kind === "text" ? [line.text] : []));
    return this.hub.jobs().map((job) => ({ ...job, body: bodyOf(wordsIn(textOf(printJobs.blocks(job) ?? []))) }));
  }

  /** Repairs all printers, and lets people decide what only they can know. Returns what is wrong then. */
  async end(): Promise<string[]> {
    const { changes, spool } = this.hub.stores;
    for (const device of this.devices) {
      device.mend();
      await device.listen();
    }
    await this.pass(30_000);
    for (let round = 0; round < 3; round += 1) {
      await this.finish();
      const wrong = [...this.waitingJobs(), ...this.wrongPapers(), ...this.wrongOrder(), ...this.unequalChecks()];
      if (wrong.length > 0) return wrong;
      const papers = this.papers();
      for (const job of this.jobsWithBodies().filter(({ isOpen }) => isOpen === 1)) {
        const isOut = job.state === "unknown" && papers.some(({ body }) => body === job.body);
        const decide = isOut ? spool.dismiss : spool.again;
        await this.attempt(() => changes.write((tx) => void decide(tx, job.jobId)));
      }
    }
    await this.finish();
    // Without a printer, some jobs stay open.
    if (this.hub.jobs().some(({ isOpen }) => isOpen === 1)) return [];
    const [paper, checks] = [this.onPaper(), this.wanted()].map((counts) => JSON.stringify([...counts]));
    return paper === checks ? [] : [`on paper ${paper}, on the checks ${checks}`];
  }

  /** Lets time pass until everything is printed, 30 s at most: a ticket may just have become due. */
  private async finish(): Promise<void> {
    await this.pass(1_000);
    for (let n = 0; n < 30 && this.waitingJobs().length > 0; n += 1) await this.pass(1_000);
  }

  /** What a cook makes from the papers, who reads each slip once, however many copies of it there are. */
  private onPaper(): Map<string, number> {
    const causes = Map.groupBy(this.jobsWithBodies(), ({ body }) => body);
    const slips = [...Map.groupBy(this.papers(), ({ body }) => body)].flatMap(([body, papers]) => {
      const once = new Set(causes.get(body)?.map(({ cause }) => cause)).size;
      return papers.slice(0, once).flatMap(({ lines }) => readSlip(lines) ?? []);
    });
    return addUp(slips);
  }

  private waitingJobs(): string[] {
    const waiting = this.hub.jobs().filter(({ state }) => state === "waiting" || state === "printing");
    return waiting.map(({ cause, error }) => `${cause} is waiting (${error}) though its printer prints`);
  }

  /** No document is printed twice as an original, none is called printed that is not, none is missing unnoticed. */
  private wrongPapers(): string[] {
    const papers = Map.groupBy(this.papers(), ({ body }) => body);
    return [...Map.groupBy(this.jobsWithBodies(), ({ body }) => body)].flatMap(([body, jobs]) => {
      const out = papers.get(body) ?? [];
      const story = jobs.map(({ cause, state, error, copy }) => `${cause} ${state} ${error} ${copy}`).join("; ");
      const originals = jobs.filter(({ copy }) => copy === 0).length;
      const isNoticed = jobs.some(
        ({ isOpen, state, copyOf }) => isOpen === 1 || state === "dropped" || copyOf !== null,
      );
      return [
        ...(out.filter(({ isCopy }) => !isCopy).length > originals ? [`doubled: ${story}`] : []),
        ...(out.length < jobs.filter(({ state }) => state === "printed").length ? [`lost: ${story}`] : []),
        ...(out.length === 0 && !isNoticed ? [`hidden: ${story}`] : []),
      ];
    });
  }

  /** Each printer prints in the order of the causes, except for copies and what it prints for another printer. */
  private wrongOrder(): string[] {
    const jobs = Map.groupBy(this.jobsWithBodies(), ({ body }) => body);
    const own = this.papers().filter(
      ({ lines, isCopy }) => !isCopy && !lines.some((line) => line.endsWith("NO RESPONDE")),
    );
    return [...Map.groupBy(own, ({ device }) => device).values()].flatMap((papers) => {
      const ids = papers.flatMap(({ body }) => {
        const same = jobs.get(body) ?? [];
        return same.length === 1 ? same.map(({ id }) => id) : [];
      });
      return ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0))
        ? []
        : [`printed in the order ${ids.join(", ")}`];
    });
  }
}
