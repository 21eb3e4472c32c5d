// Allowed imports between packages, as in ARCHITECTURE.md. Used by check-imports.ts.
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

/** Folders to develop, check and measure the product. The product imports nothing from them. */
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

/** Packages import each other by name, through the `exports` of package.json. A relative path would bypass these. */
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
      // The rules above do not check imports that cannot be resolved.
      name: "own-package-not-found",
      severity: "error",
      from: {},
      to: { path: "^@comanda/", couldNotResolve: true },
    },
    {
      // Rules get their data as arguments.
      name: "rules-are-pure",
      severity: "error",
      from: { path: "^rules/src/" },
      to: {
        pathNot:
          "^(rules/src/|protocol/src/(basics/bounds|floor/guest-records|money/buyer-identity|orders/(line-fields|order-status|origins|quantity-text))\\.ts$)",
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

/** All packages and tools whose imports are checked. */
export const checkedFolders = [
  ...new Set([...Object.keys(packages).map((name) => name.split("/")[0] ?? name), ...tools]),
];
