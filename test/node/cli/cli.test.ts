import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { contentHash } from '../../../evaluator/identity/index.ts';
import { packageVersion } from '../../../node/cli/program.ts';
import { extractArchive } from '../../../node/intake/index.ts';
import { lockDataDirectory } from '../../../node/lock/index.ts';
import { startStatusServer } from '../../../node/rpc/index.ts';
import { openStore } from '../../../node/store/index.ts';
import { fixedSource, STATUS } from '../rpc/source.ts';
import { temporaryFolder } from '../store/support.ts';
import { cli, devnetNode } from './support.ts';

const SCRIPT = fileURLToPath(new URL('../../../scripts/cacheon-node', import.meta.url));

test('the script runs under the packaged Node and prints the version', () => {
  const ran = spawnSync(SCRIPT, ['--version'], { encoding: 'utf8' });
  assert.deepEqual([ran.status, ran.stdout], [0, `${packageVersion()}\n`]);
});

test('usage errors exit 2, help exits 0', async () => {
  for (const argv of [
    [],
    ['explode'],
    ['status', '--no-such-flag'],
    ['bundle', 'pack'],
    ['config'],
    ['run', 'extra'],
  ]) {
    assert.equal((await cli(argv)).exit, 2, argv.join(' '));
  }
  assert.equal((await cli(['--help'])).exit, 0);
});

test('config: show names origins and redacts, check lists every problem and exits 78', async (t) => {
  const { file } = devnetNode(t);
  const shown = await cli(['config', 'show', '--json', '--config', file], { CACHEON_STATUS_PORT: '9' });
  assert.equal(shown.exit, 0);
  assert.ok(!shown.out.includes('Canary'));
  const { schema, ok, result } = JSON.parse(shown.out);
  assert.deepEqual([schema, ok], ['cacheon.cli.v1', true]);
  const port = result.fields.find((f: { field: string }) => f.field === 'status.port');
  assert.deepEqual([port.value, port.origin], [9, 'environment']);
  assert.match((await cli(['config', 'show', '--config', file])).out, /network\.netuid +14 +file/);
  assert.equal((await cli(['config', 'check', '--config', file])).exit, 0);

  const bad = await cli(['config', 'check', '--config', file], {
    CACHEON_STATUS_PORT: 'x',
    CACHEON_LANES_CAPACITY: '99',
  });
  assert.equal(bad.exit, 78);
  assert.match(bad.err, /status\.port(.|\n)*lanes\.capacity(.|\n)*A valid example/);
  const json = await cli(['config', 'check', '--json', '--config', file], { CACHEON_STATUS_PORT: 'x' });
  const { error } = JSON.parse(json.out);
  assert.deepEqual([json.exit, error.code, error.problems[0].field], [78, 'CONFIG_INVALID', 'status.port']);
  assert.equal((await cli(['config', 'check', '--config', '/nonexistent'])).exit, 78);
});

test('init makes a data directory once, and refuses one that has lost a part', async (t) => {
  const { file, dataDir } = devnetNode(t);
  const first = JSON.parse((await cli(['init', '--json', '--config', file])).out);
  assert.equal(first.result.created, true);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  assert.equal(statSync(join(dataDir, 'keys', 'node.key')).mode & 0o777, 0o600);
  const second = JSON.parse((await cli(['init', '--json', '--config', file])).out);
  assert.deepEqual(second.result, { ...first.result, created: false });

  const lock = lockDataDirectory(dataDir);
  assert.match((await cli(['init', '--config', file])).err, /DATA_DIR_LOCKED/);
  lock.release();
  // A database without its key: a new key would need a new binding, and hide that something was lost.
  const nodeKey = join(dataDir, 'keys', 'node.key');
  renameSync(nodeKey, `${nodeKey}.away`);
  const keyless = await cli(['init', '--config', file]);
  assert.equal(keyless.exit, 78);
  assert.match(keyless.err, /STORE_MISSING.*node\.key/);
  assert.equal(existsSync(nodeKey), false);
  renameSync(`${nodeKey}.away`, nodeKey);
  // The volume with the database was not mounted: a new one would forget every anchor.
  rmSync(join(dataDir, 'node.sqlite'));
  const lost = await cli(['init', '--config', file]);
  assert.equal(lost.exit, 78);
  assert.match(lost.err, /STORE_MISSING.*node\.sqlite/);
  assert.throws(() => openStore(join(dataDir, 'node.sqlite')), { code: 'STORE_MISSING' });
});

test('status: 75 without a node, 0 with a ready one, 75 with one that is not', async (t) => {
  const { file, dataDir } = devnetNode(t);
  mkdirSync(dataDir);
  const none = await cli(['status', '--config', file]);
  assert.deepEqual([none.exit, none.err.split(':')[0]], [75, 'STATUS_UNREACHABLE']);

  let ready = true;
  const source = fixedSource({ health: () => ({ ready, checks: [{ name: 'chain', ok: ready, detail: '' }] }) });
  const server = await startStatusServer({ host: '127.0.0.1', port: 0, socket: join(dataDir, 'status.sock') }, source);
  t.after(() => server.close());
  const json = await cli(['status', '--json', '--config', file]);
  assert.equal(json.exit, 0);
  assert.deepEqual(JSON.parse(json.out).result, { ready: true, status: STATUS });
  ready = false;
  const text = await cli(['status', '--config', file]);
  assert.equal(text.exit, 75);
  assert.match(text.out, /ready +no: chain/);
  assert.match(text.out, /NO_QUORUM: twice\n +what to do: ask the others/);
});

test("bundle pack writes what a validator accepts; a bad folder is the miner's to mend", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'manifest.toml'), 'bundle_id = "x"');
  const output = join(temporaryFolder(t), 'out.tar.gz');
  const packed = await cli(['bundle', 'pack', folder, '--json', '--output', output]);
  const { result } = JSON.parse(packed.out);
  const files = await extractArchive(readFileSync(output), AbortSignal.timeout(5000));
  assert.deepEqual([packed.exit, result.content_hash, result.files], [0, contentHash(files), 1]);
  writeFileSync(join(folder, 'bad name!'), '');
  const bad = await cli(['bundle', 'pack', folder, '--output', output]);
  assert.equal(bad.exit, 1);
  assert.match(bad.err, /BUNDLE_PATH(.|\n)*What to do/);
});
