// The module of the analysis thread.

import { parentPort, workerData } from 'node:worker_threads';
import { serveAnalysis } from './serve-analysis.js';

if (parentPort !== null) serveAnalysis(parentPort, new URL(workerData.packageRoot));
