/** The load generator: a separate process, controlled over IPC by its parent. */
import { type JobName, jobs } from "./jobs.ts";

interface Request {
  id: number;
  job: JobName;
  options: never;
}

process.on("message", (request: Request) => {
  const run = jobs[request.job] as (options: never) => Promise<unknown>;
  run(request.options).then(
    (result) => process.send?.({ id: request.id, result }),
    (error: unknown) => process.send?.({ id: request.id, error: error instanceof Error ? error.stack : String(error) }),
  );
});
process.once("disconnect", () => process.exit(0));
