import { render } from 'preact';
import { Playground } from './playground.js';
import { openPlayground } from './store.js';

const root = document.getElementById('playground');
if (root === null) throw new Error('invariant: the page has an element for the playground');
render(<Playground />, root);
await openPlayground();
