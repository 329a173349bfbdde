import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type ConfigProblem } from '../load/index.ts';
import { type ConsensusObject, consensusSchema } from './schema.ts';

/** Bytes of one consensus object's file. */
const OBJECT_MAX_BYTES = 64 * 1024;
/** Consensus objects in one folder. */
const FOLDER_MAX_OBJECTS = 256;
const DIGEST_LINE = /^[0-9a-f]{64}\n?$/;

/** What identity gives: config itself imports nothing of the rules. */
export interface ConsensusDependencies {
  /** A strict JSON parser that refuses duplicate keys and fractions. */
  readonly parseJson: (bytes: Uint8Array) => unknown;
  /** CD(CONSENSUS_DOMAIN, object). */
  readonly digest: (object: ConsensusObject) => string;
}

export interface ConsensusFolder {
  /** Every object of the folder by its digest. */
  readonly objects: ReadonlyMap<string, ConsensusObject>;
  /** Digest of the object a new node starts from; it is in `objects`. */
  readonly active: string;
}

/**
 * Reads a folder of consensus objects (`*.json`, strict JSON) and the file with the active digest.
 * @throws ConfigError CONSENSUS_UNREADABLE, or CONSENSUS_INVALID with every problem of every file
 */
export function loadConsensusFolder(
  folder: string,
  activeFile: string,
  dependencies: ConsensusDependencies,
): ConsensusFolder {
  const names = read(folder, () => readdirSync(folder)).filter((name) => name.endsWith('.json'));
  if (names.length > FOLDER_MAX_OBJECTS) invalid([{ field: folder, message: `more than ${FOLDER_MAX_OBJECTS} files` }]);
  const problems: ConfigProblem[] = [];
  const objects = new Map<string, ConsensusObject>();
  for (const name of names.sort()) {
    const path = join(folder, name);
    const result = parseConsensus(readBounded(path), dependencies);
    if ('problems' in result) problems.push(...result.problems.map((p) => ({ ...p, field: `${path} ${p.field}` })));
    else objects.set(result.digest, result.object);
  }
  if (problems.length > 0) invalid(problems);
  const active = readBounded(activeFile).toString('latin1');
  if (!DIGEST_LINE.test(active)) invalid([{ field: activeFile, message: 'must hold one digest, 64 hex digits' }]);
  const digest = active.trimEnd();
  if (!objects.has(digest)) invalid([{ field: activeFile, message: `no object in ${folder} has this digest` }]);
  return { objects, active: digest };
}

/** Reads one consensus object from a file or from a peer: the object and its digest, or what is wrong with it. */
export function parseConsensus(
  bytes: Uint8Array,
  dependencies: ConsensusDependencies,
): { object: ConsensusObject; digest: string } | { problems: ConfigProblem[] } {
  if (bytes.length > OBJECT_MAX_BYTES) return refused('$', `larger than ${OBJECT_MAX_BYTES} bytes`);
  let value: unknown;
  try {
    value = dependencies.parseJson(bytes);
  } catch (error) {
    return refused('$', error instanceof Error ? error.message : 'not JSON');
  }
  const result = consensusSchema.safeParse(value);
  if (result.success) return { object: result.data, digest: dependencies.digest(result.data) };
  return { problems: result.error.issues.map((i) => ({ field: i.path.join('.') || '$', message: i.message })) };
}

function refused(field: string, message: string): { problems: ConfigProblem[] } {
  return { problems: [{ field, message }] };
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
