import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { Keyring } from '@polkadot/keyring';
import type { KeyringPair } from '@polkadot/keyring/types';
import { cryptoWaitReady, mnemonicValidate } from '@polkadot/util-crypto';
import { ChainError } from '../errors.ts';
import { SS58_PREFIX } from '../rpc/index.ts';
import { KEY_FILE_FORBIDDEN_MODE, KEY_FILE_MAX_BYTES } from './limits.ts';

/** Where a hotkey's secret is: a 0600 file, or a development URI such as `//Validator0`. */
export type HotkeySource = { readonly file: string } | { readonly developmentUri: string };

const SEED = /^(?:0x)?[0-9a-fA-F]{64}$/;
const DEVELOPMENT_URI = /^(?:\/\/[A-Za-z0-9_-]{1,64}){1,8}$/;

/**
 * The sr25519 pair of a hotkey. A file holds a 32-byte hex seed, a mnemonic, a development URI, or Bittensor's JSON
 * with `secretSeed`. KEY_FILE says what is wrong without saying what is in it.
 */
export async function loadHotkey(source: HotkeySource): Promise<KeyringPair> {
  await cryptoWaitReady();
  const keyring = new Keyring({ type: 'sr25519', ss58Format: SS58_PREFIX });
  const secret = 'file' in source ? secretOf(await readKeyFile(source.file)) : source.developmentUri;
  // Judged here: the library takes any short text as a padded seed, so that a typing error would be another key.
  if (DEVELOPMENT_URI.test(secret)) return keyring.addFromUri(secret);
  if ('developmentUri' in source) throw keyFile('not a development URI');
  if (SEED.test(secret)) return keyring.addFromSeed(Buffer.from(secret.replace(/^0x/, ''), 'hex'));
  if (mnemonicValidate(secret)) return keyring.addFromMnemonic(secret);
  throw keyFile('neither a seed, a mnemonic nor a development URI');
}

function secretOf(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return trimmed;
  let seed: unknown;
  try {
    seed = (JSON.parse(trimmed) as Record<string, unknown>)['secretSeed'];
  } catch {
    throw keyFile('malformed JSON');
  }
  if (typeof seed !== 'string' || !SEED.test(seed)) throw keyFile('JSON without a 32-byte secretSeed');
  return seed;
}

async function readKeyFile(path: string): Promise<string> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw keyFile(`cannot be opened (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    // The open file is judged and not its path, which could be exchanged in between.
    const { mode, size, isFile } = await file.stat().then((stat) => ({ ...stat, isFile: stat.isFile() }));
    if (!isFile) throw keyFile('not a regular file');
    if ((mode & KEY_FILE_FORBIDDEN_MODE) !== 0) throw keyFile('readable by others: chmod 600');
    if (size === 0 || size > KEY_FILE_MAX_BYTES) throw keyFile(`size is not 1 to ${KEY_FILE_MAX_BYTES} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function keyFile(message: string): ChainError {
  return new ChainError('KEY_FILE', message, { field: 'hotkey' });
}
