import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { noteLostTail } from "../db/restore/fork-history.ts";
import { startFakePrinter } from "../test/fake-printer/fake-printer.ts";
import { memoryFile, openSpool, quietWorld } from "../test/kitchen/open-spool.ts";
import { until } from "../test/support/until.ts";
import { findPrinters } from "./find-printers.ts";

it("unfinished jobs become unknown when the data file's history was lost or replaced [PRINT-21]", async () => {
  const file = memoryFile();
  const test = openSpool({}, file);
  await test.addPrinter("bar", "tcp://127.0.0.1:1");
  for (const cause of ["held", "waiting", "printing", "printed"]) {
    await test.add(cause, "bar", cause === "held" ? { heldUntil: Date.now() + 60_000 } : {});
    file.prepare("UPDATE print_jobs SET state = @cause WHERE cause = @cause").run({ cause });
  }
  noteLostTail(file, quietWorld());
  expect(["held", "waiting", "printing", "printed"].flatMap(test.states)).toEqual([
    "unknown restored",
    "unknown restored",
    "unknown restored",
    "printed",
  ]);
  // It may have been printed, so a reprint is marked as a copy.
  const [waiting] = test.jobs.listByCause("waiting");
  expect((await test.again(waiting?.jobId ?? "")).copy).toBe(1);
});

/** Creates a folder of programs that come first in PATH. */
function programs() {
  const folder = mkdtempSync(path.join(tmpdir(), "print-queue-"));
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"] ?? ""}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const script = (name: string, lines: string): void => {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(path.join(folder, name), 0o755);
  };
  return { folder, script };
}

it("a job is printed on a queue of the PC's print system, and fails if the queue refuses it [PRINT-22]", async () => {
  const { folder, script } = programs();
  script("lpstat", `[ "$1 $2" = "-p Caja" ] || exit 1`);
  script("lp", `echo "$@" >> ${folder}/words; [ -e ${folder}/full ] && exit 1; cat > ${folder}/taken`);
  const test = openSpool();
  onTestFinished(test.service.stop);
  await test.addPrinter("caja", "queue:Caja");
  await test.addPrinter("gone", "queue:Otra");
  await test.service.start();
  await test.add("receipt:1", "caja");
  await until("it is taken", () => test.states("receipt:1")[0] === "printed");
  expect(readFileSync(path.join(folder, "words"), "utf8")).toBe("-d Caja -o raw -s\n");
  expect(readFileSync(path.join(folder, "taken"), "latin1")).toContain("receipt:1");
  writeFileSync(path.join(folder, "full"), "");
  await test.add("receipt:2", "caja");
  await until(
    "it is refused",
    () => existsSync(path.join(folder, "words")) && test.states("receipt:2")[0] === "waiting unreachable",
  );
  rmSync(path.join(folder, "full"));
  await until("it is taken after all", () => test.states("receipt:2")[0] === "printed");
  await until("the other is looked at", () => test.service.conditionOf("gone")?.state === "unreachable");
});

it("a Windows queue name is passed as it is, never as a command [PRINT-22]", async () => {
  const { folder, script } = programs();
  script("powershell.exe", `printf %s "$COMANDA_QUEUE" > ${folder}/queue; cat > ${folder}/taken`);
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
  const test = openSpool();
  onTestFinished(test.service.stop);
  // PowerShell ends a string at each of these quotes.
  const name = "Generic / Text Only ’; exit 1; ‘'";
  await test.addPrinter("caja", `queue:${name}`);
  await test.service.start();
  await test.add("receipt:1", "caja");
  await until("it is taken", () => test.states("receipt:1")[0] === "printed");
  expect(readFileSync(path.join(folder, "queue"), "utf8")).toBe(name);
  expect(readFileSync(path.join(folder, "taken"), "latin1")).toContain("receipt:1");
});

const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

it("printers in the networks of this PC are found [PRINT-23]", { tags: "long" }, async () => {
  // A machine without a network has none to search.
  const host = own ?? "127.0.0.1";
  const printer = await startFakePrinter({ port: 9100, host });
  onTestFinished(printer.stop);
  printer.faults.paper = "low";
  const found = await findPrinters(quietWorld());
  expect(found.filter(({ address }) => address === `tcp://${host}`)).toEqual(
    own === undefined ? [] : [{ address: `tcp://${host}`, state: "paper_low" }],
  );
});
