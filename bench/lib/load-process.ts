import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { JobName, Jobs } from "../load/jobs.ts";

type Options<J extends JobName> = Parameters<Jobs[J]> extends [infer O] ? O : undefined;

/** A load generator in a separate process. */
export interface LoadProcess {
  run: <J extends JobName>(job: J, options: Options<J>) => Promise<Awaited<ReturnType<Jobs[J]>>>;
  stop: () => Promise<void>;
}

export function startLoadProcess(): LoadProcess {
  const child: ChildProcess = fork(fileURLToPath(new URL("../load/main.ts", import.meta.url)), { stdio: "inherit" });
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  child.on("message", (answer: { id: number; result?: never; error?: string }) => {
    const request = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) request?.resolve(answer.result as never);
    else request?.reject(new Error(answer.error));
  });
  const exited = once(child, "exit").then(() => {
    for (const request of waiting.values()) request.reject(new Error("the load generator ended"));
  });
  return {
    run(job, options) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.send({ id, job, options });
      });
    },
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}
