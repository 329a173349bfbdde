import { statfsSync, statSync } from 'node:fs';
import { loadConsensusFolder } from '../../../config/consensus/index.ts';
import { consensusDigest, readConsensus } from '../../../evaluator/peer/index.ts';
import { dataDirectory } from '../../init/index.ts';
import { readFetchOptions } from '../../intake/index.ts';
import { loadHotkey, loadNodeKey } from '../../keys/index.ts';
import { tryLock } from '../../lock/index.ts';
import { Database, openStore, quickCheck } from '../../store/index.ts';
import { type Check, type DoctorContext, fail, ok, warn } from './types.ts';

/** Free bytes below which the operator should act before the node has to. */
const FREE_WARN_BYTES = 5 * 1024 ** 3;

export function dataDirectoryCheck({ config }: DoctorContext): Check {
  const path = config.node.data_dir;
  const { mode } = statSync(path);
  if ((mode & 0o077) !== 0) {
    return fail('data directory', `${path} is open to others (0${(mode & 0o777).toString(8)})`, `chmod 700 ${path}`);
  }
  const { bavail, bsize } = statfsSync(path);
  const free = `${path}, ${Math.floor((bavail * bsize) / 1024 ** 2)} MiB free`;
  return bavail * bsize < FREE_WARN_BYTES
    ? warn('data directory', free, 'free some space: evidence is kept for two weeks at least')
    : ok('data directory', free);
}

export function nodeKeyCheck({ config }: DoctorContext): Check {
  const key = loadNodeKey(dataDirectory(config.node.data_dir).keys);
  return ok('node key', Buffer.from(key.publicKey).toString('hex'));
}

export async function hotkeyCheck({ config }: DoctorContext): Promise<Check> {
  return ok('hotkey', (await loadHotkey(config.keys)).address);
}

/** A running node's database is only read; otherwise it is opened as the node would, journal included. */
export function databaseCheck({ config, running }: DoctorContext): Check {
  const path = dataDirectory(config.node.data_dir).database;
  if (!running) {
    openStore(path).close();
    return ok('database', 'sound, journal verified');
  }
  const db = new Database(path, { readOnly: true });
  try {
    quickCheck(db);
  } finally {
    db.close();
  }
  return ok('database', 'sound (the node is running)');
}

export function consensusCheck({ config }: DoctorContext): Check {
  const { folder, active } = config.consensus;
  const loaded = loadConsensusFolder(folder, active, { parse: readConsensus, digest: consensusDigest });
  const object = loaded.objects.get(loaded.active);
  const { genesis_hash, netuid } = config.network;
  if (object?.genesis_hash !== genesis_hash || object.netuid !== netuid) {
    return fail('consensus', 'the active object is for another chain or subnet', `replace the files in ${folder}`);
  }
  return ok('consensus', loaded.active);
}

/** Held for a moment: harmless to other nodes, which try again. */
export function timingLockCheck({ config }: DoctorContext): Check {
  const lock = tryLock(config.lanes.timing_lock);
  lock?.release();
  return ok('timing lock', `${config.lanes.timing_lock}${lock === null ? ' (in use)' : ''}`);
}

export function extraCaCheck({ config }: DoctorContext): Check {
  readFetchOptions(config.fetch);
  const extra = config.fetch.extra_ca;
  return ok('certificate authorities', extra === null ? "the system's" : `and ${extra}`);
}
