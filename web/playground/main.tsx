import { render } from 'preact';
import { workerAddress } from './api-client.js';
import { Playground } from './playground.js';
import { openPlayground } from './store.js';

const root = document.getElementById('playground');
if (root === null) throw new Error('invariant: the page has an element for the playground');
render(<Playground />, root);
await openPlayground();
// Loaded before it is needed, so that everything works without a connection. Without it, the first call says why.
workerAddress().catch(() => {});
