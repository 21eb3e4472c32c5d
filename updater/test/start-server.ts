import { type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface TestServer extends AsyncDisposable {
  url: string;
}

/** Starts a real HTTP server on a free loopback port, closed when it goes out of scope. */
export async function startServer(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
