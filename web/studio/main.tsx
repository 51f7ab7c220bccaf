import { render } from 'preact';
import { followDrawing } from './drawing.js';
import { followActivity } from './live.js';
import { followLocation } from './location.js';
import { followRuns } from './runs.js';
import { connect } from './store.js';
import { Studio } from './studio.js';
import { followVersions } from './versions.js';

const root = document.getElementById('studio');
if (root === null) throw new Error('invariant: the page has an element for the studio');
followLocation();
followDrawing();
followActivity();
followRuns();
followVersions();
connect();
render(<Studio />, root);
