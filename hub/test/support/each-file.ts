// Vitest's setup file: runs for each file of tests, while the modules that it imports are shared by those of a worker.
import { afterAll } from "vitest";
import { endFile } from "./end-of-file.ts";

afterAll(endFile);
