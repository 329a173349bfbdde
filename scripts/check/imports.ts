import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Which top-level folders each may import; the arrows of docs/ARCHITECTURE.md. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  config: ['config'],
  evaluator: ['evaluator', 'config'],
  chain: ['chain', 'evaluator', 'config'],
  p2p: ['p2p', 'evaluator', 'config'],
  native: ['native', 'evaluator', 'config'],
  node: ['node', 'chain', 'p2p', 'native', 'evaluator', 'config'],
  scripts: ['scripts', 'node', 'chain', 'p2p', 'native', 'evaluator', 'config'],
};

/** What would make the rules depend on the outside; only hashing of bytes and assertions are pure. */
const EVALUATOR_BUILTINS = new Set(['node:crypto', 'node:assert']);
const IMPURE =
  /\b(Date\.now|new Date\(\)|Math\.random|process\.|performance\.|randomBytes|randomUUID|setTimeout|fetch\()/;
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** Every import that points the wrong way, and every impurity of `evaluator/`, as `file: what`. */
export function importProblems(root: string): string[] {
  const problems: string[] = [];
  for (const [folder, allowed] of Object.entries(ALLOWED)) {
    for (const file of globSync(`${folder}/**/*.ts`, {
      cwd: root,
      exclude: ['native/engine/assembly/**', 'native/kernels/**'],
    })) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const match of text.matchAll(IMPORT)) {
        const target = match[1] as string;
        if (target.startsWith('.')) {
          const to = normalize(join(dirname(file), target)).split('/')[0] as string;
          if (!allowed.includes(to)) problems.push(`${file}: ${folder}/ may not import ${to}/`);
        } else if (folder === 'evaluator' && target.startsWith('node:') && !EVALUATOR_BUILTINS.has(target)) {
          problems.push(`${file}: evaluator/ is pure and may not import ${target}`);
        }
      }
      const impure = folder === 'evaluator' ? IMPURE.exec(text) : null;
      if (impure !== null) problems.push(`${file}: evaluator/ is pure and may not use ${impure[0]}`);
    }
  }
  return problems;
}
