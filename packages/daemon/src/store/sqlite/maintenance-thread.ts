import { parentPort, workerData } from "node:worker_threads";
import { doJob, type Job } from "./jobs.ts";

parentPort?.postMessage(doJob(workerData as Job));
