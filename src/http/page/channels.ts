import type { GqlIoBinding, GqlIoOperation, GqlSchema } from '../../schema/gql-schema.js';
import { type Html, html } from './html.js';

/** The table of the nodes that have a channel to the outside world; nothing where none has. */
export function channelTable({ io = [] }: GqlSchema): Html {
  if (io.length === 0) return html``;
  return html`<section>
<h2>Channels<span>${io.length}</span></h2>
<div class="scroll"><table>
<thead><tr><th scope="col">Node</th><th scope="col">Direction</th><th scope="col">Transport</th><th scope="col">Serves</th></tr></thead>
<tbody>
${io.map(row)}</tbody>
</table></div>
</section>
`;
}

function row({ node, direction, transport, operations }: GqlIoBinding): Html {
  return html`<tr><th scope="row"><code>${node}</code></th><td>${direction}</td><td>${transport}</td><td>${operations.map(link)}</td></tr>
`;
}

function link({ kind, name, access }: GqlIoOperation, index: number): Html {
  return html`${index === 0 ? '' : ', '}<a href="#${kind}-${name}">${access} ${name}</a>`;
}
