import type { KeyringPair } from '@polkadot/keyring/types';
import { loadHotkey as loadChainHotkey } from '../../chain/signer/index.ts';
import { KeyError } from './errors.ts';

/** Where the hotkey comes from: section `keys` of the configuration. */
export interface HotkeySource {
  readonly hotkey_file: string | null;
  readonly hotkey_uri: string | null;
}

/**
 * The sr25519 pair of the validator's hotkey; its address has prefix 42.
 * @throws KeyError HOTKEY_MISSING; ChainError KEY_FILE for a file that is loose, unreadable or holds no key
 */
export async function loadHotkey(source: HotkeySource): Promise<KeyringPair> {
  if (source.hotkey_uri !== null) return loadChainHotkey({ developmentUri: source.hotkey_uri });
  if (source.hotkey_file === null) throw new KeyError('HOTKEY_MISSING');
  return loadChainHotkey({ file: source.hotkey_file });
}
