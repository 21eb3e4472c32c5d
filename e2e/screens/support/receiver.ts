import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Two webhook receivers: `/good` accepts everything, `/broken` answers 502. */
export interface Receiver {
  url: string;
  /** Bodies that `/good` received, with their signature headers. */
  received: { signature: string; body: string }[];
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Receiver["received"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      if (request.url === "/broken") {
        response.writeHead(502).end("the kitchen display is switched off");
        return;
      }
      received.push({ signature: String(request.headers["x-hub-signature"]), body });
      response.writeHead(200).end("thank you");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
