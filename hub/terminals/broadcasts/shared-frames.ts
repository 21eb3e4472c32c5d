import type { Broadcast } from "./broadcast.ts";

export type SharedFrames = ReturnType<typeof shareFrames>;

/**
 * The frames of broadcasts that go to every terminal alike. They are encoded once, not once for each terminal, which is 10
 * to 20 % of what a busy hub does.
 */
export function shareFrames(broadcasts: readonly Broadcast[]) {
  let shared: Buffer | undefined;
  let frames: Buffer[] | undefined;
  const frame = (): Buffer => (shared ??= Buffer.from(`[${broadcasts.map((each) => each.text).join(",")}]`));
  return {
    broadcasts,
    frame,
    /** The same after messages for one terminal. */
    frameAfter: (own: string): Buffer => Buffer.concat([Buffer.from(`[${own},`), frame().subarray("[".length)]),
    frames: (): Buffer[] => (frames ??= broadcasts.map((each) => Buffer.from(each.text))),
  };
}
