import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createNodeListener } from '../../hosts/node/node.js';
import type { Studio } from '../../studio/studio.js';
import type { CliIo } from '../terminal/io.js';

/** Opens the studio of a command. */
export async function openStudio(
  operands: readonly string[],
  endpoint: string,
  { packageRoot }: CliIo,
): Promise<Studio> {
  const { createStudio } = await import('../../studio/studio.js');
  return createStudio({
    title: operands.join(', '),
    endpoint,
    assets: new URL('dist/pages/studio/', packageRoot),
  });
}

/** Serves the studio in front of an API. */
export function withStudio(studio: Studio | undefined, api: RequestListener): RequestListener {
  if (studio === undefined) return api;
  const page = createNodeListener(studio);
  return (request: IncomingMessage, response: ServerResponse) =>
    isStudioPath(request.url ?? '') ? page(request, response) : api(request, response);
}

function isStudioPath(url: string): boolean {
  return /^\/_gg(?:[/?]|$)/.test(url);
}
