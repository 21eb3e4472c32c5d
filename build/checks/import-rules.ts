// Which package may import which: the arrows of ARCHITECTURE.md, read by check-imports.ts.
import path from "node:path";
import type { IForbiddenRuleType } from "dependency-cruiser";
import { layerRules, testFiles } from "./layers.ts";

/** Each package with the packages that it may import. */
const packages: Record<string, readonly string[]> = {
  protocol: [],
  rules: ["protocol"],
  "clients/terminal": ["protocol", "rules"],
  "clients/integration": [],
  hub: ["protocol", "rules"],
  updater: ["protocol"],
  electron: ["protocol", "hub", "clients/terminal", "updater", "ui"],
  ui: ["protocol"],
  renderer: ["protocol", "rules", "ui"],
  terminal: ["protocol", "rules", "clients/terminal", "ui", "updater"],
  "backoffice-stub": ["protocol", "rules"],
  headquarters: ["protocol", "rules", "ui"],
};

/** What only develops, checks and measures the product: nothing in the product imports it. */
const tools = ["build", "e2e", "bench"];

const packageRules: IForbiddenRuleType[] = Object.entries(packages).map(([name, allowed]) => ({
  name: `package-${path.basename(name)}`,
  severity: "error",
  from: { path: `^${name}/`, pathNot: testFiles },
  to: {
    path: `^(${[...Object.keys(packages), ...tools].join("|")})/`,
    pathNot: `^(${[name, ...allowed].join("|")})/`,
  },
}));

/** A package sees of another what its package.json exports, by its name: a relative path would pass that by. */
const exportRules: IForbiddenRuleType[] = Object.keys(packages).map((name) => ({
  name: `exports-of-${path.basename(name)}`,
  severity: "error",
  from: { path: `^(${Object.keys(packages).join("|")})/`, pathNot: `${testFiles}|^${name}/` },
  to: { path: `^${name}/`, dependencyTypes: ["local"] },
}));

export const importRules = {
  forbidden: [
    ...packageRules,
    ...exportRules,
    ...layerRules,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-electron-outside-the-app",
      severity: "error",
      from: { path: "^(hub|updater|protocol|rules|clients|ui|renderer|terminal|backoffice-stub)/", pathNot: testFiles },
      to: { path: "(^|/)node_modules/electron(/|$)" },
    },
    {
      name: "protocol-imports-zod-only",
      severity: "error",
      from: { path: "^protocol/src/" },
      to: { pathNot: "^protocol/src/|(^|/)node_modules/zod/" },
    },
    {
      // One that is not found is checked by none of the rules above.
      name: "own-package-not-found",
      severity: "error",
      from: {},
      to: { path: "^@comanda/", couldNotResolve: true },
    },
    {
      // What a rule needs is handed to it.
      name: "rules-are-pure",
      severity: "error",
      from: { path: "^rules/src/" },
      to: {
        pathNot:
          "^(rules/src/|protocol/src/(basics/bounds|floor/guest-records|money/buyer-identity|orders/(line-fields|order-status|origins))\\.ts$)",
        dependencyTypesNot: ["type-only"],
      },
    },
  ] satisfies IForbiddenRuleType[],
  options: {
    doNotFollow: { path: "node_modules" },
    // Tests may start anything; the parser also fails on their `using` declarations.
    exclude: { path: "(^|/)(dist|\\.cache)/|\\.test\\.tsx?$|/test/" },
    parser: "swc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
      conditionNames: ["import", "node"],
    },
  },
};

/** Every package and tool whose imports are checked. */
export const checkedFolders = [
  ...new Set([...Object.keys(packages).map((name) => name.split("/")[0] ?? name), ...tools]),
];
