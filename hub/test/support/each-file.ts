// Vitest's setup file: runs once per test file. The modules that it imports are shared by all files of a worker.
import { afterAll } from "vitest";
import { endFile } from "./end-of-file.ts";

afterAll(endFile);
