import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createGqlServer } from '../../src/runtime/server/service.js';
import { execForm, healthCommand, parseDockerfile } from './dockerfile.js';
import { codeBlocks } from './markdown.js';

// The manifests of the page, as far as they can be checked without the programs that read them. The long suite runs
// them.

const page = readFileSync('docs/deployment.md', 'utf8');
const blocks = new Map(codeBlocks(page).map(({ info, text }) => [/\bfile=(\S+)/.exec(info)?.[1] ?? '', `${text}\n`]));

function manifest(name: string): string {
  const text = blocks.get(name);
  if (text === undefined) throw new Error(`The page has no ${name}.`);
  return text;
}

/** How long a shutdown takes at most: the notice, and the grace that the command line gives. */
const shutdown = sum(
  /notice = ([\d_]+)/.exec(readFileSync('src/runtime/hosts/node/drain.ts', 'utf8')),
  /grace = ([\d_]+)/.exec(readFileSync('src/tools/cli/serving/listen.ts', 'utf8')),
);

function sum(...found: readonly (RegExpExecArray | null)[]): number {
  const numbers = found.map((match) => Number(match?.[1]?.replaceAll('_', '')));
  return numbers.reduce((total, number) => total + number) / 1000;
}

/** The status of a path of a server that is ready. */
async function statusOf(path: string): Promise<number> {
  const server = createGqlServer({ topologies: [{ name: 'a.gg', source: '(root)-[:PROCESS]->(a)' }] });
  return (await server.fetch(new Request(`http://localhost${path}`))).status;
}

it('a shutdown takes the documented time', () => {
  expect(page).toContain(`| ${shutdown} s | connections that are still open are closed`);
  // The connections to a broker get a second at most.
  expect(page).toContain(`which takes at most ${shutdown + 1} s`);
});

describe('the Dockerfile', () => {
  const text = manifest('Dockerfile');
  const stages = parseDockerfile(text);
  const final = stages.at(-1)?.instructions ?? [];
  const textOf = (name: string) => final.findLast((instruction) => instruction.name === name)?.text ?? '';
  const all = stages.flatMap(({ instructions }) => instructions);

  it('equals the output of init --docker', () => {
    expect(readFileSync('docs/examples/project/Dockerfile', 'utf8')).toBe(text);
  });

  it('uses the slim image of the oldest supported Node.js, in two stages', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [, major] = /(\d+)\./.exec(engines.node) ?? [];
    expect(stages.map(({ image }) => image)).toEqual([`node:${major}-slim`, `node:${major}-slim`]);
  });

  it('installs the locked packages, without development packages, before it copies the sources', () => {
    const [first] = stages;
    expect(first?.instructions.map(({ name, text: words }) => `${name} ${words}`)).toEqual([
      'WORKDIR /app',
      'COPY package.json package-lock.json ./',
      'RUN npm ci --omit=dev',
    ]);
    expect(all.filter(({ name }) => name === 'ADD')).toEqual([]);
  });

  it('runs as a user other than root', () => {
    expect(textOf('USER')).toBe('node');
    const order = final.map(({ name }) => name);
    expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'));
  });

  it('starts the server directly, so that it gets the signal', () => {
    expect(textOf('STOPSIGNAL')).toBe('SIGTERM');
    expect(execForm(textOf('CMD'))).toEqual(['node_modules/.bin/gg-svc', 'serve']);
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(Object.keys(bin)).toContain('gg-svc');
  });

  it('checks the exposed port at an existing path, without curl', async () => {
    const port = /PORT=(\d+)/.exec(textOf('ENV'))?.[1];
    expect(textOf('EXPOSE')).toBe(port);
    expect(textOf('ENV')).toContain('HOST=0.0.0.0');
    expect(textOf('ENV')).toContain('NODE_ENV=production');
    const [node, , code = ''] = execForm(healthCommand(textOf('HEALTHCHECK'))) ?? [];
    expect(node).toBe('node');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: JavaScript inside of JSON
    expect(code).toContain('127.0.0.1:${process.env.PORT}/');
    expect(await statusOf(/\}(\/[\w/]+)`/.exec(code)?.[1] ?? '')).toBe(200);
  });

  it('contains no package manager cache and no secrets', () => {
    const ignored = readFileSync('docs/examples/project/.dockerignore', 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/.env*', '**/*.key', '**/*.pem']));
  });

  it('leaves docker stop enough time for a shutdown', () => {
    const times = [...`${text}${page}`.matchAll(/--(?:stop-timeout|time) (\d+)/g)].map(([, time]) => Number(time));
    expect(times.length).toBeGreaterThan(2);
    expect(Math.min(...times)).toBeGreaterThan(shutdown);
  });
});

describe('the manifests of Kubernetes', () => {
  const documents = parseAllDocuments(manifest('bookstore.yaml'), { strict: true, uniqueKeys: true });
  // biome-ignore lint/suspicious/noExplicitAny: YAML
  const objects = new Map<string, any>(documents.map((each) => [String(each.get('kind')), each.toJS()]));
  const deployment = objects.get('Deployment');
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const port = container.ports.find(({ name }: { name: string }) => name === 'http').containerPort;

  it('the manifests are YAML', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect([...objects.keys()]).toEqual(['Deployment', 'Service', 'PodDisruptionBudget', 'HorizontalPodAutoscaler']);
  });

  it.each(['livenessProbe', 'readinessProbe', 'startupProbe'])('%s requests an existing path', async (probe) => {
    const { path, port: asked } = container[probe].httpGet;
    expect(asked).toBe('http');
    expect(await statusOf(path)).toBe(200);
    expect(path).toBe(probe === 'livenessProbe' ? '/health/live' : '/health/ready');
  });

  it('the manifests agree on the port', () => {
    const env = Object.fromEntries(container.env.map((each: { name: string }) => [each.name, each]));
    expect(env.PORT.value).toBe(String(port));
    const [served] = objects.get('Service').spec.ports;
    expect(served.targetPort).toBe('http');
    // The project file on the page adds 10 000.
    expect(manifest('gg-svc.config.mjs')).toContain('port: 10_000 + Number(PORT)');
    expect(container.ports[1]).toEqual({ name: 'metrics', containerPort: 10_000 + port });
  });

  it('leave enough time for preStop and a shutdown', () => {
    const [command, seconds] = container.lifecycle.preStop.exec.command;
    expect(command).toBe('sleep');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + shutdown);
  });

  it('select the pods of the deployment', () => {
    const { labels } = deployment.spec.template.metadata;
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(objects.get('Service').spec.selector).toEqual(labels);
    expect(objects.get('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(objects.get('HorizontalPodAutoscaler').spec.scaleTargetRef).toEqual({
      apiVersion: deployment.apiVersion,
      kind: 'Deployment',
      name: deployment.metadata.name,
    });
    expect(objects.get('HorizontalPodAutoscaler').spec.minReplicas).toBe(deployment.spec.replicas);
  });

  it('scale by an existing metric of the server', () => {
    const [, { pods }] = objects.get('HorizontalPodAutoscaler').spec.metrics;
    const names = [...readFileSync('docs/observability.md', 'utf8').matchAll(/^\| `(gg\.[\w.]+)` \| gauge/gm)];
    expect(names.map(([, name]) => name?.replaceAll('.', '_'))).toContain(pods.metric.name);
  });

  it('the manifests grant only the rights that the server needs', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });
});

describe('the unit of systemd', () => {
  const unit = manifest('bookstore@.service');
  const textOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

  it('leaves enough time for a shutdown', () => {
    expect(Number(textOf('TimeoutStopSec'))).toBeGreaterThan(shutdown);
  });

  it('counts as started once a child process reports readiness', () => {
    expect([textOf('Type'), textOf('NotifyAccess')]).toEqual(['notify', 'all']);
  });

  it('starts the program of the package, on the port of the instance', () => {
    const [node, program = '', command] = textOf('ExecStart').split(' ');
    expect([node, command]).toEqual(['/usr/bin/node', 'serve']);
    const { bin } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(program).toBe(join('node_modules/gg-svc', bin['gg-svc']));
    expect(existsSync('src/tools/cli/gg-svc.ts')).toBe(true);
    expect(textOf('Environment')).toContain('PORT=%i');
  });

  it('has instances on the ports of the proxies', () => {
    const [, ...instances] = /enable --now (?:bookstore@)(\d+) (?:bookstore@)(\d+)/.exec(page) ?? [];
    const ports = (text: string) => [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
    expect(instances.length).toBe(2);
    expect(ports(manifest('bookstore.conf'))).toEqual(instances);
    expect(ports(manifest('Caddyfile'))).toEqual(instances);
  });
});

describe('the production example', () => {
  it('has a broker that keeps events', () => {
    const broker = /events: \{ broker: '([\w-]+)'/.exec(manifest('gg-svc.config.mjs'))?.[1];
    expect(['redis-streams', 'nats', 'postgres']).toContain(broker);
  });

  it('has proxies that retry the other process if one refuses a connection', () => {
    const servers = [...manifest('bookstore.conf').matchAll(/^ {2}server (.*);$/gm)].map(([, server]) => server);
    expect(servers.map((server) => server?.split(' ')[1])).toEqual(['max_fails=0', 'max_fails=0']);
    expect(manifest('Caddyfile')).toContain('lb_try_duration');
  });
});
