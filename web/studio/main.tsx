import { render } from 'preact';
import { connect } from './store.js';
import { Studio } from './studio.js';

const root = document.getElementById('studio');
if (root === null) throw new Error('invariant: the page has an element for the studio');
connect();
render(<Studio />, root);
