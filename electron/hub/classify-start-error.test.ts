import { createServer, type AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { StartError } from "@comanda/hub/platform/errors.ts";
import { classifyStartError, retryAfterMs } from "./classify-start-error.ts";

const parts = (port?: number) => ({ port: () => port, countBackups: () => 3 });

it("a port in use is reported with its holder and a free port [DESK-30]", async () => {
  const server = createServer().listen(0, "0.0.0.0");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const second = createServer().listen(port, "0.0.0.0");
  const error = await new Promise((resolve) => second.once("error", resolve));

  const failure = await classifyStartError(error, parts(port));
  expect(failure).toMatchObject({ state: "failed", reason: "port_in_use", backupsFound: 3 });
  expect(failure.suggestedPort).toBeGreaterThan(port);
  if (process.platform === "linux") expect(failure.heldBy).toContain(`(process ${process.pid})`);
});

it("failed starts are classified by code into settings, backup folder, data files and others, with their message [DESK-30]", async () => {
  const cases = [
    [new StartError("setting", 'HUB_HTTP_PORT is "many".'), "setting"],
    [new StartError("backup_folder", "The data file cannot be copied to /x"), "backup_folder"],
    [new StartError("data_file_newer", "The data file /x was written by a newer Comanda Hub"), "data_file_newer"],
    [new StartError("data_file_damaged", "The data file /x is damaged and was set aside"), "data_file"],
    [new StartError("data_file_missing", "The data file /x is missing or empty"), "data_file_missing"],
    [new StartError("data_file_in_use", "The data file /x is in use by a second hub"), "data_file_in_use"],
    [new StartError("restore_unfinished", "A restore of the data file /x was begun"), "restore_unfinished"],
    [new Error("the data file is in use, says something else"), "other"],
    ["thrown text", "other"],
  ] as const;
  for (const [error, reason] of cases) {
    const failure = await classifyStartError(error, parts(8766));
    expect(failure.reason).toBe(reason);
    expect(failure.error).toBe(error instanceof Error ? error.message : error);
  }
});

it("a start is tried again only if a network, a disk or another program may be the reason [DESK-178]", () => {
  const codes = ["address", "backup_folder", "port_in_use", "data_file_in_use", "data_file_missing"] as const;
  for (const code of codes) expect(retryAfterMs(new StartError(code, "no"))).toBe(30_000);
  for (const code of ["setting", "data_file_damaged", "data_file_newer", "restore_unfinished"] as const)
    expect(retryAfterMs(new StartError(code, "no"))).toBeNull();
  expect(retryAfterMs(new Error("no"))).toBeNull();
});

it("the settings that keep the hub from starting are named [DESK-65, HUB-49]", async () => {
  const bad = new StartError("setting", "HUB_GRACE_MS is …", ["HUB_GRACE_MS"]);
  const cases = [
    [bad, ["HUB_GRACE_MS"]],
    [new Error("HUB_GRACE_MS is …", { cause: bad }), ["HUB_GRACE_MS"]],
    [new StartError("address", "The hub cannot listen", ["HUB_HOST"]), ["HUB_HOST"]],
    [new StartError("data_file_damaged", "The data file is damaged"), []],
    [new Error("HUB_GRACE_MS"), []],
  ] as const;
  for (const [error, settings] of cases) expect((await classifyStartError(error, parts())).settings).toEqual(settings);
});
