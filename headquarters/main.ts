/** Entry of `npm run headquarters`. Only this file touches the process. */
import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { envText } from "@comanda/protocol/file-text.ts";
import { logFormat } from "@comanda/protocol/log-format.ts";
import { urlHost } from "@comanda/protocol/url-host.ts";
import { pino } from "pino";
import { addOwnerTo } from "./add-owner-to.ts";
import { startHeadquarters } from "./create-headquarters.ts";
import { errorMessage } from "./error-message.ts";
import { type HeadquartersSettings, readSettings } from "./settings.ts";
import { realWorld } from "./world.ts";

// A closed output pipe must not end the program.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

let settings: HeadquartersSettings;
try {
  if (existsSync(".env")) Object.assign(process.env, { ...parseEnv(envText(readFileSync(".env"))), ...process.env });
  settings = readSettings(process.env);
} catch (error) {
  console.error(errorMessage(error));
  process.exit(1);
}
const log = pino(logFormat("headquarters"));
for (const warning of settings.warnings) log.warn(warning);
const [command, login] = process.argv.slice(2);
if (command === "add-owner" && login !== undefined) await printOwner(login);
else if (command !== undefined) stopWith(new Error("npm run headquarters -- add-owner LOGIN"));
try {
  const headquarters = await startHeadquarters(settings, realWorld(log));
  let isStopping = false;
  const stop = (): void => {
    // A signal can come twice: from the terminal and through npm.
    if (isStopping) return;
    isStopping = true;
    headquarters.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, "headquarters did not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  console.log(`listening on http://${urlHost(settings.host)}:${headquarters.port}`);
} catch (error) {
  log.fatal({ err: error }, "headquarters could not start");
  console.error(`Headquarters could not start: ${errorMessage(error)}`);
  process.exit(1);
}

/** Creates an owner, prints the password and exits. Headquarters must not be running on the same folder. */
async function printOwner(name: string): Promise<never> {
  try {
    process.stdout.write(`${await addOwnerTo(settings, name, Date.now())}\n`);
    process.exit(0);
  } catch (error) {
    return stopWith(error);
  }
}

function stopWith(error: unknown): never {
  console.error(errorMessage(error));
  process.exit(1);
}
