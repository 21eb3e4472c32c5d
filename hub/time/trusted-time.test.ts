import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createChangeLog } from "../changes/change-log.ts";
import { openMemory } from "../db/open.ts";
import { createMemory } from "../db/remembered.ts";
import { manualClock } from "../test/support/manual-clock.ts";
import { until } from "../test/support/until.ts";
import { createTrustedTime, type TrustedTime } from "./trusted-time.ts";
import { realWorld, type World } from "../platform/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse("2026-11-20T12:00:00Z");

function setUp(options: { startAt?: number; bootId?: () => string | null } = {}) {
  const clock = manualClock(options.startAt ?? START);
  const bootId = options.bootId ?? clock.world.clock.bootId;
  const world: World = {
    ...realWorld(pino({ level: "silent" })),
    ...clock.world,
    clock: { ...clock.world.clock, bootId },
  };
  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const memory = createMemory(db);
  const disagreements: number[] = [];
  const open = (): TrustedTime => {
    const onDisagreement = (wall: number, backOffice: number): void => void disagreements.push(wall - backOffice);
    return createTrustedTime({ world, memory, changes, onDisagreement });
  };
  let time = open();
  return {
    clock,
    wall: world.clock.now,
    time: () => time,
    disagreements,
    savedAt: () => memory.read("clock")?.at ?? 0,
    /** Starts a new run of the hub on the same file, after the previous one was killed. */
    kill(whileDown: () => void): TrustedTime {
      whileDown();
      time = open();
      return time;
    },
    /** Starts a new run of the hub on the same file. */
    async restart(whileDown: () => void): Promise<TrustedTime> {
      await time.stop();
      whileDown();
      time = open();
      return time;
    },
  };
}

describe("trusted time while the hub runs", () => {
  it("trusted time ignores a jump of the wall clock, and follows it again once it is back [CLOCK-1]", () => {
    const { clock, wall, time } = setUp();
    expect(time().isConfirmed()).toBe(true);
    const confirmed: number[] = [];
    time().onConfirmed(() => confirmed.push(wall()));
    for (const jump of [8 * DAY, -8 * DAY, 11 * MINUTE, -11 * MINUTE]) {
      clock.advance(HOUR);
      const before = time().now();
      clock.jumpWall(jump);
      expect(time().isConfirmed()).toBe(false);
      clock.advance(HOUR);
      expect(time().now()).toBe(before + HOUR);
      expect(time().latest()).toBe(before + HOUR);
      clock.jumpWall(-jump);
      expect(time().isConfirmed()).toBe(true);
      expect(time().now()).toBe(wall());
    }
    expect(confirmed).toHaveLength(4);
  });

  it("trusted time follows a small correction of the wall clock [CLOCK-1]", () => {
    const { clock, wall, time } = setUp();
    for (let hour = 0; hour < 10; hour += 1) {
      clock.advance(HOUR);
      clock.jumpWall(3 * MINUTE);
      expect(time().isConfirmed()).toBe(true);
      expect(time().now()).toBe(wall());
    }
  });

  it("a night of sleep is not taken for a clock jump [CLOCK-1]", () => {
    const { clock, wall, time } = setUp();
    clock.advance(HOUR);
    clock.sleep(9 * HOUR);
    expect(time().isConfirmed()).toBe(true);
    expect(time().now()).toBe(wall());
  });

  it("a clock that jumped is trusted when the back-office agrees with it [CLOCK-2]", () => {
    const { clock, wall, time, disagreements } = setUp();
    const corrections: number[][] = [];
    time().onCorrected((byMs, since) => corrections.push([byMs, since]));
    clock.advance(HOUR);
    clock.jumpWall(8 * DAY);
    time().learnBackOfficeTime(wall() - 9 * MINUTE);
    expect(time().isConfirmed()).toBe(true);
    expect(time().now()).toBe(START + HOUR + 8 * DAY);
    clock.jumpWall(-8 * DAY);
    time().learnBackOfficeTime(wall() + 9 * MINUTE);
    expect(time().isConfirmed()).toBe(true);
    expect(time().now()).toBe(START + HOUR);
    expect(corrections).toEqual([
      [8 * DAY, 0],
      [-8 * DAY, START + 8 * DAY],
    ]);
    expect(disagreements).toEqual([]);
  });

  it("a clock that the back-office contradicts is not trusted, which is reported once [CLOCK-3]", () => {
    const { clock, wall, time, disagreements } = setUp();
    for (let call = 0; call < 3; call += 1) {
      time().learnBackOfficeTime(wall() + 11 * MINUTE);
      expect(time().isConfirmed()).toBe(false);
      clock.advance(MINUTE);
    }
    expect(time().now()).toBe(wall());
    expect(disagreements).toEqual([-11 * MINUTE]);
    clock.jumpWall(11 * MINUTE);
    expect(time().isConfirmed()).toBe(true);
    expect(time().now()).toBe(wall());
    time().learnBackOfficeTime(wall() - DAY);
    expect(disagreements).toEqual([-11 * MINUTE, DAY]);
    time().learnBackOfficeTime(wall());
    expect(time().isConfirmed()).toBe(true);
  });

  it("a clock from before 2026 is not trusted [CLOCK-5]", () => {
    const { clock, time } = setUp({ startAt: Date.parse("2025-12-31T23:00:00Z") });
    expect(time().isConfirmed()).toBe(false);
    clock.advance(2 * HOUR);
    expect(time().isConfirmed()).toBe(true);
  });
});

describe("trusted time over a restart", () => {
  it.each([8 * DAY, -8 * DAY, 25 * HOUR, -HOUR, 74 * 365 * DAY])(
    "the time that the hub was off is measured although the wall clock moved by %i ms [CLOCK-4]",
    async (jump) => {
      const { clock, restart } = setUp();
      clock.advance(HOUR);
      const time = await restart(() => {
        clock.advance(5 * DAY);
        clock.jumpWall(jump);
      });
      expect(time.isConfirmed()).toBe(false);
      expect(time.now()).toBe(START + HOUR + 5 * DAY);
      expect(time.latest()).toBe(START + HOUR + 5 * DAY);
      clock.jumpWall(-jump);
      expect(time.isConfirmed()).toBe(true);
    },
  );

  it("the clock is trusted after the hub alone was off for long [CLOCK-4]", async () => {
    const { clock, wall, restart } = setUp();
    const time = await restart(() => clock.advance(30 * DAY));
    expect(time.isConfirmed()).toBe(true);
    expect(time.now()).toBe(wall());
  });

  it.each([0, 9 * HOUR, 47 * HOUR])("the clock is trusted after a reboot that took %i ms [CLOCK-4]", async (offMs) => {
    const { clock, wall, restart } = setUp();
    clock.advance(10 * HOUR);
    const time = await restart(() => clock.reboot(offMs));
    expect(time.isConfirmed()).toBe(true);
    expect(time.now()).toBe(wall());
  });

  it.each([
    ["30 days later", 30 * DAY],
    ["in 2100", 74 * 365 * DAY],
    ["before the stop", -DAY],
  ])("a clock that is %s after a reboot is not trusted until it is corrected [CLOCK-4]", async (_, offMs) => {
    const { clock, wall, restart } = setUp();
    clock.advance(10 * HOUR);
    const stopped = wall();
    let time = await restart(() => clock.reboot(offMs));
    expect(time.isConfirmed()).toBe(false);
    expect(time.now()).toBe(stopped + 1_000);
    expect(time.latest()).toBe(Math.max(wall(), stopped + 1_000));
    expect(time.clockAheadMs()).toBe(offMs - 1_000);
    clock.advance(HOUR);
    time = await restart(() => clock.advance(HOUR));
    expect(time.isConfirmed()).toBe(false);
    expect(time.now()).toBe(stopped + 1_000 + 2 * HOUR);
    expect(time.latest()).toBe(Math.max(wall(), stopped + 1_000 + 2 * HOUR));
    time.onCorrected(() => expect.unreachable("nothing was wrong"));
    clock.jumpWall(stopped + DAY - wall());
    expect(time.isConfirmed()).toBe(true);
    expect(time.now()).toBe(stopped + DAY);
  });

  it("after a long rest the clock is trusted when the back-office agrees, without a correction [CLOCK-2]", async () => {
    const { clock, wall, restart } = setUp();
    clock.advance(10 * HOUR);
    const time = await restart(() => clock.reboot(30 * DAY));
    time.onCorrected(() => expect.unreachable("nothing was wrong"));
    time.learnBackOfficeTime(wall());
    expect(time.isConfirmed()).toBe(true);
    expect(time.now()).toBe(wall());
  });

  it("the back-office tells how long the machine was off when the wall clock cannot be right [CLOCK-3]", async () => {
    const { clock, wall, restart } = setUp();
    clock.advance(10 * HOUR);
    const backAt = wall() + 5 * DAY;
    const time = await restart(() => clock.reboot(74 * 365 * DAY));
    time.learnBackOfficeTime(backAt);
    expect(time.isConfirmed()).toBe(false);
    expect(time.now()).toBe(backAt);
    expect(time.latest()).toBe(backAt);
  });

  it("a contradicted clock stays untrusted over a restart or reboot until the back-office agrees [CLOCK-3]", async () => {
    const { clock, wall, time, restart } = setUp();
    time().learnBackOfficeTime(wall() - 8 * DAY);
    expect((await restart(() => clock.advance(HOUR))).isConfirmed()).toBe(false);
    expect((await restart(() => clock.reboot(9 * HOUR))).isConfirmed()).toBe(false);
    time().learnBackOfficeTime(wall());
    expect((await restart(() => clock.advance(HOUR))).isConfirmed()).toBe(true);
  });

  it("a reboot is recognized by the uptime where the system names no boot [CLOCK-4]", async () => {
    const { clock, wall, restart } = setUp({ bootId: () => null });
    clock.advance(10 * HOUR);
    const stopped = wall();
    const again = await restart(() => clock.jumpWall(25 * HOUR));
    expect(again.now()).toBe(stopped);
    clock.jumpWall(-25 * HOUR);
    const rebooted = await restart(() => clock.reboot(25 * HOUR));
    expect(rebooted.isConfirmed()).toBe(true);
    expect(rebooted.now()).toBe(wall());
  });

  it("the time is saved every minute, in case the hub is killed [CLOCK-4]", async () => {
    const { clock, time, savedAt, kill } = setUp();
    time().start();
    const saved = await until("saved again", () => {
      clock.advance(MINUTE);
      return savedAt() > START && savedAt();
    });
    const next = kill(() => clock.reboot(74 * 365 * DAY));
    expect(next.now()).toBe(saved + 1_000);
  });
});
