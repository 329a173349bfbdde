import { KIND } from '../../wire/kinds.ts';
import { readFrame, writeFrame } from '../../wire/sync.ts';

/** JSON of a `compile` frame; its body is the files, one after the other. */
interface CompileRequest {
  readonly entry: string;
  readonly flags: readonly string[];
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/** JSON of a `compiled` frame; its body is the module, empty if there is none. */
interface CompileAnswer {
  readonly ok: boolean;
  /** Diagnostic codes with positions, never text of the source. */
  readonly diagnostics: string;
  /** Indexes of the files that were not read. */
  readonly unread: readonly number[];
}

type Compiler = typeof import('assemblyscript/asc');

const OUTPUT = 'module.wasm';
/** Diagnostics kept of one compilation. */
const MAX_DIAGNOSTICS = 8;

/** Codes and positions from the compiler's text, which itself quotes the source. */
function summary(text: string): string {
  const found: string[] = [];
  for (const match of text.matchAll(/^(?:ERROR|FAILURE) ([A-Z]{2}\d{1,6})|in .{1,1024}\((\d{1,7},\d{1,7})\)$/gm)) {
    if (match[1] !== undefined) found.push(match[1]);
    else if (found.length > 0 && !found.at(-1)?.includes('(')) found.push(`${found.pop()}(${match[2]})`);
    if (found.length > MAX_DIAGNOSTICS) break;
  }
  return found.slice(0, MAX_DIAGNOSTICS).join(' ');
}

/** Compiles in memory: the compiler is served exactly the request's files, and nothing it writes but the module is kept. */
async function compile(asc: Compiler, request: CompileRequest, body: Uint8Array): Promise<[CompileAnswer, Uint8Array]> {
  let at = 0;
  const texts = new Map<string, string>();
  for (const { path, bytes } of request.files) {
    texts.set(path, Buffer.from(body.buffer, body.byteOffset + at, bytes).toString('utf8'));
    at += bytes;
  }
  const read = new Set<string>();
  let wasm = new Uint8Array(0);
  let text = '';
  const discard = { write: () => {} };
  const collect = {
    write: (chunk: Uint8Array | string) => {
      text += chunk.toString();
    },
  };
  const { error } = await asc.main([request.entry, '-o', OUTPUT, ...request.flags], {
    stdout: discard,
    stderr: collect,
    // Also asked for asconfig.json, package.json and every spelling of an import that might exist.
    readFile: (name) => {
      const source = texts.get(name);
      if (source !== undefined) read.add(name);
      return source ?? null;
    },
    writeFile: (name, data) => {
      if (name === OUTPUT && typeof data !== 'string') wasm = new Uint8Array(data);
    },
    listFiles: () => [],
  });
  const ok = error === null && wasm.length > 0 && WebAssembly.validate(wasm);
  const unread = request.files.flatMap(({ path }, index) => (read.has(path) ? [] : [index]));
  return [{ ok, diagnostics: ok ? '' : summary(text), unread }, ok ? wasm : new Uint8Array(0)];
}

/** The compiler's process: compiles what its one frame holds, answers, ends. The argument is the compiler's own file. */
async function main(): Promise<void> {
  const asc = (await import(process.argv[2] ?? '')) as Compiler;
  writeFrame(KIND.hello, 0, {});
  const frame = readFrame();
  if (frame === null) return;
  const [answer, wasm] = await compile(asc, JSON.parse(frame.json) as CompileRequest, frame.body);
  writeFrame(KIND.compiled, frame.sequence, answer, [wasm]);
}

await main();
