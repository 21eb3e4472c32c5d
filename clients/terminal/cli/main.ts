const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 22) {
  console.error(
    `The terminal needs Node 24, and this is Node ${process.versions.node}: start it with "npm run terminal".`,
  );
  process.exit(1);
}
const { cliHelp, readCliOptions } = await import("./options.ts");
if (process.argv.includes("--help")) {
  console.log(cliHelp);
  process.exit(0);
}
try {
  const { runCli } = await import("./run-cli.ts");
  await runCli(readCliOptions(process.argv.slice(2)));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
