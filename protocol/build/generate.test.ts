import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CloseCode, hubLimits, terminalMessageTypes } from "../src/index.ts";

const root = path.resolve(import.meta.dirname, "..");
const out = mkdtempSync(path.join(tmpdir(), "comanda-protocol-"));
afterAll(() => rmSync(out, { recursive: true, force: true }));

describe("the protocol package", () => {
  it("the protocol package is built on its own and loads as plain JavaScript [PROTO-1]", () => {
    const tsc = path.join(root, "../node_modules/.bin/tsc");
    execFileSync(tsc, ["-p", "tsconfig.build.json", "--outDir", path.join(out, "node_modules/built")], { cwd: root });
    // The built files ask for zod and nothing else of this repository.
    const source = readFileSync(path.join(out, "node_modules/built/terminal.js"), "utf8");
    const imports = [...source.matchAll(/from "([^"]+)"/g)].map((match) => match[1]);
    expect(imports.filter((name) => name !== "zod" && !name?.startsWith("./"))).toEqual([]);
    expect(imports.every((name) => name === "zod" || name?.endsWith(".js"))).toBe(true);
  });

  it("docs/asyncapi.yaml describes every message of a terminal [PROTO-2]", () => {
    const document = parse(readFileSync(path.join(root, "../docs/asyncapi.yaml"), "utf8")) as {
      components: { messages: Record<string, unknown> };
    };
    const described = Object.keys(document.components.messages)
      .filter((name) => name.startsWith("terminal."))
      .map((name) => name.slice("terminal.".length));
    expect(new Set(described)).toEqual(terminalMessageTypes);
  });

  it("docs/asyncapi.yaml says in words how many decimals an amount has [PROTO-33]", () => {
    const document = readFileSync(path.join(root, "../docs/asyncapi.yaml"), "utf8");
    expect(document).not.toContain("multipleOf");
    expect(document.match(/description: a multiple of 0.01/g)).toHaveLength(4);
  });

  it("docs/asyncapi.yaml says how a connection ends, and what a terminal may hold [TERM-400]", () => {
    const document = parse(readFileSync(path.join(root, "../docs/asyncapi.yaml"), "utf8")) as {
      channels: { terminal: { description: string } };
    };
    const { description } = document.channels.terminal;
    const named = [...description.matchAll(/^- (\d{4}): \S/gm)].map((match) => Number(match[1]));
    expect(new Set(named)).toEqual(new Set(Object.values(CloseCode)));
    const { leasesPerTerminal, locksPerTerminal, openOrdersPerTerminal, orderContentBytes } = hubLimits;
    const bounds = [...description.matchAll(/^- [^:\d]+: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(bounds).toEqual([leasesPerTerminal, locksPerTerminal, openOrdersPerTerminal, orderContentBytes]);
  });
});
