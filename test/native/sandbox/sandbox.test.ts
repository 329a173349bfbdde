import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  detectSandbox,
  ownNode,
  type Sandbox,
  type SandboxProbes,
  sandboxCommand,
} from '../../../native/sandbox/index.ts';
import { patience } from '../support/arena.ts';

const directory = await realpath(await mkdtemp(join(tmpdir(), 'cacheon-sandbox-')));
after(() => rm(directory, { recursive: true }));

/** Tells what it can do. The argument is a port of a server on this machine's loopback. */
const PROGRAM = `
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
const attempt = (what) => { try { what(); return 'done'; } catch (error) { return error.code; } };
const network = await new Promise((resolve) => {
  const socket = connect(Number(process.argv[2]), '127.0.0.1');
  socket.once('connect', () => { socket.destroy(); resolve('connected'); });
  socket.once('error', (error) => resolve(error.code));
});
process.stdout.write(JSON.stringify({
  read: attempt(() => readFileSync('/etc/passwd')),
  write: attempt(() => writeFileSync(${JSON.stringify(join(directory, 'out'))}, '')),
  names: Object.keys(process.env).filter((name) => name !== 'PWD'),
  network,
}));
`;

const program = join(directory, 'program.mjs');
await writeFile(program, PROGRAM);

function run(sandbox: Sandbox, port: number): Promise<Record<string, unknown>> {
  const { file, args } = sandboxCommand(sandbox, {
    node: ownNode(),
    program,
    args: [String(port)],
    readable: [directory],
    heapMiB: 64,
    cpuSeconds: 10,
    addressSpaceKiB: null,
  });
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: {}, stdio: ['ignore', 'pipe', 'inherit'], signal: patience() });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    child.once('error', reject);
    child.once('close', () => resolve(JSON.parse(text)));
  });
}

test('a sandboxed program has no environment, no files, and no network where the machine can take it away', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sandbox = await detectSandbox(patience());
  const seen = await run(sandbox, port);
  server.close();
  assert.deepEqual(
    { ...seen, network: 0 },
    { read: 'ERR_ACCESS_DENIED', write: 'ERR_ACCESS_DENIED', names: [], network: 0 },
  );
  if (sandbox.kind === 'plain') assert.equal(seen.network, 'connected');
  else assert.notEqual(seen.network, 'connected');
});

test('the resource limits hold inside', () => {
  const { file, args } = sandboxCommand(
    { kind: 'plain', tools: { sh: '/bin/sh', wrapper: null, setpriv: null } },
    { node: '/bin/sh', program: '', args: [], readable: [], heapMiB: 1, cpuSeconds: 7, addressSpaceKiB: 123_456 },
  );
  const script = [...args.slice(0, 3), '/bin/sh', '-c', 'ulimit -t; ulimit -v; ulimit -c'];
  assert.equal(spawnSync(file, script, { encoding: 'utf8' }).stdout, '7\n123456\n0\n');
});

/** A machine with these tools, on which these work. */
function machine(tools: readonly string[], working: readonly string[]): SandboxProbes {
  return {
    find: (tool) => (tools.includes(tool) ? `/bin/${tool}` : null),
    succeeds: async (_file, args) => {
      const wrapper = ['bwrap', 'unshare'].find((kind) => args.includes(`/bin/${kind}`)) ?? 'setpriv';
      return working.includes(wrapper);
    },
  };
}

test('the strongest sandbox that works is taken, whatever is installed', async () => {
  const all = ['sh', 'bwrap', 'unshare', 'setpriv'];
  const kind = async (tools: readonly string[], working: readonly string[]) =>
    (await detectSandbox(patience(), machine(tools, working))).kind;
  assert.equal(await kind(all, all), 'bwrap');
  assert.equal(await kind(all, ['unshare', 'setpriv']), 'unshare');
  assert.equal(await kind(['sh', 'unshare'], ['unshare']), 'unshare');
  assert.equal(await kind(all, []), 'plain');
  assert.equal(await kind(['sh'], []), 'plain');
});

test('setpriv is left out where it does not know the option', async () => {
  const { tools } = await detectSandbox(patience(), machine(['sh', 'unshare', 'setpriv'], ['unshare']));
  assert.equal(tools.setpriv, null);
});

test('bubblewrap sees the named files only, and dies with its parent', () => {
  const sandbox: Sandbox = { kind: 'bwrap', tools: { sh: '/bin/sh', wrapper: '/usr/bin/bwrap', setpriv: null } };
  const { args } = sandboxCommand(sandbox, {
    node: '/n/node',
    program: '/p/main.mjs',
    args: [],
    readable: ['/p'],
    heapMiB: 1,
    cpuSeconds: 1,
    addressSpaceKiB: null,
  });
  const bound = args.flatMap((arg, at) => (arg.startsWith('--ro-bind') ? [args[at + 1]] : []));
  assert.deepEqual(bound, ['/usr', '/lib', '/lib64', '/p', '/n/node']);
  for (const option of ['--unshare-all', '--die-with-parent', '--clearenv']) assert.ok(args.includes(option), option);
});
