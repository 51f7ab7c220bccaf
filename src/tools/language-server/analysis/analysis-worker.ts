// The module of the analysis thread.

import { parentPort, workerData } from 'node:worker_threads';
import { servePort } from './analysis-thread.js';

if (parentPort !== null) servePort(parentPort, workerData.pages);
