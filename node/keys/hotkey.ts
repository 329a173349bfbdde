import { Keyring } from '@polkadot/keyring';
import type { KeyringPair } from '@polkadot/keyring/types';
import { cryptoWaitReady, mnemonicValidate } from '@polkadot/util-crypto';
import { parseStrictJson } from '../../evaluator/identity/index.ts';
import { KeyError } from './errors.ts';
import { readKeyFile } from './files.ts';

/** SS58 prefix of every address in this project. */
const SS58_PREFIX = 42;
const SEED = /^0x[0-9a-fA-F]{64}$/;

/** Where the hotkey comes from: section `keys` of the configuration. */
export interface HotkeySource {
  readonly hotkey_file: string | null;
  readonly hotkey_uri: string | null;
}

/**
 * The sr25519 pair of the validator's hotkey; its address has prefix 42.
 * @throws KeyError HOTKEY_MISSING, KEY_MODE, KEY_UNREADABLE, KEY_MALFORMED
 */
export async function loadHotkey(source: HotkeySource): Promise<KeyringPair> {
  await cryptoWaitReady();
  const keyring = new Keyring({ type: 'sr25519', ss58Format: SS58_PREFIX });
  if (source.hotkey_uri !== null) return keyring.addFromUri(source.hotkey_uri);
  if (source.hotkey_file === null) throw new KeyError('HOTKEY_MISSING');
  const path = source.hotkey_file;
  const secret = secretOf(path, readKeyFile(path).toString('utf8').trim());
  try {
    return keyring.addFromUri(secret);
  } catch {
    // No cause: the library's message may quote the secret.
    throw new KeyError('KEY_MALFORMED', undefined, { field: path });
  }
}

/** A seed or a mnemonic as it stands, or the one inside a wallet's JSON. */
function secretOf(path: string, text: string): string {
  if (SEED.test(text)) return text;
  if (text.startsWith('{')) return walletSecret(path, text);
  const phrase = text.split(/\s+/).join(' ');
  if (!mnemonicValidate(phrase)) throw new KeyError('KEY_MALFORMED', undefined, { field: path });
  return phrase;
}

/** Wallets keep an unencrypted hotkey as an object with `secretSeed` and `secretPhrase`, among others. */
function walletSecret(path: string, text: string): string {
  const wallet = (() => {
    try {
      return parseStrictJson(text) as Record<string, unknown>;
    } catch {
      throw new KeyError('KEY_MALFORMED', undefined, { field: path });
    }
  })();
  const { secretSeed, secretPhrase } = wallet;
  if (typeof secretSeed === 'string' && SEED.test(secretSeed)) return secretSeed;
  if (typeof secretPhrase === 'string' && mnemonicValidate(secretPhrase)) return secretPhrase;
  throw new KeyError('KEY_MALFORMED', 'no secretSeed or secretPhrase in the wallet file', { field: path });
}
