import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXIT } from '../../config/errors.ts';
import { loadConfig } from '../../config/load/index.ts';
import { REMEDIES } from '../../node/run/status/troubles.ts';
import { errorsDocument } from '../../scripts/docs/errors.ts';

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

test('docs/OPERATIONS.md has every named state with what to do', () => {
  const text = read('docs/OPERATIONS.md');
  for (const [code, { remedy, blocking }] of Object.entries(REMEDIES)) {
    const row = `| \`${code}\` | ${blocking ? 'yes' : 'no'} | ${remedy} |`;
    assert.ok(text.includes(row), `missing or out of date: ${row}`);
  }
  for (const code of Object.values(EXIT)) assert.match(text, new RegExp(`^\\| ${code} \\|`, 'm'));
});

test('the codes that docs/OPERATIONS.md names exist', async () => {
  const known = await errorsDocument();
  const told = read('docs/OPERATIONS.md').match(/\b[A-Z]{3,}_[A-Z_]+[A-Z]\b/g) ?? [];
  const events = read('node/run/narrate.ts');
  const missing = [...new Set(told)].filter(
    (code) =>
      !code.startsWith('CACHEON_') &&
      code !== 'NO_DECISION' &&
      code !== 'HOTKEY_FILE' &&
      !(code in REMEDIES) &&
      !known.includes(`\`${code}\``) &&
      !events.includes(`'${code}'`),
  );
  assert.deepEqual(missing, []);
});

test('the systemd unit does not restart what the operator must mend, and the example configuration loads', () => {
  const unit = read('config/systemd/cacheon-node.service').split('\n');
  assert.ok(unit.includes(`RestartPreventExitStatus=${EXIT.usage} ${EXIT.operator}`));
  assert.ok(unit.includes('Restart=always') && unit.includes('StateDirectoryMode=0700'));
  const { config } = loadConfig(new URL('../../config/examples/node.toml', import.meta.url).pathname, {});
  const state = unit.find((line) => line.startsWith('StateDirectory='))?.split('=')[1];
  assert.equal(config.node.data_dir, `/var/lib/${state}`);
});
