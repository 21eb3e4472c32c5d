// A hub's spool on a data file, as a program that can be killed: POST a command, and the response is its result.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { openDataFile } from "../../../hub/db/open.ts";
import { openSpool, quietWorld } from "../../../hub/test/kitchen/open-spool.ts";
import { shownState } from "../../../hub/printing/present-job.ts";
import type { SpoolCommand, SpoolJob } from "./spool-command.ts";

const [file = "", settings = "{}"] = process.argv.slice(2);
const dataFile = openDataFile({ file, backupDir: `${file}.backups`, allowEmpty: true, world: quietWorld() });
const test = openSpool(JSON.parse(settings) as object, dataFile.db);
await test.service.start();

async function carryOut(command: SpoolCommand): Promise<unknown> {
  switch (command.do) {
    case "printer":
      return test.addPrinter(
        command.id,
        command.address,
        command.fallback === undefined ? {} : { fallback: command.fallback },
      );
    case "add":
      return test.add(command.cause, command.printerId, { document: command.document });
    case "again":
      return (await test.again(command.jobId)).jobId;
    case "jobs":
      return test.jobs
        .page({}, null, 1_000)
        .map(({ jobId, cause, printerId, state, error, copy, isOpen }): SpoolJob => {
          return { jobId, cause, printerId, state: shownState(state), error, copy, isOpen };
        });
    case "stop":
      await test.service.stop();
      dataFile.close();
      setImmediate(() => process.exit(0));
  }
}

const server = createServer(async (request, response) => {
  try {
    const result = await carryOut((await json(request)) as SpoolCommand);
    response.end(JSON.stringify(result ?? null));
  } catch (error) {
    response.statusCode = 400;
    response.end(JSON.stringify(String(error)));
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") {
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`);
  }
});
