import { existsSync } from "node:fs";
import { readHubConfig } from "./config.ts";
import { StartError } from "./errors.ts";
import { createLog } from "./log.ts";
import { realWorld } from "./world.ts";

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 22) {
  console.error(`The hub needs Node 24, and this is Node ${process.versions.node}: start it with "npm run hub".`);
  process.exit(1);
}
if (existsSync(".env")) process.loadEnvFile(".env");

try {
  const config = readHubConfig(process.env);
  const world = realWorld(createLog(config.logLevel));
  const { createHub } = await import("./hub.ts");
  const hub = createHub(config, world);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    hub.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        world.log.fatal({ err: error }, "the hub did not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const { port } = await hub.start();
  console.log(`listening on http://${config.host}:${port}`);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exit(1);
}
