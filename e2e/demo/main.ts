const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 22) {
  console.error(`The demo needs Node 24, and this is Node ${process.versions.node}: start it with "npm run demo".`);
  process.exit(1);
}
const { demoHelp, readDemoOptions } = await import("./options.ts");
if (process.argv.includes("--help")) {
  console.log(demoHelp);
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // Child programs end with this process (support/start-program.ts).
  process.on(signal, () => process.exit(0));
}
try {
  const options = readDemoOptions(process.argv.slice(2), process.env);
  const differences = options.chain
    ? await (await import("./chain/run-chain.ts")).runChain(options)
    : await (await import("./run-demo.ts")).runDemo(options);
  for (const difference of differences) console.error(`NOT RECONCILED: ${difference}`);
  process.exit(differences.length === 0 ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
