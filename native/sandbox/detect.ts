import { realpathSync } from 'node:fs';
import { type Sandbox, type SandboxKind, sandboxCommand } from './command.ts';
import { type SandboxProbes, SYSTEM_PROBES } from './tools.ts';

/** Time for one probe, milliseconds: it starts Node once. */
const PROBE_DEADLINE_MS = 5_000;
const PROBE_HEAP_MIB = 64;
const PROBE_CPU_SECONDS = 5;
const PREFERENCE: readonly SandboxKind[] = ['bwrap', 'unshare'];

/** This Node's own file, without symbolic links: the one program that every sandbox must be able to run. */
export function ownNode(): string {
  return realpathSync(process.execPath);
}

async function works(sandbox: Sandbox, node: string, probes: SandboxProbes, signal: AbortSignal): Promise<boolean> {
  const { file, args } = sandboxCommand(sandbox, {
    node,
    program: '--version',
    args: [],
    readable: [node],
    heapMiB: PROBE_HEAP_MIB,
    cpuSeconds: PROBE_CPU_SECONDS,
    addressSpaceKiB: null,
  });
  return probes.succeeds(file, args, AbortSignal.any([signal, AbortSignal.timeout(PROBE_DEADLINE_MS)]));
}

/**
 * The strongest sandbox that runs Node here, found by trying: a tool may be installed and yet barred by the kernel.
 * Called once by whoever starts processes, and by `doctor`. Never fails: `plain` always works.
 */
export async function detectSandbox(
  signal: AbortSignal,
  probes: SandboxProbes = SYSTEM_PROBES,
  kinds: readonly SandboxKind[] = PREFERENCE,
): Promise<Sandbox> {
  const sh = probes.find('sh') ?? '/bin/sh';
  const node = ownNode();
  const found = probes.find('setpriv');
  const plain: Sandbox = { kind: 'plain', tools: { sh, wrapper: null, setpriv: found } };
  // An older setpriv lacks the option for the death signal.
  const setpriv = found !== null && (await works(plain, node, probes, signal)) ? found : null;
  for (const kind of kinds) {
    const wrapper = probes.find(kind);
    if (kind === 'plain' || wrapper === null) continue;
    const sandbox: Sandbox = { kind, tools: { sh, wrapper, setpriv } };
    if (await works(sandbox, node, probes, signal)) return sandbox;
  }
  return { kind: 'plain', tools: { sh, wrapper: null, setpriv } };
}
