import { stripVTControlCharacters } from "node:util";

export type ReportKind = "vitest" | "playwright";

/** A failed test with the first lines of its message. */
export interface Failure {
  test: string;
  message: string;
}

export interface Count {
  passed: number;
  failed: number;
  failures: Failure[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    ok: boolean;
    tests: { results: { errors: { message?: string }[] }[] }[];
  }[];
}

interface PlaywrightReport {
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
  stats: { expected: number; unexpected: number; flaky: number };
}

const LINES_SHOWN = 20;

/** Parses a test runner's JSON report: vitest's `json` reporter or Playwright's. */
export function readReport(kind: ReportKind, json: string): Count {
  return kind === "vitest" ? readVitest(JSON.parse(json)) : readPlaywright(JSON.parse(json));
}

function readVitest(report: VitestReport): Count {
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    // A file that fails to load, a hook that throws or a process that exits has no failed test of its own.
    if (failed.length === 0 && status === "failed") {
      const unfinished = assertionResults.filter((test) => test.status !== "passed").map((test) => test.fullName);
      return [failure(name, [message, ...(unfinished.length === 0 ? [] : ["not run to the end:"]), ...unfinished])];
    }
    return failed.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages));
  });
  return { passed: report.numPassedTests, failed: report.numFailedTests, failures };
}

function readPlaywright({ suites, errors, stats }: PlaywrightReport): Count {
  const failures = suites.flatMap(failuresOf);
  for (const error of errors) failures.push(failure("playwright", [error.message]));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, failures };
}

function failuresOf(suite: PlaywrightSuite): Failure[] {
  const own = (suite.specs ?? [])
    .filter((spec) => !spec.ok)
    .map((spec) => {
      const errors = spec.tests.flatMap((test) => test.results.flatMap((result) => result.errors));
      return failure(
        `${spec.file} › ${spec.title}`,
        errors.map((error) => error.message),
      );
    });
  return [...own, ...(suite.suites ?? []).flatMap(failuresOf)];
}

function failure(test: string, messages: readonly (string | undefined)[]): Failure {
  const text = stripVTControlCharacters(messages.filter((message) => message !== undefined).join("\n"));
  return { test, message: text.split("\n").slice(0, LINES_SHOWN).join("\n") };
}
