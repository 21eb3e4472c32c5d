import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, it } from "vitest";
import { errorMessage } from "./error-message.ts";

it("the message for a host with several addresses has the error of each address [HQ-1]", async () => {
  // A port that is not in use.
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  probe.close();
  await once(probe, "close");
  const failed = Promise.withResolvers<unknown>();
  connect({
    host: "database.example",
    port,
    lookup: (_, __, found) =>
      found(null, [
        { address: "127.0.0.1", family: 4 },
        { address: "127.0.0.2", family: 4 },
      ]),
  }).on("error", failed.resolve);
  const message = errorMessage(await failed.promise);
  expect(message).toBe(`connect ECONNREFUSED 127.0.0.1:${port}; connect ECONNREFUSED 127.0.0.2:${port}`);
});
