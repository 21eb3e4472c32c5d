// @module-tag long
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takeoutOrder } from "../support/builders.ts";
import { hasJava } from "../support/has-java.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { startTestHub } from "../support/start-test-hub.ts";

/** The sample verifiers of the Integrations screen. */
const verifiers = path.resolve(import.meta.dirname, "../../../renderer/features/integrations/verifiers");
const folder = mkdtempSync(path.join(tmpdir(), "verifiers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A received delivery with its subscription's secret. */
interface Signed {
  raw: Buffer;
  signature: string;
  secret: string;
}

/** Returns whether a program is installed. OpenSSL before 3.2 only knows `version`. */
const isHere = (program: string, ask = "--version"): boolean => spawnSync(program, [ask]).status === 0;

/** Programs that print `true` or `false` for the body on standard input. Languages missing on this machine are left out. */
const languages: { name: string; command: string; args(signature: string): string[] }[] = [
  ...(isHere("openssl", "version")
    ? [{ name: "shell", command: "bash", args: (signature: string) => [path.join(verifiers, "verify.sh"), signature] }]
    : []),
  {
    name: "JavaScript",
    command: process.execPath,
    args: (signature) => ["--input-type=module", "--eval", askJavaScript, signature],
  },
  ...(isHere("python3")
    ? [{ name: "Python", command: "python3", args: (signature: string) => ["-c", askPython, signature] }]
    : []),
  ...(hasJava()
    ? [{ name: "Java", command: "java", args: (signature: string) => ["-cp", folder, "Ask", signature] }]
    : []),
];

const askJavaScript = `
import { buffer } from "node:stream/consumers";
import { isFromHub } from ${JSON.stringify(path.join(verifiers, "verify.mjs"))};
console.log(isFromHub(await buffer(process.stdin), process.argv[1], process.env.WEBHOOK_SECRET));
`;
const askPython = `
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(verifiers)})
from verify import is_from_hub
print(is_from_hub(sys.stdin.buffer.read(), sys.argv[1], os.environ["WEBHOOK_SECRET"]))
`;
const askJava = `
public class Ask {
    public static void main(String[] args) throws Exception {
        System.out.println(Verify.isFromHub(System.in.readAllBytes(), args[0], System.getenv("WEBHOOK_SECRET")));
    }
}
`;

beforeAll(() => {
  if (hasJava()) compileJava();
});

/** Receives a delivery of a real hub with non-ASCII letters in its body. */
async function receiveDelivery(): Promise<Signed> {
  const hub = await startTestHub();
  const external = hub.external();
  const receiver = await startReceiver();
  const { secret } = (await external.post("/webhooks", { url: receiver.url, events: ["order.created"] })).body;
  await external.post("/orders", takeoutOrder({ customerName: "Ñandú 🥟", notes: '"\\\n' }));
  const [received] = await receiver.count(1);
  return { raw: received?.raw ?? Buffer.of(), signature: String(received?.headers["x-hub-signature"]), secret };
}

function compileJava(): void {
  copyFileSync(path.join(verifiers, "Verify.java"), path.join(folder, "Verify.java"));
  writeFileSync(path.join(folder, "Ask.java"), askJava);
  const { status, stderr } = spawnSync("javac", ["-d", folder, "Verify.java", "Ask.java"], { cwd: folder });
  if (status !== 0) throw new Error(stderr.toString());
}

async function accepts(
  { command, args }: (typeof languages)[number],
  { raw, signature, secret }: Signed,
): Promise<boolean> {
  const child = spawn(command, args(signature), { env: { PATH: process.env["PATH"], WEBHOOK_SECRET: secret } });
  // A program that rejects a malformed signature may exit before reading the body.
  child.stdin.on("error", () => {});
  child.stdin.end(raw);
  const [stdout] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const isYes = /^(true|True|signed by the hub)\n$/.test(stdout);
  if (!isYes) expect(stdout).toMatch(/^(false|False|not a signature|signed (with another|more than).*)\n$/);
  return isYes;
}

function changed(raw: Buffer): Buffer {
  const flipped = Buffer.from(raw);
  flipped[20] = (flipped[20] ?? 0) ^ 1;
  return flipped;
}

/** Signs the same delivery as of `secondsAgo` seconds ago. */
function signedAt({ raw, secret }: Signed, secondsAgo: number): Signed {
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: raw.toString(), secret, timestamp });
  return { raw, secret, signature };
}

describe("sample verifiers", () => {
  it("Stripe's verifier accepts a real delivery and rejects a changed one [EXT-96]", async () => {
    const delivery = await receiveDelivery();
    const { raw, signature, secret } = delivery;
    expect(Stripe.webhooks.constructEvent(raw, signature, secret)).toEqual(JSON.parse(raw.toString()));
    expect(() => Stripe.webhooks.constructEvent(changed(raw), signature, secret)).toThrow(/No signatures found/);
  });

  it.each(languages)(
    "the sample verifier in $name accepts a real delivery and nothing else [EXT-96]",
    async (language) => {
      const delivery = await receiveDelivery();
      const { raw, signature, secret } = delivery;
      expect(await accepts(language, delivery)).toBe(true);
      expect(await accepts(language, signedAt(delivery, 200))).toBe(true);
      const refused: Record<string, Signed> = {
        "a changed body": { ...delivery, raw: changed(raw) },
        "another secret": { ...delivery, secret: `${secret}x` },
        "a later time": {
          ...delivery,
          signature: signature.replace(/\d,/, (digit) => `${(Number(digit[0]) + 1) % 10},`),
        },
        "an old signature": signedAt(delivery, 400),
        "one of the future": signedAt(delivery, -400),
        none: { ...delivery, signature: "" },
        "one that is cut": { ...delivery, signature: signature.slice(0, -1) },
        "another scheme": { ...delivery, signature: signature.replace("v1", "v0") },
        "a command in place of the time": { ...delivery, signature: signature.replace(/t=\d+/, "t=$(touch${IFS}x)") },
      };
      for (const [what, signed] of Object.entries(refused)) expect(await accepts(language, signed), what).toBe(false);
    },
  );
});
