/** One exported constant of a source file, with what its comment says. */
export interface Constant {
  readonly name: string;
  /** Text of the comment above, one line; empty if there is none. */
  readonly why: string;
  /** It follows another constant directly: the comment of that one speaks of both. */
  readonly isGrouped: boolean;
  /** For an object: comments of its members by name, from an interface of the same file. */
  readonly members: ReadonlyMap<string, string>;
}

const COMMENT = /^[ \t]*\/\*\*([\s\S]*?)\*\/\n(\n?)/;
const EXPORT = /^export const ([A-Z][A-Za-z0-9_]*)\b/;
const MEMBER = /^[ \t]*readonly ([A-Za-z0-9]+): number;/;

/**
 * Reads the exported constants of a source file and the comments above them. A first comment with a blank line, another
 * comment or a private constant after it is about the whole file.
 */
export function readConstants(text: string): {
  readonly intro: string | null;
  readonly constants: readonly Constant[];
} {
  const constants: Constant[] = [];
  const members = new Map<string, string>();
  let intro: string | null = null;
  let why = '';
  let rest = text;
  let isFirst = true;
  let isInGroup = false;
  while (rest !== '') {
    const comment = COMMENT.exec(rest);
    if (comment !== null) {
      const said = plain(comment[1] as string);
      rest = rest.slice(comment[0].length);
      if (isFirst && (comment[2] === '\n' || !/^export const /.test(rest))) intro = said;
      else why = said;
      isFirst = false;
      continue;
    }
    const end = rest.indexOf('\n') + 1;
    const line = end === 0 ? rest : rest.slice(0, end);
    rest = end === 0 ? '' : rest.slice(end);
    const name = EXPORT.exec(line)?.[1];
    const member = MEMBER.exec(line)?.[1];
    if (name !== undefined) constants.push({ name, why, isGrouped: why === '' && isInGroup, members });
    if (member !== undefined && why !== '') members.set(member, why);
    isInGroup = name !== undefined;
    why = '';
  }
  return { intro, constants };
}

function plain(comment: string): string {
  return comment
    .replaceAll(/\n[ \t]*\* ?/g, ' ')
    .replaceAll(/\{@link ([A-Za-z.]+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
