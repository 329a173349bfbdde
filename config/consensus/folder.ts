import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type ConfigProblem } from '../load/index.ts';

/** Bytes of one consensus object's file. */
const OBJECT_MAX_BYTES = 16 * 1024;
/** Consensus objects in one folder. */
const FOLDER_MAX_OBJECTS = 256;
const DIGEST_LINE = /^[0-9a-f]{64}\n?$/;

/** What the rules know of a consensus object (`evaluator/peer`); configuration knows only files. */
export interface ConsensusDependencies<T> {
  /** Reads strict JSON and checks every field. @throws with the field */
  readonly parse: (bytes: Uint8Array) => T;
  readonly digest: (object: T) => string;
}

export interface ConsensusFolder<T> {
  /** Every object of the folder by its digest. */
  readonly objects: ReadonlyMap<string, T>;
  /** Digest of the object a new node starts from; it is in `objects`. */
  readonly active: string;
}

/**
 * Reads a folder of consensus objects (`*.json`) and the file with the active digest.
 * @throws ConfigError CONSENSUS_UNREADABLE, or CONSENSUS_INVALID with a problem for every file that is refused
 */
export function loadConsensusFolder<T>(
  folder: string,
  activeFile: string,
  dependencies: ConsensusDependencies<T>,
): ConsensusFolder<T> {
  const names = read(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.json'));
  if (names.length > FOLDER_MAX_OBJECTS) invalid([{ field: folder, message: `more than ${FOLDER_MAX_OBJECTS} files` }]);
  const problems: ConfigProblem[] = [];
  const objects = new Map<string, T>();
  for (const name of names.sort()) {
    const path = join(folder, name);
    const bytes = readBounded(path);
    try {
      const object = dependencies.parse(bytes);
      objects.set(dependencies.digest(object), object);
    } catch (error) {
      problems.push({ field: path, message: error instanceof Error ? error.message : 'malformed' });
    }
  }
  if (problems.length > 0) invalid(problems);
  const active = readBounded(activeFile).toString('latin1');
  if (!DIGEST_LINE.test(active)) invalid([{ field: activeFile, message: 'must hold one digest, 64 hex digits' }]);
  const digest = active.trimEnd();
  if (!objects.has(digest)) invalid([{ field: activeFile, message: `no object in ${folder} has this digest` }]);
  return { objects, active: digest };
}

function readBounded(path: string): Buffer {
  return read(path, () => {
    if (statSync(path).size > OBJECT_MAX_BYTES) invalid([{ field: path, message: `over ${OBJECT_MAX_BYTES} bytes` }]);
    return readFileSync(path);
  });
}

function read<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const message = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ConfigError('CONSENSUS_UNREADABLE', [{ field: path, message }], { cause });
  }
}

function invalid(problems: readonly ConfigProblem[]): never {
  throw new ConfigError('CONSENSUS_INVALID', problems);
}
