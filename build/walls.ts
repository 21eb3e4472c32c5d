// Which room may import which: the arrows of ARCHITECTURE.md, read by build/check-walls.ts.

const rooms: Record<string, string[]> = {
  protocol: [],
  "clients/terminal": ["protocol"],
  "clients/integration": ["protocol"],
  hub: ["protocol"],
  updater: ["protocol"],
  electron: ["protocol", "hub", "updater"],
  renderer: ["protocol"],
  "backoffice-stub": ["protocol"],
};

/** Inside the hub a folder imports lower numbers only, and no sibling. */
const hubLayers: string[][] = [
  ["changes", "db"],
  ["tables", "leases", "keys", "back-office"],
  ["floor-plan"],
  ["orders", "plugins"],
  ["webhooks", "forwarding", "restores", "retention"],
  ["terminals", "http", "discovery"],
];

const testFiles = "(\\.test\\.tsx?$|/test/|/build/)";

const roomRules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `room-${room.replace("/", "-")}`,
  severity: "error",
  from: { path: `^${room}/`, pathNot: testFiles },
  to: {
    path: `^(${[...Object.keys(rooms), "build", "e2e", "bench"].join("|")})/`,
    pathNot: `^(${[room, ...allowed].join("|")})/`,
  },
}));

const layerRules = hubLayers.flatMap((folders, level) =>
  folders.map((folder) => {
    const forbidden = hubLayers
      .flatMap((others, otherLevel) => (otherLevel >= level ? others : []))
      // The change log runs on the data file: within the first layer it may see it.
      .filter((other) => other !== folder && !(folder === "changes" && other === "db"));
    return {
      name: `hub-${folder}`,
      severity: "error",
      from: { path: `^hub/${folder}/`, pathNot: testFiles },
      to: { path: `^hub/(${forbidden.join("|")})/`, pathNot: testFiles },
    };
  }),
);

export const walls = {
  forbidden: [
    ...roomRules,
    ...layerRules,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-electron-in-the-hub",
      severity: "error",
      from: { path: "^(hub|updater|protocol|clients|renderer|backoffice-stub)/", pathNot: testFiles },
      to: { path: "(^|/)node_modules/electron(/|$)" },
    },
    {
      name: "protocol-imports-zod-only",
      severity: "error",
      from: { path: "^protocol/src/" },
      to: { pathNot: "^protocol/src/|(^|/)node_modules/zod/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Tests may start anything; the parser also trips over their `using` declarations.
    exclude: { path: "(^|/)(dist|\\.cache)/|\\.test\\.tsx?$|/test/" },
    parser: "swc",
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js", ".json"], conditionNames: ["import", "node"] },
  },
};
