// Allowed imports between the folders of a package: the layers of ARCHITECTURE.md. Used by check-imports.ts.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { IForbiddenRuleType } from "dependency-cruiser";

/**
 * The layers of each package, lowest first: a folder imports lower layers only, and no sibling. `features/*` means each folder
 * inside, as siblings; a name with an extension is a single file. All other files directly in a package assemble its folders,
 * which do not import them.
 */
const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  hub: [
    ["platform"],
    ["db"],
    ["changes", "settings"],
    ["time", "jobs"],
    ["tables", "leases", "keys", "people", "kitchen", "back-office", "discovery", "audit"],
    ["floor-plan", "printing"],
    ["till"],
    ["orders", "plugins"],
    ["chain", "webhooks", "forwarding", "fiscal", "restores", "retention", "learned", "documents"],
    ["maintenance", "terminals", "practice"],
    ["stores"],
    ["operator"],
    ["http"],
    ["cli"],
    ["composition"],
  ],
  headquarters: [
    [
      "world.ts",
      "codes.ts",
      "error-message.ts",
      "refusal.ts",
      "settings.ts",
      "is-listening.ts",
      "failure-log.ts",
      "parse-json.ts",
      "sent.ts",
    ],
    ["loop.ts", "guess-limits.ts"],
    ["lock-folder.ts"],
    ["read-json.ts"],
    ["db", "nats"],
    ["sums"],
    ["people", "enrolment", "ingest", "presence", "retention"],
    ["alerts"],
    ["proposals", "questions"],
    ["api"],
    ["http"],
    ["screens"],
  ],
  "clients/terminal/src": [
    ["world.ts", "refusal.ts", "emitter.ts", "read-hub-message.ts"],
    ["schemas.ts", "refusal-by-rule.ts", "pace"],
    ["orders", "http"],
    ["outbox"],
    ["commands"],
    ["state", "session"],
    ["node", "browser"],
  ],
  terminal: [["lib"], ["components"], ["checks", "people", "practice"], ["receipt"], ["features/*"], ["app"]],
  renderer: [["lib"], ["components"], ["features/*"], ["app"]],
};

/** Existing violations of the layers, with their reasons. An entry that is no longer needed fails the check. */
const breaches: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  renderer: {
    "features/back-office/kept-change-table.tsx → features/orders/order-facts.tsx":
      "a kept change in the sentences of an order's history, whose names of fields are among that feature's texts",
  },
};

/** Tests, build steps and server configurations belong to no layer. */
export const testFiles = "(\\.test\\.tsx?$|/test/|/build/)";
const noLayer = new Set(["build", "deploy", "test", "node_modules", "dist"]);

/** One rule per part of a layer, named after it: `hub-orders`, `renderer-features`. */
export const layerRules: IForbiddenRuleType[] = Object.entries(layers).flatMap(([folder, levels]) =>
  levels.flatMap((parts, level) =>
    parts.map((part): IForbiddenRuleType => {
      const lower = levels.slice(0, level).flat();
      const allowed = [ownFiles(folder, part), ...lower.map((each) => filesOf(folder, each))];
      return {
        name: ruleName(folder, part),
        severity: "error",
        from: { path: filesOf(folder, part), pathNot: testFiles },
        // A package may read its own version.
        to: { path: `^${folder}/`, pathNot: [testFiles, `^${folder}/package\\.json$`, ...allowed].join("|") },
      };
    }),
  ),
);

function ruleName(folder: string, part: string): string {
  return [...folder.split("/").filter((name) => name !== "src"), part.replace("/*", "")].join("-");
}

function filesOf(folder: string, part: string): string {
  if (part.endsWith("/*")) return `^${folder}/${part.slice(0, -1)}([^/]+)/`;
  return path.extname(part) === "" ? `^${folder}/${part}/` : `^${folder}/${part.replace(".", "\\.")}$`;
}

/** The files of a part. For `features/*`, only the folder of the importing file. */
function ownFiles(folder: string, part: string): string {
  return filesOf(folder, part).replace("([^/]+)", "$1");
}

/** Returns folders below `root` without a layer, which would escape the check. */
export function foldersWithoutLayer(root: string): string[] {
  return Object.entries(layers).flatMap(([folder, levels]) => {
    const layered = new Set(levels.flat().map((part) => part.replace("/*", "")));
    if (!existsSync(path.join(root, folder))) return [];
    return readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !layered.has(entry.name) && !noLayer.has(entry.name))
      .map((entry) => `${folder}/${entry.name}`);
  });
}

/** The known violations: the importing file, and the report of its import. */
export const knownBreaches = Object.entries(breaches).flatMap(([folder, imports]) =>
  Object.keys(imports).map((each) => {
    const [from = "", to = ""] = each.split(" → ");
    const rule = ruleName(folder, from.split("/")[0] ?? from);
    return { from: `${folder}/${from}`, report: `${rule}: ${folder}/${from} → ${folder}/${to}` };
  }),
);
