import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  ConfigError,
  EXAMPLE,
  loadConfig,
  parseConfig,
  renderProblems,
  showConfig,
} from '../../../config/load/index.ts';

const EXAMPLE_FILE = fileURLToPath(new URL('../../../config/examples/node.toml', import.meta.url));
const GENESIS = `0x${'ab'.repeat(32)}`;
const DEVNET = `[network]\npreset = "devnet"\ngenesis_hash = "${GENESIS}"\nnetuid = 2\nendpoints = ["ws://127.0.0.1:9944"]\n`;

function problemsOf(toml: string, environment: Record<string, string> = {}): string[] {
  try {
    parseConfig(toml, environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.fault, 'operator');
    return error.problems.map((p) => p.field);
  }
  return [];
}

test('the example file and the printed example load', () => {
  assert.equal(loadConfig(EXAMPLE_FILE, {}).config.network.preset, 'finney');
  assert.equal(parseConfig(EXAMPLE, {}).config.network.netuid, 14);
  // Every field but the commented ones is shown in the file.
  const toml = readFileSync(EXAMPLE_FILE, 'utf8');
  for (const { field } of showConfig(loadConfig(EXAMPLE_FILE, {})))
    assert.ok(toml.includes(field.split('.')[1] ?? '?'), field);
});

test('every problem is listed at once, without the values', () => {
  const toml = `${DEVNET}typo = 1\n[node]\ndata_dir = "relative"\nlog_level = "loud"\n[status]\nhost = "0.0.0.0"\n[nowhere]\n`;
  try {
    parseConfig(toml, { CACHEON_STATUS_PROT: '1', CACHEON_LANES_CAPACITY: '17' });
    assert.fail('accepted');
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    const fields = error.problems.map((p) => p.field).sort();
    assert.deepEqual(fields, [
      'CACHEON_STATUS_PROT',
      'lanes.capacity',
      'network.typo',
      'node.data_dir',
      'node.log_level',
      'nowhere',
      'status.host',
    ]);
    const text = renderProblems(error);
    assert.ok(text.includes('7 problem(s)') && text.includes(EXAMPLE));
    assert.ok(!text.includes('relative') && !text.includes('0.0.0.0'));
  }
});

test('missing values, broken TOML and other types are refused', () => {
  assert.deepEqual(problemsOf(''), ['network.preset', 'network.genesis_hash', 'network.netuid', 'network.endpoints']);
  assert.deepEqual(problemsOf('a = = 1'), ['line 1, column 5']);
  assert.deepEqual(problemsOf(`network = 5`), [
    'network',
    'network.preset',
    'network.genesis_hash',
    'network.netuid',
    'network.endpoints',
  ]);
  assert.deepEqual(problemsOf(`${DEVNET}archive_endpoint = "http://x"\n`), ['network.archive_endpoint']);
  assert.throws(() => loadConfig('/nonexistent/node.toml', {}), { code: 'CONFIG_UNREADABLE' });
});

test('a preset pins its genesis hash', () => {
  const toml = `[network]\npreset = "finney"\nnetuid = 1\n`;
  assert.match(parseConfig(toml, {}).config.network.genesis_hash, /^0x2f0555cc/);
  assert.deepEqual(problemsOf(`${toml}genesis_hash = "${GENESIS}"\n`), ['network.genesis_hash']);
});

test('private fetching, extra authorities and development keys belong to devnet', () => {
  const extra = '[fetch]\nallow_private = true\nextra_ca = "/ca.pem"\n[keys]\nhotkey_uri = "//Validator0"\n';
  assert.equal(parseConfig(DEVNET + extra, {}).config.fetch.allow_private, true);
  for (const network of ['[network]\npreset = "test"\nnetuid = 1\n', DEVNET.replace('devnet', 'custom')]) {
    assert.deepEqual(problemsOf(network + extra), ['keys.hotkey_uri', 'fetch.allow_private', 'fetch.extra_ca']);
  }
  assert.deepEqual(problemsOf(`${DEVNET}[keys]\nhotkey_uri = "//A"\nhotkey_file = "/k"\n`), ['keys']);
  assert.deepEqual(problemsOf(`${DEVNET}[keys]\nhotkey_uri = "bottom drive obey"\n`), ['keys.hotkey_uri']);
});

test('the environment overrides each field, and paths follow the data directory', () => {
  const { config, origins } = parseConfig(DEVNET, {
    CACHEON_NODE_DATA_DIR: '/srv/node',
    CACHEON_NETWORK_ENDPOINTS: 'ws://127.0.0.1:1, ws://127.0.0.1:2',
    CACHEON_STATUS_PORT: '0',
    CACHEON_FETCH_ALLOW_PRIVATE: 'true',
    CACHEON_P2P_BOOTSTRAP: '',
    CACHEON_REQUIRE_SHARED: '1',
  });
  assert.deepEqual(config.network.endpoints, ['ws://127.0.0.1:1', 'ws://127.0.0.1:2']);
  assert.equal(config.status.port, 0);
  assert.equal(config.fetch.allow_private, true);
  assert.deepEqual(config.p2p.bootstrap, []);
  assert.equal(config.status.socket, '/srv/node/status.sock');
  assert.equal(config.consensus.active, '/srv/node/consensus/active');
  assert.equal(config.lanes.timing_lock, '/var/lib/cacheon/timing.sqlite');
  assert.deepEqual(
    [origins.node.data_dir, origins.network.netuid, origins.lanes.capacity],
    ['environment', 'file', 'default'],
  );
  assert.deepEqual(problemsOf(DEVNET, { CACHEON_NETWORK_NETUID: 'two' }), ['network.netuid']);
});

test('a socket path beyond the limit of Unix sockets is refused', () => {
  assert.deepEqual(problemsOf(DEVNET, { CACHEON_NODE_DATA_DIR: `/${'d'.repeat(120)}` }), ['status.socket']);
});

test('config show redacts secrets and names origins', () => {
  const loaded = parseConfig(DEVNET, {
    CACHEON_NETWORK_ENDPOINTS: 'wss://user:pass@rpc.example.org:443/key-canary?token=canary',
    CACHEON_KEYS_HOTKEY_URI: '//Canary0',
  });
  const text = JSON.stringify(showConfig(loaded));
  assert.ok(!/canary|pass/i.test(text), text);
  const row = showConfig(loaded).find((f) => f.field === 'network.endpoints');
  assert.deepEqual(row, {
    field: 'network.endpoints',
    value: ['wss://rpc.example.org/(redacted)'],
    origin: 'environment',
    variable: 'CACHEON_NETWORK_ENDPOINTS',
  });
});
