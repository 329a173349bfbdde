import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { devnetConsensus } from '../../config/consensus/index.ts';
import { canonicalJson } from '../../evaluator/identity/index.ts';
import { consensusDigest, parseConsensus } from '../../evaluator/peer/index.ts';
import type { ArenaSubject } from '../arena/index.ts';
import { initDataDirectory } from '../init/index.ts';
import type { RunningChain } from './chain.ts';
import { DEVNET, type DevnetLayout, type MinerPlan, type ValidatorPlan, writeValidatorConfig } from './layout.ts';
import { readLine, type Supervisor } from './supervisor.ts';
import type { DevnetCertificates } from './tls.ts';

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Writes the consensus object that every validator of this devnet follows, and returns its digest. */
export function writeConsensus(layout: DevnetLayout, chain: RunningChain, subject: ArenaSubject): string {
  const object = parseConsensus(devnetConsensus({ genesis_hash: chain.genesis, netuid: DEVNET.netuid, ...subject }));
  const digest = consensusDigest(object);
  writeFileSync(join(layout.consensusFolder, `${digest}.json`), canonicalJson(object));
  writeFileSync(layout.consensusActive, `${digest}\n`);
  return digest;
}

/** Makes each validator's data directory and starts it. */
export function startValidators(
  supervisor: Supervisor,
  layout: DevnetLayout,
  plans: readonly ValidatorPlan[],
  chain: RunningChain,
): void {
  for (const plan of plans) {
    initDataDirectory(plan.dataDir, { randomBytes });
    writeValidatorConfig(plan, plans, layout, chain);
    supervisor.start({
      name: plan.name,
      argv: [program('../cli/main.ts'), 'run', '--config', plan.configFile],
      logFile: join(layout.logs, `${plan.name}.log`),
    });
  }
}

/** Starts a miner, which commits for the given round of the test beacon. */
export function startMiner(
  supervisor: Supervisor,
  layout: DevnetLayout,
  plan: MinerPlan,
  chain: RunningChain,
  certificates: DevnetCertificates,
  revealRound: number,
  onStep: (step: string, detail: string) => void,
): void {
  const file = join(layout.root, `${plan.name}.json`);
  const config = {
    endpoint: `ws://127.0.0.1:${chain.port}`,
    genesis: chain.genesis,
    netuid: DEVNET.netuid,
    hotkeyUri: plan.hotkeyUri,
    kind: plan.kind,
    port: plan.port,
    certificate: certificates.certificate,
    privateKey: certificates.privateKey,
    revealRound,
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  supervisor.start({
    name: plan.name,
    argv: [program('miner/main.ts'), file],
    logFile: join(layout.logs, `${plan.name}.log`),
    onLine: (line) => {
      const said = readLine<{ step: string; detail: string }>(line);
      if (said?.step !== undefined) onStep(said.step, said.detail ?? '');
    },
  });
}
