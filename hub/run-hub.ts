import { settingNames } from "@comanda/protocol";
import { unknownSettings } from "@comanda/protocol/unknown-settings.ts";
import { urlHost } from "@comanda/protocol/url-host.ts";
import { logEvent } from "./platform/log-event.ts";
import { createHub, type Hub } from "./hub.ts";
import { messageOf } from "./platform/error-facts.ts";
import { StartError } from "./platform/errors.ts";
import { createLog } from "./platform/log.ts";
import { realWorld } from "./platform/world.ts";
import { readHubConfig } from "./settings/config.ts";
import { type EnvValues, readEnvFile } from "./settings/env-file.ts";
import { envFileSettingsHost } from "./settings/settings-host.ts";

/** Runs the headless hub until a signal stops it, then ends the process. The environment overrides the file. */
export async function runHub(
  environment: EnvValues,
  envFile: string,
  { allowEmpty = false }: { allowEmpty?: boolean } = {},
): Promise<void> {
  // A closed output must neither end the hub nor block its stop.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const readValues = () => ({ ...readEnvFile(envFile), ...environment });
  const readConfig = () => readHubConfig(readValues());
  try {
    const config = readConfig();
    const world = realWorld(createLog(config.logLevel));
    for (const warning of unknownSettings(readValues(), settingNames)) world.log.warn(warning);
    const settingsHost = envFileSettingsHost(envFile, () => void (work = work.then(restart)), environment);
    let hub: Hub = createHub(config, world, { settingsHost, allowEmpty });
    const started = hub.start();
    let stopping = false;
    // Start, restart and stop run one after another.
    let work: Promise<void> = started.then(
      () => {},
      () => {},
    );

    const restart = async (): Promise<void> => {
      if (stopping) return;
      // Nothing else keeps the process alive between the two hubs.
      const hold = setInterval(() => {}, 60_000);
      try {
        world.log.info(logEvent("hub_restarts"), "the hub restarts");
        await hub.stop();
        const next = readConfig();
        const port = next.port === 0 ? (await started).port : next.port;
        hub = createHub({ ...next, port }, world, { settingsHost });
        await hub.start();
      } catch (error) {
        world.log.fatal({ err: error }, "the hub did not restart");
        endWith(error);
      } finally {
        clearInterval(hold);
      }
    };
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      work = work
        .then(() => hub.stop())
        .then(
          () => process.exit(0),
          (error: unknown) => {
            world.log.fatal({ err: error }, "the hub did not stop cleanly");
            process.exit(1);
          },
        );
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
    const { port } = await started;
    process.stdout.write(`listening on http://${urlHost(config.host)}:${port}\n`);
  } catch (error) {
    endWith(error);
  }
}

/** Prints one sentence and ends the process. Logs an unexpected error in full. */
function endWith(error: unknown): never {
  const message = messageOf(error);
  if (!(error instanceof StartError)) createLog("error").fatal({ err: error }, "the hub could not start");
  process.stderr.write(
    `${error instanceof StartError ? message : `The hub could not start: ${joinLines(message)}.`}\n`,
  );
  process.exit(1);
}

function joinLines(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replace(/\.$/, "");
}
