/**
 * How a process is kept from the network, best first: `bwrap` (bubblewrap: own namespaces, only named files visible),
 * `unshare` (own user and network namespace), `plain` (Node's permission model and resource limits only).
 */
export type SandboxKind = 'bwrap' | 'unshare' | 'plain';

export interface Sandbox {
  readonly kind: SandboxKind;
  readonly tools: {
    readonly sh: string;
    /** Path of the tool of this kind; null for plain. */
    readonly wrapper: string | null;
    /** util-linux setpriv: no new privileges, and a kill signal when the host dies. Null where it is missing. */
    readonly setpriv: string | null;
  };
}

/** A Node program to run apart. All paths are absolute and real (no symbolic links). */
export interface SandboxedProgram {
  readonly node: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Files and folders it may read; nothing else, and it may write nothing. */
  readonly readable: readonly string[];
  readonly heapMiB: number;
  /** Further options of Node and V8. */
  readonly options?: readonly string[];
  readonly cpuSeconds: number;
  /** Limit of the address space, KiB; null for none (V8 reserves gigabytes for each WebAssembly memory). */
  readonly addressSpaceKiB: number | null;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Folders that a dynamically linked Node needs beside its own file. */
const SYSTEM_FOLDERS = ['/usr', '/lib', '/lib64'];

function bwrapArguments(wrapper: string, readable: readonly string[]): string[] {
  const system = SYSTEM_FOLDERS.flatMap((folder) => ['--ro-bind-try', folder, folder]);
  const own = readable.flatMap((path) => ['--ro-bind', path, path]);
  const namespaces = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'];
  return [wrapper, ...namespaces, ...system, '--dev', '/dev', '--proc', '/proc', ...own, '--chdir', '/', '--'];
}

function wrapperArguments({ kind, tools }: Sandbox, readable: readonly string[]): string[] {
  if (kind === 'bwrap') return bwrapArguments(tools.wrapper ?? '', readable);
  const privileges = tools.setpriv === null ? [] : [tools.setpriv, '--no-new-privs', '--pdeathsig', 'KILL', '--'];
  // The death signal is set last: entering a user namespace changes credentials, which clears it.
  return kind === 'unshare' ? [tools.wrapper ?? '', '-r', '-n', '--', ...privileges] : privileges;
}

/**
 * The command that runs a Node program with resource limits, inside the sandbox, with read access to `readable` only.
 * Every step replaces itself by the next one, so the process that is started is the program (or bubblewrap's).
 */
export function sandboxCommand(sandbox: Sandbox, program: SandboxedProgram): Command {
  // The shell exports PWD by itself; bubblewrap sets it again, to /.
  const limits = ['unset PWD', 'ulimit -c 0', `ulimit -t ${program.cpuSeconds}`];
  if (program.addressSpaceKiB !== null) limits.push(`ulimit -v ${program.addressSpaceKiB}`);
  const node = [
    program.node,
    `--max-old-space-size=${program.heapMiB}`,
    ...(program.options ?? []),
    '--disable-warning=ExperimentalWarning',
    '--permission',
    ...program.readable.map((path) => `--allow-fs-read=${path}`),
    program.program,
    ...program.args,
  ];
  const script = `${limits.join(' && ')} && exec "$@"`;
  const wrapped = wrapperArguments(sandbox, [...program.readable, program.node]);
  return { file: sandbox.tools.sh, args: ['-c', script, 'sh', ...wrapped, ...node] };
}
