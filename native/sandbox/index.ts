export {
  type Command,
  type Sandbox,
  type SandboxedProgram,
  type SandboxKind,
  sandboxCommand,
} from './command.ts';
export { detectSandbox, ownNode } from './detect.ts';
export { type Answered, type EndReason, FramedProcess, ProcessEnd } from './process.ts';
export { type Programs, writePrograms } from './programs.ts';
export { type SandboxProbes, SYSTEM_PROBES } from './tools.ts';
