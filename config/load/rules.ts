import { PRESETS } from '../presets/index.ts';
import type { NodeConfig } from '../schema/index.ts';
import type { ConfigProblem } from './errors.ts';

/** Rules between sections; each looks only at sections that are valid by themselves. */
export function crossProblems(config: Partial<NodeConfig>): ConfigProblem[] {
  const { network, keys, fetch } = config;
  const problems: ConfigProblem[] = [];
  const refuse = (field: string, message: string): number => problems.push({ field, message });
  if (network !== undefined) {
    const preset = PRESETS[network.preset];
    if (preset.genesis_hash !== null && network.genesis_hash !== preset.genesis_hash) {
      refuse('network.genesis_hash', `is fixed by preset "${network.preset}"; leave it out or use preset "custom"`);
    }
    if (keys !== undefined && keys.hotkey_uri !== null && !preset.development) {
      refuse('keys.hotkey_uri', 'development keys are public; only preset "devnet" admits them');
    }
    if (fetch !== undefined && !preset.development) {
      if (fetch.allow_private) refuse('fetch.allow_private', 'only preset "devnet" may set it');
      if (fetch.extra_ca !== null) refuse('fetch.extra_ca', 'only preset "devnet" may set it');
    }
  }
  if (keys !== undefined && keys.hotkey_file !== null && keys.hotkey_uri !== null) {
    refuse('keys', 'give hotkey_file or hotkey_uri, not both');
  }
  return problems;
}
