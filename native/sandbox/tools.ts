import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/** Where the system's own tools are; PATH is not asked, since a child gets none. */
const TOOL_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin'];

/** What detection needs of the machine. */
export interface SandboxProbes {
  /** Absolute path of an executable system tool, or null. */
  find(tool: string): string | null;
  /** True if the command ends with status 0 in time. */
  succeeds(file: string, args: readonly string[], signal: AbortSignal): Promise<boolean>;
}

export function findTool(tool: string): string | null {
  for (const folder of TOOL_FOLDERS) {
    const path = `${folder}/${tool}`;
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not there or not executable: the next folder.
    }
  }
  return null;
}

export function succeeds(file: string, args: readonly string[], signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { env: {}, stdio: 'ignore', signal, killSignal: 'SIGKILL' });
    child.once('error', () => resolve(false));
    child.once('close', (status) => resolve(status === 0));
  });
}

export const SYSTEM_PROBES: SandboxProbes = { find: findTool, succeeds };
