import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "chain", refusalsExpected: true });

/** Starts headquarters that accept any enrolment; their NATS server is down. */
async function startHeadquarters(): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      const { code } = JSON.parse(text) as { code: string };
      const isRight = code === "ABCD2345";
      response.writeHead(isRight ? 200 : 403, { "content-type": "application/json" });
      const enrolled = {
        restaurantId: "r001",
        restaurantName: "Santiago Centro",
        chainName: "La Cadena",
        url: "nats://127.0.0.1:9",
      };
      response.end(JSON.stringify(isRight ? enrolled : { error: "no", errorCode: "ENROLMENT_CODE_WRONG" }));
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("a manager joins a chain with a code, sees the state of its connection, and leaves it [UI-490]", async ({
  open,
}) => {
  const { server, address } = await startHeadquarters();
  const page = await open("/system/settings");
  const panel = page.getByRole("region", { name: "Headquarters" });
  await expect(panel).toContainText("This restaurant belongs to no chain");
  await panel.getByRole("button", { name: "Join a chain" }).click();
  const dialog = page.getByRole("dialog", { name: "Join a chain" });
  await dialog.getByLabel("Address").fill(address);
  await dialog.getByLabel("Code").fill("wxyz-2345");
  await dialog.getByRole("button", { name: "Join a chain" }).click();
  await expect(dialog).toContainText("The headquarters do not know this code");
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByLabel("Code").fill("abcd-2345");
  await dialog.getByRole("button", { name: "Join a chain" }).click();
  await expect(dialog).toBeHidden();
  await expect(panel).toContainText("La Cadena");
  await expect(panel).toContainText("Not connected to headquarters");
  await expect(panel).toContainText("nothing yet");
  expect(await seriousIssues(page)).toEqual([]);

  await panel.getByRole("button", { name: "Leave the chain" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave the chain" }).click();
  await expect(panel).toContainText("This restaurant belongs to no chain");
  server.close();
});
